/* One mutex, and one condition on which idle threads wait. A thread that puts a slot comes back for more work itself,
 * so putting wakes no thread. The thread that takes work wakes one other if more is left than it will soon do itself,
 * and so on. (Waking is expensive: a switch of threads takes longer than a chunk in a pipe.) When the conductor puts a
 * slot while it waits for a device, a thread is woken.
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

/* The stage of a slot. SLOT_OPEN: an open window; SLOT_READ: one that was read. SLOT_TAKEN: a thread works on it. */
enum slot_stage { SLOT_FREE, SLOT_OPEN, SLOT_READ, SLOT_FILLED, SLOT_DECODED, SLOT_SCANNED, SLOT_ENCODED, SLOT_TAKEN };

#define PIECE_KINDS (WORK_INFLATE - WORK_SCAN + 1)

/* Posted pieces of one kind. */
struct pieces {
	struct task_queue queue;
	pool_work *work;
	void *owner;
};

/* More than 24 fields: all that one mutex guards. */
struct ring {
	/* Constant while threads run. */
	size_t count;
	int stop_pipe[2];
	pthread_mutex_t mutex;
	pthread_cond_t work; /* signalled when an idle thread may find work */
	/* signalled when a piece is done or a worker stops, for threads that wait for a piece */
	pthread_cond_t piece_done;
	/* Guarded by mutex. */
	enum slot_stage *stages; /* a stage for each slot */
	uint64_t source_position, cut_position, conductor_position, sink_position;
	size_t worker_max;
	struct pieces pieces[PIECE_KINDS];
	size_t working; /* threads that read, cut, decode, encode, or do pieces */
	size_t idle; /* threads that wait for work */
	bool filling, conducting, writing; /* some thread has the role */
	bool cuts_first; /* the source fills again only when no open window is left */
	size_t piece_waits; /* threads that wait for a piece */
	bool source_waits; /* the last chunk was read, perhaps from a pipe: the source's role stays with its thread */
	bool conductor_waits; /* the conductor waits for a device */
	bool conductor_wanted; /* the conductor must run although no slot is ready */
	bool input_ended;
	bool stopped;
	enum status status;
	/* Each slot by its owner. */
	struct slot slots[];
};

struct ring *ring_new(size_t count)
{
	struct ring *r = memory_zeros(1, sizeof *r + count * sizeof r->slots[0]);
	if (r == NULL)
		return NULL;
	r->count = count;
	r->worker_max = 1;
	r->stages = memory_new(count * sizeof *r->stages);
	if (r->stages == NULL || pipe(r->stop_pipe) != 0) {
		if (r->stages != NULL)
			message_error("cannot make a pipe: %s", strerror(errno));
		memory_free_all(r->stages, r);
		return NULL;
	}
	for (size_t i = 0; i < 2; i++)
		(void)fcntl(r->stop_pipe[i], F_SETFD, FD_CLOEXEC);
	for (size_t i = 0; i < count; i++) {
		r->stages[i] = SLOT_FREE;
		r->slots[i].channel = i;
	}
	(void)pthread_mutex_init(&r->mutex, NULL);
	(void)pthread_cond_init(&r->work, NULL);
	(void)pthread_cond_init(&r->piece_done, NULL);
	return r;
}

