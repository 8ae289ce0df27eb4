/* Scans with segments. What is before a slice matters only until a segment begins in the slice:
 *
 *     gather    All ranks scan their slices at once, each as if no slice were before it. If all lanes begin a segment
 *               in the slice, the scan at its end is already the right one.
 *     carry     If it is, it goes to the next rank at once. Otherwise the slice is scanned again when the scan of the
 *               slice before it has come.
 *
 * What goes by key, and exact decimals, are joined to the scan that has come, and nothing is scanned again
 * (conductor_joins). Nobody needs the scan of the last slice ahead. So its rank scans a part of the slice before its
 * own instead, and so do the others: of R slices the rank after slice i scans the last (i + 1) / R of it, and all ranks
 * scan equally much.
 *
 * If segments begin only by count, their places depend on the number of elements before the slice. Binary slices begin
 * with a segment. The elements of text are counted first, and then the slice is scanned with its place known. */
#include <string.h>

#include "mpi/comm.h"
#include "mpi/job.h"
#include "scanner/conductor.h"

/* Whether the slice's scan, which begins without a seed, can be joined to the scan before it. */
static bool is_joined(const struct job *w)
{
	return job_neighbour(w, -1) >= 0 && conductor_joins(&w->plan);
}

/* Scans a piece from a place on, or if place is NULL as if nothing were before it, and packs the scan at its end into
 * p->ahead. Sets counted for job_end_slice. *begins_anew: all lanes begin a segment in the piece. False: a failure. */
static bool scan_alone(struct job *w, struct piece *p, const uint64_t *place, uint64_t *counted, bool *begins_anew)
{
	struct plan_lane *lanes = memory_new(w->plan.lane_count * sizeof *lanes);
	if (lanes == NULL)
		return false;
	const struct plan silent = job_silent_plan(&w->plan, lanes);
	const struct pass pass = {.plan = is_joined(w) ? &silent : &w->plan,
				  .first = p->first,
				  .count = p->end - p->first,
				  .part.place = place,
				  .part.end = counted,
				  .part.next = &p->ahead,
				  .part.begins_anew = begins_anew,
				  .part.is_part = true};
	p->ahead.bytes.size = 0;
	p->is_scanned = job_complete(w, &pass) && !p->ahead.failed;
	memory_free(lanes);
	return p->is_scanned;
}

/* Scans the slice again if segments begin only by count and the slice does not begin with one, when all ranks know the
 * number of elements before them. Returns whether w->head.ahead does not depend on earlier slices. All ranks call
 * it. */
static bool scan_by_count(struct job *w, bool is_scanned, bool is_needed)
{
	const size_t fields = w->plan.field_count;
	const uint64_t every = w->plan.resets.every;
	const uint64_t *taken = w->head.counted + 1 + fields;
	const uint64_t is_counted = is_scanned || !is_needed;
	uint64_t *are_counted = job_need((size_t)comm_size() * sizeof *are_counted);
	uint64_t *unused = job_need(place_size(fields) * sizeof *unused);
	bool begins_anew;
	comm_gather(&is_counted, 1, are_counted);
	job_find_places(w, w->head.counted);
	bool is_known = is_scanned && is_needed;
	for (int rank = 0; rank < comm_rank(); rank++)
		is_known = is_known && are_counted[rank] > 0;
	bool is_aligned = true;
	for (size_t i = 0; i < fields; i++) {
		const uint64_t passed = w->begin[1 + fields + i] % every;
		is_aligned = is_aligned && passed == 0;
		is_known = is_known && taken[i] > 0 && (passed == 0 || taken[i] > every - passed);
	}
	if (is_known && !is_aligned)
		is_known = scan_alone(w, &w->head, w->begin, unused, &begins_anew);
	memory_free_all(are_counted, unused);
	return is_known;
}

/* Whether each rank also gathers a part of the slice before its own: only what is joined is gathered in parts. */
static bool has_tails(const struct job *w)
{
	bool has = w->is_counted && conductor_joins(&w->plan);
	for (int rank = 0; rank < comm_size() && has; rank++)
		has = !job_share(w, rank).is_idle;
	return has;
}

bool segments_gather(struct job *w)
{
	const bool is_needed = !w->share.is_idle && !w->share.is_last;
	const bool is_first = job_neighbour(w, -1) < 0;
	const bool has = has_tails(w);
	const int rank = comm_rank();
	bool begins_anew = false;
	w->head = (struct piece){.first = w->share.first, .end = has ? w->begins[2 * rank + 1] : w->share.end};
	w->tail = (struct piece){.first = has && rank > 0 ? w->begins[2 * rank - 1] : w->share.first,
				 .end = w->share.first};
	w->head.counted = job_need(place_size(w->plan.field_count) * sizeof *w->head.counted);
	w->tail.counted = job_need(place_size(w->plan.field_count) * sizeof *w->tail.counted);
	if (w->tail.first < w->tail.end)
		(void)scan_alone(w, &w->tail, NULL, w->tail.counted, &begins_anew);
	const bool known = is_needed && scan_alone(w, &w->head, NULL, w->head.counted, &begins_anew);
	if (!share_resets_by_count(&w->plan))
		return known && (begins_anew || is_first || is_joined(w));
	return w->is_counted ? scan_by_count(w, known, is_needed) : known;
}

/* Joins a piece to the scan before it. False: a failure, or that cannot be done exactly. */
static bool join(struct job *w, const struct piece *p, struct pack *next)
{
	const struct unpack ahead = {.at = p->ahead.bytes.data, .left = p->ahead.bytes.size};
	bool exact = false;
	const struct pass pass = {.plan = &w->plan,
				  .first = p->first,
				  .part.joined = &ahead,
				  .part.is_joined = &exact,
				  .part.next = next,
				  .goes_on = true,
				  .part.is_part = true};
	if (job_complete(w, &pass) && exact && !next->failed)
		return true;
	bytes_free(&next->bytes);
	*next = (struct pack){0};
	return false;
}

/* Continues the scan in w->came over a piece, from w->begin to w->end, and packs it into *next: p->ahead if `ahead`.
 * False: a failure. */
static bool carry_over(struct job *w, struct piece *p, bool ahead, struct pack *next)
{
	const struct share share = {.first = p->first, .end = p->end};
	const struct pass pass = {.plan = &w->plan,
				  .first = p->first,
				  .count = p->end - p->first,
				  .part.place = w->is_counted ? w->begin : NULL,
				  .part.end = w->is_counted ? w->end : NULL,
				  .part.next = next,
				  .goes_on = true,
				  .part.is_part = true};
	if (!ahead || (is_joined(w) && !join(w, p, next)))
		return job_complete(w, &pass) && !next->failed;
	if (!is_joined(w)) {
		*next = p->ahead;
		p->ahead = (struct pack){0};
	}
	bytes_free(&p->ahead.bytes);
	if (w->is_counted)
		job_end_slice(w, &share, p->counted, w->begin, w->end);
	return true;
}

bool segments_carry_tail(struct job *w)
{
	struct pack next = {0};
	if (w->tail.first == w->tail.end)
		return true;
	const bool is_taken = carry_over(w, &w->tail, w->tail.is_scanned, &next);
	bytes_free(&w->came);
	w->came = next.bytes;
	memcpy(w->begin, w->end, place_size(w->plan.field_count) * sizeof *w->end);
	return is_taken;
}

bool segments_carry_on(struct job *w, bool ahead, struct pack *next)
{
	return carry_over(w, &w->head, ahead, next);
}
