/* One mutex, and one condition that idle threads wait on. A thread that puts a slot comes back for more work itself, so
 * a put wakes nobody: the thread that takes work wakes one other if more is left than it will soon do itself, and so
 * on. (Waking is what costs: a switch of threads takes longer than a chunk in a pipe.) What the conductor puts while it
 * waits for a device wakes somebody.
 *
 * Positions count the slots ever handled by source, conductor and sink; position % count is the slot. */
#include "stream/ring.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"

/* Where a slot is; PLACE_TAKEN: some thread works on it. */
enum place { PLACE_FREE, PLACE_FILLED, PLACE_DECODED, PLACE_SCANNED, PLACE_ENCODED, PLACE_TAKEN };

/* Work posted for a slot that the conductor owns. */
enum job { JOB_NONE, JOB_POSTED, JOB_RUNNING };

struct ring {
	/* Constant while threads run. */
	size_t count;
	int stop_pipe[2];
	pthread_mutex_t mutex;
	pthread_cond_t work; /* there may be some for an idle thread */
	pthread_cond_t scanned; /* a posted piece of work is done: for the conductor */
	pthread_cond_t block_done; /* or a worker less works: for those who wait for a block */
	/* Guarded by mutex. */
	enum place *places; /* of each slot */
	enum job *jobs; /* of each slot */
	uint64_t source_position, conductor_position, sink_position;
	size_t worker_max;
	struct block_queue deflates, inflates;
	size_t working; /* threads that decode, scan, encode, deflate or inflate */
	size_t idle; /* threads that wait for work */
	bool filling, conducting, writing; /* some thread has the role */
	size_t block_waits; /* threads that wait for a block */
	bool source_waits; /* its last chunk was read, from a pipe perhaps: its role stays with the thread */
	bool conductor_waits; /* for a device */
	bool conductor_wanted; /* something happened that it should look at */
	bool input_ended;
	bool stopped;
	enum status status;
	/* Each slot by its owner. */
	struct slot slots[];
};

struct ring *ring_new(size_t count)
{
	struct ring *r = memory_new(sizeof *r + count * sizeof r->slots[0]);
	if (r == NULL)
		return NULL;
	memset(r, 0, sizeof *r + count * sizeof r->slots[0]);
	r->count = count;
	r->worker_max = 1;
	r->places = memory_new(count * sizeof *r->places);
	r->jobs = memory_new(count * sizeof *r->jobs);
	const bool has_memory = r->places != NULL && r->jobs != NULL;
	if (!has_memory || pipe(r->stop_pipe) != 0) {
		if (has_memory)
			message_error("cannot make a pipe: %s", strerror(errno));
		memory_free(r->places);
		memory_free(r->jobs);
		memory_free(r);
		return NULL;
	}
	for (size_t i = 0; i < 2; i++)
		(void)fcntl(r->stop_pipe[i], F_SETFD, FD_CLOEXEC);
	for (size_t i = 0; i < count; i++) {
		r->places[i] = PLACE_FREE;
		r->jobs[i] = JOB_NONE;
		r->slots[i].channel = i;
	}
	(void)pthread_mutex_init(&r->mutex, NULL);
	(void)pthread_cond_init(&r->work, NULL);
	(void)pthread_cond_init(&r->scanned, NULL);
	(void)pthread_cond_init(&r->block_done, NULL);
	return r;
}

void ring_free(struct ring *r)
{
	if (r == NULL)
		return;
	/* What was written came back. What was only filled need not, if an error in the data ended the stream. */
	for (uint64_t p = r->source_position; p < r->sink_position + r->count && r->status == STATUS_OK; p++)
		assert(!r->stopped || r->places[p % r->count] == PLACE_FREE);
	for (size_t i = 0; i < r->count; i++)
		slot_free(&r->slots[i]);
	(void)close(r->stop_pipe[0]);
	(void)close(r->stop_pipe[1]);
	(void)pthread_cond_destroy(&r->block_done);
	(void)pthread_cond_destroy(&r->scanned);
	(void)pthread_cond_destroy(&r->work);
	(void)pthread_mutex_destroy(&r->mutex);
	memory_free(r->places);
	memory_free(r->jobs);
	memory_free(r);
}

static void lock(struct ring *r)
{
	(void)pthread_mutex_lock(&r->mutex);
}

static void unlock(struct ring *r)
{
	(void)pthread_mutex_unlock(&r->mutex);
}

void ring_set_workers(struct ring *r, size_t count, bool conductor_waits)
{
	lock(r);
	r->worker_max = count;
	r->conductor_waits = conductor_waits;
	unlock(r);
}

/* All functions from here to ring_take_work are called with the mutex held. */

static size_t index_of(const struct ring *r, uint64_t position)
{
	return (size_t)(position % r->count);
}

static struct slot *take(struct ring *r, size_t index)
{
	r->places[index] = PLACE_TAKEN;
	return &r->slots[index];
}

