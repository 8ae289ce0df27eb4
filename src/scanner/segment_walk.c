/* Walks through the elements of a key segment by segment: begins, scans and ends them. */
#include <string.h>

#include "scanner/segment_windows.h"

enum status segment_begin_results(const struct conductor *c, struct slot *s, size_t lane)
{
	struct slot_lane *l = &s->lanes[lane];
	const size_t count = conductor_column(s, l)->count;
	l->forms.size = 0;
	l->step = c->plan->lanes[lane].decimal ? sizeof(union value) : c->lanes[lane].row.results.size;
	const bool has_forms = c->lanes[lane].has_forms || conductor_column(s, l)->roles.size > 0;
	if (!has_forms || c->plan->format.output == FORMAT_BINARY)
		return STATUS_OK;
	TRY(bytes_reserve(&l->forms, count));
	l->forms.size = count;
	return STATUS_OK;
}

void segment_clear(const struct lane *l, struct segment *g)
{
	void *outside = g->outside;
	struct record_counts *n = segment_counts(l, g);
	*g = l->first;
	g->outside = outside;
	if (n != NULL)
		*n = (struct record_counts){.order = n->order};
	if (l->plan->window > 0)
		segment_begin_window(l, g);
	else
		memcpy(segment_cursor(l, g), l->begins, l->row.code->cursor_size);
	if (l->last_offset > 0)
		memcpy(segment_last(l, g), l->last, l->row.results.size);
	if (l->number_offset > 0)
		++*segment_number(l, g);
	if (l->tried_offset > 0)
		*segment_tried(l, g) = (struct tried){.count = 0};
}

enum status segment_copy(const struct conductor *c, const struct lane *l, struct segment *to,
			 const struct segment *from)
{
	void *outside = to->outside;
	memcpy(to, from, l->size);
	to->outside = outside;
	TRY(segment_need_cursor(c, l, to));
	if (l->is_outside[to->width])
		memcpy(to->outside, from->outside, l->outside_size);
	return STATUS_OK;
}

/* Sets the reset fields of the segment that contains the record. */
static void set_text(const struct run_scan *r, size_t record, struct ended *ended)
{
	if (r->c->plan->format.text.reset_count == 0)
		return;
	const struct record_key *text = resets_text(&r->s->keyed.resets, record);
	ended->text = record_key_bytes(text, &r->s->keyed.key_bytes);
	ended->text_size = text->size;
}

/* Notes records that take no part and belong to a segment that others begin, which ends the present one: where totals
 * are written and need a number, that is at its first number. */
static void note_early(const struct run_scan *r)
{
	struct record_counts *n = segment_counts(r->lane, r->segment);
	const uint64_t begun = begun_at(r, 0);
	n->early = begun == n->early_begun ? n->early + 1 : 1;
	n->early_begun = begun;
}

/* A segment that begins with a number takes over those of its records that were noted. */
static enum status adopt_early(const struct run_scan *r, struct record_counts before)
{
	struct record_counts *n = segment_counts(r->lane, r->segment);
	if (n == NULL || before.early == 0 || before.early_begun != begun_at(r, 0))
		return STATUS_OK;
	n->passed = n->in_row = r->segment->count = before.early;
	return r->lane->plan->window > 0 ? segment_pass_places(r, n->passed) : STATUS_OK;
}

/* How far the segment's last number is before the run's first element, among the `previous` elements there, or its last
 * element where totals need no numbers. 0: it is not among these. */
static size_t find_number(const struct run_scan *r, size_t previous)
{
	const struct bytes *roles = &r->column->roles;
	for (size_t i = 1; i <= previous; i++) {
		if (!totals_need_numbers(r->c->plan) || roles->size == 0 ||
		    roles->data[r->first - i] == ROLE_TAKES_PART)
			return i;
	}
	return 0;
}

enum status segment_end(const struct run_scan *r, size_t previous)
{
	const size_t back = find_number(r, previous);
	struct ended ended = {
		.record = record_of(r, 0), .form = segment_shown_form(r->segment), .last = r->segment->last};
	if (!r->c->plan->total || !segment_has_total(r->c->plan, r->lane, r->segment))
		return STATUS_OK;
	if (back > 0) {
		struct run_scan last = *r;
		last.first -= back;
		set_text(r, record_of(&last, 0), &ended);
	} else if (r->c->plan->format.text.reset_count > 0) {
		const struct bytes *name = &key_resets_of(r->c->keys, r->key)->name;
		ended.text = name->data;
		ended.text_size = name->size;
	}
	if (r->lane->last_offset > 0) {
		size_t place;
		TRY(segment_note_end(r, &place));
		ended.last.u64 = place;
		/* As soon as it is scanned. */
		const struct lane *lane = r->lane;
		const uint64_t taken = segment_numbers(r->lane, r->segment);
		unsigned char result[PACKED_MAX * sizeof(union value)];
		const bool lacks = conductor_lacks_result(r->c, lane, lane->first.has_last + taken, result);
		if (taken > 0)
			ended.form =
				lacks || taken < r->c->plan->lacking.min_count ? RESULT_FORM_ABSENT : RESULT_FORM_LANE;
	}
	return segment_note_ended(r, &ended);
}

/* The key's place in the order of totals is that of its first number, which the run's element i may be. (Without keys
 * it stays 0: chunks may then be scanned before it is known how many records are before them.) */
static void note_order(const struct run_scan *r, size_t i)
{
	struct record_counts *n = segment_counts(r->lane, r->segment);
	if (n != NULL && n->order == 0 && plan_has_keys(r->c->plan))
		n->order = r->c->keys->records + record_of(r, i) + 1;
}

