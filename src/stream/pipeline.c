/* The story of a chunk.
 *
 * All threads work alike. Each takes the most urgent piece of work from the ring (ring_claim_work), does it, and passes
 * the slot to the next stage.
 *
 *     fill      the source makes a chunk of the next free slot: bytes that were read, or a window of a file to be read
 *     read      CSV of a file: reads a window that ends anywhere, and looks for its records
 *     cut       the source makes whole records of such windows, in order
 *     decode    reads other windows, makes elements of the bytes, and up-sweeps them at once if they are raw numbers
 *     conduct   takes decoded slots in order, folds, keeps several of them under way on the engine, passes them on in
 *               order
 *     scan      work that the conductor posted for the host's engine: mostly a down-sweep
 *     encode    makes bytes of the results; writes them to their place if the output is a file
 *     write     the sink writes what is not written yet, in order, reports errors, and frees the slot
 *     deflate   compressed output: copies bytes into a block that the sink posted, and writes finished blocks
 *     inflate   compressed input whose members say their sizes: a group that the source posted and uses in order
 *
 * ring.c chooses what comes next, and pipeline_work.c does it. A chunk is filled by source.c, decoded by slot_load in
 * slot.c and by slot_decode.c, conducted by conductor*.c, scanned by device/host_engine.c, encoded by slot_encode.c and
 * written by io/sink.c. io/blocks.c deflates, and io/bgzf.c inflates groups.
 *
 * Fill and cut, conduct, and write are roles: one thread at a time has each. As many threads as the user wants read,
 * decode, scan, encode, deflate and inflate at once. Three more threads make up for those that wait in a role for the
 * input, the output or a device. A thread that has a chunk in its cache continues with it where it can: a file of raw
 * numbers is read, scanned and written chunk by chunk by single threads that meet only for the fold.
 *
 * The slots and the blocks are all the memory there is: a slow stage makes the others wait. The way exact decimals are
 * read changes where a scan goes on in f64. What was decoded before that is right, too. */
#include "stream/pipeline_private.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "device/driver_trial.h"
#include "device/opencl_cache.h"
#include "device/watchdog.h"

static void handover_is_ready(void *context);

/* Enters the sandbox: from now on only what the run needs is allowed. drivers: opencl_engine_prepare was called. */
static void enter_sandbox(const struct pipeline *p, bool drivers)
{
	struct sandbox sandbox = p->parts->sandbox;
	if (!p->parts->has_sandbox)
		return;
	sandbox.drivers = drivers;
	sandbox.private_cache = drivers ? opencl_cache_private() : NULL;
	sandbox_enter(&sandbox);
}

/* Fills the first chunk, enters the sandbox, and scans the stream. */
static enum status run(struct pipeline *p, const struct engine_need *need, bool automatic)
{
	struct slot *first = ring_claim_work(p->parts->ring, WORK_NONE).slot; /* WORK_FILL: there is no other work */
	/* (Then the first chunk is not there before all input was read.) */
	if (p->plan->is_reversed && p->host != NULL)
		enter_sandbox(p, false);
	TRY(pipeline_work_begin(p, first));
	ring_put(p->parts->ring, first, WORK_FILL);
	const bool may_bring_up = automatic && handover_may_pay(p->plan, first);
	if (may_bring_up) {
		sink_leave_standard_output(p->parts->sink);
		opencl_engine_prepare(false);
	}
	if (p->host != NULL && !p->plan->is_reversed)
		enter_sandbox(p, may_bring_up);
	if (first->in.last)
		return pipeline_work_alone(p);
	if (may_bring_up) {
		const struct row row = conductor_row(p->conductor);
		p->handover = handover_new(need, &row, p->plan->sizes.thread_count, handover_is_ready, p->parts->ring);
		if (p->handover == NULL)
			return STATUS_SYSTEM;
	}
	return pipeline_work_together(p);
}

/* Called by the thread that starts the device, perhaps after pipeline_run has returned. The ring still exists then. */
static void handover_is_ready(void *context)
{
	ring_want_conductor(context);
}

