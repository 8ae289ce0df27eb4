/* The host scans built-in operators at tens of gigabytes a second, and few devices are faster. So a device is started
 * only if scanning is the bottleneck and enough input is left. It keeps the stream only if it is faster.
 *
 *     IDLE -> BRINGING_UP -> TRIAL -> SETTLED
 *
 * The trial compares the device's rate over some chunks with the host's rate before. A rate is input bytes of delivered
 * chunks by elapsed time, so a slow input or output counts for both.
 *
 * CPU devices are not tried: they share the host's processor. */
#include "stream/handover.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "device/driver_trial.h"
#include "device/watchdog.h"
#include "process/inquiry.h"

/* How many bytes one thread of the host scans with the slowest row while a driver is loaded. */
#define WORTHWHILE_BYTES ((uint64_t)128 << 20)
/* The least time that the host would still need. (Starting a device takes 0.3 to 1.2 s.) */
#define WORTHWHILE_NS UINT64_C(1000000000)
/* After this time the host's rate is known well enough to estimate that. */
#define FORESEE_AFTER_NS UINT64_C(50000000)
/* The trial skips its first chunks, which fill the device's channels. Then it lasts at least TRIAL_CHUNKS and
 * TRIAL_NS. */
#define TRIAL_SKIPPED 6
#define TRIAL_CHUNKS 16
#define TRIAL_NS UINT64_C(100000000)

enum bring_up { BRING_UP_RUNNING, BRING_UP_READY, BRING_UP_NOTHING, BRING_UP_FAILED };

/* A step of the thread. It can be stopped until STEP_DRIVER. */
enum step { STEP_TRIAL, STEP_DRIVER, STEP_STOPPED };

enum state { STATE_IDLE, STATE_BRINGING_UP, STATE_TRIAL, STATE_SETTLED };

struct handover {
	/* Constant while the thread runs. */
	struct engine_need need;
	struct driver_trial *trial;
	struct row row; /* the row that the device is prepared for */
	handover_ready *ready;
	void *context;
	pthread_t thread;
	uint64_t thread_begin_ns;
	/* The thread's until `outcome` is no longer BRING_UP_RUNNING, then the conductor's. */
	struct engine *engine;
	void *first; /* memory of the trial scan that a lost device may still use, or NULL. Owned */
	_Atomic enum step step; /* the thread that changes it from STEP_TRIAL decides */
	uint64_t bring_up_ns;
	_Atomic enum bring_up outcome;
	/* The conductor's. */
	enum state state;
	bool is_eager;
	size_t threads; /* threads that scan on the host */
	uint64_t begin_ns; /* the stream's begin */
	uint64_t scan_ns; /* sum over the threads: time spent on scanning before STATE_BRINGING_UP */
	uint64_t mark_ns, bytes, chunks; /* bytes and chunks that the present engine has delivered since mark_ns */
	bool device_was_seen;
	struct handover_stats stats;
};

/* Whether the environment variable PSCAN_AUTO is "eager" (for tests). A device is then started at once for any stream
 * of one lane that is longer than a chunk, unless PoCL is the only driver. */
static bool is_eager(void)
{
	const char *wish = getenv("PSCAN_AUTO");
	return wish != NULL && strcmp(wish, "eager") == 0;
}

bool handover_may_pay(const struct plan *plan, const struct slot *first)
{
	if (first->in.last || plan->lane_count > 1 || plan->device.has_programs || !opencl_engine_may_have_gpu())
		return false;
	if (is_eager())
		return true;
	return plan->format.input == FORMAT_BINARY &&
	       (first->in.bytes_left == 0 || first->in.bytes_left >= plan->sizes.thread_count * WORTHWHILE_BYTES);
}

struct handover *handover_new(const struct engine_need *need, const struct row *row, size_t threads,
			      handover_ready *ready, void *context)
{
	struct handover *h = memory_new(sizeof *h);
	struct driver_trial *trial = h != NULL ? driver_trial_new(need, row) : NULL;
	if (trial == NULL) {
		memory_free(h);
		return NULL;
	}
	*h = (struct handover){.need = *need,
			       .trial = trial,
			       .ready = ready,
			       .context = context,
			       .is_eager = is_eager(),
			       .threads = threads,
			       .begin_ns = timeline_now_ns()};
	h->mark_ns = h->begin_ns;
	atomic_init(&h->outcome, BRING_UP_RUNNING);
	atomic_init(&h->step, STEP_TRIAL);
	return h;
}

/* Tries the device, opens it and prepares it for the row. h->engine stays NULL if there is none. */
static enum status bring_up(struct handover *h)
{
	bool found;
	enum step expected = STEP_TRIAL;
	enum status status = driver_trial_run(h->trial, &found);
	if (status != STATUS_OK || !found || !atomic_compare_exchange_strong(&h->step, &expected, STEP_DRIVER))
		return status;
	status = watchdog_open(&h->need, &h->engine);
	if (status != STATUS_OK || h->engine == NULL)
		return status;
	status = h->engine->class->set_row(h->engine, 0, &h->row);
	if (status == STATUS_OK)
		status = engine_first_scan(h->engine, 0, &h->first);
	if (status != STATUS_OK) {
		h->engine->class->close(h->engine);
		h->engine = NULL;
	}
	return status;
}

