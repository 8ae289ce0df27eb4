/* One scan by all ranks. */
#ifndef PSCAN_MPI_SCAN_H
#define PSCAN_MPI_SCAN_H

#include "base/status.h"

struct options;

/* Scans this rank's slice; every rank calls it with the status so far. Gives the status of all. */
enum status scan_together(const struct options *o, enum status status) MUST_CHECK;

#endif
