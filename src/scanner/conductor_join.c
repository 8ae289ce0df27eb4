/* Joins the scans of two parts of a stream, key by key. Another process has scanned the second part as if nothing came
 * before it. If an operator does not round, it does not matter how elements are grouped. This holds for decimals as
 * long as they are exact: both states are brought to one scale and 128 bits, and combined as the states of two tiles
 * are. */
#include <string.h>

#include "base/hash.h"
#include "chunk/element_format.h"
#include "scanner/key_scans.h"

/* Bound on each member of a combined state, so that the result fits 128 bits. */
#define MEMBER_END ((int128)1 << 125)

/* Converts a scan's state to a reading of 128 bits. False if it needs more. */
static bool widen(const struct lane *l, struct segment *from, const struct element_format *to,
		  struct state_parts *parts)
{
	struct element_format reading = l->readings[from->width];
	union value members[SCALED_MEMBERS_MAX] = {{0}};
	reading.scale = from->scale;
	*parts = row_split_state(&l->rows[from->width], segment_cursor(l, from));
	if (!element_format_bring(l->rows[WIDTH_WIDE].op, parts->members, &reading, to, members))
		return false;
	memcpy(parts->members, members, sizeof members);
	for (size_t i = 0; i < SCALED_MEMBERS_MAX; i++) {
		const int128 m = decimal_value(&members[i], &type_table[TYPE_I128]);
		if (m >= MEMBER_END || m <= -MEMBER_END)
			return false;
	}
	return true;
}

/* The joined scan's last result, from its cursor. */
static void put_last(const struct lane *l, const struct segment *before, const struct segment *next,
		     const struct row *row, struct segment *joined)
{
	const union value none = {0};
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX] = {0};
	union value last = {0};
	unsigned char form = RESULT_FORM_LANE;
	row->code->state(segment_cursor(l, joined), state);
	row->code->emit(state, &none, row->parameter, &last);
	if (l->plan->decimal) {
		const enum written written = row->op->written;
		const int128 mantissa = written == WRITTEN_EARLIEST ? decimal_value(&last, row->out) : 0;
		/* (The element before the last one may be in the second part.) */
		joined->own_scale = written == WRITTEN_BEFORE && next->last_form < RESULT_FORM_LANE
					    ? next->last_form & RESULT_FORM_SCALE
					    : before->own_scale;
		const unsigned char scale = segment_write_scale(
			joined, written, next->own_scale, segment_repeats(before, written, mantissa, joined->scale));
		form = segment_form(joined, row, scale);
		if (form < RESULT_FORM_LANE)
			decimal_reduce(&last, row->out, joined->scale, scale);
	}
	segment_set_last(l, joined, &last, sizeof last, form);
}

/* Combines two scans of numbers. The result takes the place of the earlier one. *exact becomes false if it does not
 * fit. */
static void combine_numbers(const struct lane *l, struct segment *before, struct segment *next, bool *exact)
{
	const struct row *row = &l->row;
	const size_t size = row->code->state_size;
	void *cursor = segment_cursor(l, before);
	_Alignas(max_align_t) unsigned char states[2 * STATE_SIZE_MAX];
	_Alignas(max_align_t) unsigned char unused[2 * STATE_SIZE_MAX];
	row->code->state(segment_cursor(l, next), states + size);
	if (row->overflow_checked) { /* (A state is then an element: lane_joins.) */
		*exact = row->code->push(cursor, states + size, 1, row->parameter, unused) == SIZE_MAX;
	} else {
		row->code->state(cursor, states);
		memset(cursor, 0, row->code->cursor_size);
		(void)row->code->fold(cursor, states, 2, unused);
	}
	put_last(l, before, next, row, before);
}

/* Combines two scans of exact decimals. The result takes the place of the earlier one. *exact becomes false if it has
 * more than 128 bits, and then nothing is changed. */
static enum status combine_decimals(const struct conductor *c, const struct lane *l, struct segment *g,
				    struct segment *next, bool *exact)
{
	const struct segment earlier = *g;
	struct element_format wide = l->readings[WIDTH_WIDE];
	struct state_parts first, second;
	union cursor cursor;
	_Alignas(max_align_t) unsigned char total[STATE_SIZE_MAX];
	_Alignas(max_align_t) unsigned char carry_in[STATE_SIZE_MAX];
	union value members[SCALED_MEMBERS_MAX] = {{0}};
	wide.scale = g->scale > next->scale ? g->scale : next->scale;
	*exact = g->width != WIDTH_FLOAT && next->width != WIDTH_FLOAT && widen(l, g, &wide, &first) &&
		 widen(l, next, &wide, &second);
	if (!*exact)
		return STATUS_OK;
	const struct row grid = conductor_find_row(c->plan, l->plan, &wide);
	row_restart(&grid, &cursor, second.members, second.rest);
	grid.code->state(&cursor, total);
	row_restart(&grid, &cursor, first.members, first.rest);
	(void)grid.code->fold(&cursor, total, 1, carry_in);
	const struct state_parts joined = row_split_state(&grid, &cursor);
	struct element_format narrow = l->readings[WIDTH_NARROW];
	narrow.scale = wide.scale;
	const bool fits = element_format_bring(grid.op, joined.members, &wide, &narrow, members);
	g->width = fits ? WIDTH_NARROW : WIDTH_WIDE;
	TRY(segment_need_cursor(c, l, g));
	g->scale = (unsigned char)wide.scale;
	struct row row = l->rows[g->width];
	row.parameter = grid.parameter;
	row_restart(&row, segment_cursor(l, g), fits ? members : joined.members, joined.rest);
	put_last(l, &earlier, next, &row, g);
	return STATUS_OK;
}