/* The index of the oldest slot at a place, or count. */
static size_t oldest(const struct ring *r, enum place place)
{
	for (uint64_t p = r->sink_position; p < r->source_position; p++) {
		if (r->places[index_of(r, p)] == place)
			return index_of(r, p);
	}
	return r->count;
}

/* The index of the oldest slot with posted work, or count. */
static size_t oldest_posted(const struct ring *r)
{
	for (uint64_t p = r->sink_position; p < r->conductor_position; p++) {
		if (r->jobs[index_of(r, p)] == JOB_POSTED)
			return index_of(r, p);
	}
	return r->count;
}

static bool can_write(const struct ring *r)
{
	return !r->writing && r->sink_position < r->source_position &&
	       r->places[index_of(r, r->sink_position)] == PLACE_ENCODED;
}

static bool can_fill(const struct ring *r)
{
	return !r->filling && !r->input_ended && r->places[index_of(r, r->source_position)] == PLACE_FREE;
}

/* The most urgent work: what frees slots comes before what fills them, old chunks before new ones. *index is its
 * slot's, count if it has none. */
static enum work most_urgent(const struct ring *r, enum work last, size_t *index)
{
	*index = r->count;
	if (last == WORK_FILL && r->source_waits && can_fill(r)) {
		*index = index_of(r, r->source_position);
		return WORK_FILL;
	}
	if (can_write(r)) {
		*index = index_of(r, r->sink_position);
		return WORK_WRITE;
	}
	if (r->conductor_wanted && !r->conducting)
		return WORK_CONDUCT;
	const bool may_work = r->working < r->worker_max;
	if (may_work && r->deflates.count > 0)
		return WORK_DEFLATE;
	if (may_work && (*index = oldest(r, PLACE_SCANNED)) < r->count)
		return WORK_ENCODE;
	if (may_work && (*index = oldest_posted(r)) < r->count)
		return WORK_SCAN;
	if (may_work && r->inflates.count > 0)
		return WORK_INFLATE;
	if (can_fill(r)) {
		*index = index_of(r, r->source_position);
		return WORK_FILL;
	}
	if (may_work && (*index = oldest(r, PLACE_FILLED)) < r->count)
		return WORK_DECODE;
	return WORK_NONE;
}

static struct block_queue *queue_of(struct ring *r, enum work work)
{
	return work == WORK_DEFLATE ? &r->deflates : &r->inflates;
}

static struct work_item begin_work(struct ring *r, enum work work, size_t index)
{
	struct work_item item = {.work = work};
	switch (work) {
	case WORK_FILL:
		r->filling = true;
		r->source_position++;
		item.slot = take(r, index);
		break;
	case WORK_WRITE:
		r->writing = true;
		r->sink_position++;
		item.slot = take(r, index);
		break;
	case WORK_CONDUCT:
		r->conducting = true;
		r->conductor_wanted = false;
		break;
	case WORK_SCAN:
		r->working++;
		r->jobs[index] = JOB_RUNNING;
		item.slot = &r->slots[index];
		break;
	case WORK_DECODE:
	case WORK_ENCODE:
		r->working++;
		item.slot = take(r, index);
		break;
	case WORK_DEFLATE:
	case WORK_INFLATE:
		r->working++;
		item.block = block_queue_take(queue_of(r, work));
		break;
	case WORK_NONE:
		break;
	}
	return item;
}

static void end_working(struct ring *r)
{
	r->working--;
	if (r->block_waits > 0)
		(void)pthread_cond_broadcast(&r->block_done);
}

/* Whether another thread should be woken: the caller has just taken some work. Work that waits (for a pipe, a device)
 * leaves everything else to others; other work is over soon, and one more piece can wait for that. */
static bool needs_help(const struct ring *r, enum work taken)
{
	const bool waits = taken == WORK_WRITE || (taken == WORK_FILL && r->source_waits) ||
			   (taken == WORK_CONDUCT && r->conductor_waits);
	size_t pending = r->deflates.count + r->inflates.count;
	for (uint64_t p = r->sink_position; p < r->source_position; p++) {
		const size_t i = index_of(r, p);
		pending += r->places[i] == PLACE_SCANNED || r->places[i] == PLACE_FILLED || r->jobs[i] == JOB_POSTED;
	}
	if (can_write(r) || (can_fill(r) && r->source_waits))
		return true;
	if (waits && r->conductor_wanted && !r->conducting)
		return true;
	return r->working < r->worker_max && pending > (waits ? 0 : 1);
}

static void wake_one(struct ring *r)
{
	if (r->idle > 0)
		(void)pthread_cond_signal(&r->work);
}

struct work_item ring_take_work(struct ring *r, enum work last)
{
	size_t index;
	enum work work = WORK_NONE;
	struct work_item item = {.work = WORK_NONE};
	lock(r);
	/* Whoever read a pipe goes on reading, if there is room: nobody has to wake up for that. */
	if (last == WORK_FILL)
		r->filling = false;
	while (!r->stopped && (work = most_urgent(r, last, &index)) == WORK_NONE) {
		r->idle++;
		(void)pthread_cond_wait(&r->work, &r->mutex);
		r->idle--;
	}
	if (!r->stopped) {
		item = begin_work(r, work, index);
		if (r->idle > 0 && needs_help(r, work))
			wake_one(r);
	}
	unlock(r);
	return item;
}

