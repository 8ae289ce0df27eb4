/* A slice of text may begin anywhere in a tile, and its place is known only when the slices before it have been read.
 * (So may a slice of binary elements, if NaNs are left out of the scan.) First all ranks count their elements at once,
 * so that each knows where its tiles begin. Then the totals of its tiles are gathered, and the elements around them are
 * kept (conductor_gather.c). Both passes also count the lines and elements that messages of the last pass name.
 * (Exact decimals have no tiles: segments.c.) */
#include <string.h>

#include "mpi/comm.h"
#include "mpi/job.h"

/* Runs a pass over the whole slice. False: a failure. */
static bool pass_over(const struct job *w, struct pass pass)
{
	struct stats stats;
	pass.first = w->share.first;
	pass.count = w->share.end - w->share.first;
	pass.part.is_part = true;
	return job_complete(w, &pass, &stats);
}

void text_end_slice(const struct job *w, const struct share *s, const uint64_t *counted, struct place *to)
{
	const size_t fields = w->plan.field_count;
	uint64_t first_of_file;
	uint64_t last_of_file;
	if (s->first == s->end)
		return;
	const size_t first = share_find(&w->inputs, s->first, &first_of_file);
	const size_t last = share_find(&w->inputs, s->end - 1, &last_of_file);
	const bool begins_file = first_of_file == 0 || first < last;
	to->lines = (begins_file ? 0 : to->lines) + counted[0];
	for (size_t i = 0; i < fields; i++) {
		to->elements[i] = (begins_file ? 0 : to->elements[i]) + counted[1 + i];
		to->taken[i] += counted[1 + fields + i];
	}
}

/* Sets w->begin and w->end. all: for each rank the `counted` of text_end_slice. */
static void add_up(struct job *w, const uint64_t *all)
{
	const size_t fields = w->plan.field_count;
	for (int rank = 0; rank <= comm_rank(); rank++) {
		const struct share s = job_share(w, rank);
		struct place *to = rank < comm_rank() ? &w->begin : &w->end;
		if (rank == comm_rank()) {
			w->end.lines = w->begin.lines;
			memcpy(w->end.elements, w->begin.elements, 2 * fields * sizeof *w->end.elements);
		}
		text_end_slice(w, &s, all + (size_t)rank * (2 * fields + 1), to);
	}
}

/* Returns new memory of `size` bytes. Ends all ranks if memory is missing. */
static void *need(size_t size)
{
	void *block = memory_new(size);
	if (block == NULL)
		comm_abort(STATUS_SYSTEM);
	return block;
}

/* Exchanges the counts of all ranks, and sets w->begin and w->end. All ranks call it. */
static void exchange(struct job *w, uint64_t *counted)
{
	const size_t numbers = 2 * w->plan.field_count + 1;
	uint64_t *all = need((size_t)comm_size() * numbers * sizeof *all);
	comm_gather(counted, numbers, all);
	add_up(w, all);
	memory_free(all);
}

bool text_gather(struct job *w)
{
	const size_t fields = w->plan.field_count;
	struct plan_lane *lanes = need(w->plan.lane_count * sizeof *lanes);
	uint64_t *counted = need((2 * fields + 1) * sizeof *counted);
	memset(counted, 0, (2 * fields + 1) * sizeof *counted);
	const struct plan part = job_silent_plan(&w->plan, lanes);
	struct place end = {.elements = counted + 1, .taken = counted + 1 + fields};
	struct tile_totals count = {0};
	/* No rank needs the totals of the last slice. */
	const bool is_needed = !w->share.is_idle && !w->share.is_last;
	bool known = true;
	if (is_needed)
		known = pass_over(w, (struct pass){.plan = &part, .part.gathered = &count, .part.end = &end});
	counted[0] = end.lines;
	exchange(w, counted);
	w->totals = (struct tile_totals){.lanes = w->lanes, .ends = w->ends, .firsts = w->begin.taken};
	if (is_needed && known)
		known = pass_over(w, (struct pass){.plan = &part, .part.gathered = &w->totals});
	memory_free(lanes);
	memory_free(counted);
	return known;
}

bool text_carry_on(const struct job *w, struct pack *next)
{
	struct stats stats;
	const struct pass pass = {.plan = &w->plan,
				  .first = w->share.first,
				  .part.before = &w->totals,
				  .part.place = &w->end,
				  .part.next = next,
				  .goes_on = true,
				  .part.is_part = true};
	return job_complete(w, &pass, &stats) && !next->failed;
}
