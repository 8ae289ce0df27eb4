/* Joins the scans of exact decimals that another process has begun after this stream, as if nothing were before them.
 * As long as decimals are exact it does not matter how they are grouped: both states are brought to one scale and 128
 * bits, and combined as those of two tiles are. */
#include <string.h>

#include "stream/element_format.h"
#include "stream/key_scans.h"

/* Bound on each member of a combined state, so that the result fits 128 bits. */
#define MEMBER_END ((int128)1 << 125)

/* A lane's only segment, of this stream or of the one after it. */
struct only {
	const struct lane *lane;
	struct segment *segment;
};

static struct state_parts take_apart(const struct only *o)
{
	return row_take_apart(&o->lane->rows[o->segment->width], segment_cursor(o->lane, o->segment));
}

/* Converts a scan's state to a reading of 128 bits. False if it needs more. */
static bool widen(const struct only *from, const struct scan_operator *op, const struct element_format *to,
		  struct state_parts *parts)
{
	struct element_format reading = from->lane->readings[from->segment->width];
	union value members[SCALED_MEMBERS_MAX] = {{0}};
	reading.scale = from->segment->scale;
	*parts = take_apart(from);
	if (!element_format_bring(op, parts->members, &reading, to, members))
		return false;
	memcpy(parts->members, members, sizeof members);
	for (size_t i = 0; i < SCALED_MEMBERS_MAX; i++) {
		const int128 m = decimal_value(&members[i], &type_table[TYPE_I128]);
		if (m >= MEMBER_END || m <= -MEMBER_END)
			return false;
	}
	return true;
}

/* The decimals of the last result: those of the scale, or of the element that it is. */
static unsigned char last_scale(const struct scan_operator *op, const struct only *before, const struct only *next,
				const struct segment *joined, int128 result)
{
	const struct segment *b = before->segment;
	const struct segment *n = next->segment;
	const struct type *type = &type_table[(b->last_form & RESULT_FORM_WIDE) != 0 ? TYPE_I128 : TYPE_I64];
	const bool is_same =
		b->last_form < RESULT_FORM_LANE &&
		decimal_is_same(decimal_value(&b->last, type), b->last_form & RESULT_FORM_SCALE, result, joined->scale);
	if (op->written == WRITTEN_NONE)
		return joined->scale;
	if (op->written == WRITTEN_BEFORE)
		return n->last_form >= RESULT_FORM_ABSENT ? b->own_scale : n->last_form & RESULT_FORM_SCALE;
	return op->written == WRITTEN_FIRST || (op->written == WRITTEN_EARLIEST && is_same) ? b->own_scale
											    : n->own_scale;
}

/* The joined scan's last result, from its cursor. */
static void put_last(const struct only *before, const struct only *next, const struct row *row, struct segment *joined)
{
	const union value none = {0};
	unsigned char state[STATE_SIZE_MAX] = {0};
	joined->last = (union value){0};
	row->code->state(segment_cursor(before->lane, joined), state);
	row->code->emit(state, &none, row->parameter, &joined->last);
	joined->last_form = RESULT_FORM_LANE;
	joined->own_scale = row->op->written == WRITTEN_FIRST ? before->segment->own_scale : next->segment->own_scale;
	if (row->op->result != RESULT_SAME)
		return;
	const unsigned char scale = last_scale(row->op, before, next, joined, decimal_value(&joined->last, row->out));
	decimal_reduce(&joined->last, row->out, joined->scale, scale);
	joined->last_form = scale | (joined->width == WIDTH_WIDE ? RESULT_FORM_WIDE : 0);
	if (row->op->written == WRITTEN_EARLIEST)
		joined->own_scale = scale;
}

/* Combines two scans that both have elements, or a seed; the result takes the place of the earlier one. *exact becomes
 * false if it has more than 128 bits, and then nothing is changed. */
static enum status combine(const struct conductor *c, struct only *before, const struct only *next, bool *exact)
{
	struct segment earlier = *before->segment;
	const struct only was = {before->lane, &earlier};
	struct segment *g = before->segment;
	struct element_format wide = before->lane->readings[WIDTH_WIDE];
	struct state_parts first, second;
	struct row grid;
	union cursor cursor;
	_Alignas(max_align_t) unsigned char total[STATE_SIZE_MAX];
	_Alignas(max_align_t) unsigned char carry_in[STATE_SIZE_MAX];
	union value members[SCALED_MEMBERS_MAX] = {{0}};
	wide.scale = g->scale > next->segment->scale ? g->scale : next->segment->scale;
	*exact = g->width != WIDTH_FLOAT && next->segment->width != WIDTH_FLOAT &&
		 widen(before, before->lane->rows[WIDTH_WIDE].op, &wide, &first) &&
		 widen(next, before->lane->rows[WIDTH_WIDE].op, &wide, &second);
	if (!*exact)
		return STATUS_OK;
	if (conductor_find_row(c->plan, before->lane->plan, &wide, &grid) != STATUS_OK)
		return STATUS_SYSTEM;
	row_restart(&grid, &cursor, second.members, second.rest);
	grid.code->state(&cursor, total);
	row_restart(&grid, &cursor, first.members, first.rest);
	(void)grid.code->fold(&cursor, total, 1, carry_in);
	const struct state_parts joined = row_take_apart(&grid, &cursor);
	struct element_format narrow = before->lane->readings[WIDTH_NARROW];
	narrow.scale = wide.scale;
	const bool fits = element_format_bring(grid.op, joined.members, &wide, &narrow, members);
	g->width = fits ? WIDTH_NARROW : WIDTH_WIDE;
	if (segment_need_cursor(c, before->lane, g) != STATUS_OK)
		return STATUS_SYSTEM;
	g->scale = (unsigned char)wide.scale;
	struct row row = before->lane->rows[g->width];
	row.parameter = grid.parameter;
	row_restart(&row, segment_cursor(before->lane, g), fits ? members : joined.members, joined.rest);
	put_last(&was, next, &row, g);
	g->count += next->segment->count;
	return STATUS_OK;
}

static enum status join_lanes(struct conductor *c, const struct keys *next, bool *exact)
{
	enum status status = STATUS_OK;
	*exact = true;
	for (size_t i = 0; i < c->lane_count && *exact && status == STATUS_OK; i++) {
		struct only before = {&c->lanes[i], key_segment(c, i, 0)};
		const struct only other = {&c->lanes[i], lane_segment(&c->lanes[i], next, 0)};
		if (other.segment->count == 0)
			continue;
		status = before.segment->has_last ? combine(c, &before, &other, exact)
						  : segment_copy(c, &c->lanes[i], before.segment, other.segment);
	}
	return status;
}

bool conductor_joins(const struct plan *plan)
{
	bool joins = plan_is_one_scan(plan) && plan->is_segmented && !plan->has_windows &&
		     !plan->lacking.keeps_records && plan->lacking.min_count == 0;
	for (size_t i = 0; i < plan->lane_count; i++)
		joins = joins && plan->lanes[i].decimal && plan->lanes[i].op->program == NULL &&
			!plan->lanes[i].op->emits_inputs; /* (The last result is also of its element.) */
	return joins;
}

enum status conductor_join(struct conductor *c, const struct unpack *next, bool *exact)
{
	struct keys *own = c->keys->keys;
	struct keys *others = keys_new(c->keys->block_size);
	if (others == NULL)
		return STATUS_SYSTEM;
	c->keys->keys = others;
	enum status status = conductor_load(c, next);
	c->keys->keys = own;
	if (status == STATUS_OK)
		status = join_lanes(c, others, exact);
	keys_free(others);
	c->started = true;
	return status;
}
