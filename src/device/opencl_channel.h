/* A channel of the OpenCL engine: an in-order queue and the buffers of one chunk. Internal to that engine.
 *
 * All calls come from one thread at a time, as the engine's do. *c is the context that the channel was opened with; it
 * outlives the channel. Calls that return a status return STATUS_DEVICE if the device failed, reported as
 * opencl_failed says; the channel can then be cancelled or closed. */
#ifndef PSCAN_DEVICE_OPENCL_CHANNEL_H
#define PSCAN_DEVICE_OPENCL_CHANNEL_H

#include "base/timeline.h"
#include "device/engine.h"
#include "device/opencl.h"

/* A channel's commands that --trace shows. COMMAND_COUNT: one that it does not. */
enum opencl_command { COMMAND_UPLOAD, COMMAND_TOTALS, COMMAND_RESULTS, COMMAND_DOWNLOAD, COMMAND_COUNT };

/* A buffer that the device computes on, and the lent memory. */
struct opencl_buffer {
	cl_mem device;
	unsigned char *host; /* the lent memory, or NULL; owned */
	size_t bytes; /* of the lent memory */
	bool is_shared; /* device is the lent memory */
	bool mapped; /* and it is the host's at present */
	cl_mem pinned; /* the lent memory, if it is not shared, once it was used: copies are fast then (ten times, on
			 * NVIDIA), though no command uses it */
};

/* All zero: not open. Everything in it is owned. */
struct opencl_channel {
	cl_command_queue queue;
	struct opencl_buffer in, out;
	cl_mem states, bad;
	cl_mem kept; /* borrowed while the chunk is under way; NULL: its kernels keep nothing */
	cl_uint count; /* elements of the chunk under way */
	cl_uint tile_count; /* its tiles */
	cl_uint in_first; /* where in its buffer they begin */
	cl_uint *places; /* one a tile of the largest chunk: where the chunk's bad elements are */
	cl_event newest; /* of the commands enqueued; NULL: there is nothing to wait for */
	cl_event events[COMMAND_COUNT]; /* if profiling */
};

/* Opens a channel that is all zero. *size is borrowed for the call. *lent gets the memory that the channel lends,
 * which lives until it is closed; NULL: it lends none. STATUS_DEVICE, or STATUS_SYSTEM after a message:
 * opencl_channel_close is still due. */
enum status opencl_channel_open(struct opencl_context *c, struct opencl_channel *l, const struct engine_size *size,
				struct channel_memory *lent) MUST_CHECK;

/* Waits for the channel's commands and releases everything. The channel may be half open, or all zero. */
void opencl_channel_close(struct opencl_channel *l);

/* Whether p is in lent memory that the device shares. *first is the index there of the element of element_size bytes at
 * p, or 0. */
bool opencl_channel_shares(const struct opencl_buffer *b, const void *p, size_t element_size, cl_uint *first);

/* Pins the lent memory if it is copied to or from, p lies there and it is not pinned yet. */
enum status opencl_channel_pin(struct opencl_context *c, struct opencl_buffer *b, const void *p) MUST_CHECK;

/* These enqueue a command after the channel's others and return at once. Host memory is borrowed until the command is
 * done, which opencl_channel_await, opencl_channel_finish and opencl_channel_cancel wait for. */

/* Runs a kernel whose arguments are set, with a work-group of the given size for each of l->tile_count tiles. */
enum status opencl_channel_run(struct opencl_context *c, struct opencl_channel *l, cl_kernel kernel, size_t group,
			       enum opencl_command command) MUST_CHECK;
/* Copies size bytes from the host to a buffer's beginning, or the other way. */
enum status opencl_channel_write(struct opencl_context *c, struct opencl_channel *l, cl_mem to, const void *from,
				 size_t size, enum opencl_command command) MUST_CHECK;
enum status opencl_channel_read(struct opencl_context *c, struct opencl_channel *l, cl_mem from, void *to, size_t size,
				enum opencl_command command) MUST_CHECK;
/* Makes shared memory the device's. Does nothing if it is already, or if *b shares none. */
enum status opencl_channel_unmap(struct opencl_context *c, struct opencl_channel *l,
				 struct opencl_buffer *b) MUST_CHECK;
/* Makes shared memory the host's again, once the commands before are done. Does nothing if *b shares none. */
enum status opencl_channel_map(struct opencl_context *c, struct opencl_channel *l, struct opencl_buffer *b) MUST_CHECK;

/* Has the device begin what was enqueued. */
enum status opencl_channel_flush(struct opencl_context *c, struct opencl_channel *l) MUST_CHECK;

/* Waits for the newest command of the channel, and so for all. */
enum status opencl_channel_await(struct opencl_context *c, struct opencl_channel *l) MUST_CHECK;

/* The same for a chunk's last command. If profiling, sets those of spans (STAGE_COUNT of them) whose
 * stages the device did. */
enum status opencl_channel_finish(struct opencl_context *c, struct opencl_channel *l, struct span *spans) MUST_CHECK;

/* Waits until nothing borrowed is used any more, and forgets the chunk. False: the device did not say that it is so.
 * Failures are not reported. */
bool opencl_channel_cancel(struct opencl_channel *l) MUST_CHECK;

/* Nanoseconds from the device's clock to timeline_now_ns, for c->clock_offset_ns. The channel is idle, and its
 * context profiles. 0: the device does not say. */
int64_t opencl_channel_clock_offset(const struct opencl_channel *l);

#endif