void ring_free(struct ring *r)
{
	if (r == NULL)
		return;
	/* Slots that were written are free again. Others need not be, if an error in the data ended the stream. */
	for (uint64_t p = r->source_position; p < r->sink_position + r->count && r->status == STATUS_OK; p++)
		assert(!r->stopped || r->stages[p % r->count] == SLOT_FREE);
	for (size_t i = 0; i < r->count; i++)
		slot_free(&r->slots[i]);
	(void)close(r->stop_pipe[0]);
	(void)close(r->stop_pipe[1]);
	(void)pthread_cond_destroy(&r->piece_done);
	(void)pthread_cond_destroy(&r->work);
	(void)pthread_mutex_destroy(&r->mutex);
	memory_free_all(r->stages, r);
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

/* All functions from here to ring_claim_work are called with the mutex held. */

static size_t index_of(const struct ring *r, uint64_t position)
{
	return (size_t)(position % r->count);
}

static struct slot *take(struct ring *r, size_t index)
{
	r->stages[index] = SLOT_TAKEN;
	return &r->slots[index];
}

/* The index of the oldest slot at a stage, or count. */
static size_t oldest(const struct ring *r, enum slot_stage stage)
{
	for (uint64_t p = r->sink_position; p < r->source_position; p++) {
		if (r->stages[index_of(r, p)] == stage)
			return index_of(r, p);
	}
	return r->count;
}

/* How many pieces of that work no thread has begun. */
static size_t waiting(const struct ring *r, enum work work)
{
	return r->pieces[work - WORK_SCAN].queue.count;
}

static bool can_write(const struct ring *r)
{
	return !r->writing && r->sink_position < r->source_position &&
	       r->stages[index_of(r, r->sink_position)] == SLOT_ENCODED;
}

static bool can_fill(const struct ring *r)
{
	return !r->filling && !r->input_ended && r->stages[index_of(r, r->source_position)] == SLOT_FREE &&
	       !(r->cuts_first && r->cut_position < r->source_position);
}

static bool can_cut(const struct ring *r)
{
	return !r->filling && r->cut_position < r->source_position &&
	       r->stages[index_of(r, r->cut_position)] == SLOT_READ;
}

/* Chooses the most urgent work: work that frees slots before work that fills them, old chunks before new ones. *index:
 * the index of its slot; r->count if it has no slot. */
static enum work most_urgent(const struct ring *r, enum work last, size_t *index)
{
	*index = r->count;
	/* The thread that reads a pipe continues to read if there is room: no other thread has to be woken for that. */
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
	if (may_work && waiting(r, WORK_KEYS) > 0)
		return WORK_KEYS;
	if (may_work && waiting(r, WORK_DEFLATE) > 0)
		return WORK_DEFLATE;
	if (may_work && (*index = oldest(r, SLOT_SCANNED)) < r->count)
		return WORK_ENCODE;
	if (may_work && waiting(r, WORK_SCAN) > 0)
		return WORK_SCAN;
	if (may_work && waiting(r, WORK_INFLATE) > 0)
		return WORK_INFLATE;
	if (can_cut(r)) {
		*index = index_of(r, r->cut_position);
		return WORK_CUT;
	}
	if (can_fill(r)) {
		*index = index_of(r, r->source_position);
		return WORK_FILL;
	}
	if (may_work && (*index = oldest(r, SLOT_FILLED)) < r->count)
		return WORK_DECODE;
	if (may_work && (*index = oldest(r, SLOT_OPEN)) < r->count)
		return WORK_READ;
	return WORK_NONE;
}

static struct work_item begin_work(struct ring *r, enum work work, size_t index)
{
	struct work_item item = {.work = work};
	switch (work) {
	case WORK_FILL:
	case WORK_CUT:
		r->filling = true;
		r->source_position += work == WORK_FILL ? 1 : 0;
		r->working += work == WORK_CUT ? 1 : 0;
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
	case WORK_READ:
	case WORK_DECODE:
	case WORK_ENCODE:
		r->working++;
		item.slot = take(r, index);
		break;
	case WORK_SCAN:
	case WORK_KEYS:
	case WORK_DEFLATE:
	case WORK_INFLATE:
		r->working++;
		item.piece = task_queue_take(&r->pieces[work - WORK_SCAN].queue);
		item.do_piece = r->pieces[work - WORK_SCAN].work;
		item.owner = r->pieces[work - WORK_SCAN].owner;
		break;
	case WORK_NONE:
		break;
	}
	return item;
}

static void end_working(struct ring *r)
{
	r->working--;
	if (r->piece_waits > 0)
		(void)pthread_cond_broadcast(&r->piece_done);
}

/* Whether to wake another thread, now that the caller has taken some work. Work that waits (for a pipe, a device)
 * leaves the rest to other threads. Other work is over soon, and one more piece can wait for it. */
static bool needs_help(const struct ring *r, enum work taken)
{
	const bool waits = taken == WORK_WRITE || (taken == WORK_FILL && r->source_waits) ||
			   (taken == WORK_CONDUCT && r->conductor_waits);
	size_t pending = 0;
	for (enum work work = WORK_SCAN; work <= WORK_INFLATE; work++)
		pending += waiting(r, work);
	for (uint64_t p = r->sink_position; p < r->source_position; p++) {
		const enum slot_stage stage = r->stages[index_of(r, p)];
		pending += stage == SLOT_SCANNED || stage == SLOT_FILLED || stage == SLOT_OPEN;
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

struct work_item ring_claim_work(struct ring *r, enum work last)
{
	size_t index;
	enum work work = WORK_NONE;
	struct work_item item = {.work = WORK_NONE};
	lock(r);
	r->filling = r->filling && last != WORK_FILL && last != WORK_CUT;
	r->conducting = r->conducting && last != WORK_CONDUCT;
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

void ring_put(struct ring *r, const struct slot *s, enum work done)
{
	static const enum slot_stage stages[] = {
		[WORK_FILL] = SLOT_FILLED,    [WORK_READ] = SLOT_READ,       [WORK_CUT] = SLOT_FILLED,
		[WORK_DECODE] = SLOT_DECODED, [WORK_CONDUCT] = SLOT_SCANNED, [WORK_ENCODE] = SLOT_ENCODED,
		[WORK_WRITE] = SLOT_FREE};
	lock(r);
	r->stages[s->channel] = s->in.window.is_open && done == WORK_FILL ? SLOT_OPEN : stages[done];
	if (done == WORK_FILL) {
		r->source_waits = s->in.input == NULL;
		r->cuts_first = s->in.window.is_open && !s->in.window.next_is_open;
	}
	if (r->stages[s->channel] == SLOT_FILLED) {
		r->cut_position++;
		r->input_ended = r->input_ended || s->in.last;
	}
	if (done != WORK_FILL && done != WORK_CONDUCT && done != WORK_WRITE)
		end_working(r);
	r->conductor_wanted = r->conductor_wanted || done == WORK_DECODE;
	r->writing = r->writing && done != WORK_WRITE;
	if (done == WORK_CONDUCT && r->conductor_waits)
		wake_one(r);
	unlock(r);
}

struct slot *ring_take_decoded(struct ring *r)
{
	struct slot *slot = NULL;
	lock(r);
	const size_t index = index_of(r, r->conductor_position);
	if (r->conductor_position < r->source_position && r->stages[index] == SLOT_DECODED) {
		slot = take(r, index);
		r->conductor_position++;
	}
	unlock(r);
	return slot;
}

void ring_end_piece(struct ring *r, enum work work, size_t piece)
{
	lock(r);
	r->pieces[work - WORK_SCAN].queue.busy[piece] = false;
	r->conductor_wanted = r->conductor_wanted || work == WORK_SCAN;
	end_working(r);
	unlock(r);
}

static struct pieces *pieces_of(const struct pool *pool)
{
	struct ring *r = pool->context;
	return &r->pieces[pool->kind - WORK_SCAN];
}

static void post(const struct pool *pool, size_t piece, pool_work *work, void *owner)
{
	struct ring *r = pool->context;
	struct pieces *p = pieces_of(pool);
	lock(r);
	p->work = work;
	p->owner = owner;
	task_queue_post(&p->queue, piece);
	/* The conductor takes scans itself, soon. */
	if (pool->kind != WORK_SCAN && r->working < r->worker_max)
		wake_one(r);
	unlock(r);
}

static bool is_done(const struct pool *pool, size_t piece)
{
	struct ring *r = pool->context;
	lock(r);
	const bool done = !pieces_of(pool)->queue.busy[piece];
	unlock(r);
	return done;
}

/* The mutex is held. */
static void wait_for_piece(struct ring *r)
{
	r->piece_waits++;
	(void)pthread_cond_wait(&r->piece_done, &r->mutex);
	r->piece_waits--;
}

static bool help(const struct pool *pool, size_t piece, size_t *other)
{
	struct ring *r = pool->context;
	struct task_queue *q = &pieces_of(pool)->queue;
	bool helps = false;
	lock(r);
	while (q->busy[piece] && !helps) {
		/* After the ring was stopped no thread begins anything else. */
		helps = q->count > 0 && (r->working < r->worker_max || r->stopped);
		if (helps) {
			r->working++;
			*other = task_queue_take(q);
		} else {
			wait_for_piece(r);
		}
	}
	unlock(r);
	return helps;
}

static void end(const struct pool *pool, size_t piece)
{
	ring_end_piece(pool->context, (enum work)pool->kind, piece);
}

static void withdraw(const struct pool *pool, size_t piece)
{
	struct ring *r = pool->context;
	struct task_queue *q = &pieces_of(pool)->queue;
	lock(r);
	task_queue_withdraw(q, piece);
	while (q->busy[piece])
		wait_for_piece(r);
	unlock(r);
}

struct pool ring_pool(struct ring *r, enum work work, size_t count)
{
	return (struct pool){
		.context = r,
		.kind = (int)work,
		.count = count,
		.post = post,
		.is_done = is_done,
		.help = help,
		.end = end,
		.withdraw = withdraw,
	};
}

void ring_want_conductor(struct ring *r)
{
	lock(r);
	r->conductor_wanted = true;
	wake_one(r);
	unlock(r);
}

void ring_stop(struct ring *r, enum status status)
{
	const char byte = 0;
	lock(r);
	if (!r->stopped) {
		r->stopped = true;
		r->status = status;
	}
	(void)!write(r->stop_pipe[1], &byte, 1); /* the source may wait for input */
	(void)pthread_cond_broadcast(&r->work);
	(void)pthread_cond_broadcast(&r->piece_done);
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

int ring_end_fd(const struct ring *r)
{
	return r->stop_pipe[1];
}
