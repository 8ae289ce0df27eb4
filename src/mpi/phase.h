/* Where a rank is in the story of scan.c, for tests: PSCAN_MPI_KILL=RANK:PHASE kills that rank when it has come so
 * far. */
#ifndef PSCAN_MPI_PHASE_H
#define PSCAN_MPI_PHASE_H

#include "base/status.h"

enum phase {
	PHASE_BEGUN, /* all ranks know that all have begun */
	PHASE_PLANNED, /* the input was measured */
	PHASE_OPENED, /* the output is open */
	PHASE_GATHERED, /* the slice's totals are known */
	PHASE_CARRIED, /* the scan went on to the next rank */
	PHASE_SCANNED, /* the results are written */
	PHASE_CLOSED, /* this rank's part of the output is closed */
	PHASE_ENDED, /* the output has its name */
	PHASE_COUNT,
};

/* Whether the variable, if it is set, names a rank and a phase. STATUS_USAGE after a message. */
enum status phase_check(void) MUST_CHECK;
/* This rank has come to a phase. */
void phase_reach(enum phase phase);

#endif
