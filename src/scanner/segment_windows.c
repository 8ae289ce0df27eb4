/* Windows of a key's scan of one lane (scan/window.h). */
#include <stdio.h>
#include <string.h>

#include "scanner/segment_windows.h"

/* Whether results are elements as they were written, looked up by index. */
static bool finds_places(const struct plan_lane *lane)
{
	const enum operator_id id = lane->op->id;
	return lane->decimal && (id == OPERATOR_MAX || id == OPERATOR_MIN || id == OPERATOR_FIRST ||
				 id == OPERATOR_LAST || id == OPERATOR_LAG);
}

struct plan_lane key_scans_window_lane(const struct plan_lane *lane)
{
	struct plan_lane of_places = *lane;
	if (finds_places(lane))
		of_places.op = &operator_table[lane->op->id == OPERATOR_MAX   ? OPERATOR_ARGMAX
					       : lane->op->id == OPERATOR_MIN ? OPERATOR_ARGMIN
									      : OPERATOR_COUNT];
	return of_places;
}

bool key_scans_keep_indices(const struct plan *plan, const struct plan_lane *lane)
{
	const bool is_index = lane->op->id == OPERATOR_ARGMAX || lane->op->id == OPERATOR_ARGMIN;
	return lane->window > 0 && plan->lacking.keeps_records && is_index;
}

enum status key_scans_lack_window(const struct conductor *c, const struct lane *l)
{
	char kept[64];
	(void)snprintf(kept, sizeof kept, "elements, which %s keeps", l->plan->name);
	if (c->plan->format.text.key_count > 0)
		memory_missing_for(keys_count(c->keys->keys), "keys with windows");
	else if (l->plan->lags)
		memory_missing_for(l->plan->window, kept);
	else
		memory_missing_for(l->plan->window, "elements of a window");
	return STATUS_SYSTEM;
}

enum status key_scans_try_window(const struct conductor *c, const struct lane *l)
{
	if (c->plan->format.text.key_count > 0 || l->plan->by_time)
		return STATUS_OK;
	struct window all = {
		.length = l->plan->window, .kept_size = l->kept_size, .may_lack = c->plan->lacking.keeps_records};
	const unsigned width = l->has_narrow_windows ? WIDTH_WIDE : l->first.width; /* the greatest */
	const enum status status = window_reserve(&all, &l->windows[width], l->plan->window);
	window_free(&all);
	return status == STATUS_OK ? STATUS_OK : key_scans_lack_window(c, l);
}

/* Whether the count of numbers in each window is needed. */
static bool needs_covered(const struct run_scan *r)
{
	return r->c->plan->lacking.min_count > 0 || r->c->emit_each != NULL || r->lane->kept_size > 0 ||
	       r->lane->row.op->lacks_first;
}

/* Notes which of the next elements' windows have their first element. */
static enum status note_whole(const struct run_scan *r, size_t count)
{
	TRY(bytes_make(&r->work->whole, count, 1));
	for (size_t i = 0; i < count; i++)
		r->work->whole.data[i] = window_begins_with_number(segment_window(r->segment), i);
	return STATUS_OK;
}

/* The row of the segment's window, with its parameter. */
static struct window_row window_row_now(const struct run_scan *r)
{
	struct window_row windows = r->lane->windows[r->segment->width];
	if (r->lane->row.op->program == NULL)
		windows.row = segment_row(r);
	return windows;
}

/* Ends the stream at element i, whose time is before that of an earlier element of the segment. */
static void end_at_time(const struct run_scan *r, size_t i)
{
	struct key_misfit *m = &r->work->misfit;
	if (!segment_end_at(r, i))
		return;
	m->text_field = 1 + text_span_field(&r->c->plan->format.text);
	m->problem = (struct problem){.status = STATUS_DATA, .fatal = true, .file_name = r->s->in.file_name};
	(void)snprintf(m->problem.text, sizeof m->problem.text, "--window: the time is before that of %s line%s (%s)",
		       r->c->plan->is_reversed ? "a later" : "an earlier",
		       plan_has_keys(r->c->plan) ? " with the same key" : "",
		       r->c->plan->is_reversed ? "with -r the newest is the first" : "sort them by time");
}

