/* How a segment reads its elements, which have each been stored as they were written; and how a segment of exact
 * decimals is widened: to a greater scale, to 128 bits, or to f64. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "number/powers.h"
#include "chunk/element_format.h"
#include "scanner/key_scans.h"

int128 segment_mantissa_at(const struct run_scan *r, size_t i)
{
	const struct slot_column *column = r->column;
	const unsigned char *at = segment_element_at(r, i);
	const unsigned own = segment_scale_at(r, i) & OWN_SCALE_MASK;
	union value m;
	if (!column->is_narrow) {
		memcpy(&m.i128, at, sizeof m.i128);
		return decimal_value(&m, &type_table[TYPE_I128]);
	}
	memcpy(&m.i64, at, sizeof m.i64);
	return own == column->scale ? m.i64 : m.i64 / (int64_t)power_of_ten_u64[column->scale - own];
}

struct written_element segment_element(const struct run_scan *r, size_t i)
{
	struct written_element e = {.own = segment_scale_at(r, i)};
	const bool is_float = (e.own & OWN_SCALE_FLOAT) != 0;
	const int128 m = is_float ? 0 : segment_mantissa_at(r, i);
	if (is_float)
		memcpy(&e.value, segment_element_at(r, i), sizeof e.value.f64);
	else
		e.value = decimal_wide(m);
	return e;
}

double written_element_f64(const struct written_element *e)
{
	return decimal_own_to_f64(&e->value, &type_table[TYPE_I128], e->own & OWN_SCALE_MASK, e->own);
}

double segment_f64_at(const struct run_scan *r, size_t i)
{
	const struct written_element e = segment_element(r, i);
	return written_element_f64(&e);
}

const struct row *segment_row(const struct run_scan *r)
{
	const struct segment *g = r->segment;
	const struct row *row = &r->lane->rows[g->width];
	if (row->op->parameter != PARAMETER_SCALE)
		return row;
	r->work->row = *row;
	r->work->row.parameter = (double)power_of_ten_u64[g->scale];
	return &r->work->row;
}

/* From one reading of exact decimals to the next. */
struct bringing {
	const struct scan_operator *op;
	const struct element_format *now, *next;
};

enum status segment_need_cursor(const struct conductor *c, const struct lane *l, struct segment *g)
{
	if (!l->is_outside[g->width] || g->outside != NULL)
		return STATUS_OK;
	g->outside = keys_room(c->keys->keys, l->outside_size);
	return g->outside != NULL ? STATUS_OK : STATUS_SYSTEM;
}

static bool bring(const void *context, const union value *members, union value *brought)
{
	const struct bringing *b = context;
	return element_format_bring(b->op, members, b->now, b->next, brought);
}

/* As element_format_next, for a segment's window. */
static bool change_window(const struct run_scan *r, const struct element_format *now, bool overflowed,
			  const struct written_element *next, struct format_change *change)
{
	const struct lane *l = r->lane;
	const struct scan_operator *op = l->rows[r->segment->width].op;
	const union value none[SCALED_MEMBERS_MAX] = {{0}};
	const struct bringing bringing = {.op = op, .now = now, .next = &change->reading};
	/* If the new format fits the number but not the window's older elements, continue in f64. */
	for (int i = 0; i < 2; i++) {
		if (!element_format_next(now, r->c->plan, l->plan, none, overflowed || i > 0, next, change))
			return false;
		const struct window_row *from = &l->windows[r->segment->width];
		const struct window_row *to = &l->windows[change->reading.decimal ? WIDTH_WIDE : WIDTH_FLOAT];
		if (window_change_row(segment_window(r->segment), from, to, bring, &bringing))
			return true;
	}
	return false;
}

/* Says where the only scan of a lane goes on in f64: at element i, by its place among those of the file that this run
 * reads. */
static void tell_place(const struct run_scan *r, size_t i)
{
	const struct slot *s = r->s;
	const struct plan *plan = r->c->plan;
	const struct text_rules *rules = &plan->format.text;
	const struct plan_lane *l = r->lane->plan;
	const char *field = text_names_fields(rules) ? rules->fields[l->field].name : NULL;
	char name[MESSAGE_NAME_SIZE];
	char quoted[MESSAGE_QUOTED_SIZE] = "";
	char place[32] = "";
	/* (A file's first chunk is scanned before the lane's count of elements begins anew.) */
	const bool is_first = s->in.file_start || s->in.file_goes_on;
	const uint64_t number = (is_first ? s->in.file_records : r->lane->element_base) + record_of(r, i) + 1;
	if (plan->field_count > 1 && field != NULL)
		message_quote(quoted, field, strlen(field));
	else if (plan->field_count > 1)
		(void)snprintf(quoted, sizeof quoted, "%" PRIu64, conductor_field_number(r->c, s, r->lane));
	/* (Of text that is read from its end the number is not known.) */
	if (!plan->is_reversed)
		(void)snprintf(place, sizeof place, " at %s %" PRIu64, plan->field_count > 1 ? "record" : "element",
			       number);
	message_verbose("%s: exact decimals%s%s end%s%s%s%s; the scan goes on in f64",
			message_name(name, s->in.file_name), plan->operator_count > 1 ? " of " : "",
			plan->operator_count > 1 ? l->op->name : "", place, plan->field_count > 1 ? ", field " : "",
			quoted, plan->ends.is_saved ? " of this run" : "");
}

void segment_tell_float(const struct run_scan *r, size_t i)
{
	if (plan_is_one_scan(r->c->plan))
		tell_place(r, i);
	else if (!atomic_exchange(&r->c->keys->was_told, true))
		message_verbose("the exact decimals of some key or segment end; its scan goes on in f64");
}

enum status segment_change(const struct run_scan *r, size_t i, const struct written_element *next, bool overflowed,
			   bool *ends)
{
	const struct lane *l = r->lane;
	struct segment *g = r->segment;
	const struct row *row = segment_row(r);
	const bool is_window = l->plan->window > 0;
	const struct state_parts before = row_split_state(row, g->has_last && !is_window ? segment_cursor(l, g) : NULL);
	struct format_change change;
	struct element_format now = l->readings[g->width];
	now.scale = g->scale;
	*ends = is_window ? !change_window(r, &now, overflowed, next, &change)
			  : !element_format_next(&now, r->c->plan, l->plan, before.members, overflowed, next, &change);
	if (*ends) {
		if (segment_end_at(r, i))
			r->work->misfit.why = change.why;
		return STATUS_OK;
	}
	if (!change.reading.decimal)
		segment_tell_float(r, i);
	g->width = !change.reading.decimal                             ? WIDTH_FLOAT
		   : change.reading.type->id == TYPE_I64 && !is_window ? WIDTH_NARROW
								       : WIDTH_WIDE;
	g->scale = (unsigned char)change.reading.scale;
	if (g->width == WIDTH_FLOAT)
		g->own_scale = 0;
	if (is_window)
		return STATUS_OK;
	TRY(segment_need_cursor(r->c, l, g));
	row_restart(segment_row(r), segment_cursor(l, g), g->has_last ? change.members : NULL, before.rest);
	return STATUS_OK;
}
