/* Processes that make one scan together: the ranks of MPI (mpi/). What main does differently where there are some. */
#ifndef PSCAN_RANKS_H
#define PSCAN_RANKS_H

#include <stdbool.h>

#include "base/status.h"

struct options;

struct ranks {
	/* Once, before anything but descriptors is looked at. From then on only the first rank's messages are
	 * printed. */
	void (*begin)(int *argc, char ***argv);
	/* Whether this is the one that speaks for all. */
	bool (*is_first)(void);
	/* Scans a slice of the input; every rank is to call this, whatever the status so far, and gets the same one
	 * back. */
	enum status (*scan)(const struct options *o, enum status status);
	/* Once, last. Gives the program's exit status, every rank the same. */
	int (*end)(int status);
};

/* NULL in the ordinary program, which is alone (alone.c). */
extern const struct ranks *const ranks;

#endif
