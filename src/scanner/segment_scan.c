/* A key's scan of one lane: its elements go in, its results to their places. (What is different for exact decimals is
 * in segment_decimals.c.) */
#include <assert.h>
#include <string.h>

#include "scan/host_tiles.h"
#include "scanner/lane_texts.h"
#include "scanner/segment_windows.h"

enum status segment_hold(const struct run_scan *r)
{
	const struct conductor *c = r->c;
	const struct plan *plan = c->plan;
	const struct lane *lane = r->lane;
	struct slot_lane *l = r->to;
	struct segment *g = r->segment;
	struct record_counts *n = segment_counts(r->lane, g);
	if (n == NULL) /* no record is held */
		return STATUS_OK;
	/* What the next element would get; or what the last one got, if there is one. */
	const bool has_result = lane->plan->moves_results || plan->include_initial || segment_numbers(r->lane, g) > 0;
	const size_t step = conductor_result_step(&lane->row, l);
	const unsigned char *roles = conductor_column(r->s, l)->roles.data;
	for (size_t i = 0; i < r->count; i++) {
		const size_t at = r->first + i;
		const unsigned char before = has_result ? segment_shown_form(g) : RESULT_FORM_ABSENT;
		const unsigned char form = segment_held_form(plan, roles[at], ++n->in_row, before);
		unsigned char *to = l->results + at * step;
		/* (A window that failed to take its last number cannot continue, even if no result is shown here.) */
		const bool is_lost = g->is_past && lane->plan->window > 0 && segment_window(g)->count < g->count + i;
		if (is_lost || (g->is_past && form < RESULT_FORM_ABSENT))
			segment_end_past(r, i);
		memcpy(to, segment_last(lane, g), step);
		if (form >= RESULT_FORM_ABSENT)
			(void)conductor_result_is_absent(c, lane, to);
		if (l->forms.size > 0)
			l->forms.data[at] = form;
		if (lane->plan->window > 0 && segment_pass_window(r, i) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	segment_count(lane, g, 0, r->count);
	return STATUS_OK;
}

/* Whether the next element may have no result. (Of windows it is not known yet.) */
static bool may_lack_result(const struct run_scan *r)
{
	const struct plan_lane *lane = r->lane->plan;
	return lane->window > 0 ? lane->lags || lane->op->lacks_first : segment_lacks_result(r, 0);
}

/* Whether the results follow each other, as the elements do, and are the lane's inclusive ones. */
static bool is_in_place(const struct run_scan *r)
{
	const struct slot_lane *l = r->to;
	const struct row *row = &r->lane->row;
	return !segment_is_of_index(r) && !r->lane->plan->is_text && r->c->plan->lacking.min_count == 0 &&
	       !r->lane->plan->moves_results && l->forms.size == 0 && !may_lack_result(r) &&
	       conductor_result_step(row, l) == row->results.size;
}

static enum status scan_in_place(const struct run_scan *r)
{
	const struct slot_lane *l = r->to;
	const struct row *row = &r->lane->row;
	unsigned char *results = l->results + r->first * row->results.size;
	size_t bad;
	TRY(segment_push(r, row, segment_element_at(r, 0), r->count, results, &bad));
	segment_took(r->lane, r->segment, results + (r->count - 1) * row->results.size, row->results.size,
		     RESULT_FORM_LANE, r->count);
	if (bad != SIZE_MAX)
		segment_judge(r, bad);
	return STATUS_OK;
}

/* The totals of whole segments, but that of the last one, which has not ended. */
static enum status end_whole(const struct run_scan *r, size_t count, size_t length)
{
	const size_t size = r->lane->row.results.size;
	const unsigned char *results = r->to->results + r->first * size;
	const bool all_have = r->column->records.size == 0;
	if (r->c->keys->plain_total > 0 && all_have)
		return segment_note_totals(r->work, results + (length - 1) * size, size, count / length - 1,
					   r->first + length, length);
	for (size_t next = length; next < count; next += length) {
		struct ended ended = {.record = record_of(r, next), .form = RESULT_FORM_LANE};
		memcpy(&ended.last, results + (next - 1) * size, size);
		TRY(segment_note_ended(r, &ended));
	}
	return STATUS_OK;
}

enum status segment_scan_whole(const struct run_scan *r, size_t count, size_t *taken)
{
	const struct plan *plan = r->c->plan;
	const struct row *row = &r->lane->row;
	const size_t size = row->results.size;
	struct segment *g = r->segment;
	/* With a seed there is something before the first element. */
	if (plan->resets.every > GRID_TILE || r->lane->plan->window > 0 || row->tiles == NULL || g->is_past ||
	    row->tiles->results == NULL || g->has_last || row->op->lacks_first || !is_in_place(r))
		return STATUS_OK;
	const size_t length = (size_t)plan->resets.every;
	const size_t whole = count / length * length;
	unsigned char *results = r->to->results + r->first * size;
	const unsigned char *elements = segment_element_at(r, 0);
	if (whole == 0)
		return STATUS_OK;
	const size_t bad = host_scan_segments(row, elements, whole, length, results);
	if (bad != SIZE_MAX)
		segment_judge(r, bad);
	segment_took(r->lane, g, results + (whole - 1) * size, size, RESULT_FORM_LANE, length);
	*taken = whole;
	return plan->total ? end_whole(r, whole, length) : STATUS_OK;
}

size_t segment_scan_short(const struct run_scan *r, const uint32_t *begun, size_t count)
{
	const struct row *row = &r->lane->row;
	const size_t size = row->results.size;
	unsigned char *results = r->to->results + r->first * size;
	if (!is_in_place(r))
		return 0;
	const size_t taken = host_scan_short_segments(row, segment_element_at(r, 0), begun, count, results);
	if (taken > 0)
		segment_took(r->lane, r->segment, results + (taken - 1) * size, size, RESULT_FORM_LANE, 0);
	return taken;
}

/* Numbers of the lane's type. */
enum status segment_scan(const struct run_scan *r)
{
	const struct lane *l = r->lane;
	const size_t count = r->count;
	const size_t size = l->row.element.size;
	struct segment *g = r->segment;
	assert(r->column->step == size);
	if (g->is_past) {
		segment_end_past(r, 0);
		return STATUS_OK;
	}
	if (lane_tries(l))
		TRY(segment_hint_triples(r, segment_numbers(l, g), segment_element_at(r, 0), count));
	if (is_in_place(r))
		return scan_in_place(r);
	TRY(bytes_make(&r->work->in, count, size));
	TRY(bytes_make(&r->work->out, count, l->row.results.size + 1));
	const bool is_number = !l->plan->op->of_texts && !l->plan->gives_text;
	if (l->plan->op->of_texts && key_texts_add(r, (uint64_t *)(void *)r->work->in.data) != STATUS_OK)
		return STATUS_SYSTEM;
	if (l->plan->gives_text)
		lane_texts_get(r, (uint64_t *)(void *)r->work->in.data);
	if (is_number)
		memcpy(r->work->in.data, segment_element_at(r, 0), count * size);
	size_t bad;
	TRY(segment_push(r, &l->row, r->work->in.data, count, r->work->out.data, &bad));
	segment_find_indices(r, bad < count ? bad : count);
	segment_put_formed(r, r->work->out.data, r->work->out.data + count * l->row.results.size);
	if (bad != SIZE_MAX)
		segment_judge(r, bad);
	return STATUS_OK;
}
