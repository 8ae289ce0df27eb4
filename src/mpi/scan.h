/* A scan by all ranks together. */
#ifndef PSCAN_MPI_SCAN_H
#define PSCAN_MPI_SCAN_H

#include "base/status.h"

struct options;

/* Scans this rank's slice. Every rank must call it, with its status so far. Returns one status for all ranks, after a
 * message if it is a failure. */
enum status scan_together(const struct options *o, enum status status) MUST_CHECK;

#endif