/* window_push with exclusive results. covered: becomes how many numbers these cover. (A result is not the one before
 * it: its window may begin later, at its own element's time.) */
static size_t push_behind(struct window *w, const struct window_row *windows, const unsigned char *in, size_t count,
			  uint64_t *covered, unsigned char *out)
{
	const struct row *row = windows->row;
	union value inclusive;
	for (size_t i = 0; i < count; i++) {
		unsigned char *to = out + i * row->results.size;
		const uint64_t begin = w->taken + 1 - covered[i];
		const enum window_passed passed = window_look_back(w, windows, begin, to);
		/* (Where results are indices there must be one.) */
		if (passed == WINDOW_IS_EMPTY)
			memcpy(to, &w->taken,
			       row->results.size < sizeof w->taken ? row->results.size : sizeof w->taken);
		if (passed == WINDOW_DOES_NOT_FIT ||
		    window_push(w, windows, in + i * row->element.size, 1, &covered[i], &inclusive) == 0)
			return i;
		covered[i]--;
	}
	return count;
}

/* Scans the run's first `count` elements into a window by time. */
static enum status push_by_time(const struct run_scan *r, const struct window_row *windows, const void *in,
				size_t count, uint64_t *covered, void *out, size_t *bad)
{
	struct window *w = segment_window(r->segment);
	const bool has_records = r->column->records.size > 0;
	const int128 *times = (const int128 *)(const void *)r->s->keyed.times.data + (has_records ? 0 : r->first);
	const uint32_t *records =
		has_records ? (const uint32_t *)(const void *)r->column->records.data + r->first : NULL;
	TRY(bytes_make(&r->work->begins, count, sizeof(uint64_t)));
	uint64_t *begins = (uint64_t *)(void *)r->work->begins.data;
	const size_t sorted =
		window_find_begins(w, times, records, count, r->c->plan->format.text.span.least, begins, covered);
	for (size_t i = sorted; i < count; i++)
		covered[i] = 1;
	const size_t taken = is_exclusive_by_time(r->c->plan, r->lane->plan)
				     ? push_behind(w, windows, in, sorted, covered, out)
				     : window_push(w, windows, in, sorted, covered, out);
	if (sorted < count && taken == sorted)
		end_at_time(r, sorted);
	*bad = taken < count ? taken : SIZE_MAX;
	return STATUS_OK;
}

enum status segment_push_window(const struct run_scan *r, const void *in, size_t count, void *out, size_t *bad)
{
	const struct conductor *c = r->c;
	struct window *w = segment_window(r->segment);
	const struct window_row windows = window_row_now(r);
	/* The only key's has room from the beginning, so that it is known then whether there is any. */
	const bool is_only = c->plan->format.text.key_count == 0 && !w->span.is_given;
	if (window_reserve(w, &windows, is_only ? w->length : count) != STATUS_OK)
		return key_scans_lack_window(c, r->lane);
	TRY(bytes_make(&r->work->covered, count, sizeof(uint64_t)));
	uint64_t *covered = (uint64_t *)(void *)r->work->covered.data;
	if (w->span.is_given)
		return push_by_time(r, &windows, in, count, covered, out, bad);
	if (w->may_lack)
		window_cover(w, count, covered);
	const bool is_program = r->lane->row.op->program != NULL;
	if (r->lane->plan->lags && note_whole(r, count) != STATUS_OK)
		return STATUS_SYSTEM;
	uint64_t covers = w->count < w->length ? w->count : w->length;
	const bool counts = !w->may_lack && (is_program || needs_covered(r));
	for (size_t i = 0; i < count && counts; i++)
		covered[i] = covers += covers < w->length;
	const size_t taken = is_program
				     ? c->engine->class->push_window(c->engine, (size_t)(r->lane - c->lanes), &windows,
								     w, in, count, covered, w->may_lack, out)
				     : window_push(w, &windows, in, count, w->may_lack ? covered : NULL, out);
	*bad = taken < count ? taken : SIZE_MAX;
	return STATUS_OK;
}

