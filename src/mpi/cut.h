/* Where text is cut into slices: where lines begin. */
#ifndef PSCAN_MPI_CUT_H
#define PSCAN_MPI_CUT_H

#include <stdint.h>

#include "base/status.h"

struct options;
struct plan;
struct share_inputs;

/* Every rank calls this. begins: where each rank's slice begins, and where the last one ends, in bytes of all files
 * together; those of ranks that have nothing are where the next one's is. After a message. */
enum status cut_text(const struct options *o, const struct plan *plan, const struct share_inputs *inputs,
		     uint64_t *begins) MUST_CHECK;

#endif
