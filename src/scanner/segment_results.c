/* Pushes elements into a segment, stores their results at the elements' places, and queues the totals of segments. */
#include <assert.h>
#include <string.h>

#include "scan/host_tiles.h"
#include "scanner/segment_windows.h"

/* Puts the run's results i on, count of them, to their elements' places. (Those of exact decimals are words or i128s,
 * and their places have room for i128s.) */
static void put_plain(const struct run_scan *r, size_t i, size_t count, const unsigned char *results, size_t size,
		      const unsigned char *forms)
{
	struct slot_lane *l = r->to;
	const size_t step = conductor_result_step(&r->lane->row, l);
	unsigned char *to = l->results + (r->first + i) * step;
	assert(step == size || size == sizeof(uint64_t));
	if (step == size)
		memcpy(to, results, count * size);
	for (size_t j = 0; j < count && step != size; j++)
		memcpy(to + j * step, results + j * sizeof(uint64_t), sizeof(uint64_t));
	if (l->forms.size > 0)
		memcpy(l->forms.data + r->first + i, forms, count);
}

void segment_put_results(const struct run_scan *r, size_t i, size_t count, const unsigned char *results, size_t size,
			 const unsigned char *forms)
{
	const bool is_by_time = is_exclusive_by_time(r->c->plan, r->lane->plan);
	const bool moves = r->lane->plan->moves_results && !r->lane->plan->by_time;
	struct slot_lane *l = r->to;
	struct segment *g = r->segment;
	const size_t step = conductor_result_step(&r->lane->row, l);
	const uint64_t least = r->c->plan->lacking.min_count;
	const bool are_plain = !is_by_time && r->c->emit_each == NULL && least == 0;
	if (count == 0)
		return;
	if (are_plain && moves)
		put_plain(r, i, 1, segment_last(r->lane, g), step, &g->last_form);
	if (are_plain)
		put_plain(r, i + moves, count - moves, results, size, forms);
	for (size_t j = 0; j < count && !are_plain; j++) {
		const size_t at = r->first + i + j;
		const bool is_empty = is_by_time && segment_covered(r, j) == 0;
		const bool is_short = least > 0 && segment_is_short(r, segment_covered(r, j));
		unsigned char *to = l->results + at * step;
		unsigned char form;
		if (is_empty || (moves && j == 0)) {
			form = is_empty ? r->lane->first.last_form : g->last_form;
			memcpy(to, is_empty ? &r->lane->first.last : segment_last(r->lane, g), step);
		} else {
			form = forms[j - moves];
			memcpy(to, results + (j - moves) * size, size);
		}
		if (moves ? g->is_short : is_short) {
			form = RESULT_FORM_ABSENT;
			(void)conductor_result_is_absent(r->c, r->lane, to);
		}
		if (r->c->emit_each != NULL && form < RESULT_FORM_ABSENT)
			segment_emit(r, i + j, j, to, &form);
		if (l->forms.size > 0)
			l->forms.data[at] = form;
		g->is_short = is_short;
	}
	segment_took(r->lane, g, results + (count - 1) * size, size, forms[count - 1], count);
}

bool segment_may_lack(const struct run_scan *r, size_t i)
{
	const struct plan_lane *lane = r->lane->plan;
	return segment_lacks_result(r, i) || lane->lags || (lane->op->lacks_first && lane->by_time);
}

void segment_put_formed(const struct run_scan *r, unsigned char *results, unsigned char *forms)
{
	const size_t size = r->lane->row.results.size;
	memset(forms, RESULT_FORM_LANE, r->count);
	for (size_t i = 0; i < r->count && segment_may_lack(r, i); i++) {
		if (segment_lacks_result(r, i) && conductor_result_is_absent(r->c, r->lane, results + i * size))
			forms[i] = RESULT_FORM_ABSENT;
	}
	segment_put_results(r, 0, r->count, results, size, forms);
}

unsigned char segment_held_form(const struct plan *plan, enum role role, uint64_t in_row, unsigned char form)
{
	if ((role & ROLE_IS_ABSENT) != 0 || form == RESULT_FORM_ABSENT)
		return RESULT_FORM_ABSENT;
	return plan->lacking.fill_limit > 0 && in_row > plan->lacking.fill_limit ? RESULT_FORM_MARK : form;
}