void segment_find_window_indices(const struct run_scan *r, size_t count)
{
	struct window *w = segment_window(r->segment);
	unsigned char *results = r->work->out.data;
	uint64_t *kept = (uint64_t *)(void *)w->kept;
	for (size_t i = 0; i < count; i++) {
		const uint64_t last = w->taken - count + i;
		uint64_t index;
		memcpy(&index, results + i * sizeof index, sizeof index);
		if (index > last)
			index = last; /* (Only a forged --state file can cause this.) */
		kept[window_kept(w, last)] = r->segment->count + i;
		memcpy(results + i * sizeof index, &kept[window_kept(w, index)], sizeof index);
	}
}

/* Where results of a window are found as they were written. */
struct found_elements {
	const struct window *w;
	enum operator_id id;
	bool gives_index; /* The window's results are their indices. */
	bool is_float; /* They are read as f64. */
	bool is_exclusive;
};

static struct found_elements found_elements_of(const struct run_scan *r)
{
	const enum operator_id id = r->lane->plan->op->id;
	return (struct found_elements){.w = segment_window(r->segment),
				       .id = id,
				       .gives_index = id == OPERATOR_MAX || id == OPERATOR_MIN,
				       .is_float = r->segment->width == WIDTH_FLOAT,
				       .is_exclusive = is_exclusive_by_time(r->c->plan, r->lane->plan)};
}

/* Returns the entry of `kept` of the number `index`, given that of number `last`, after it. (A division takes
 * longer.) */
static inline uint64_t kept_before(const struct window *w, uint64_t last, uint64_t kept_of_last, uint64_t index)
{
	const uint64_t back = last - index;
	if (back <= kept_of_last)
		return kept_of_last - back;
	return back < w->length ? kept_of_last + w->length - back : window_kept(w, index);
}

/* Sets *value to a result that is an element as it was written, and returns its form. (Its scale is kept with it, not
 * found by segment_write_scale: the elements after it may have other scales when those before it have left.) */
static inline unsigned char put_kept(const struct written_element *k, union value *value)
{
	*value = k->value;
	return (unsigned char)((k->own & OWN_SCALE_MASK) | RESULT_FORM_WIDE);
}

/* Finds the result of a window that covers `covered` numbers, of which the last has the index `last`, and that entry of
 * `kept`. index: of the greatest or least number. Returns the result's form. */
static inline unsigned char find_element(const struct found_elements *f, uint64_t last, uint64_t kept_of_last,
					 uint64_t covered, uint64_t index, union value *value)
{
	if (covered == 0)
		return RESULT_FORM_ABSENT;
	if (f->is_exclusive)
		kept_of_last = window_kept(f->w, --last);
	const uint64_t earliest = last + 1 - covered;
	if (!f->gives_index)
		index = f->id == OPERATOR_FIRST ? earliest : last;
	if (f->id == OPERATOR_LAG && index-- == earliest)
		return RESULT_FORM_ABSENT;
	const struct written_element *k =
		(const struct written_element *)(const void *)f->w->kept + kept_before(f->w, last, kept_of_last, index);
	if (!f->is_float)
		return put_kept(k, value);
	*value = (union value){.f64 = written_element_f64(k)};
	return RESULT_FORM_FLOAT;
}

void segment_find_places(const struct run_scan *r, size_t first, size_t count, const unsigned char *indices,
			 unsigned char *forms)
{
	const struct found_elements f = found_elements_of(r);
	const uint64_t *covered = (const uint64_t *)(const void *)r->work->covered.data;
	union value *values = (union value *)(void *)r->work->in.data;
	struct written_element *kept = (struct written_element *)(void *)f.w->kept;
	const uint64_t next = f.w->taken - count;
	const uint64_t end = f.w->span.is_given ? UINT64_MAX : f.w->length; /* of kept */
	uint64_t place = window_kept(f.w, next);
	/* (Then each window covers its own element.) */
	const bool is_plain = f.gives_index && !f.is_float && !f.is_exclusive;
	for (size_t i = 0; i < count; i++) {
		uint64_t index;
		memcpy(&index, indices + i * sizeof index, sizeof index);
		kept[place] = segment_element(r, first + i);
		if (is_plain)
			forms[i] = put_kept(&kept[kept_before(f.w, next + i, place, index)], &values[i]);
		else
			forms[i] = find_element(&f, next + i, place, covered[i], index, &values[i]);
		place = place + 1 == end ? 0 : place + 1;
	}
	const bool may_lack = r->lane->plan->lags || r->lane->plan->op->lacks_first;
	for (size_t i = 0; i < count && may_lack; i++)
		forms[i] = segment_lacks_result(r, i) ? (unsigned char)RESULT_FORM_ABSENT : forms[i];
}