static void *bring_up_thread(void *context)
{
	struct handover *h = context;
	inquiry_leave_alone();
	const enum status status = bring_up(h);
	h->bring_up_ns = timeline_now_ns() - h->thread_begin_ns;
	atomic_store(&h->outcome, status != STATUS_OK ? BRING_UP_FAILED
				  : h->engine == NULL ? BRING_UP_NOTHING
						      : BRING_UP_READY);
	h->ready(h->context);
	return NULL;
}

static void begin_bring_up(struct handover *h, const struct conductor *c)
{
	h->row = conductor_row(c);
	h->thread_begin_ns = timeline_now_ns();
	h->engine = NULL;
	atomic_store(&h->outcome, BRING_UP_RUNNING);
	/* Without the thread the host continues: only speed is lost. */
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

/* Whether the threads spend at least half of the time on scanning, and will for long enough. A pipe is expected to last
 * as long again as it has lasted. */
static bool is_worthwhile(const struct handover *h, const struct slot *chunk, uint64_t now)
{
	const uint64_t elapsed_ns = now - h->begin_ns;
	if (elapsed_ns < FORESEE_AFTER_NS || h->scan_ns / h->threads < elapsed_ns / 2)
		return false;
	const double left_ns =
		chunk->in.bytes_left > 0 ? (double)chunk->in.bytes_left / rate(h, now) * 1e9 : (double)elapsed_ns;
	return left_ns >= (double)WORTHWHILE_NS;
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
	h->state = STATE_SETTLED;
}

/* Looks at the trial: the device has the stream, or was offered. */
static void look_trial(struct handover *h, struct conductor *c, uint64_t now)
{
	if (conductor_engine(c) != h->engine) {
		if (conductor_has_offer(c))
			return;
		h->stats.outcome = HANDOVER_FAILED;
		h->state = STATE_SETTLED;
		return;
	}
	/* Chunks that the host scanned may be delivered after the device has taken later ones. */
	if (!h->device_was_seen || h->chunks < TRIAL_CHUNKS || now - h->mark_ns < TRIAL_NS)
		return;
	h->stats.device_rate = rate(h, now);
	h->state = STATE_SETTLED;
	if (h->stats.device_rate >= h->stats.host_rate)
		return;
	h->stats.outcome = HANDOVER_RETURNED;
	message_verbose("device %s: %.2f GB/s, the host %.2f: the host goes on", h->engine->device,
			h->stats.device_rate * 1e-9, h->stats.host_rate * 1e-9);
	conductor_offer(c, NULL);
}

void handover_look(struct handover *h, struct conductor *c, const struct slot *chunk)
{
	const uint64_t now = timeline_now_ns();
	switch (h->state) {
	case STATE_IDLE:
		if (chunk != NULL && (h->is_eager || is_worthwhile(h, chunk, now)))
			begin_bring_up(h, c);
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
	h->bytes += slot->in.size;
	h->chunks++;
	if (h->state == STATE_IDLE)
		h->scan_ns += slot->spans[STAGE_UP_SWEEP].busy_ns + slot->spans[STAGE_FOLD].busy_ns +
			      slot->spans[STAGE_DOWN_SWEEP].busy_ns;
	/* During STATE_BRINGING_UP h->engine belongs to the other thread. */
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
		h->stats.first_chunk = slot->in.number;
		message_verbose("engine: device %s, from chunk %" PRIu64 " on", h->engine->device, slot->in.number);
		set_mark(h, timeline_now_ns());
	} else if (h->stats.device_rate <= 0 && slot->in.number == h->stats.first_chunk + TRIAL_SKIPPED) {
		set_mark(h, timeline_now_ns());
	}
}

/* Stops the thread, if it runs, and closes its engine. False if it is in a driver and cannot be stopped. */
static bool stop_thread(struct handover *h)
{
	enum step expected = STEP_TRIAL;
	if (h->state != STATE_BRINGING_UP)
		return true;
	if (atomic_compare_exchange_strong(&h->step, &expected, STEP_STOPPED))
		driver_trial_cancel(h->trial);
	else if (atomic_load(&h->outcome) == BRING_UP_RUNNING)
		return false;
	(void)pthread_join(h->thread, NULL);
	if (h->engine != NULL)
		h->engine->class->close(h->engine);
	return true;
}

bool handover_stop(struct handover *h, struct handover_stats *stats)
{
	if (h == NULL)
		return true;
	*stats = h->stats;
	if (h->state == STATE_BRINGING_UP) {
		stats->outcome = HANDOVER_LATE;
		stats->bring_up_ns = timeline_now_ns() - h->thread_begin_ns;
	} else if (h->state == STATE_TRIAL && !h->device_was_seen && h->stats.outcome == HANDOVER_NONE) {
		stats->outcome = HANDOVER_LATE;
	}
	if (!stop_thread(h))
		return false; /* the thread still uses h */
	if (!watchdog_is_stuck())
		memory_free(h->first);
	driver_trial_free(h->trial);
	memory_free(h);
	return true;
}