/* Combines two scans that both have elements, or a seed. The result takes the place of the earlier one. *exact becomes
 * false if there is no exact result. */
static enum status combine(const struct conductor *c, const struct lane *l, struct segment *before,
			   struct segment *next, bool *exact)
{
	*exact = !before->is_past && !next->is_past;
	if (!*exact)
		return STATUS_OK;
	if (l->plan->decimal)
		TRY(combine_decimals(c, l, before, next, exact));
	else
		combine_numbers(l, before, next, exact);
	before->count += next->count;
	before->is_short = before->count < c->plan->lacking.min_count;
	return STATUS_OK;
}

/* Joins the lanes of a key, which has the numbers `key` here and `other` in `next`. */
static enum status join_lanes(struct conductor *c, uint32_t key, const struct keys *next, uint32_t other, bool *exact)
{
	for (size_t i = 0; i < c->lane_count && *exact; i++) {
		const struct lane *l = &c->lanes[i];
		struct segment *before = key_segment(c, i, key);
		struct segment *after = lane_segment(l, next, other);
		if (after->is_anew)
			segment_clear(l, before);
		if (after->count == 0)
			continue;
		if (before->has_last)
			TRY(combine(c, l, before, after, exact));
		else
			TRY(segment_copy(c, l, before, after));
	}
	return STATUS_OK;
}

/* Joins all keys. New ones get the next numbers. */
static enum status join_keys(struct conductor *c, const struct keys *next, bool *exact)
{
	struct keys *own = c->keys->keys;
	for (uint32_t i = 0; i < keys_count(next) && *exact; i++) {
		size_t size;
		uint32_t key;
		const uint32_t known = keys_count(own);
		const unsigned char *bytes = keys_bytes(next, i, &size);
		const uint32_t hash = plan_has_keys(c->plan) ? hash_half(&c->plan->memory.hash_key, bytes, size) : 0;
		TRY(keys_find(own, hash, bytes, size, &key));
		if (key == known)
			key_scans_begin_key(c, key);
		TRY(join_lanes(c, key, next, i, exact));
	}
	return STATUS_OK;
}

static bool lane_joins(const struct plan *plan, const struct plan_lane *lane)
{
	const struct scan_operator *op = lane->op;
	const bool is_checked = plan->checked && op->overflows && lane->acc->kind != KIND_FLOAT;
	const bool is_element = op->id == OPERATOR_SUM || op->id == OPERATOR_PROD; /* their states */
	/* (A last result that is also of its element is not known.) */
	if (op->program != NULL || op->emits_inputs)
		return false;
	return lane->decimal || (!operator_rounds(op, lane->acc) && (!is_checked || is_element));
}

const struct plan_lane *conductor_unjoined(const struct plan *plan)
{
	size_t i = 0;
	while (i < plan->lane_count && lane_joins(plan, &plan->lanes[i]))
		i++;
	return i < plan->lane_count ? &plan->lanes[i] : NULL;
}

bool conductor_joins(const struct plan *plan)
{
	const bool by_fields = text_resets_by_fields(&plan->format.text) || plan->resets.after_missing;
	const bool are_known = plan_has_keys(plan) ? !by_fields && plan->resets.every == 0 : plan_is_one_scan(plan);
	return are_known && plan->is_segmented && !plan->has_windows && !plan->has_texts &&
	       !plan->lacking.keeps_records && conductor_unjoined(plan) == NULL;
}

enum status conductor_join(struct conductor *c, const struct unpack *next, bool *exact)
{
	struct keys *own = c->keys->keys;
	struct keys *others = keys_new(c->keys->block_size);
	const uint64_t kinds = c->keys->place_kinds;
	if (others == NULL)
		return STATUS_SYSTEM;
	c->keys->keys = others;
	enum status status = conductor_load(c, next);
	c->keys->keys = own;
	*exact = true;
	c->keys->place_kinds |= kinds; /* (If they differ, the scan of the part finds it.) */
	if (status == STATUS_OK)
		status = join_keys(c, others, exact);
	keys_free(others);
	c->started = true;
	return status;
}