/* What the next element gets: the result of what is left in the window, whose form is that. */
static void set_next(const struct run_scan *r, union value result, unsigned char form)
{
	const struct found_elements f = found_elements_of(r);
	const struct window *w = f.w;
	if (form == RESULT_FORM_ABSENT)
		(void)conductor_result_is_absent(r->c, r->lane, &result);
	if (form != RESULT_FORM_ABSENT && r->lane->kept_size > 0) {
		uint64_t index;
		memcpy(&index, &result, sizeof index);
		if (kept_is_index(r->lane->kept_size))
			memcpy(&result, w->kept + window_kept(w, index) * sizeof index, sizeof index);
		else
			form = find_element(&f, w->taken - 1, window_kept(w, w->taken - 1), w->covered, index, &result);
	}
	segment_set_last(r->lane, r->segment, &result, sizeof result, form);
}

/* Takes a record without a number into the window of an exclusive lane. Where exact decimals end with its result they
 * go on in f64 from here. */
static enum status pass(const struct run_scan *r, size_t i, union value *result, enum window_passed *passed)
{
	struct window *w = segment_window(r->segment);
	struct window_row windows = window_row_now(r);
	const struct written_element nothing = {.own = 0};
	bool ends;
	*passed = window_pass(w, &windows, result);
	if (*passed != WINDOW_DOES_NOT_FIT || !r->lane->plan->decimal)
		return STATUS_OK;
	TRY(segment_change(r, i, &nothing, true, &ends));
	windows = window_row_now(r);
	*passed = window_pass(w, &windows, ends ? NULL : result);
	return STATUS_OK;
}

enum status segment_pass_places(const struct run_scan *r, uint64_t count)
{
	const struct segment *g = r->segment;
	const struct window_row *windows = &r->lane->windows[g->width];
	struct window *w = segment_window(r->segment);
	enum window_passed passed = WINDOW_IS_EMPTY;
	if (w->span.is_given)
		return STATUS_OK;
	for (uint64_t i = 0; i < count && passed == WINDOW_IS_EMPTY; i++) {
		if (window_reserve(w, windows, 1) != STATUS_OK)
			return key_scans_lack_window(r->c, r->lane);
		passed = window_pass(w, windows, NULL);
	}
	return STATUS_OK;
}

enum status segment_pass_window(const struct run_scan *r, size_t i)
{
	const struct conductor *c = r->c;
	const struct plan_lane *lane = r->lane->plan;
	struct segment *g = r->segment;
	struct window *w = segment_window(g);
	const struct slot_column *column = r->column;
	const bool holds = (column->roles.data[r->first + i] & ROLE_HOLDS) != 0;
	union value result = {0};
	enum window_passed passed;
	if (!lane->moves_results || w->span.is_given)
		return segment_pass_places(r, 1);
	if (window_reserve(w, &r->lane->windows[g->width], 1) != STATUS_OK)
		return key_scans_lack_window(c, r->lane);
	TRY(pass(r, i, &result, &passed));
	g->is_short = w->covered < c->plan->lacking.min_count;
	g->is_past = passed == WINDOW_DOES_NOT_FIT;
	if (passed == WINDOW_IS_EMPTY && holds)
		return STATUS_OK;
	const struct row *row = &r->lane->rows[g->width];
	const bool lacks = passed == WINDOW_IS_EMPTY || operator_lacks_result(row->op, w->covered);
	const unsigned char form = lane->decimal ? segment_form(g, row, g->scale) : RESULT_FORM_LANE;
	set_next(r, result, lacks ? (unsigned char)RESULT_FORM_ABSENT : form);
	return STATUS_OK;
}
