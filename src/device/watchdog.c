/* Calls go through a queue to the thread that makes them. The caller does not wait for `begin`; it waits for all
 * others as long as calls return. A call writes its answer to the queue, from where the caller copies it, because a
 * call that was given up may still write when it returns. If such a call may still write to a channel's memory, cancel
 * returns false. */
#include "device/watchdog.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/timeline.h"
#include "process/cpus.h"
#include "process/inquiry.h"

#define QUEUE_SIZE 16
/* A waiting caller checks the driver's progress this often. */
#define LOOK_NS 50000000
/* A thread spins this long before it sleeps, if there are SPIN_CPUS_MIN processors: waking up takes longer than a chunk
 * on a fast device. (An H200 with chunks of 4 MiB took 25 GB/s, and 22 without spinning.) */
#define SPIN_NS 300000
#define SPIN_CPUS_MIN 8

enum call_kind {
	CALL_OPEN,
	CALL_SET_ROW,
	CALL_RUN_CURSOR,
	CALL_BEGIN,
	CALL_FINISH,
	CALL_CANCEL,
	CALL_CLOSE,
};

struct call {
	enum call_kind kind;
	enum sweep sweep;
	size_t channel;
	size_t lane;
	struct row row;
	struct cursor_work work;
	/* The answer. */
	enum status status;
	bool cancelled;
	struct span spans[STAGE_COUNT];
};

struct watched {
	struct engine base;
	/* Constant. */
	struct engine_need need;
	pthread_t thread;
	bool spins;
	/* Written by the thread. The caller reads them after a call has returned. */
	struct engine *inner; /* Owned. NULL: not open. */
	struct lane_work *lanes; /* Copies of all channels' lanes; a call that was given up may still set them. */
	enum status failed; /* The status of the first begin, finish or cursor call that failed. */
	pthread_mutex_t mutex;
	pthread_cond_t was_posted, has_returned;
	/* Guarded by mutex. */
	struct call calls[QUEUE_SIZE];
	/* Calls posted and returned since the opening. Call number `returned` is in the driver. Written under mutex. */
	atomic_uint_least64_t posted, returned;
	bool lost; /* A call did not return in time. */
	bool was_reported; /* A call failed with STATUS_DEVICE, and a message was printed. */
	struct lane_work **callers; /* The caller's lanes of every channel. Used by the caller only. */
};

static atomic_bool is_stuck;

bool watchdog_is_stuck(void)
{
	return atomic_load(&is_stuck);
}

static struct watched *watched_of(struct engine *e)
{
	return (struct watched *)e;
}

/* --- The thread -------------------------------------------------------------------------------------------------- */

/* Spins for at most SPIN_NS until *count is at least `wanted`. Call with mutex held; it is released meanwhile. */
static void spin(struct watched *w, const atomic_uint_least64_t *count, uint64_t wanted)
{
	if (!w->spins || atomic_load(count) >= wanted)
		return;
	(void)pthread_mutex_unlock(&w->mutex);
	const uint64_t end = timeline_now_ns() + SPIN_NS;
	while (atomic_load_explicit(count, memory_order_relaxed) < wanted && timeline_now_ns() < end)
		;
	(void)pthread_mutex_lock(&w->mutex);
}

static struct lane_work *lanes_of(struct watched *w, size_t channel)
{
	return w->lanes + channel * w->need.lane_count;
}

static void make_call(struct watched *w, struct call *call)
{
	const bool is_work = call->kind >= CALL_RUN_CURSOR && call->kind <= CALL_FINISH;
	call->status = is_work ? w->failed : STATUS_OK;
	if (call->kind == CALL_OPEN)
		call->status = opencl_engine_open(&w->need, &w->inner);
	if (call->status != STATUS_OK || w->inner == NULL)
		return;
	const struct engine_class *class = w->inner->class;
	switch (call->kind) {
	case CALL_OPEN:
		break;
	case CALL_SET_ROW:
		call->status = class->set_row(w->inner, call->lane, &call->row);
		break;
	case CALL_RUN_CURSOR:
		call->status = class->run_cursor(w->inner, call->lane, &call->work);
		break;
	case CALL_BEGIN:
		call->status = class->begin(w->inner, call->sweep, call->channel, lanes_of(w, call->channel));
		break;
	case CALL_FINISH:
		call->status = class->finish(w->inner, call->sweep, call->channel, call->spans);
		break;
	case CALL_CANCEL:
		call->cancelled = class->cancel(w->inner, call->channel);
		break;
	case CALL_CLOSE:
		class->close(w->inner);
		break;
	}
	if (is_work)
		w->failed = call->status;
}

