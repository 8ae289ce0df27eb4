/* The story of a scan by several ranks. Each has a slice of the input, which begins at a tile's edge (share.c), and goes over it twice:
 *
 *     gather    the totals of the slice's tiles, on all ranks at once; the last rank's are nobody's need
 *     carry     from rank to rank: the scan at the slice's beginning comes (what --state keeps of one), the totals are folded into it
 *               but for the last tile, whose elements are scanned, for their last results; then it goes on to the next rank
 *     scan      the slice with what came, on all ranks at once: an ordinary run, whose results go to their place in the file
 *
 * So the bits are those of one process. What is sent are some hundred bytes of each lane and rank.
 *
 * What is wrong with the data is found by the last pass, as it is by one process: a rank that cannot gather, or carry on, says so to
 * the next ones, which scan nothing then, and still scans its own slice to find what there is to say. The ranks agree (comm.c) on the
 * first failure in the order of the stream, which alone is reported. Nobody leaves before all have agreed, so nobody waits for one that
 * is gone; one that is killed is noticed by the launcher, which ends all of them, and each removes the temporary file then.
 *
 * No sandbox is entered: MPI opens files and connections of its own at any time. */
#include "mpi/scan.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/pack.h"
#include "cli/args.h"
#include "cli/args_value.h"
#include "cli/make_plan.h"
#include "io/new_file.h"
#include "mpi/comm.h"
#include "mpi/phase.h"
#include "mpi/share.h"
#include "stream/pipeline.h"

struct job {
	const struct options *o;
	size_t threads;
	struct plan plan;
	struct share_inputs inputs;
	struct share share;
	struct sink *sink; /* of this rank's results; NULL: it has none */
	struct bytes *lanes; /* of totals */
	struct tile_totals totals; /* of the slice */
	struct bytes came; /* the scan at the slice's beginning, packed; empty: nothing is before it */
	struct stats stats; /* of the last pass */
};

/* One pass over a part of the slice. */
struct pass {
	const struct plan *plan;
	uint64_t first, count; /* records */
	struct sink *sink; /* NULL: what it writes is nothing */
	const struct tile_totals *before;
	struct tile_totals *gathered;
	struct pack *next;
	bool goes_on; /* from what came */
};

/* A built-in operator's scan is the host's, if no device is named: it is bound by reading and writing. */
static const char *device(const struct job *w)
{
	return strcmp(w->o->device, "auto") != 0 || w->plan.needs_device ? w->o->device : "none";
}

static enum status run(const struct job *w, const struct pass *pass, struct stats *stats, bool *complete)
{
	const struct options *o = w->o;
	struct source_slice slice = {.records_before = pass->first, .records = pass->count};
	const size_t file = share_find(&w->inputs, pass->first, &slice.file_records);
	struct unpack came = {.at = w->came.data, .left = w->came.size};
	struct sink *nowhere = NULL;
	struct source *source = NULL;
	struct pipeline_outcome outcome = {0};
	enum status status = pass->sink == NULL ? sink_open_nowhere(&nowhere) : STATUS_OK;
	struct ring *ring = ring_new(plan_slots(w->threads));
	if (ring != NULL)
		source = source_new(o->files + file, o->file_count - file, ring_stop_fd(ring), o->raw_bytes);
	if (source == NULL && status == STATUS_OK)
		status = STATUS_SYSTEM;
	const struct pipeline_parts parts = {.plan = pass->plan,
					     .ring = ring,
					     .source = source,
					     .sink = pass->sink != NULL ? pass->sink : nowhere,
					     .device = device(w),
					     .device_timeout_s = o->device_timeout_s,
					     .saved = pass->goes_on && came.left > 0 ? &came : NULL,
					     .before = pass->before,
					     .gathered = pass->gathered,
					     .next = pass->next};
	*stats = (struct stats){.begin_ns = timeline_now_ns()};
	if (status == STATUS_OK) {
		source_take_slice(source, &slice, w->plan.format.record_size);
		status = pipeline_run(&parts, stats, &outcome);
	}
	if (outcome.busy)
		comm_abort(status); /* a driver still runs: nothing may be freed */
	*complete = outcome.complete;
	source_free(source);
	ring_free(ring);
	const enum status closed = nowhere != NULL ? sink_close(nowhere, false) : STATUS_OK;
	return status != STATUS_OK ? status : closed;
}

/* The first bytes, and what is to be done. */
static enum status make_plan(struct job *w)
{
	const struct options *o = w->o;
	struct ring *ring = ring_new(plan_slots(w->threads));
	struct source *source = NULL;
	struct plan_input input = {0};
	struct npy_array array;
	bool is_array = false;
	if (ring != NULL)
		source = source_new(o->files, o->file_count, ring_stop_fd(ring), o->raw_bytes);
	enum status status =
		source == NULL ? STATUS_SYSTEM : source_peek(source, true, NULL, &input.block, &input.size);
	if (status == STATUS_OK && o->sniffed)
		status = source_peek_array(source, false, &array, &is_array);
	if (status == STATUS_OK && is_array)
		input.array = &array;
	if (status == STATUS_OK)
		status = plan_make(&w->plan, o, w->threads, &input);
	if (status == STATUS_OK)
		status = share_check_plan(&w->plan, input.size == 0);
	source_free(source);
	ring_free(ring);
	return status;
}

