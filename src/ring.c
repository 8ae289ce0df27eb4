/* One mutex, one condition variable: a chunk is a million elements, so there are few enough steps that finer ones would not
 * be seen. Positions count the slots ever handled by source, conductor and sink; position % count is the slot. */
#include "ring.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

enum stage { STAGE_FREE, STAGE_FILLED, STAGE_SCANNED, STAGE_DECODED, STAGE_ENCODED, STAGE_TAKEN };

struct ring {
	/* Constant while threads run. */
	size_t count;
	int stop_pipe[2];
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	/* Guarded by mutex. */
	enum stage *stages; /* of each slot */
	uint64_t source_position, conductor_position, sink_position;
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
	r->stages = memory_new(count * sizeof *r->stages);
	if (r->stages == NULL || pipe(r->stop_pipe) != 0) {
		message_error("cannot set up the pipeline");
		memory_free(r->stages);
		memory_free(r);
		return NULL;
	}
	for (size_t i = 0; i < 2; i++)
		(void)fcntl(r->stop_pipe[i], F_SETFD, FD_CLOEXEC);
	for (size_t i = 0; i < count; i++) {
		r->stages[i] = STAGE_FREE;
		r->slots[i].lane = i;
	}
	(void)pthread_mutex_init(&r->mutex, NULL);
	(void)pthread_cond_init(&r->changed, NULL);
	return r;
}

void ring_free(struct ring *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->count; i++)
		slot_free(&r->slots[i]);
	(void)close(r->stop_pipe[0]);
	(void)close(r->stop_pipe[1]);
	(void)pthread_cond_destroy(&r->changed);
	(void)pthread_mutex_destroy(&r->mutex);
	memory_free(r->stages);
	memory_free(r);
}

/* Takes the slot at a position if it is at the stage. The mutex is held. */
static struct slot *take_at(struct ring *r, uint64_t position, enum stage stage)
{
	const size_t i = (size_t)(position % r->count);
	if (r->stages[i] != stage)
		return NULL;
	r->stages[i] = STAGE_TAKEN;
	return &r->slots[i];
}

/* Waits for the slot at *position to reach the stage, takes it and moves on. */
static struct slot *take_next(struct ring *r, uint64_t *position, enum stage stage, bool wait)
{
	struct slot *slot = NULL;
	(void)pthread_mutex_lock(&r->mutex);
	while (!r->stopped) {
		/* Nothing lies ahead of the source but free slots. */
		if (r->input_ended && position != &r->sink_position && *position == r->source_position)
			break;
		slot = take_at(r, *position, stage);
		if (slot != NULL || !wait)
			break;
		(void)pthread_cond_wait(&r->changed, &r->mutex);
	}
	if (slot != NULL)
		(*position)++;
	(void)pthread_mutex_unlock(&r->mutex);
	return slot;
}

struct slot *ring_take_free(struct ring *r)
{
	return take_next(r, &r->source_position, STAGE_FREE, true);
}

struct slot *ring_take_decoded(struct ring *r, bool wait)
{
	return take_next(r, &r->conductor_position, STAGE_DECODED, wait);
}

struct slot *ring_take_encoded(struct ring *r)
{
	return take_next(r, &r->sink_position, STAGE_ENCODED, true);
}

/* The oldest slot at a stage. The mutex is held. */
static struct slot *oldest(struct ring *r, enum stage stage)
{
	for (uint64_t p = r->sink_position; p < r->source_position; p++) {
		struct slot *slot = take_at(r, p, stage);
		if (slot != NULL)
			return slot;
	}
	return NULL;
}

enum work ring_take_work(struct ring *r, struct slot **slot)
{
	enum work work = WORK_NONE;
	(void)pthread_mutex_lock(&r->mutex);
	while (!r->stopped) {
		*slot = oldest(r, STAGE_SCANNED);
		work = WORK_ENCODE;
		if (*slot != NULL)
			break;
		*slot = oldest(r, STAGE_FILLED);
		work = WORK_DECODE;
		if (*slot != NULL)
			break;
		work = WORK_NONE;
		(void)pthread_cond_wait(&r->changed, &r->mutex);
	}
	if (r->stopped)
		work = WORK_NONE;
	(void)pthread_mutex_unlock(&r->mutex);
	return work;
}

static void put(struct ring *r, const struct slot *s, enum stage stage)
{
	(void)pthread_mutex_lock(&r->mutex);
	r->stages[s->lane] = stage;
	(void)pthread_cond_broadcast(&r->changed);
	(void)pthread_mutex_unlock(&r->mutex);
}

void ring_put_filled(struct ring *r, struct slot *s)
{
	put(r, s, STAGE_FILLED);
}

void ring_put_decoded(struct ring *r, struct slot *s)
{
	put(r, s, STAGE_DECODED);
}

void ring_put_scanned(struct ring *r, struct slot *s)
{
	put(r, s, STAGE_SCANNED);
}

void ring_put_encoded(struct ring *r, struct slot *s)
{
	put(r, s, STAGE_ENCODED);
}

void ring_put_free(struct ring *r, struct slot *s)
{
	put(r, s, STAGE_FREE);
}

/* Wakes a source that waits for input. The mutex is held. */
static void wake_source(struct ring *r)
{
	const char byte = 0;
	(void)!write(r->stop_pipe[1], &byte, 1);
}

void ring_end_input(struct ring *r)
{
	(void)pthread_mutex_lock(&r->mutex);
	r->input_ended = true;
	(void)pthread_cond_broadcast(&r->changed);
	(void)pthread_mutex_unlock(&r->mutex);
}

void ring_cut(struct ring *r)
{
	(void)pthread_mutex_lock(&r->mutex);
	r->input_ended = true;
	wake_source(r);
	(void)pthread_cond_broadcast(&r->changed);
	(void)pthread_mutex_unlock(&r->mutex);
}

void ring_stop(struct ring *r, enum status status)
{
	(void)pthread_mutex_lock(&r->mutex);
	if (!r->stopped) {
		r->stopped = true;
		r->status = status;
	}
	wake_source(r);
	(void)pthread_cond_broadcast(&r->changed);
	(void)pthread_mutex_unlock(&r->mutex);
}

enum status ring_status(struct ring *r)
{
	(void)pthread_mutex_lock(&r->mutex);
	const enum status status = r->status;
	(void)pthread_mutex_unlock(&r->mutex);
	return status;
}

int ring_stop_fd(const struct ring *r)
{
	return r->stop_pipe[0];
}
