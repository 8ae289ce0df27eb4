/* The story of a scan by several ranks. Each rank has a slice of the input, and reads it at least twice. Slices of
 * binary elements begin at tiles' edges (share.c). There are three steps:
 *
 *     gather    All ranks compute the totals of their tiles at once. The last rank's totals are not needed.
 *     carry     One rank after the other: a rank receives the scan at its slice's beginning (packed as for --state),
 *               folds its totals into it, and sends it to the next rank. The last tile is not folded but scanned,
 *               because its last results are part of the scan.
 *     scan      All ranks scan their slices at once from what they received. This is an ordinary run, whose results go
 *               to their place in the output (output.c).
 *
 * So the bits are those of one process. A rank sends some hundred bytes for each lane, and each key. Slices of text
 * begin at lines (cut.c), and more than totals is gathered (totals.c). With segments less is gathered (segments.c).
 *
 * Errors in the data are found by the last pass, as in one process. A rank that cannot gather or carry sends nothing;
 * the ranks after it then do not scan. It still scans its own slice to find the error. The ranks agree (comm.c) on the
 * first failure in the order of the stream, and only this one is reported. No rank ends before all have agreed, so no
 * rank waits for one that has ended. If a rank is killed, the launcher ends all of them, and each removes the temporary
 * file.
 *
 * No sandbox is entered, because MPI opens files and connections at any time. */
#include "ranks.h"

#include <string.h>

#include "base/message.h"
#include "cli/make_plan.h"
#include "device/opencl_engine.h"
#include "mpi/comm.h"
#include "mpi/job.h"

/* Reads the first bytes of the input and makes the plan. After a message. */
static enum status make_plan(struct job *w)
{
	const struct options *o = w->o;
	struct ring *ring = ring_new(plan_slots(w->threads));
	struct source *source = plan_source(o, 0, ring);
	struct plan_input input = {0};
	struct npy_array array;
	enum status status = source == NULL ? STATUS_SYSTEM : plan_look(o, source, &input, &array);
	if (status == STATUS_OK)
		status = plan_make(&w->plan, o, w->threads, &input);
	w->plan.device.warns_of_grouping = w->plan.device.warns_of_grouping && comm_rank() == 0;
	if (status == STATUS_OK)
		status = share_check_plan(&w->plan, input.size == 0);
	source_free(source);
	ring_free(ring);
	return status;
}

/* Allocates the arrays for lanes, fields and ranks. All ranks call it. */
static enum status allocate(struct job *w)
{
	w->begins = memory_new((2 * (size_t)comm_size() + 1) * sizeof *w->begins);
	w->begin = memory_zeros(place_size(w->plan.field_count), sizeof *w->begin);
	w->end = memory_zeros(place_size(w->plan.field_count), sizeof *w->end);
	w->totals.lanes = memory_zeros(w->plan.lane_count, sizeof *w->totals.lanes);
	w->totals.ends = w->is_counted ? memory_zeros(w->plan.lane_count, sizeof *w->totals.ends) : NULL;
	const bool has_memory = w->begins != NULL && w->begin != NULL && w->end != NULL && w->totals.lanes != NULL &&
				(w->totals.ends != NULL || !w->is_counted);
	return comm_agree(has_memory ? STATUS_OK : STATUS_SYSTEM);
}

/* Sets w->begins. All ranks call it. */
static enum status divide(struct job *w)
{
	/* A segment, if segments begin by count, or a tile must stay in one slice. */
	const uint64_t unit = share_resets_by_count(&w->plan) ? w->plan.resets.every : GRID_TILE;
	if (w->plan.format.input == FORMAT_TEXT)
		return share_cut_text(w->o, &w->plan, &w->inputs, w->begins);
	for (int i = 0; i <= 2 * comm_size(); i++)
		w->begins[i] = share_begin(w->inputs.records, unit, i / 2, comm_size());
	return STATUS_OK;
}

