/* Device memory in which the up-sweep of a chunk keeps values for its down-sweep (kernels/kept.h). Internal to the
 * OpenCL engine. Only the engine's thread may call these functions. */
#ifndef PSCAN_DEVICE_OPENCL_KEPT_H
#define PSCAN_DEVICE_OPENCL_KEPT_H

#include "device/opencl_channel.h"

struct opencl_kept {
	cl_mem memory; /* Owned, or NULL. */
	size_t bytes;
	const struct opencl_channel *user; /* The channel that uses it for the chunk under way, or NULL. */
};

/* Lends a channel memory of at least `bytes` bytes as l->kept, until opencl_kept_take_back. `kept` has an entry for
 * each channel. STATUS_DEVICE after opencl_failed. */
enum status opencl_kept_lend(struct opencl_kept *kept, struct opencl_channel *l, size_t bytes) MUST_CHECK;
/* Does nothing if the channel has none. */
void opencl_kept_take_back(struct opencl_kept *kept, struct opencl_channel *l);

#endif