static void *driver_thread(void *context)
{
	struct watched *w = context;
	bool closed = false;
	inquiry_leave_alone();
	(void)pthread_mutex_lock(&w->mutex);
	while (!closed && !w->lost) {
		spin(w, &w->posted, w->returned + 1);
		while (w->posted == w->returned)
			(void)pthread_cond_wait(&w->was_posted, &w->mutex);
		struct call *call = &w->calls[w->returned % QUEUE_SIZE];
		(void)pthread_mutex_unlock(&w->mutex);
		make_call(w, call);
		inquiry_keep();
		(void)pthread_mutex_lock(&w->mutex);
		closed = call->kind == CALL_CLOSE;
		w->was_reported = w->was_reported || call->status == STATUS_DEVICE;
		w->returned++;
		(void)pthread_cond_broadcast(&w->has_returned);
	}
	(void)pthread_mutex_unlock(&w->mutex);
	return NULL;
}

/* --- The caller -------------------------------------------------------------------------------------------------- */

/* The name of the device that the call in the driver uses, or all names if that is not known, or NULL. Call with mutex
 * held. */
static const char *device_called(const struct watched *w)
{
	const struct call *call = &w->calls[w->returned % QUEUE_SIZE];
	if (w->base.devices == NULL || call->kind < CALL_RUN_CURSOR || call->kind > CALL_CANCEL)
		return w->base.device;
	return w->base.devices[call->channel % w->base.device_count];
}

/* Gives up the device, with a message that says why. Call with mutex held. */
static void give_up(struct watched *w, enum call_kind kind, const char *why)
{
	const char *device = device_called(w) != NULL ? device_called(w) : w->need.spec;
	w->lost = true;
	atomic_store(&is_stuck, true);
	(void)pthread_detach(w->thread);
	if (kind == CALL_CLOSE || w->was_reported)
		return; /* Closing loses nothing, and an earlier failure was reported already. */
	if (w->need.spec != NULL)
		message_error("device %s: %s", message_shown(device), why);
	else
		message_warning("device %s: %s; the host goes on", device != NULL ? device : "auto", why);
}

/* Gives up the device if the call in the driver has used up its time. Call with mutex held. */
static void look(struct watched *w, enum call_kind kind, uint64_t waited_ns)
{
	const uint64_t limit_ns = (uint64_t)w->need.timeout_s * 1000000000u;
	char why[80];
	if (limit_ns > 0 && waited_ns >= limit_ns) {
		(void)snprintf(why, sizeof why, "no progress for %u s (see PSCAN_DEVICE_TIMEOUT)", w->need.timeout_s);
		give_up(w, kind, why);
	}
}

/* Waits until `wanted` calls have returned. False: the device is lost. Call with mutex held. */
static bool wait_for_return(struct watched *w, uint64_t wanted, enum call_kind kind)
{
	uint64_t waited_ns = 0;
	spin(w, &w->returned, wanted);
	uint64_t returned = w->returned;
	while (!w->lost && w->returned < wanted) {
		struct timespec until;
		(void)clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += LOOK_NS;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		const int code = pthread_cond_timedwait(&w->has_returned, &w->mutex, &until);
		if (w->returned != returned) {
			returned = w->returned;
			waited_ns = 0;
		} else if (code == ETIMEDOUT) {
			/* Counts waits and reads no clock: time in which the program was stopped must not count. */
			waited_ns += LOOK_NS;
			look(w, kind, waited_ns);
		}
	}
	return !w->lost;
}

/* Posts a call, and waits for a place in the queue first. False: the device is lost. Call with mutex held. */
static bool post(struct watched *w, const struct call *call)
{
	if (w->posted - w->returned == QUEUE_SIZE && !wait_for_return(w, w->posted - QUEUE_SIZE + 1, call->kind))
		return false;
	if (w->lost)
		return false;
	w->calls[w->posted++ % QUEUE_SIZE] = *call;
	(void)pthread_cond_signal(&w->was_posted);
	return true;
}

/* Posts a call and waits until it has returned. *call becomes the answer. STATUS_DEVICE if the device is lost. */
static enum status ask(struct watched *w, struct call *call)
{
	(void)pthread_mutex_lock(&w->mutex);
	const bool answered = post(w, call) && wait_for_return(w, w->posted, call->kind);
	if (answered)
		*call = w->calls[(w->posted - 1) % QUEUE_SIZE];
	(void)pthread_mutex_unlock(&w->mutex);
	return answered ? call->status : STATUS_DEVICE;
}

static enum status watched_set_row(struct engine *e, size_t lane, const struct row *row)
{
	struct call call = {.kind = CALL_SET_ROW, .lane = lane, .row = *row};
	return ask(watched_of(e), &call);
}