/* Makes the plan. Ranks other than 0 then drop their messages, so that messages about the plan are printed once. */
static enum status plan_alike(struct job *w)
{
	TRY(make_plan(w));
	if (comm_rank() > 0)
		message_keep();
	return STATUS_OK;
}

static enum status prepare(struct job *w)
{
	TRY(comm_agree(share_check_options(w->o)));
	TRY(comm_agree(plan_alike(w)));
	TRY(comm_agree(share_measure(w->o, &w->plan, &w->inputs)));
	w->is_counted = share_is_counted(&w->plan);
	TRY(allocate(w));
	TRY(divide(w));
	w->share = job_share(w, comm_rank());
	return output_open(w);
}

/* Whether each slice begins with a segment, so that no rank needs the scan of another. */
static bool begins_anew(const struct job *w)
{
	return share_resets_by_count(&w->plan) && w->plan.format.input == FORMAT_BINARY && !w->plan.include_initial;
}

/* Receives w->begin from the rank before. */
static void receive_place(const struct job *w, int from)
{
	struct bytes place = {0};
	comm_receive(&place, from);
	memcpy(w->begin, place.data, place.size);
	bytes_free(&place);
}

/* Does the steps gather and carry. *comes: the scan at the slice's beginning is known. *passes: the scan at its end was
 * sent to the next rank, or there is no next rank. */
static void pass_on(struct job *w, bool *comes, bool *passes)
{
	const int before = job_neighbour(w, -1);
	struct pack next = {0};
	const bool is_segmented = w->plan.is_segmented;
	*comes = *passes = begins_anew(w);
	if (*comes)
		return;
	const bool gathered = is_segmented ? segments_gather(w) : totals_gather(w);
	if (w->share.is_idle)
		return;
	/* The first slice needs nothing. For others an empty message means that an earlier rank has failed. */
	if (before >= 0)
		comm_receive(&w->came, before);
	if (before >= 0 && w->is_counted && is_segmented)
		receive_place(w, before);
	*comes = before < 0 || (w->came.size > 0 && (!is_segmented || segments_carry_tail(w)));
	*passes = w->share.is_last || (*comes && (is_segmented ? segments_carry_on(w, gathered, &next)
							       : gathered && totals_carry_on(w, &next)));
	if (!w->share.is_last)
		comm_send(next.bytes.data, *passes ? next.bytes.size : 0, job_neighbour(w, 1));
	if (!w->share.is_last && w->is_counted && is_segmented)
		comm_send(w->end, place_size(w->plan.field_count) * sizeof *w->end, job_neighbour(w, 1));
	bytes_free(&next.bytes);
}

/* Most often a file's size has changed. The check then names the file. */
static enum status tell_difference(const struct job *w)
{
	TRY(share_check_inputs(w->o, &w->plan, &w->inputs));
	return message_fail("rank %d read its slice twice, and the contents differed", comm_rank());
}

/* Does the step scan, which writes the slice's results. */
static enum status scan_slice(struct job *w, bool passes)
{
	const struct pass pass = {.plan = &w->plan,
				  .first = w->share.first,
				  .count = w->share.is_last ? UINT64_MAX : w->share.end - w->share.first,
				  .sink = w->sink,
				  .part.place = w->is_counted ? w->begin : NULL,
				  .goes_on = true,
				  .part.is_part = w->plan.is_segmented && !w->share.is_last && !begins_anew(w)};
	bool complete;
	enum status status = job_run(w, &pass, &w->stats, &complete);
	if (status == STATUS_DATA && complete) {
		w->flaw = status;
		status = STATUS_OK;
	}
	return status == STATUS_OK && (!complete || !passes) ? tell_difference(w) : status;
}

