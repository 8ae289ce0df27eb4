/* One lane of a channel of the OpenCL engine: an in-order queue and the buffers of a chunk. Internal to that engine.
 *
 * Only one thread at a time may call these functions. If the device fails, a channel's `status` becomes STATUS_DEVICE,
 * after opencl_failed. Later commands do nothing then, and the channel can only be cancelled or closed. Functions that
 * return a status return this one. */
#ifndef PSCAN_DEVICE_OPENCL_CHANNEL_H
#define PSCAN_DEVICE_OPENCL_CHANNEL_H

#include "base/timeline.h"
#include "device/engine.h"
#include "device/opencl.h"

/* The commands that --trace shows. COMMAND_COUNT stands for a command that --trace does not show. */
enum opencl_command { COMMAND_UPLOAD, COMMAND_TOTALS, COMMAND_FOLD, COMMAND_RESULTS, COMMAND_DOWNLOAD, COMMAND_COUNT };

/* A buffer that the device computes on, and the memory that the channel lends for it. */
struct opencl_buffer {
	cl_mem device; /* The buffer that kernels use. */
	unsigned char *host; /* The lent memory, or NULL. Owned. */
	size_t bytes; /* Bytes of the lent memory. */
	bool is_shared; /* `device` uses the lent memory itself. */
	bool mapped; /* The shared memory belongs to the host at present, otherwise to the device. */
	/* A buffer over lent memory that is not shared, made when that memory is first used. No command uses this
	 * buffer. It pins the memory, which makes copies fast (ten times on NVIDIA). */
	cl_mem pinned;
};

/* All zero: not open. Everything is owned, except `context` and `kept`. */
struct opencl_channel {
	struct opencl_context *context;
	enum status status; /* STATUS_OK until something fails. */
	cl_command_queue queue;
	struct opencl_buffer in, out;
	cl_mem states, bad; /* The tiles' totals, later the host's carry-ins; each tile's first bad element. */
	/* If the device folds, otherwise NULL: the tiles' carry-ins, and the cursor after the chunk under way. */
	cl_mem carry_ins, cursor;
	cl_mem small; /* The memory of host_cursor and places. */
	union cursor *host_cursor; /* A cursor on its way to or from the device, if it folds. */
	cl_event folded; /* The event of the fold of the chunk under way, or NULL. */
	cl_mem kept; /* Borrowed while a chunk is under way. NULL: its kernels keep nothing. */
	cl_uint count; /* Elements of the chunk under way. */
	cl_uint tile_count; /* Tiles of the chunk under way. */
	cl_uint in_first; /* Index in `in` of the chunk's first element. */
	cl_uint *places; /* The host's copy of `bad`, with room for the largest chunk. */
	cl_event newest; /* The event of the last command. NULL: there is nothing to wait for. */
	/* The events of the chunk's commands that --trace shows. All NULL unless the context profiles. */
	cl_event events[COMMAND_COUNT];
};

/* Opens the queue of a channel that is all zero, without its buffers. The context must outlive the channel. After a
 * failure the caller must still call opencl_channel_close. */
enum status opencl_channel_open_queue(struct opencl_context *c, struct opencl_channel *l) MUST_CHECK;

/* Opens a channel that is all zero. The context must outlive the channel. *size is borrowed for the call. folds: the
 * device folds. *lent is set to the memory that the channel lends, which is valid until the channel is closed. lent
 * NULL: the channel lends none. STATUS_SYSTEM after a message if memory is missing. After a failure the caller must
 * still call opencl_channel_close. */
enum status opencl_channel_open(struct opencl_context *c, struct opencl_channel *l, const struct engine_size *size,
				bool folds, struct channel_memory *lent) MUST_CHECK;

/* Waits for the channel's commands and releases everything. The channel may be half open, or all zero. Call it once; *l
 * is not zeroed. */
void opencl_channel_close(struct opencl_channel *l);

/* Whether p is in b's lent memory, and the device uses this memory itself (b->is_shared). *first becomes the index of
 * the element at p, in elements of element_size bytes from the beginning of this memory. p must then be a whole number
 * of elements from the beginning. If the result is false, *first becomes 0. */
bool opencl_channel_shares(const struct opencl_buffer *b, const void *p, size_t element_size, cl_uint *first);

