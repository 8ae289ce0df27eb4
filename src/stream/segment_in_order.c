/* Keys' elements that were left in the records' order (slot_group): each goes to its key's cursor at once, and its
 * result is where it belongs. What cannot be taken so, decimals other than a key's so far or a sum beyond 64 bits, is
 * found before anything is changed. */
#include <string.h>

#include "number/powers.h"
#include "scan/host.h"
#include "stream/key_scans.h"

/* Whether the segment's elements and results so far have 64 bits and this scale. */
static bool has_scale(const struct segment *g, unsigned char scale)
{
	return g->width == WIDTH_NARROW && ((!g->has_last && g->count == 0) || g->scale == scale);
}

/* Finds the cursors of the chunk's keys and saves their state. *can: every key is narrow and has this scale. */
static enum status find_cursors(const struct conductor *c, const struct slot *s, unsigned char scale, bool *can)
{
	struct key_scans *k = c->keys;
	struct lane *l = &c->lanes[0];
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const size_t count = grouper_count(&s->keyed.keys);
	const size_t size = l->rows[WIDTH_NARROW].code->cursor_size;
	if (bytes_make(&k->work.in, count, sizeof(void *)) != STATUS_OK ||
	    bytes_make(&k->work.before, count, size) != STATUS_OK)
		return STATUS_SYSTEM;
	void **cursors = (void **)(void *)k->work.in.data;
	*can = true;
	for (size_t i = 0; i < count && *can; i++) {
		if (i + AHEAD < count)
			__builtin_prefetch(key_segment(c, 0, numbers[i + AHEAD]), 1);
		struct segment *g = key_segment(c, 0, numbers[i]);
		*can = has_scale(g, scale);
		cursors[i] = segment_cursor(l, g);
		memcpy(k->work.before.data + i * size, cursors[i], size);
	}
	return STATUS_OK;
}

/* A key took in count elements of the chunk. */
static void end(const struct lane *l, struct segment *g, const void *cursor, size_t count, unsigned char scale)
{
	const struct row *row = &l->rows[WIDTH_NARROW];
	static const union value any = {0};
	union value last = {0};
	unsigned char state[STATE_SIZE_MAX];
	row->code->state(cursor, state);
	row->code->emit(state, &any, row->parameter, &last);
	g->scale = g->own_scale = scale;
	segment_took(l, g, &last, sizeof last, scale, count);
}

enum status key_scans_take_in_order(const struct conductor *c, struct slot *s, bool *taken)
{
	struct key_scans *k = c->keys;
	const struct slot_column *column = conductor_column(s, &s->lanes[0]);
	const struct row *row = &c->lanes[0].rows[WIDTH_NARROW];
	const unsigned char scale = column->scales.data[0];
	const size_t size = row->code->cursor_size;
	*taken = false;
	if (row->code->push_each == NULL || (scale > 0 && c->lanes[0].readings[WIDTH_NARROW].integers_only))
		return STATUS_OK;
	const enum status status = find_cursors(c, s, scale, taken);
	if (status != STATUS_OK || !*taken)
		return status;
	void *const *cursors = (void *const *)(const void *)k->work.in.data;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const uint32_t *counts = (const uint32_t *)(const void *)s->keyed.key_counts.data;
	const uint32_t *of_records = (const uint32_t *)(const void *)s->keyed.keys.of_records.data;
	*taken = row->code->push_each(cursors, of_records, column->elements, column->count, row->parameter,
				      s->lanes[0].results) == SIZE_MAX;
	for (size_t i = 0; i < grouper_count(&s->keyed.keys); i++) {
		if (!*taken)
			memcpy(cursors[i], k->work.before.data + i * size, size);
		else if (counts[i] > 0)
			end(&c->lanes[0], key_segment(c, 0, numbers[i]), cursors[i], counts[i], scale);
	}
	if (!*taken)
		return STATUS_OK;
	s->lanes[0].forms.size = 0;
	s->lanes[0].step = sizeof(int64_t);
	s->lanes[0].format = (struct result_format){.type = &type_table[TYPE_I64], .decimal = true, .scale = scale};
	return STATUS_OK;
}

/* Whether all elements of a narrow column were written with its scale. */
static bool are_alike(const struct slot_column *column)
{
	const unsigned char *scales = column->scales.data;
	return scales[0] == column->scale && memcmp(scales, scales + 1, column->count - 1) == 0;
}