static enum status scan_all(struct job *w)
{
	bool comes = false;
	bool passes = false;
	/* Messages of the first two steps are dropped, because the step scan finds all errors again, in the order of
	 * the stream. Idle ranks take part in calls that all ranks must make. */
	message_keep();
	if (!w->share.is_idle || w->is_counted)
		pass_on(w, &comes, &passes);
	if (comm_rank() == 0)
		message_forget();
	else
		message_keep();
	if (w->share.is_idle)
		return STATUS_OK;
	/* (What does not come an earlier rank could not read, which tells why, or not twice alike.) */
	TRY(comes ? scan_slice(w, passes) : tell_difference(w));
	return share_check_inputs(w->o, &w->plan, &w->inputs);
}

/* Prints --stats for all ranks together. All ranks call it. */
static enum status report(const struct job *w)
{
	struct stats all = w->stats;
	struct comm_traffic traffic = comm_traffic();
	uint64_t *const numbers[] = {&all.elements,    &all.bytes_in,     &all.bytes_out,
				     &all.host_chunks, &traffic.messages, &traffic.bytes};
	struct bytes text = {0};
	if (w->o->reports.stats == STATS_NONE)
		return STATUS_OK;
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		comm_add(numbers[i]);
	for (size_t i = 0; i < STAGE_COUNT; i++) {
		comm_add(&all.stages[i].busy_ns);
		comm_add(&all.stages[i].bytes);
	}
	if (comm_rank() > 0)
		return STATUS_OK;
	enum status status = stats_report(&all, w->o->reports.stats, &text);
	if (status == STATUS_OK)
		status = bytes_format(
			&text,
			w->o->reports.stats == STATS_JSON ? "{\"ranks\":%d,\"messages\":%llu,\"message_bytes\":%llu}\n"
							  : "%d ranks: %llu messages, %llu bytes\n",
			comm_size(), (unsigned long long)traffic.messages, (unsigned long long)traffic.bytes);
	if (status == STATUS_OK)
		(void)message_bytes(text.data, text.size);
	bytes_free(&text);
	return status;
}

static enum status scan_together(const struct options *o)
{
	struct job w = {.o = o, .threads = plan_threads(o)};
	const uint64_t begin = timeline_now_ns();
	enum status status = prepare(&w);
	if (status == STATUS_OK) {
		status = output_close(&w, scan_all(&w));
		status = status == STATUS_OK ? comm_agree(w.flaw) : status;
	} else if (w.sink != NULL) {
		(void)!sink_close(w.sink, false);
	}
	w.stats.begin_ns = begin;
	const enum status reported = report(&w);
	for (size_t i = 0; w.totals.lanes != NULL && i < w.plan.lane_count; i++)
		bytes_free(&w.totals.lanes[i]);
	for (size_t i = 0; w.totals.ends != NULL && i < w.plan.lane_count; i++)
		bytes_free_all(&w.totals.ends[i].head, &w.totals.ends[i].tail);
	bytes_free_all(&w.tail.ahead.bytes, &w.head.ahead.bytes, &w.came);
	memory_free_all(w.totals.lanes, w.totals.ends, w.begins, w.begin, w.end, w.tail.counted, w.head.counted);
	share_free_inputs(&w.inputs);
	plan_free(&w.plan);
	return status != STATUS_OK ? status : reported;
}

/* The ranks have called `scan`, which gives them one status. */
static bool have_agreed;

static enum status scan(const struct options *o, enum status status)
{
	have_agreed = true;
	status = comm_agree(status);
	if (status == STATUS_OK)
		status = scan_together(o);
	opencl_engine_end();
	return status;
}

static bool is_first(void)
{
	return comm_rank() == 0;
}

static int end(int status)
{
	/* A rank whose command line was refused has not called `scan`, and the others may be waiting there. */
	const int all = have_agreed ? status : (int)comm_agree((enum status)status);
	comm_end();
	return all;
}

static const struct ranks mpi = {.begin = comm_begin, .is_first = is_first, .scan = scan, .end = end};

const struct ranks *const ranks = &mpi;