/* Pins b's lent memory if p is in it and the device does not share it. Does nothing if it is pinned already. b may be
 * another channel's. */
void opencl_channel_pin(struct opencl_channel *l, struct opencl_buffer *b, const void *p);

/* opencl_channel_run, fold, write, read, unmap and map enqueue a command after the channel's earlier ones and return at
 * once. Host memory is borrowed until opencl_channel_await or opencl_channel_finish returns STATUS_OK, or
 * opencl_channel_cancel returns true. (After a failure await and finish do not wait.) command: what --trace calls the
 * command, each at most once a chunk; COMMAND_COUNT: --trace does not show it. */

/* Returns a new buffer of `size` bytes, or NULL if the channel's status is not STATUS_OK. The caller releases it. */
cl_mem opencl_channel_buffer(struct opencl_channel *l, size_t size);
/* Sets argument number `place` (from 0) of a kernel to the `size` bytes at `value`, which are copied. */
void opencl_channel_set(struct opencl_channel *l, cl_kernel kernel, cl_uint place, size_t size, const void *value);
/* Runs a kernel whose arguments are set, in `items` work-items. group: those of a work-group, or 0 for any number. */
void opencl_channel_run(struct opencl_channel *l, cl_kernel kernel, size_t items, size_t group,
			enum opencl_command command);
/* Runs the kernel that folds the chunk's totals, in one work-item, after the fold of the chunk before it. `before` is
 * the channel that has that chunk under way, or NULL. */
void opencl_channel_fold(struct opencl_channel *l, cl_kernel kernel, const struct opencl_channel *before);
/* Copies `size` bytes from the host's memory to a buffer's beginning. */
void opencl_channel_write(struct opencl_channel *l, cl_mem to, const void *from, size_t size,
			  enum opencl_command command);
/* Copies `size` bytes from a buffer's beginning to the host's memory. */
void opencl_channel_read(struct opencl_channel *l, cl_mem from, void *to, size_t size, enum opencl_command command);
/* Hands shared memory to the device. Does nothing if the device has it already, or if *b is not shared. */
void opencl_channel_unmap(struct opencl_channel *l, struct opencl_buffer *b);
/* Enqueues the return of shared memory to the host, after the earlier commands. The host may touch it only after
 * opencl_channel_await or opencl_channel_finish. Does nothing if *b is not shared. */
void opencl_channel_map(struct opencl_channel *l, struct opencl_buffer *b);

/* Makes the device begin the enqueued commands. Returns the channel's status. */
enum status opencl_channel_flush(struct opencl_channel *l) MUST_CHECK;

/* Waits until all commands of the channel are done, unless the channel has failed. Returns the channel's status. */
enum status opencl_channel_await(struct opencl_channel *l) MUST_CHECK;

/* opencl_channel_await at the end of a chunk: also forgets the chunk's events. After a success, and if the context
 * profiles, sets the entries of spans (STAGE_COUNT of them) for the stages that the device did. */
enum status opencl_channel_finish(struct opencl_channel *l, struct span *spans) MUST_CHECK;

/* Gives up a chunk and waits until borrowed memory is no longer used, also after a failure. False: waiting failed, and
 * the device may still use the memory. Prints nothing. The channel's status stays. */
bool opencl_channel_cancel(struct opencl_channel *l) MUST_CHECK;

/* Device memory in which the up-sweep of a chunk keeps values for its down-sweep (kernels/kept.h). */
struct opencl_kept {
	cl_mem memory; /* Owned, or NULL. */
	size_t bytes;
	const struct opencl_channel *user; /* The channel that uses it for the chunk under way, or NULL. */
};

/* Lends a channel memory of at least `bytes` bytes as l->kept, until opencl_kept_take_back. `kept` is an array with an
 * entry for each channel. If there is no memory, l->kept becomes NULL, and the channel has failed. */
void opencl_kept_lend(struct opencl_kept *kept, struct opencl_channel *l, size_t bytes);
/* Ends the lending. l->kept becomes NULL. Does nothing if l->kept is NULL. */
void opencl_kept_take_back(struct opencl_kept *kept, struct opencl_channel *l);

/* Returns the nanoseconds to add to the device's clock for timeline_now_ns, or 0 if the device does not give its time.
 * The channel must be idle and its context must profile. */
int64_t opencl_channel_clock_offset(const struct opencl_channel *l);

#endif