static enum status scan_alike(const struct run_scan *r)
{
	for (size_t i = 0; i < r->count && r->lane->last_offset > 0; i++) {
		if (!takes_part(r, i))
			continue;
		note_order(r, i);
		break;
	}
	if (r->lane->last_offset > 0)
		return segment_note(r);
	if (!takes_part(r, 0))
		return segment_hold(r);
	note_order(r, 0);
	if (r->c->emit_each != NULL)
		TRY(segment_begin_emit(r));
	if (r->lane->exact != NULL)
		return segment_scan_exact(r);
	return r->lane->plan->decimal ? segment_scan_decimals(r) : segment_scan(r);
}

/* Whether segments of the run may be scanned many at once: records alone begin them, and each element is that of the
 * record with its index, and takes part. */
static bool may_be_short(const struct run_scan *all)
{
	const struct plan *plan = all->c->plan;
	const struct slot_column *column = all->column;
	return text_resets_by_fields(&plan->format.text) && plan->format.text.key_count == 0 &&
	       plan->resets.every == 0 && plan->resets.at == NULL && all->lane->plan->window == 0 &&
	       plan->lacking.min_count == 0 && column->roles.size == 0 && column->records.size == 0;
}

/* The totals of short segments, but that of the last one, which ends where the next one begins. */
static enum status end_short(const struct run_scan *r, const uint32_t *begun, size_t count)
{
	const struct slot_lane *l = r->to;
	const size_t step = conductor_result_step(&r->lane->row, l);
	const size_t size = r->lane->rows[WIDTH_NARROW].results.size;
	for (size_t i = 1; i < count; i++) {
		if (begun[i] == begun[i - 1])
			continue;
		struct ended ended = {.record = r->first + i, .form = r->segment->last_form};
		memcpy(&ended.last, l->results + (r->first + i - 1) * step, size);
		set_text(r, r->first + i - 1, &ended);
		TRY(segment_note_ended(r, &ended));
	}
	return STATUS_OK;
}

/* Takes in the short segments that are next among count elements, if nothing of the present one was, nor a seed. The
 * last of them becomes it. */
static enum status scan_short(const struct run_scan *r, size_t count, bool is_uniform, size_t *taken)
{
	const uint32_t *begun = (const uint32_t *)(const void *)r->s->keyed.begun.data + r->first;
	struct segment *g = r->segment;
	if (g->count > 0 || g->has_last)
		return STATUS_OK;
	if (is_uniform)
		*taken = segment_scan_short_uniform(r, begun, count);
	else if (!r->lane->plan->decimal)
		*taken = segment_scan_short(r, begun, count);
	if (*taken == 0)
		return STATUS_OK;
	for (g->count = 1; g->count < *taken && begun[*taken - 1 - g->count] == begun[*taken - 1];)
		g->count++;
	return r->c->plan->total ? end_short(r, begun, *taken) : STATUS_OK;
}

/* Ends the segment before the run, which has `previous` elements in the slot, and begins the next one. */
static enum status begin_next(const struct run_scan *r, size_t previous)
{
	const struct plan *plan = r->c->plan;
	struct segment *g = r->segment;
	const bool is_anew = g->is_anew || plan->resets.every == 0 || g->count < plan->resets.every;
	struct record_counts before = {0};
	if (r->lane->counts_offset > 0)
		before = *segment_counts(r->lane, g);
	TRY(segment_end(r, previous));
	TRY(segment_end_total(r));
	segment_clear(r->lane, g);
	g->is_anew = is_anew;
	return text_resets_by_fields(&plan->format.text) ? adopt_early(r, before) : STATUS_OK;
}

enum status segment_scan_all(const struct run_scan *all)
{
	const struct plan *plan = all->c->plan;
	struct segment *g = all->segment;
	const bool by_fields = text_resets_by_fields(&plan->format.text);
	const bool all_take = all->column->roles.size == 0;
	const bool is_by_count =
		plan->resets.every > 0 && !by_fields && plan->resets.at == NULL && !all->lane->plan->decimal;
	enum status status = STATUS_OK;
	const bool are_uniform = segment_is_uniform(all, &status);
	const bool are_short = may_be_short(all);
	TRY(status);
	for (size_t done = 0; done < all->count;) {
		struct run_scan r = *all;
		size_t whole = 0;
		const size_t rest = all->count - done;
		r.first += done;
		if (segment_begins_at(&r, 0, g->count)) {
			if (by_fields && plan->total && totals_need_numbers(plan) && !takes_part(&r, 0)) {
				note_early(&r);
				done++;
				continue;
			}
			TRY(begin_next(&r, done));
		}
		/* (Whatever comes before this stream.) */
		if (g->count == 0 && plan->resets.at != NULL && segment_begins_by_value(&r, 0))
			g->is_anew = true;
		if (by_fields)
			g->begun = begun_at(&r, 0);
		if (all_take)
			note_order(&r, 0);
		if (are_short)
			TRY(scan_short(&r, rest, are_uniform, &whole));
		else if (is_by_count && g->count == 0 && all_take)
			TRY(segment_scan_whole(&r, rest, &whole));
		done += whole;
		if (whole > 0)
			continue;
		const uint64_t left = plan->resets.every > 0 ? plan->resets.every - g->count : UINT64_MAX;
		const size_t most = rest < left ? rest : (size_t)left;
		/* (A program's are noted together.) */
		r.count = segment_goes_on(&r, most);
		if (all->lane->last_offset == 0)
			r.count = segment_count_alike(&r, r.count);
		done += r.count;
		bool taken = false;
		if (are_uniform)
			TRY(segment_scan_uniform(&r, &taken));
		if (!taken)
			TRY(scan_alike(&r));
	}
	return STATUS_OK;
}
