/* The functions that main calls if several processes, the ranks of MPI (mpi/), make one scan together. */
#ifndef PSCAN_RANKS_H
#define PSCAN_RANKS_H

#include <stdbool.h>

#include "base/status.h"

struct options;

struct ranks {
	/* Call it once, before arguments are read. From then on only the first rank's messages are printed at once. */
	void (*begin)(int *argc, char ***argv);
	/* Whether this process is the first rank, which prints messages that concern all ranks. */
	bool (*is_first)(void);
	/* Scans this rank's slice of the input. Every rank must call this, even if its `status` so far is a failure.
	 * Returns one status for all ranks. */
	enum status (*scan)(const struct options *o, enum status status);
	/* Call it once, last. Returns the program's exit status, one for all ranks. */
	int (*end)(int status);
};

/* NULL in the ordinary program, which is one process (alone.c). */
extern const struct ranks *const ranks;

#endif
