/* Runs passes over a slice, and finds which ranks have one. */
#include "mpi/job.h"

#include <string.h>

#include "cli/make_plan.h"
#include "mpi/comm.h"

/* The device of a pass. The host scans built-in operators unless a device is named, because reading and writing limit
 * the speed. It always scans their segments. */
static const char *device(const struct job *w)
{
	const bool is_named = strcmp(w->o->run.device, "auto") != 0 && !w->plan.is_segmented;
	return is_named || w->plan.device.is_needed ? w->o->run.device : "none";
}

/* Opens the source of a pass. ring: as for plan_source. NULL after a message. */
static struct source *open_slice(const struct job *w, const struct pass *pass, struct ring *ring)
{
	const struct options *o = w->o;
	const size_t record_size = share_record_size(&w->plan);
	uint64_t of_file;
	const size_t file = share_find(&w->inputs, pass->first, &of_file);
	const bool is_text = w->plan.format.input == FORMAT_TEXT;
	const struct source_slice slice = {.records_before = is_text ? 0 : pass->first,
					   .file_records = is_text ? 0 : of_file,
					   .file_bytes = of_file * record_size,
					   .index = share_index_of(&w->inputs, file),
					   .bytes = pass->count < UINT64_MAX ? pass->count * record_size : UINT64_MAX,
					   .goes_on = is_text && pass->first > 0};
	struct source *source = plan_source(o, file, ring);
	if (source == NULL)
		return NULL;
	source_set_slice(source, &slice);
	if (slice.goes_on && source_know_header(source, &w->plan, o->files.names, file + (of_file > 0)) != STATUS_OK) {
		source_free(source);
		return NULL;
	}
	return source;
}

void *job_need(size_t size)
{
	void *block = memory_zeros(1, size);
	if (block != NULL)
		return block;
	comm_abort(STATUS_SYSTEM);
}

enum status job_run(const struct job *w, const struct pass *pass, struct stats *stats, bool *complete)
{
	struct unpack came = {.at = w->came.data, .left = w->came.size};
	struct plan plan = *pass->plan;
	struct scan_part part = pass->part;
	struct sink *nowhere = NULL;
	struct pipeline_outcome outcome = {0};
	enum status status = pass->sink == NULL ? sink_open_nowhere(&nowhere) : STATUS_OK;
	struct ring *ring = ring_new(plan_slots(w->threads));
	struct source *source = open_slice(w, pass, ring);
	if (source == NULL && status == STATUS_OK)
		status = STATUS_SYSTEM;
	/* Only the owner writes the header of npy output. */
	plan.npy.writes = plan.npy.writes && pass->sink != NULL && comm_rank() == job_owner(w);
	part.saved = pass->goes_on && came.left > 0 ? &came : NULL;
	const struct pipeline_parts parts = {.plan = &plan,
					     .ring = ring,
					     .source = source,
					     .sink = pass->sink != NULL ? pass->sink : nowhere,
					     .device = device(w),
					     .device_timeout_s = w->o->run.device_timeout_s,
					     .part = part,
					     .is_slice = true,
					     .drivers_stay = true};
	*stats = (struct stats){.begin_ns = timeline_now_ns()};
	if (status == STATUS_OK)
		status = pipeline_run(&parts, stats, &outcome);
	if (outcome.busy)
		comm_abort(status); /* A driver's call has not returned, so no memory may be freed. */
	*complete = outcome.complete;
	source_free(source);
	ring_free(ring);
	const enum status closed = nowhere != NULL ? sink_close(nowhere, false) : STATUS_OK;
	return status != STATUS_OK ? status : closed;
}

struct plan job_silent_plan(const struct plan *plan, struct plan_lane *lanes)
{
	struct plan part = *plan;
	part.lanes = lanes;
	part.include_initial = false;
	part.format.text.output.lines = LINES_DROPPED;
	for (size_t i = 0; i < plan->lane_count; i++) {
		lanes[i] = plan->lanes[i];
		lanes[i].seed = NULL;
	}
	return part;
}

bool job_complete(const struct job *w, const struct pass *pass)
{
	struct stats unused;
	bool complete;
	const enum status status = job_run(w, pass, &unused, &complete);
	return complete && (status == STATUS_OK || status == STATUS_DATA);
}

struct share job_share(const struct job *w, int rank)
{
	const uint64_t records = w->begins[2 * comm_size()];
	struct share s = {.first = w->begins[2 * rank], .end = w->begins[2 * rank + 2]};
	s.is_last = s.end == records && (s.first < s.end || (rank == 0 && s.end == 0));
	s.is_idle = s.first == s.end && !s.is_last;
	return s;
}

int job_neighbour(const struct job *w, int step)
{
	int rank = comm_rank() + step;
	while (rank >= 0 && rank < comm_size() && job_share(w, rank).is_idle)
		rank += step;
	return rank < comm_size() ? rank : -1;
}

bool job_has_one_total(const struct job *w)
{
	return w->plan.total && !w->plan.is_segmented;
}

int job_owner(const struct job *w)
{
	int rank = 0;
	while (job_has_one_total(w) && !job_share(w, rank).is_last)
		rank++;
	return rank;
}

void job_end_slice(const struct job *w, const struct share *s, const uint64_t *counted, const uint64_t *begin,
		   uint64_t *end)
{
	const size_t fields = w->plan.field_count;
	uint64_t first_of_file;
	uint64_t last_of_file;
	bool begins_file = false;
	if (s->first < s->end) {
		const size_t first = share_find(&w->inputs, s->first, &first_of_file);
		const size_t last = share_find(&w->inputs, s->end - 1, &last_of_file);
		begins_file = first_of_file == 0 || first < last;
	}
	for (size_t i = 0; i < place_size(fields); i++) {
		const bool begins_anew = begins_file && i <= fields; /* it is a count of the file's */
		end[i] = (begins_anew ? 0 : begin[i]) + counted[i];
	}
}

void job_find_places(struct job *w, const uint64_t *counted)
{
	const size_t numbers = place_size(w->plan.field_count);
	uint64_t *all = job_need((size_t)comm_size() * numbers * sizeof *all);
	comm_gather(counted, numbers, all);
	for (int rank = 0; rank < comm_rank(); rank++) {
		const struct share s = job_share(w, rank);
		job_end_slice(w, &s, all + (size_t)rank * numbers, w->begin, w->begin);
	}
	job_end_slice(w, &w->share, counted, w->begin, w->end);
	memory_free(all);
}