/* Finds the scale at which the only segment goes on with all the column's elements. False: some of them change it, or
 * each result has decimals of its own. */
static bool find_scale(const struct run_scan *r, unsigned *scale)
{
	const struct segment *g = r->segment;
	const struct slot_column *column = r->column;
	const bool is_begun = g->has_last || g->count > 0;
	const bool is_written = r->lane->rows[WIDTH_NARROW].op->written != WRITTEN_NONE;
	*scale = is_begun ? g->scale : column->scale;
	if (!column->is_narrow || g->width != WIDTH_NARROW || column->scale > *scale ||
	    (*scale > 0 && r->lane->readings[WIDTH_NARROW].integers_only))
		return false;
	if (is_begun && is_written && (column->scale != *scale || g->own_scale != *scale))
		return false;
	return (is_begun && !is_written) || are_alike(column);
}

/* The column's elements at that scale; NULL: they do not fit, or (*status) there is no memory. */
static const void *bring_to_scale(const struct run_scan *r, unsigned scale, enum status *status)
{
	const struct slot_column *column = r->column;
	const int64_t *from = (const int64_t *)(const void *)column->elements;
	const int64_t factor = (int64_t)power_of_ten_u64[scale - column->scale];
	bool fits = true;
	if (scale == column->scale)
		return from;
	*status = bytes_make(&r->work->out, column->count, sizeof *from);
	if (*status != STATUS_OK)
		return NULL;
	int64_t *to = (int64_t *)(void *)r->work->out.data;
	for (size_t i = 0; i < column->count; i++)
		fits &= !__builtin_mul_overflow(from[i], factor, &to[i]);
	return fits ? to : NULL;
}

/* The segment took in all elements of its column, whose results are the lane's. */
static void end_whole(const struct run_scan *r, const struct row *row, unsigned char form)
{
	struct segment *g = r->segment;
	struct slot_lane *l = r->to;
	const struct slot_column *column = conductor_column(r->s, l);
	const size_t size = row->results.size;
	union value last = {0};
	memcpy(&last, l->results + (r->count - 1) * size, size);
	if (r->lane->plan->exclusive) {
		l->results -= size;
		memcpy(l->results, &g->last, size);
	}
	l->forms.size = 0;
	l->step = size;
	l->results_of = row->results;
	if (row->op->result == RESULT_SAME)
		l->format =
			(struct result_format){.type = row->out, .decimal = g->width != WIDTH_FLOAT, .scale = g->scale};
	segment_took(r->lane, g, &last, sizeof last, form, r->count);
	g->own_scale = g->width == WIDTH_FLOAT ? 0 : column->scales.data[r->count - 1] & OWN_SCALE_MASK;
}

enum status key_scans_take_whole(const struct conductor *c, struct slot *s, size_t lane, bool *taken)
{
	struct run_scan r = run_of_lane(c, &c->keys->work, s, lane);
	const struct plan_lane *p = r.lane->plan;
	const struct slot_column *column = r.column;
	struct segment *g = key_segment(c, lane, 0);
	r.segment = g;
	r.count = column->count;
	const struct segment before = *g;
	const bool is_float = g->width == WIDTH_FLOAT && p->decimal && !column->reading.decimal;
	unsigned scale = 0;
	*taken = false;
	if (!p->decimal || c->plan->window > 0 || c->plan->lacking.min_count > 0 || r.count == 0 ||
	    column->parts.size > 0 || segment_is_of_index(&r) || segment_lacks_result(&r, 0) ||
	    !(is_float || find_scale(&r, &scale)))
		return STATUS_OK;
	g->scale = (unsigned char)scale;
	const struct row *row = segment_row(&r);
	const unsigned char form = row->op->result != RESULT_SAME ? RESULT_FORM_LANE
				   : is_float                     ? RESULT_FORM_FLOAT
								  : (unsigned char)scale;
	enum status status = STATUS_OK;
	size_t bad = 0;
	const void *elements = is_float ? column->elements : bring_to_scale(&r, scale, &status);
	if (elements != NULL && row->results.size == sizeof(int64_t) && (!p->exclusive || g->last_form == form))
		status = segment_try_push(&r, row, elements, r.count, r.to->results, &bad);
	*taken = status == STATUS_OK && bad == SIZE_MAX;
	if (*taken)
		end_whole(&r, row, form);
	else
		*g = before;
	return status;
}
