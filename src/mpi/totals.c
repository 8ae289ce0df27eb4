/* Without segments: the totals of a slice's tiles are gathered, and the scan goes on from them.
 *
 * A slice of text may begin anywhere in a tile, and its place is known only when the slices before it have been read.
 * (So may a slice of binary elements, if NaNs are left out of the scan.) First all ranks count their elements at once,
 * so that each knows where its tiles begin. Then the totals of its tiles are gathered, and the elements around them are
 * kept (conductor_gather.c). Both passes also count the lines and elements that messages of the last pass name.
 * (Exact decimals have no tiles: segments.c.)
 *
 * Other slices of binary elements have whole tiles. The last one's elements are not kept but read again. */
#include "mpi/job.h"

/* Returns the number of records at the slice's end that are read again, because totals_gather keeps none. */
static uint64_t count_again(const struct job *w)
{
	return w->is_counted ? 0 : GRID_TILE;
}

/* Runs a pass over the slice, except the records that are read again. False: a failure. */
static bool pass_over(const struct job *w, struct pass pass)
{
	pass.first = w->share.first;
	pass.count = w->share.end - w->share.first - count_again(w);
	pass.part.is_part = true;
	return job_complete(w, &pass);
}

/* Counts the slice's elements with a plan that writes nothing, and sets w->begin and w->end from the counts of all
 * ranks. All ranks call it. False: this slice could not be read. */
static bool count_elements(struct job *w, const struct plan *part, bool is_needed)
{
	uint64_t *counted = job_need(place_size(w->plan.field_count) * sizeof *counted);
	struct tile_totals count = {0};
	const bool known =
		!is_needed || pass_over(w, (struct pass){.plan = part, .part.gathered = &count, .part.end = counted});
	job_find_places(w, counted);
	memory_free(counted);
	return known;
}

bool totals_gather(struct job *w)
{
	struct plan_lane *lanes = job_need(w->plan.lane_count * sizeof *lanes);
	const struct plan part = job_silent_plan(&w->plan, lanes);
	/* No rank needs the totals of the last slice. */
	const bool is_needed = !w->share.is_idle && !w->share.is_last;
	bool known = !w->is_counted || count_elements(w, &part, is_needed);
	w->totals.firsts = w->is_counted ? w->begin + 1 + w->plan.field_count : NULL;
	w->totals.first = w->share.first;
	if (is_needed && known)
		known = pass_over(w, (struct pass){.plan = &part, .part.gathered = &w->totals});
	memory_free(lanes);
	return known;
}

bool totals_carry_on(const struct job *w, struct pack *next)
{
	const uint64_t again = count_again(w);
	const struct pass pass = {.plan = &w->plan,
				  .first = again > 0 ? w->share.end - again : w->share.first,
				  .count = again,
				  .part.before = &w->totals,
				  .part.place = w->is_counted ? w->end : NULL,
				  .part.next = next,
				  .goes_on = true,
				  .part.is_part = true};
	return job_complete(w, &pass) && !next->failed;
}