static inline enum status push(const struct run_scan *r, const struct row *row, void *cursor, const void *in,
			       size_t count, void *out, size_t *bad)
{
	if (count < 2 * GRID_TILE || row->tiles == NULL || row->tiles->totals == NULL || row->code->fold == NULL) {
		*bad = host_scan_push(row, cursor, in, count, out);
		return STATUS_OK;
	}
	TRY(bytes_make(&r->work->states, 2 * (count / GRID_TILE), row->code->state_size));
	*bad = host_scan_push_tiles(row, cursor, in, count, r->work->states.data, out);
	return STATUS_OK;
}

enum status segment_push(const struct run_scan *r, const struct row *row, const void *in, size_t count, void *out,
			 size_t *bad)
{
	return r->lane->plan->window > 0 ? segment_push_window(r, in, count, out, bad)
					 : push(r, row, segment_cursor(r->lane, r->segment), in, count, out, bad);
}

enum status segment_try_push(const struct run_scan *r, const struct row *row, const void *in, size_t count, void *out,
			     size_t *bad)
{
	void *cursor = segment_cursor(r->lane, r->segment);
	TRY(bytes_make(&r->work->before, 1, row->code->cursor_size));
	memcpy(r->work->before.data, cursor, row->code->cursor_size);
	const enum status status = push(r, row, cursor, in, count, out, bad);
	if (status == STATUS_OK && *bad != SIZE_MAX)
		memcpy(cursor, r->work->before.data, row->code->cursor_size);
	return status;
}

bool segment_is_of_index(const struct run_scan *r)
{
	if (r->lane->plan->window > 0)
		return kept_is_index(r->lane->kept_size);
	const enum operator_id id = r->lane->plan->op->id;
	return segment_passed(r->lane, r->segment) > 0 && (id == OPERATOR_ARGMAX || id == OPERATOR_ARGMIN);
}

/* Makes the results in r->work->out, indices among the elements that take part, such among all of the segment's. A new
 * one is its element's own. */
static void find_indices(const struct run_scan *r, size_t count)
{
	struct segment *g = r->segment;
	const uint64_t passed = segment_passed(r->lane, g);
	unsigned char *results = r->work->out.data;
	uint64_t before = g->last.u64;
	for (size_t i = 0; i < count; i++) {
		uint64_t index;
		memcpy(&index, results + i * sizeof index, sizeof index);
		index = index == g->count - passed + i ? index + passed : before;
		memcpy(results + i * sizeof index, &index, sizeof index);
		before = index;
	}
}

void segment_find_indices(const struct run_scan *r, size_t count)
{
	if (segment_is_of_index(r) && r->lane->plan->window > 0)
		segment_find_window_indices(r, count);
	else if (segment_is_of_index(r))
		find_indices(r, count);
}

enum status segment_note_totals(struct segment_work *w, const void *totals, size_t size, size_t count, size_t record,
				size_t length)
{
	TRY(bytes_reserve(&w->ended, count * size));
	TRY(bytes_reserve(&w->ended_records, count * sizeof(uint32_t)));
	unsigned char *to = w->ended.data + w->ended.size;
	uint32_t *records = (uint32_t *)(void *)(w->ended_records.data + w->ended_records.size);
	for (size_t i = 0; i < count; i++) {
		memcpy(to + i * size, (const unsigned char *)totals + i * length * size, size);
		records[i] = (uint32_t)(record + i * length);
	}
	w->ended.size += count * size;
	w->ended_records.size += count * sizeof *records;
	w->ended_count += count;
	return STATUS_OK;
}

enum status segment_note_ended(const struct run_scan *r, struct ended *ended)
{
	const size_t size = r->c->keys->plain_total;
	if (size > 0)
		return segment_note_totals(r->work, &ended->last, size, 1, ended->record, 1);
	ended->key = r->key;
	ended->order = r->work->ended_count++;
	return bytes_append(&r->work->ended, ended, sizeof *ended);
}
