/* A GPU or accelerator is brought up at once, unless the input is known to be over before a driver could load. A CPU
 * device is the same silicon as the host, and bringing it up (LLVM) costs the host's time: only when the stream has
 * lasted a second, or is known to.
 *
 *     IDLE -> BRINGING_UP -> READY -> TRIAL -> SETTLED
 *
 * In the trial the device's rate over some chunks is compared with the host's before: input bytes of delivered chunks
 * by the clock, so that an input or output that is slow for both does not count against the device. */
#include "handover.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "engine_watched.h"
#include "message.h"

/* A driver takes longer than this many bytes of a file. */
#define WORTHWHILE_BYTES ((uint64_t)256 << 20)
/* A CPU device is worth a try on a stream that lasts so long. */
#define CPU_AFTER_NS UINT64_C(1000000000)
/* The host's rate is known well enough to foresee that after so long. */
#define FORESEE_AFTER_NS UINT64_C(50000000)
/* The trial: its first chunks fill the device's lanes; then at least so many, for at least so long. */
#define TRIAL_SKIPPED 6
#define TRIAL_CHUNKS 16
#define TRIAL_NS UINT64_C(100000000)
/* A device keeps the stream if its rate is at least this part of the host's. */
#define GPU_KEEPS 0.80
#define CPU_KEEPS 0.95

enum bring_up { BRING_UP_RUNNING, BRING_UP_READY, BRING_UP_NOTHING, BRING_UP_FAILED };

enum state { STATE_IDLE, STATE_BRINGING_UP, STATE_TRIAL, STATE_SETTLED };

/* What the first scan on a device works on. */
struct first_memory {
	void *in, *out, *totals;
};

struct handover {
	/* Constant while the thread runs. */
	struct engine_need need;
	struct row row; /* that the device is prepared for */
	handover_ready *ready;
	void *context;
	pthread_t thread;
	uint64_t thread_begin_ns;
	/* The thread's until outcome says that it is done, then the conductor's. */
	struct engine *engine;
	struct first_memory first[2]; /* of a GPU and a CPU, if it was not given back */
	uint64_t bring_up_ns;
	_Atomic enum bring_up outcome;
	/* The conductor's. */
	enum state state;
	bool gpu_tried;
	uint64_t begin_ns; /* of the stream */
	uint64_t mark_ns, bytes, chunks; /* of the engine at present: since when it delivered how much */
	bool device_was_seen;
	struct handover_stats stats;
};

struct handover *handover_new(const struct engine_need *need, handover_ready *ready, void *context)
{
	struct handover *h = memory_new(sizeof *h);
	if (h == NULL)
		return NULL;
	*h = (struct handover){.need = *need, .ready = ready, .context = context, .begin_ns = timeline_now_ns()};
	h->mark_ns = h->begin_ns;
	h->gpu_tried = !engine_opencl_may_have_gpu();
	atomic_init(&h->outcome, BRING_UP_RUNNING);
	return h;
}

static void free_first(struct first_memory *m)
{
	memory_free(m->in);
	memory_free(m->out);
	memory_free(m->totals);
	*m = (struct first_memory){0};
}

/* Scans a tile of zeros: some drivers compile only then. What a device that is lost may still write to stays in m. */
static enum status first_scan(struct engine *e, struct first_memory *m)
{
	struct span spans[STAGE_COUNT];
	size_t bad;
	*m = (struct first_memory){
		.in = memory_new(GRID_TILE * e->size.element_max),
		.out = memory_new(GRID_TILE * e->size.element_max),
		.totals = memory_new(2 * STATE_SIZE_MAX),
	};
	enum status status = m->in == NULL || m->out == NULL || m->totals == NULL ? STATUS_SYSTEM : STATUS_OK;
	if (status == STATUS_OK) {
		memset(m->in, 0, GRID_TILE * e->size.element_max);
		memset(m->totals, 0, 2 * STATE_SIZE_MAX);
		status = e->class->begin_totals(e, 0, m->in, GRID_TILE, m->totals);
	}
	if (status == STATUS_OK)
		status = e->class->finish_totals(e, 0);
	if (status == STATUS_OK)
		status = e->class->begin_results(e, 0, m->totals, false, m->out);
	if (status == STATUS_OK)
		status = e->class->finish_results(e, 0, &bad, spans);
	if (status == STATUS_OK || e->class->cancel(e, 0))
		free_first(m);
	return status;
}

static void *bring_up_thread(void *context)
{
	struct handover *h = context;
	enum status status = engine_watched_open(&h->need, &h->engine);
	if (status == STATUS_OK && h->engine != NULL) {
		status = h->engine->class->set_row(h->engine, &h->row);
		if (status == STATUS_OK)
			status = first_scan(h->engine, &h->first[h->need.cpu]);
		if (status != STATUS_OK) {
			h->engine->class->close(h->engine);
			h->engine = NULL;
		}
	}
	h->bring_up_ns = timeline_now_ns() - h->thread_begin_ns;
	atomic_store(&h->outcome, status != STATUS_OK ? BRING_UP_FAILED
				  : h->engine == NULL ? BRING_UP_NOTHING
						      : BRING_UP_READY);
	h->ready(h->context);
	return NULL;
}

static void begin_bring_up(struct handover *h, const struct conductor *c, bool cpu)
{
	h->need.cpu = cpu;
	h->row = conductor_row(c);
	h->thread_begin_ns = timeline_now_ns();
	h->engine = NULL;
	atomic_store(&h->outcome, BRING_UP_RUNNING);
	/* Without the thread the host scans on: nothing is lost but speed. */
	h->state = pthread_create(&h->thread, NULL, bring_up_thread, h) == 0 ? STATE_BRINGING_UP : STATE_SETTLED;
}