/* Tries the device with the row of a lane. */
static enum status try_device(const struct plan *plan, const struct engine_need *need, size_t lane)
{
	const struct row row = conductor_first_row(plan, lane);
	bool found = false;
	struct driver_trial *trial = driver_trial_new(need, &row);
	if (trial == NULL)
		return STATUS_SYSTEM;
	const enum status status = driver_trial_run(trial, &found);
	driver_trial_free(trial);
	return status;
}

/* Opens the device that the user named, after a trial with the first row and with every program. (The first
 * operator_count lanes have all operators.) */
static enum status open_device(const struct plan *plan, const struct engine_need *need, struct engine **engine)
{
	/* One trial a process is enough, and a later child would inherit locks of the drivers. */
	static bool is_tried;
	for (size_t i = 0; i < plan->operator_count && !is_tried; i++) {
		if (i == 0 || plan->lanes[i].op->program != NULL)
			TRY(try_device(plan, need, i));
	}
	is_tried = true;
	return watchdog_open(need, engine);
}

/* Opens the first engine: the device that the user named, or the host. If the host scans in any case, the named device
 * is only tried. */
static enum status open_engines(struct pipeline *p, const struct engine_need *need, const char *device,
				struct conductor_start *start)
{
	const struct engine_size size = {.channel_count = need->channel_count,
					 .lane_count = need->lane_count,
					 .elements = need->chunk_elements,
					 .element_max = need->element_max};
	if (start->named && strcmp(device, "none") != 0) {
		sink_leave_standard_output(p->parts->sink);
		opencl_engine_prepare(true);
		enter_sandbox(p, true);
		const uint64_t begin = timeline_now_ns();
		const bool on_host = p->plan->is_segmented && !p->plan->device.is_needed;
		const enum status status =
			on_host ? try_device(p->plan, need, 0) : open_device(p->plan, need, &start->engine);
		p->stats->handover.bring_up_ns = timeline_now_ns() - begin;
		if (status != STATUS_OK || !on_host)
			return status;
	}
	p->host = engine_host_open(&size, &p->pool);
	start->host = p->host;
	start->engine = p->host;
	if (!p->parts->is_slice)
		message_verbose("engine: the host, %zu thread%s", p->plan->sizes.thread_count,
				p->plan->sizes.thread_count == 1 ? "" : "s");
	return p->host == NULL ? STATUS_SYSTEM : STATUS_OK;
}

/* Reports the error that was held back, or instead of it the damage in its file: a damaged file may contain any
 * bytes. */
static void tell_doubt(const struct pipeline *p)
{
	struct problem damage;
	if (p->end.doubt.status == STATUS_OK)
		return;
	if (source_find_damage(p->parts->source, p->end.doubt_file, p->end.doubt_frame, &damage))
		problem_tell(&damage, p->end.doubt_file, 0);
	else
		problem_tell(&p->end.doubt, p->end.doubt_file, 0);
}

/* Call it when all threads are joined, except perhaps one in a driver. Sets *outcome and frees what that thread cannot
 * use. */
static void finish(struct pipeline *p, struct pipeline_outcome *outcome)
{
	const char *device = conductor_device(p->conductor);
	if (p->stats->device_chunks > 0 && device != NULL)
		(void)snprintf(p->stats->device, sizeof p->stats->device, "%s", device);
	const bool stopped = handover_stop(p->handover, &p->stats->handover);
	outcome->busy = !stopped || watchdog_is_stuck();
	outcome->complete = p->end.complete;
}

/* Sets `names` to the names of the keys that are drawn. */
static enum status name_keys(const struct pipeline *p, struct bytes names[CURVES_MAX])
{
	uint32_t keys[CURVES_MAX];
	const size_t count = key_curves_choose(p->parts->key_curves, keys);
	for (size_t i = 0; i < count; i++)
		TRY(conductor_name_key(p->conductor, keys[i], &names[i]));
	return STATUS_OK;
}

/* Whether every record has a result. (A line of text may lack one of an element's several numbers.) */
static bool gives_all(const struct plan *plan)
{
	return plan->format.input == FORMAT_BINARY || plan->format.text.inputs == 1;
}

