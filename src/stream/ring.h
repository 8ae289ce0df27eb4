/* The ring of slots and the work there is on them: the only thing the threads of the pipeline share.
 *
 * Slots go round in the order of the stream. Any thread takes the most urgent piece of work there is, becomes the owner
 * of its slot, and puts the slot on when it is done. Filling, conducting and writing are roles: one thread at a time
 * has each. */
#ifndef PSCAN_STREAM_RING_H
#define PSCAN_STREAM_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"
#include "base/status.h"
#include "stream/slot.h"
#include "stream/task_queue.h"

struct ring;

enum work {
	WORK_NONE, /* the ring was stopped: nothing will come any more */
	WORK_FILL, /* the source's role, with the next free slot */
	WORK_DECODE, /* a filled slot */
	WORK_CONDUCT, /* the conductor's role, without a slot */
	WORK_ENCODE, /* a scanned slot */
	WORK_WRITE, /* the sink's role, with the slot that is next in the stream */
	/* Pieces that were posted: */
	WORK_SCAN, /* by the conductor's engine */
	WORK_DEFLATE, /* by the sink: a block of output */
	WORK_INFLATE, /* by the source: a block of input */
};

/* A piece of work. */
struct work_item {
	enum work work;
	struct slot *slot; /* NULL for WORK_NONE, WORK_CONDUCT and pieces */
	size_t piece; /* of a posted one its number, */
	pool_work *do_piece; /* and what does it, */
	void *owner; /* for its owner */
};

/* Posted pieces of each kind are numbered from 0, fewer than this. */
#define RING_PIECE_MAX TASK_QUEUE_MAX

/* count slots, zero but for their channel. NULL after a message. */
struct ring *ring_new(size_t count);
/* No thread may use the ring any more. */
void ring_free(struct ring *r);

/* Sets how many threads may decode, scan, encode, deflate and inflate at once (default 1). conductor_waits: the
 * conductor waits for a device. */
void ring_set_workers(struct ring *r, size_t count, bool conductor_waits);

/* Waits for work. last: what the calling thread did before, WORK_NONE at first. */
struct work_item ring_take_work(struct ring *r, enum work last);

/* The ends of the pieces of work. */
void ring_put_filled(struct ring *r, struct slot *s);
void ring_put_decoded(struct ring *r, struct slot *s);
void ring_put_encoded(struct ring *r, struct slot *s);
void ring_put_free(struct ring *r, struct slot *s);
void ring_end_conduct(struct ring *r);
void ring_end_piece(struct ring *r, enum work work, size_t piece);

/* The conductor's: the next decoded slot, or NULL if there is none at the moment. */
struct slot *ring_take_decoded(struct ring *r);
void ring_put_scanned(struct ring *r, struct slot *s);

/* The ring's threads as a pool for count pieces of that work. */
struct pool ring_pool(struct ring *r, enum work work, size_t count);

/* Somebody shall conduct, though no slot came. */
void ring_want_conductor(struct ring *r);
/* Something failed (or status is STATUS_OK: all is written): WORK_NONE for everybody; the first status stays. */
void ring_stop(struct ring *r, enum status status);
/* The first status that stopped it. */
enum status ring_status(struct ring *r);
/* A descriptor that becomes readable when the source shall stop. */
int ring_stop_fd(const struct ring *r);
/* One to which a byte is written to make it so: the input ends there, and all that was read goes its way. */
int ring_end_fd(const struct ring *r);

#endif
