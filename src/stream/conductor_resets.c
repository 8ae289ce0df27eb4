/* Where a key's segments of one lane begin and end: its elements are scanned segment by segment. */
#include <string.h>

#include "stream/key_scans.h"

void segment_work_free(struct segment_work *w)
{
	bytes_free(&w->ended);
	bytes_free(&w->ended_records);
	bytes_free(&w->in);
	bytes_free(&w->out);
	bytes_free(&w->before);
	bytes_free(&w->uniform);
}

enum status segment_note_totals(struct segment_work *w, const void *totals, size_t size, size_t count, size_t record,
				size_t length)
{
	if (bytes_reserve(&w->ended, count * size) != STATUS_OK ||
	    bytes_reserve(&w->ended_records, count * sizeof(uint32_t)) != STATUS_OK)
		return STATUS_SYSTEM;
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

enum status segment_note_ended(const struct run_scan *r, const struct ended *ended)
{
	const size_t size = r->c->keys->plain_total;
	if (size > 0)
		return segment_note_totals(r->work, &ended->last, size, 1, ended->record, 1);
	r->work->ended_count++;
	return bytes_append(&r->work->ended, ended, sizeof *ended);
}

enum status segment_begin_results(const struct conductor *c, struct slot *s, size_t lane)
{
	struct slot_lane *l = &s->lanes[lane];
	const size_t count = conductor_column(s, l)->count;
	l->forms.size = 0;
	l->step = c->plan->lanes[lane].decimal ? sizeof(union value) : c->lanes[lane].row.results.size;
	const bool has_forms = c->keys->lanes[lane].has_forms || conductor_column(s, l)->parts.size > 0;
	if (!has_forms || c->plan->format.output == FORMAT_BINARY)
		return STATUS_OK;
	if (bytes_reserve(&l->forms, count) != STATUS_OK)
		return STATUS_SYSTEM;
	l->forms.size = count;
	return STATUS_OK;
}

void segment_begin(const struct conductor *c, size_t lane, struct segment *g)
{
	const struct key_lane *l = &c->keys->lanes[lane];
	void *outside = l->outside_size > 0 ? g->outside : NULL;
	*g = l->first;
	if (outside != NULL)
		g->outside = outside;
	if (c->plan->window > 0)
		window_begin(segment_window(g), &l->windows[g->width]);
	else
		memcpy(segment_cursor(l, g), c->lanes[lane].cursor, c->lanes[lane].row.code->cursor_size);
	if (l->last_offset > 0)
		memcpy(segment_last(l, g), l->last, sizeof l->last);
	if (l->tried_offset > 0)
		*segment_tried(l, g) = (struct tried){.count = 0};
}

/* Whether an element begins a segment, in which there are count elements so far. */
static bool resets_at(const struct run_scan *r, size_t i, uint64_t count)
{
	const struct conductor *c = r->c;
	/* (Of text, what takes no part is no element.) */
	const bool counts = c->plan->format.input == FORMAT_BINARY || takes_part(r, i);
	if (c->plan->reset_every > 0 && count == c->plan->reset_every && counts)
		return true;
	if (text_resets_by_records(&c->plan->format.text) && begun_at(r, i) != r->segment->begun)
		return true;
	return c->plan->reset_at != NULL && count > 0 && takes_part(r, i) && segment_is_reset(r, i);
}

/* What the segment's resets went by, to which the record belongs. */
static void set_text(const struct run_scan *r, size_t record, struct ended *ended)
{
	if (r->c->plan->format.text.reset_count == 0)
		return;
	const struct record_key *text = resets_text(&r->s->resets, record);
	ended->text = record_key_bytes(text, &r->s->key_bytes);
	ended->text_size = text->size;
}

/* The segment ends before the first element; has_previous: its last one is in the slot, too. */
enum status segment_end(const struct run_scan *r, bool has_previous)
{
	struct ended ended = {.record = record_of(r, 0),
			      .order = r->work->ended_count,
			      .key = r->key,
			      .form = r->segment->last_form,
			      .last = r->segment->last};
	/* (After a misfit there may be some that could take none in: nothing is written of them, but the lanes' segments end together.) */
	if (!r->c->plan->total || (r->segment->count == 0 && ended.record <= r->work->misfit.record))
		return STATUS_OK;
	if (has_previous) {
		const struct run_scan previous = {.s = r->s, .lane = r->lane, .first = r->first - 1};
		set_text(r, record_of(&previous, 0), &ended);
	} else if (r->c->plan->format.text.reset_count > 0) {
		const struct bytes *name = &key_resets_of(r->c->keys, r->key)->name;
		ended.text = name->data;
		ended.text_size = name->size;
	}
	if (r->key_lane->last_offset > 0) {
		size_t place;
		if (segment_note_end(r, &place) != STATUS_OK)
			return STATUS_SYSTEM;
		ended.last.u64 = place;
		/* As soon as it is scanned. */
		const struct lane *lane = &r->c->lanes[r->lane];
		const uint64_t taken = r->segment->count - r->segment->passed;
		unsigned char result[PACKED_MAX * sizeof(union value)];
		const bool lacks = taken == 1 && !r->key_lane->first.has_last && lane->row.op->lacks_first &&
				   conductor_result_is_absent(r->c, lane, result);
		if (taken > 0)
			ended.form = lacks ? RESULT_FORM_ABSENT : RESULT_FORM_LANE;
	}
	return segment_note_ended(r, &ended);
}

/* How many of the run's elements belong to the segment that the first one, taken in already or not, is in: at most so many. */
static size_t count_alike(const struct run_scan *r, size_t most)
{
	const struct conductor *c = r->c;
	const bool by_records = text_resets_by_records(&c->plan->format.text);
	size_t count = 1;
	if (!by_records && c->plan->reset_at == NULL)
		return most;
	if (c->plan->reset_at == NULL) {
		while (count < most && begun_at(r, count) == r->segment->begun)
			count++;
		return count;
	}
	while (count < most && !resets_at(r, count, r->segment->count + count))
		count++;
	return count;
}

/* How many of count elements are what the first one is, with or without a part in the scan. */
static size_t count_of_part(const struct run_scan *r, size_t count)
{
	const bool takes = takes_part(r, 0);
	size_t alike = 1;
	if (conductor_column(r->s, &r->s->lanes[r->lane])->parts.size == 0)
		return count;
	while (alike < count && takes_part(r, alike) == takes)
		alike++;
	return alike;
}

/* How many of a segment's elements are next, at most so many, with those that take no part: of a program's, which are noted together. */
static size_t count_with_held(const struct run_scan *r, size_t most)
{
	const bool all_count = r->c->plan->format.input == FORMAT_BINARY;
	uint64_t elements = r->segment->count;
	size_t count = 0;
	do
		elements += takes_part(r, count++) || all_count;
	while (count < most && !resets_at(r, count, elements));
	return count;
}

static enum status scan_alike(const struct run_scan *r)
{
	if (r->key_lane->last_offset > 0)
		return segment_note(r);
	if (!takes_part(r, 0)) {
		segment_hold(r);
		return STATUS_OK;
	}
	return r->c->plan->lanes[r->lane].decimal ? segment_scan_decimals(r) : segment_scan(r);
}

/* Whether segments of the run may be scanned many at once: records alone begin them, and each element is that of the record with its
 * index, and takes part. */
static bool may_be_short(const struct run_scan *all)
{
	const struct plan *plan = all->c->plan;
	const struct slot_column *column = conductor_column(all->s, &all->s->lanes[all->lane]);
	return text_resets_by_records(&plan->format.text) && plan->format.text.key_count == 0 &&
	       plan->reset_every == 0 && plan->reset_at == NULL && plan->window == 0 && column->parts.size == 0 &&
	       column->records.size == 0;
}

/* The totals of short segments, but that of the last one, which ends where the next one begins. */
static enum status end_short(const struct run_scan *r, const uint32_t *begun, size_t count)
{
	const struct slot_lane *l = &r->s->lanes[r->lane];
	const size_t step = conductor_result_step(&r->c->lanes[r->lane].row, l);
	const size_t size = r->key_lane->rows[WIDTH_NARROW].results.size;
	for (size_t i = 1; i < count; i++) {
		if (begun[i] == begun[i - 1])
			continue;
		struct ended ended = {.record = r->first + i,
				      .order = r->work->ended_count,
				      .key = r->key,
				      .form = r->segment->last_form};
		memcpy(&ended.last, l->results + (r->first + i - 1) * step, size);
		set_text(r, r->first + i - 1, &ended);
		if (segment_note_ended(r, &ended) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

/* Takes in the short segments that are next among count elements, if nothing of the present one was, nor a seed. The last of them becomes it. */
static enum status scan_short(const struct run_scan *r, size_t count, bool is_uniform, size_t uniform, size_t *taken)
{
	const uint32_t *begun = (const uint32_t *)(const void *)r->s->begun.data + r->first;
	struct segment *g = r->segment;
	if (g->count > 0 || g->has_last)
		return STATUS_OK;
	if (is_uniform)
		*taken = segment_scan_short_uniform(r, begun, uniform, count);
	else if (!r->c->plan->lanes[r->lane].decimal)
		*taken = segment_scan_short(r, begun, count);
	if (*taken == 0)
		return STATUS_OK;
	for (g->count = 1; g->count < *taken && begun[*taken - 1 - g->count] == begun[*taken - 1];)
		g->count++;
	return r->c->plan->total ? end_short(r, begun, *taken) : STATUS_OK;
}

enum status segment_scan_all(const struct run_scan *all)
{
	const struct plan *plan = all->c->plan;
	struct segment *g = all->segment;
	const bool by_records = text_resets_by_records(&plan->format.text);
	const bool all_take = conductor_column(all->s, &all->s->lanes[all->lane])->parts.size == 0;
	const bool is_by_count = plan->reset_every > 0 && !by_records && plan->reset_at == NULL;
	enum status status = STATUS_OK;
	const bool are_uniform = plan->lanes[all->lane].decimal && plan->window == 0 && all_take && all->count > 0 &&
				 segment_gather_uniform(all, &status);
	const bool are_short = may_be_short(all);
	for (size_t done = 0; done < all->count && status == STATUS_OK;) {
		struct run_scan r = *all;
		size_t whole = 0;
		const size_t rest = all->count - done;
		r.first += done;
		if (resets_at(&r, 0, g->count)) {
			const bool is_anew = g->is_anew || plan->reset_every == 0 || g->count < plan->reset_every;
			status = segment_end(&r, done > 0);
			segment_begin(all->c, all->lane, g);
			g->is_anew = is_anew;
		}
		if (by_records)
			g->begun = begun_at(&r, 0);
		if (are_short && status == STATUS_OK)
			status = scan_short(&r, rest, are_uniform, done, &whole);
		else if (is_by_count && g->count == 0 && all_take)
			status = segment_scan_whole(&r, rest, &whole);
		done += whole;
		if (whole > 0)
			continue;
		const uint64_t left = plan->reset_every > 0 ? plan->reset_every - g->count : UINT64_MAX;
		/* (Where none are left, it is one that does not count.) */
		const size_t most = left == 0 ? 1 : rest < left ? rest : (size_t)left;
		r.count = all->key_lane->last_offset > 0 && !all_take ? count_with_held(&r, rest)
								      : count_of_part(&r, count_alike(&r, most));
		done += r.count;
		if (status == STATUS_OK && !(are_uniform && segment_scan_uniform(&r, done - r.count)))
			status = scan_alike(&r);
	}
	return status;
}
