/* The phases of a rank's work, for tests: the environment variable PSCAN_MPI_KILL=RANK:PHASE kills a rank when it
 * reaches a phase. */
#ifndef PSCAN_MPI_PHASE_H
#define PSCAN_MPI_PHASE_H

#include "base/status.h"

enum phase {
	PHASE_BEGUN, /* All ranks know that all have begun. */
	PHASE_PLANNED, /* The input was measured. */
	PHASE_OPENED, /* The output is open. */
	PHASE_GATHERED, /* The slice's totals are known. */
	PHASE_CARRIED, /* The scan's state was sent to the next rank. */
	PHASE_SCANNED, /* The results are written. */
	PHASE_CLOSED, /* This rank's part of the output is closed. */
	PHASE_ENDED, /* The output has its final name. */
	PHASE_COUNT,
};

/* Checks the variable's value. STATUS_USAGE after a message if it is set and is not RANK:PHASE. */
enum status phase_check(void) MUST_CHECK;
/* Call this when this rank reaches a phase. Kills the process if the variable says so. */
void phase_reach(enum phase phase);

#endif
