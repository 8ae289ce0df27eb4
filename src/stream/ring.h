/* The ring of slots, and the work on them: the only thing that the threads of the pipeline share.
 *
 * Slots go round in the order of the stream. Any thread takes the most urgent piece of work, owns its slot, and passes
 * the slot to the next stage when the work is done. Filling (with cutting), conducting and writing are roles: one
 * thread at a time has each. */
#ifndef PSCAN_STREAM_RING_H
#define PSCAN_STREAM_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"
#include "base/status.h"
#include "chunk/slot.h"
#include "stream/task_queue.h"

struct ring;

enum work {
	WORK_NONE, /* the ring was stopped: no more work will come */
	WORK_FILL, /* the source's role, with the next free slot */
	WORK_READ, /* a slot that is an open window */
	WORK_CUT, /* the source's role, with the open window that is next in the stream and was read */
	WORK_DECODE, /* a filled slot */
	WORK_CONDUCT, /* the conductor's role, without a slot */
	WORK_ENCODE, /* a scanned slot */
	WORK_WRITE, /* the sink's role, with the slot that is next in the stream */
	/* Pieces that were posted: */
	WORK_SCAN, /* by the conductor's engine */
	WORK_KEYS, /* by the conductor: some keys of a chunk */
	WORK_DEFLATE, /* by the sink: a block of output */
	WORK_INFLATE, /* by the source: a block of input */
};

/* A piece of work. */
struct work_item {
	enum work work;
	struct slot *slot; /* NULL for WORK_NONE, WORK_CONDUCT and pieces */
	size_t piece; /* The number of a posted piece. */
	pool_work *do_piece; /* The function that does it. */
	void *owner; /* The function's argument. */
};

/* The numbers of posted pieces are below this. */
#define RING_PIECE_MAX TASK_QUEUE_MAX

/* Returns a ring of `count` slots, which are all zero but for `channel`. The caller ends it with ring_free. NULL after
 * a message. */
struct ring *ring_new(size_t count);
/* Frees the ring and its slots (slot_free). No thread may use the ring any more. NULL: does nothing. */
void ring_free(struct ring *r);

/* Sets how many threads may be at work at once, not counting filling, conducting and writing. 1 at first.
 * conductor_waits: the conductor waits for a device, so that other threads must be woken while it does. */
void ring_set_workers(struct ring *r, size_t count, bool conductor_waits);

/* Waits for work and returns it. last: the thread's previous work, at first WORK_NONE. If the previous work was
 * filling, cutting or conducting, the thread's role ends with this call. */
struct work_item ring_claim_work(struct ring *r, enum work last);

/* Passes on a slot. done: the work that ring_claim_work gave with it, from WORK_FILL to WORK_WRITE; WORK_CONDUCT for a
 * slot of ring_take_decoded whose results are complete. */
void ring_put(struct ring *r, const struct slot *s, enum work done);
/* Call it when a piece that ring_claim_work gave is done. */
void ring_end_piece(struct ring *r, enum work work, size_t piece);

/* For the thread that conducts: returns the next slot of the stream, if it is decoded. Otherwise NULL. */
struct slot *ring_take_decoded(struct ring *r);

/* Returns the ring's threads as a pool for `count` (at most RING_PIECE_MAX) pieces of this work, from WORK_SCAN to
 * WORK_INFLATE. The pool borrows the ring. */
struct pool ring_pool(struct ring *r, enum work work, size_t count);

/* Schedules the conductor although no new slot is ready. */
void ring_want_conductor(struct ring *r);
/* Stops the ring: all threads get WORK_NONE. status: the failure, or STATUS_OK if everything is written. The first
 * status stays. */
void ring_stop(struct ring *r, enum status status);
/* Returns the status of the first ring_stop. STATUS_OK if the ring was not stopped. */
enum status ring_status(struct ring *r);
/* Returns a descriptor that becomes readable when the source must stop. Owned by the ring. */
int ring_stop_fd(const struct ring *r);
/* Returns a descriptor for signal handlers. A byte that is written to it makes ring_stop_fd readable, so that the input
 * ends; everything that was read is still scanned and written. Owned by the ring. */
int ring_end_fd(const struct ring *r);

#endif
