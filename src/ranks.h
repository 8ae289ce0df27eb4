/* The functions that main calls if several processes, the ranks of MPI (mpi/), make one scan together. */
#ifndef PSCAN_RANKS_H
#define PSCAN_RANKS_H

#include <stdbool.h>

#include "base/status.h"

struct options;

struct ranks {
	/* Call it once, before arguments are read. From then on only the first rank's messages are printed at once.
	 * argc and argv are main's; arguments of MPI may be removed. */
	void (*begin)(int *argc, char ***argv);
	/* Whether this process is the first rank, which prints messages that concern all ranks. */
	bool (*is_first)(void);
	/* Scans this rank's slice of the input, if `status` is STATUS_OK on every rank. Every rank must call this, or
	 * none may. Only a rank that has failed earlier may call `end` with its failure instead. Returns one status for
	 * all ranks, after a message if it is a failure. */
	enum status (*scan)(const struct options *o, enum status status);
	/* Call it once, last, on every rank. status: the rank's exit status so far. Returns the program's exit status,
	 * one for all ranks. */
	int (*end)(int status);
};

/* NULL in the ordinary program, which is one process (alone.c). */
extern const struct ranks *const ranks;

#endif