/* What the engines must have room for. named: `parts` names the device, or only a device can scan. */
static struct engine_need engine_need_of(const struct pipeline_parts *parts, bool named)
{
	const struct plan *plan = parts->plan;
	const bool is_text = plan->format.input == FORMAT_TEXT;
	const bool several = plan->lane_count > 1;
	return (struct engine_need){
		.spec = named ? parts->device : NULL,
		.channel_count = plan->sizes.slot_count,
		.lane_count = plan->lane_count,
		.element_max = slot_element_max(plan),
		.chunk_elements = plan->sizes.chunk_elements,
		.element_size = is_text || several || plan->sizes.chunk_fixed ? 0 : plan->element.size,
		.lend = !is_text && !several,
		.profile = parts->trace != NULL,
		.timeout_s = parts->device_timeout_s,
	};
}

/* Gives the caller what it asked for: the scan at the end, totals, the keys' names, and the place in the stream.
 * Returns `status`, or what failed here. */
static enum status give_end(struct pipeline *p, struct pipeline_outcome *outcome, enum status status)
{
	const struct pipeline_parts *parts = p->parts;
	/* (A driver call that did not return may still change a cursor.) */
	const bool is_saved = status == STATUS_OK || (parts->part.is_part && status == STATUS_DATA);
	if (is_saved && outcome->complete && parts->part.next != NULL && !watchdog_is_stuck())
		conductor_save(p->conductor, parts->part.next);
	if (outcome->complete && ((parts->part.finds != NULL && conductor_end_totals(p->conductor) != STATUS_OK) ||
				  (parts->key_names != NULL && name_keys(p, parts->key_names) != STATUS_OK))) {
		outcome->complete = false;
		status = STATUS_SYSTEM;
	}
	if (parts->part.begins_anew != NULL)
		*parts->part.begins_anew = conductor_begins_anew(p->conductor);
	if (parts->part.end != NULL)
		conductor_place(p->conductor, parts->part.end);
	return status;
}

enum status pipeline_run(const struct pipeline_parts *parts, struct stats *stats, struct pipeline_outcome *outcome)
{
	const struct plan *plan = parts->plan;
	const size_t others = plan->sizes.thread_count < RING_PIECE_MAX ? plan->sizes.thread_count - 1 : RING_PIECE_MAX;
	struct pipeline p = {
		.parts = parts,
		.plan = plan,
		.pool = ring_pool(parts->ring, WORK_SCAN, plan->sizes.slot_count),
		.keys_pool = ring_pool(parts->ring, WORK_KEYS, others),
		.in_place = sink_is_in_place(parts->sink) && plan->format.output == FORMAT_BINARY &&
			    plan->lane_count == 1 && gives_all(plan) && !plan->is_segmented &&
			    (!plan->is_reversed || (plan->format.input != FORMAT_TEXT && !plan->total)),
		.stats = stats,
		.lent = {.mutex = PTHREAD_MUTEX_INITIALIZER},
	};
	struct conductor_start start = {
		.plan = plan,
		.named = strcmp(parts->device, "auto") != 0 || plan->device.is_needed,
		.channel_count = plan->sizes.slot_count,
		.deliver = pipeline_work_deliver,
		.context = &p,
		.keys_pool = others > 0 ? &p.keys_pool : NULL,
		.part = parts->part,
	};
	const struct engine_need need = engine_need_of(parts, start.named);
	*outcome = (struct pipeline_outcome){0};
	enum status status = pipeline_array_prepare(&p);
	if (status == STATUS_OK)
		status = open_engines(&p, &need, parts->device, &start);
	if (status == STATUS_OK)
		status = conductor_new(&start, &p.conductor);
	if (status != STATUS_OK) {
		bytes_free(&p.array_header);
		outcome->busy = watchdog_is_stuck();
		if (!outcome->busy && !parts->drivers_stay)
			opencl_engine_end();
		return status;
	}
	pipeline_work_publish(&p);
	status = run(&p, &need, !start.named);
	tell_doubt(&p);
	if (status == STATUS_OK)
		status = p.end.fatal_status;
	status = pipeline_array_end(&p, status);
	finish(&p, outcome);
	if (status == STATUS_OK)
		status = p.end.worst_status;
	status = give_end(&p, outcome, status);
	if (!outcome->busy) {
		conductor_free(p.conductor);
		bytes_free(&p.array_header);
	}
	outcome->busy = outcome->busy || watchdog_is_stuck();
	if (!outcome->busy && !parts->drivers_stay)
		opencl_engine_end();
	return status;
}