/* The rank that creates the output and gives it its name: with --total the only one that has one. */
static int owner_of(const struct job *w)
{
	int rank = 0;
	while (w->plan.total && !share_of(w->inputs.records, share_unit(&w->plan), rank, comm_size()).is_last)
		rank++;
	return rank;
}

static uint64_t result_offset(const struct job *w)
{
	uint64_t size = 0;
	for (size_t i = 0; i < w->plan.lane_count; i++)
		size += operator_results(w->plan.lanes[i].op, w->plan.lanes[i].acc).size;
	return (w->share.first + (w->plan.include_initial ? 1 : 0)) * size;
}

/* Opens what this rank writes to. */
static enum status open_output(struct job *w)
{
	const int owner = owner_of(w);
	const bool owns = comm_rank() == owner;
	char name[PATH_MAX] = "";
	enum status status = owns ? sink_open(w->o->output, NULL, 0, &w->sink) : STATUS_OK;
	if (owns && status == STATUS_OK && sink_temporary(w->sink) != NULL)
		(void)snprintf(name, sizeof name, "%s", sink_temporary(w->sink));
	else if (owns && status == STATUS_OK && !w->plan.total)
		status = args_usage("-o: with MPI a regular file is needed, which every rank sees");
	status = comm_agree(status);
	if (status != STATUS_OK)
		return status;
	if (owns && !w->plan.total)
		sink_begin_parts(w->sink);
	comm_share(name, sizeof name, owner);
	if (!owns && !w->plan.total && !w->share.is_idle)
		status = sink_open_part(w->o->output, name, result_offset(w), &w->sink);
	else if (!owns && name[0] != '\0')
		new_file_watch(ENDING_OUTPUT, name);
	return comm_agree(status);
}

static enum status prepare(struct job *w)
{
	enum status status = comm_agree(share_check_options(w->o));
	phase_reach(PHASE_BEGUN);
	if (status == STATUS_OK)
		status = comm_agree(make_plan(w));
	if (status == STATUS_OK)
		status = comm_agree(share_measure(w->o, &w->plan, &w->inputs));
	if (status != STATUS_OK)
		return status;
	w->share = share_of(w->inputs.records, share_unit(&w->plan), comm_rank(), comm_size());
	w->lanes = memory_new(w->plan.lane_count * sizeof *w->lanes);
	if (w->lanes != NULL)
		memset(w->lanes, 0, w->plan.lane_count * sizeof *w->lanes);
	w->totals.lanes = w->lanes;
	status = comm_agree(w->lanes != NULL ? STATUS_OK : STATUS_SYSTEM);
	phase_reach(PHASE_PLANNED);
	if (status == STATUS_OK)
		status = open_output(w);
	phase_reach(PHASE_OPENED);
	return status;
}

/* The totals of all tiles but the last. */
static bool gather(struct job *w)
{
	struct plan plan = w->plan;
	struct stats stats;
	bool complete;
	plan.total = false;
	plan.include_initial = false;
	w->totals.first = w->share.first;
	w->totals.tiles = (size_t)((w->share.end - w->share.first) / GRID_TILE - 1);
	const struct pass pass = {.plan = &plan,
				  .first = w->share.first,
				  .count = (uint64_t)w->totals.tiles * GRID_TILE,
				  .gathered = &w->totals};
	return run(w, &pass, &stats, &complete) == STATUS_OK && complete;
}

/* What came goes on over the slice. */
static bool carry_on(const struct job *w, struct pack *next)
{
	struct stats stats;
	bool complete;
	const struct pass pass = {.plan = &w->plan,
				  .first = w->share.end - GRID_TILE,
				  .count = GRID_TILE,
				  .before = &w->totals,
				  .next = next,
				  .goes_on = true};
	return run(w, &pass, &stats, &complete) == STATUS_OK && complete && !next->failed;
}

/* The first two passes. *comes: the scan at the slice's beginning is known; *passes: that at its end went on to the next rank, if
 * there is one. */
static void pass_on(struct job *w, bool *comes, bool *passes)
{
	const int rank = comm_rank();
	struct pack next = {0};
	*comes = *passes = w->plan.reset_every > 0; /* each slice begins anew */
	if (*comes)
		return;
	const bool gathered = !w->share.is_last && gather(w);
	phase_reach(PHASE_GATHERED);
	/* Nothing is before the first slice. Before others there is something, or its rank could not go on. */
	if (rank > 0)
		comm_receive(&w->came, rank - 1);
	*comes = rank == 0 || w->came.size > 0;
	*passes = w->share.is_last || (*comes && gathered && carry_on(w, &next));
	if (!w->share.is_last)
		comm_send(next.bytes.data, *passes ? next.bytes.size : 0, rank + 1);
	bytes_free(&next.bytes);
	phase_reach(PHASE_CARRIED);
}