/* If the device is lost, the call in the driver may still write to *work's memory. The run then ends, because a user's
 * program cannot go on without the device. */
static enum status watched_run_cursor(struct engine *e, size_t lane, struct cursor_work *work)
{
	struct call call = {.kind = CALL_RUN_CURSOR, .lane = lane, .work = *work};
	const enum status status = ask(watched_of(e), &call);
	*work = call.work;
	return status;
}

/* Copies the lanes of an idle channel and posts the call. */
static enum status watched_begin(struct engine *e, enum sweep sweep, size_t channel, struct lane_work *lanes)
{
	struct watched *w = watched_of(e);
	const struct call call = {.kind = CALL_BEGIN, .sweep = sweep, .channel = channel};
	bool was_posted = false;
	(void)pthread_mutex_lock(&w->mutex);
	if (!w->lost) {
		memcpy(lanes_of(w, channel), lanes, w->need.lane_count * sizeof *lanes);
		w->callers[channel] = lanes;
		was_posted = post(w, &call);
	}
	(void)pthread_mutex_unlock(&w->mutex);
	return was_posted ? STATUS_OK : STATUS_DEVICE;
}

static enum status watched_finish(struct engine *e, enum sweep sweep, size_t channel, struct span *spans)
{
	struct watched *w = watched_of(e);
	struct call call = {.kind = CALL_FINISH, .sweep = sweep, .channel = channel};
	if (sweep != SWEEP_TOTALS)
		memcpy(call.spans, spans, sizeof call.spans);
	const enum status status = ask(w, &call);
	if (status != STATUS_OK || sweep == SWEEP_TOTALS)
		return status;
	memcpy(spans, call.spans, sizeof call.spans);
	for (size_t i = 0; i < w->need.lane_count; i++) {
		w->callers[channel][i].first_bad = lanes_of(w, channel)[i].first_bad;
		w->callers[channel][i].cursor_after = lanes_of(w, channel)[i].cursor_after;
	}
	return STATUS_OK;
}

static bool watched_cancel(struct engine *e, size_t channel)
{
	struct call call = {.kind = CALL_CANCEL, .channel = channel};
	return ask(watched_of(e), &call) == STATUS_OK && call.cancelled;
}

static void free_watched(struct watched *w)
{
	(void)pthread_cond_destroy(&w->has_returned);
	(void)pthread_cond_destroy(&w->was_posted);
	(void)pthread_mutex_destroy(&w->mutex);
	memory_free_all(w->lanes, w->callers, w);
}

/* A lost engine is not freed, because its thread may still use it. */
static void watched_close(struct engine *e)
{
	struct watched *w = watched_of(e);
	struct call call = {.kind = CALL_CLOSE};
	if (ask(w, &call) != STATUS_OK)
		return;
	(void)pthread_join(w->thread, NULL);
	free_watched(w);
}

static const struct engine_class watched_class = {
	.set_row = watched_set_row,
	.run_cursor = watched_run_cursor,
	.begin = watched_begin,
	.finish = watched_finish,
	.cancel = watched_cancel,
	.close = watched_close,
};

static struct watched *new_watched(const struct engine_need *need)
{
	pthread_condattr_t attributes;
	struct watched *w = memory_zeros(1, sizeof *w);
	if (w == NULL)
		return NULL;
	w->need = *need;
	w->lanes = memory_new(need->channel_count * need->lane_count * sizeof *w->lanes);
	w->callers = memory_new(need->channel_count * sizeof *w->callers);
	if (w->lanes == NULL || w->callers == NULL) {
		memory_free_all(w->lanes, w->callers, w);
		return NULL;
	}
	w->base.class = &watched_class;
	w->spins = cpus_available() >= SPIN_CPUS_MIN;
	(void)pthread_mutex_init(&w->mutex, NULL);
	(void)pthread_cond_init(&w->was_posted, NULL);
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&w->has_returned, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	const int error = pthread_create(&w->thread, NULL, driver_thread, w);
	if (error == 0)
		return w;
	if (need->spec != NULL)
		memory_missing_thread(error);
	else
		message_warning("device auto: cannot start a thread: %s; the host goes on", strerror(error));
	free_watched(w);
	return NULL;
}

enum status watchdog_open(const struct engine_need *need, struct engine **engine)
{
	*engine = NULL;
	struct watched *w = new_watched(need);
	struct call call = {.kind = CALL_OPEN};
	if (w == NULL)
		return STATUS_SYSTEM;
	const enum status status = ask(w, &call);
	if (status != STATUS_OK || w->inner == NULL) {
		watched_close(&w->base);
		return status;
	}
	w->base = *w->inner;
	w->base.class = &watched_class;
	*engine = &w->base;
	return STATUS_OK;
}