/* The rate since the mark, in bytes a second. */
static double rate(const struct handover *h, uint64_t now)
{
	return now > h->mark_ns ? (double)h->bytes / ((double)(now - h->mark_ns) * 1e-9) : 0;
}

static void set_mark(struct handover *h, uint64_t now)
{
	h->mark_ns = now;
	h->bytes = 0;
	h->chunks = 0;
}

/* Whether it is time to bring a device up, and of which kind. */
static void look_idle(struct handover *h, const struct conductor *c, const struct slot *chunk, uint64_t now)
{
	const uint64_t elapsed = now - h->begin_ns;
	const uint64_t left = chunk != NULL ? chunk->bytes_left : 0;
	if (!h->gpu_tried) {
		if (chunk == NULL || (left > 0 && left < WORTHWHILE_BYTES))
			return;
		h->gpu_tried = true;
		begin_bring_up(h, c, false);
		return;
	}
	const bool foreseen = elapsed >= FORESEE_AFTER_NS && left > 0 &&
			      (double)left > rate(h, now) * ((double)(CPU_AFTER_NS - elapsed) * 1e-9);
	if (elapsed >= CPU_AFTER_NS || foreseen)
		begin_bring_up(h, c, true);
}

static void look_bringing_up(struct handover *h, struct conductor *c, uint64_t now)
{
	const enum bring_up outcome = atomic_load(&h->outcome);
	if (outcome == BRING_UP_RUNNING)
		return;
	(void)pthread_join(h->thread, NULL);
	h->stats.bring_up_ns = h->bring_up_ns;
	if (outcome == BRING_UP_READY) {
		h->stats.host_rate = rate(h, now);
		h->state = STATE_TRIAL;
		conductor_offer(c, h->engine);
		return;
	}
	if (outcome == BRING_UP_FAILED)
		h->stats.outcome = HANDOVER_FAILED;
	/* No GPU, or it failed: there may be a CPU device, later. */
	h->state = h->need.cpu || engine_watched_is_stuck() ? STATE_SETTLED : STATE_IDLE;
}

/* The device has the stream, or soon will. */
static void look_trial(struct handover *h, struct conductor *c, uint64_t now)
{
	if (conductor_engine(c) != h->engine) {
		if (conductor_has_offer(c))
			return;
		h->stats.outcome = HANDOVER_FAILED;
		h->state = STATE_SETTLED;
		return;
	}
	if (h->chunks < TRIAL_CHUNKS || now - h->mark_ns < TRIAL_NS)
		return;
	const double keeps = h->need.cpu ? CPU_KEEPS : GPU_KEEPS;
	h->stats.device_rate = rate(h, now);
	h->state = STATE_SETTLED;
	if (h->stats.device_rate >= keeps * h->stats.host_rate)
		return;
	h->stats.outcome = HANDOVER_RETURNED;
	message_verbose("device %s: %.2f GB/s, the host %.2f: the host goes on", h->engine->device,
			h->stats.device_rate * 1e-9, h->stats.host_rate * 1e-9);
	conductor_offer_host(c);
}

void handover_look(struct handover *h, struct conductor *c, const struct slot *chunk)
{
	const uint64_t now = timeline_now_ns();
	switch (h->state) {
	case STATE_IDLE:
		look_idle(h, c, chunk, now);
		break;
	case STATE_BRINGING_UP:
		look_bringing_up(h, c, now);
		break;
	case STATE_TRIAL:
		look_trial(h, c, now);
		break;
	case STATE_SETTLED:
		break;
	}
}

void handover_count(struct handover *h, const struct conductor *c, const struct slot *slot)
{
	h->bytes += slot->size;
	h->chunks++;
	/* While it is brought up the engine is another thread's. */
	const bool has_device =
		(h->state == STATE_TRIAL || h->state == STATE_SETTLED) && conductor_engine(c) == h->engine;
	if (!has_device &&
	    (h->stats.outcome == HANDOVER_KEPT || (h->state == STATE_TRIAL && !conductor_has_offer(c)))) {
		h->stats.outcome = HANDOVER_FAILED;
		h->state = STATE_SETTLED;
	}
	if (h->state != STATE_TRIAL || !has_device)
		return;
	if (!h->device_was_seen) {
		h->device_was_seen = true;
		h->stats.outcome = HANDOVER_KEPT;
		h->stats.first_chunk = slot->number;
		set_mark(h, timeline_now_ns());
	} else if (h->stats.device_rate <= 0 && slot->number == h->stats.first_chunk + TRIAL_SKIPPED) {
		set_mark(h, timeline_now_ns());
	}
}

bool handover_stop(struct handover *h, struct handover_stats *stats)
{
	if (h == NULL)
		return true;
	*stats = h->stats;
	if (h->state == STATE_BRINGING_UP) {
		stats->outcome = HANDOVER_LATE;
		stats->bring_up_ns = timeline_now_ns() - h->thread_begin_ns;
		if (atomic_load(&h->outcome) == BRING_UP_RUNNING)
			return false; /* h stays the thread's */
		(void)pthread_join(h->thread, NULL);
		if (h->engine != NULL)
			h->engine->class->close(h->engine);
	} else if (h->state == STATE_TRIAL && !h->device_was_seen && h->stats.outcome == HANDOVER_NONE) {
		stats->outcome = HANDOVER_LATE;
	}
	for (size_t i = 0; i < sizeof h->first / sizeof h->first[0] && !engine_watched_is_stuck(); i++)
		free_first(&h->first[i]);
	memory_free(h);
	return true;
}