/* The slice's results. */
static enum status scan_slice(struct job *w, bool passes)
{
	const struct pass pass = {.plan = &w->plan,
				  .first = w->share.first,
				  .count = w->share.is_last ? UINT64_MAX : w->share.end - w->share.first,
				  .sink = w->sink,
				  .goes_on = true};
	bool complete;
	enum status status = run(w, &pass, &w->stats, &complete);
	phase_reach(PHASE_SCANNED);
	if (status == STATUS_OK && (!complete || !passes)) {
		message_error("rank %d could not read its slice twice alike", comm_rank());
		status = STATUS_SYSTEM;
	}
	return status;
}

static enum status scan_all(struct job *w)
{
	bool comes = false;
	bool passes = false;
	enum status status = STATUS_OK;
	if (!w->share.is_idle) {
		/* (What is wrong is said by the last pass, after what is wrong before it.) */
		message_keep();
		pass_on(w, &comes, &passes);
		if (comm_rank() == 0)
			message_forget();
		else
			message_keep();
		if (comes)
			status = scan_slice(w, passes);
		if (status == STATUS_OK)
			status = share_check_inputs(w->o, &w->plan, &w->inputs);
	}
	return status;
}

/* Ends the output: all parts, and then the file. */
static enum status close_output(struct job *w, enum status status)
{
	const bool owns = comm_rank() == owner_of(w);
	if (!owns && w->sink != NULL) {
		const enum status closed = sink_close(w->sink, status == STATUS_OK);
		status = status != STATUS_OK ? status : closed;
	}
	phase_reach(PHASE_CLOSED);
	status = comm_agree(status);
	if (!owns)
		return comm_agree(status);
	const enum status closed = sink_close(w->sink, status == STATUS_OK);
	phase_reach(PHASE_ENDED);
	return comm_agree(status != STATUS_OK ? status : closed);
}

/* --stats: of all ranks together. */
static enum status report(const struct job *w)
{
	struct stats all = w->stats;
	const struct comm_traffic traffic = comm_traffic();
	uint64_t numbers[6 + 2 * STAGE_COUNT] = {all.elements,    all.bytes_in,     all.bytes_out,
						 all.host_chunks, traffic.messages, traffic.bytes};
	struct bytes text = {0};
	char line[160];
	if (w->o->stats == STATS_NONE)
		return STATUS_OK;
	for (size_t i = 0; i < STAGE_COUNT; i++) {
		numbers[6 + 2 * i] = all.stages[i].busy_ns;
		numbers[7 + 2 * i] = all.stages[i].bytes;
	}
	comm_add(numbers, sizeof numbers / sizeof numbers[0]);
	if (comm_rank() > 0)
		return STATUS_OK;
	all.elements = numbers[0];
	all.bytes_in = numbers[1];
	all.bytes_out = numbers[2];
	all.host_chunks = numbers[3];
	for (size_t i = 0; i < STAGE_COUNT; i++) {
		all.stages[i].busy_ns = numbers[6 + 2 * i];
		all.stages[i].bytes = numbers[7 + 2 * i];
	}
	enum status status = stats_report(&all, w->o->stats, &text);
	(void)snprintf(line, sizeof line,
		       w->o->stats == STATS_JSON ? "{\"ranks\":%d,\"messages\":%llu,\"message_bytes\":%llu}\n"
						 : "%d ranks: %llu messages, %llu bytes\n",
		       comm_size(), (unsigned long long)numbers[4], (unsigned long long)numbers[5]);
	if (status == STATUS_OK)
		status = bytes_append(&text, line, strlen(line));
	if (status == STATUS_OK)
		message_bytes(text.data, text.size);
	bytes_free(&text);
	return status;
}

enum status scan_together(const struct options *o, enum status status)
{
	struct job w = {.o = o, .threads = plan_threads(o)};
	status = comm_agree(status == STATUS_OK ? phase_check() : status);
	if (status != STATUS_OK)
		return status;
	const uint64_t begin = timeline_now_ns();
	status = prepare(&w);
	if (status == STATUS_OK)
		status = close_output(&w, scan_all(&w));
	else if (w.sink != NULL)
		(void)!sink_close(w.sink, false);
	w.stats.begin_ns = begin;
	const enum status reported = report(&w);
	for (size_t i = 0; w.lanes != NULL && i < w.plan.lane_count; i++)
		bytes_free(&w.lanes[i]);
	memory_free(w.lanes);
	bytes_free(&w.came);
	bytes_free(&w.inputs.sizes);
	plan_free(&w.plan);
	return status != STATUS_OK ? status : reported;
}