static void put(struct ring *r, const struct slot *s, enum place place)
{
	r->places[s->channel] = place;
}

void ring_put_filled(struct ring *r, struct slot *s)
{
	lock(r);
	put(r, s, PLACE_FILLED);
	r->source_waits = s->input == NULL;
	r->input_ended = r->input_ended || s->last;
	unlock(r);
}

void ring_put_decoded(struct ring *r, struct slot *s)
{
	lock(r);
	put(r, s, PLACE_DECODED);
	end_working(r);
	r->conductor_wanted = true;
	unlock(r);
}

void ring_put_scan_done(struct ring *r, struct slot *s)
{
	lock(r);
	r->jobs[s->channel] = JOB_NONE;
	end_working(r);
	r->conductor_wanted = true;
	if (r->conducting)
		(void)pthread_cond_signal(&r->scanned);
	unlock(r);
}

void ring_put_encoded(struct ring *r, struct slot *s)
{
	lock(r);
	put(r, s, PLACE_ENCODED);
	end_working(r);
	unlock(r);
}

void ring_put_free(struct ring *r, struct slot *s)
{
	lock(r);
	put(r, s, PLACE_FREE);
	r->writing = false;
	unlock(r);
}

void ring_end_conduct(struct ring *r)
{
	lock(r);
	r->conducting = false;
	unlock(r);
}

struct slot *ring_take_decoded(struct ring *r)
{
	struct slot *slot = NULL;
	lock(r);
	const size_t index = index_of(r, r->conductor_position);
	if (r->conductor_position < r->source_position && r->places[index] == PLACE_DECODED) {
		slot = take(r, index);
		r->conductor_position++;
	}
	unlock(r);
	return slot;
}

void ring_put_scanned(struct ring *r, struct slot *s)
{
	lock(r);
	put(r, s, PLACE_SCANNED);
	if (r->conductor_waits)
		wake_one(r);
	unlock(r);
}

void ring_post_scan(struct ring *r, size_t channel)
{
	lock(r);
	r->jobs[channel] = JOB_POSTED;
	unlock(r);
}

bool ring_scan_is_done(struct ring *r, size_t channel)
{
	lock(r);
	const bool done = r->jobs[channel] == JOB_NONE;
	unlock(r);
	return done;
}

bool ring_settle_scan(struct ring *r, size_t channel)
{
	lock(r);
	const bool posted = r->jobs[channel] == JOB_POSTED;
	if (posted)
		r->jobs[channel] = JOB_NONE;
	while (r->jobs[channel] != JOB_NONE)
		(void)pthread_cond_wait(&r->scanned, &r->mutex);
	unlock(r);
	return posted;
}

void ring_post_block(struct ring *r, enum work work, size_t block)
{
	lock(r);
	block_queue_post(queue_of(r, work), block);
	if (r->working < r->worker_max)
		wake_one(r);
	unlock(r);
}

bool ring_block_is_done(struct ring *r, enum work work, size_t block)
{
	lock(r);
	const bool done = !queue_of(r, work)->busy[block];
	unlock(r);
	return done;
}

bool ring_help_blocks(struct ring *r, enum work work, size_t block, size_t *other)
{
	bool helps = false;
	lock(r);
	struct block_queue *q = queue_of(r, work);
	while (q->busy[block] && !helps) {
		/* When the ring was stopped nobody else begins anything. */
		helps = q->count > 0 && (r->working < r->worker_max || r->stopped);
		if (helps) {
			r->working++;
			*other = block_queue_take(q);
		} else {
			r->block_waits++;
			(void)pthread_cond_wait(&r->block_done, &r->mutex);
			r->block_waits--;
		}
	}
	unlock(r);
	return helps;
}

void ring_put_block(struct ring *r, enum work work, size_t block)
{
	lock(r);
	queue_of(r, work)->busy[block] = false;
	end_working(r);
	unlock(r);
}

void ring_want_conductor(struct ring *r)
{
	lock(r);
	r->conductor_wanted = true;
	wake_one(r);
	unlock(r);
}

/* Wakes a source that waits for input. The mutex is held. */
static void wake_source(struct ring *r)
{
	const char byte = 0;
	(void)!write(r->stop_pipe[1], &byte, 1);
}

void ring_cut(struct ring *r)
{
	lock(r);
	r->input_ended = true;
	wake_source(r);
	unlock(r);
}

void ring_stop(struct ring *r, enum status status)
{
	lock(r);
	if (!r->stopped) {
		r->stopped = true;
		r->status = status;
	}
	wake_source(r);
	(void)pthread_cond_broadcast(&r->work);
	(void)pthread_cond_broadcast(&r->block_done);
	unlock(r);
}

enum status ring_status(struct ring *r)
{
	lock(r);
	const enum status status = r->status;
	unlock(r);
	return status;
}

int ring_stop_fd(const struct ring *r)
{
	return r->stop_pipe[0];
}
