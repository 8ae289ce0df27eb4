/* Exact decimals of a slice that was scanned for itself, from its own first element on. As long as they are exact it
 * does not matter how they are grouped: the state before the slice and the slice's own, at one scale and in one width,
 * are combined as two tiles' are. The lane's grid begins anew after them, as it does wherever its row changes
 * (conductor_parts.c). */
#include <string.h>

#include "stream/conductor_state.h"
#include "stream/element_format.h"
#include "stream/saved.h"

/* What a lane's scan has come to. */
struct come_to {
	struct element_format reading;
	struct state_parts state;
	struct result last;
	unsigned scale_before;
	bool has_last;
};

static struct come_to take_state(const struct conductor *c, size_t lane)
{
	const struct lane *l = &c->lanes[lane];
	return (struct come_to){.reading = c->readings[lane],
				.state = row_take_apart(&l->row, l->has_last ? l->cursor : NULL),
				.last = *l->last,
				.scale_before = l->scale_before,
				.has_last = l->has_last};
}

/* The lane's reading and row. */
static enum status read_as(struct conductor *c, size_t lane, const struct type *type, unsigned scale)
{
	c->readings[lane].type = type;
	c->readings[lane].scale = scale;
	return conductor_set_row(c, lane);
}

/* The lane's cursor becomes that of two states, one after the other, in 128 bits. *exact: there are so many. */
static enum status combine(struct conductor *c, size_t lane, const struct come_to *before, const struct come_to *slice,
			   bool *exact)
{
	struct lane *l = &c->lanes[lane];
	const struct scan_operator *op = l->plan->op;
	const unsigned scale =
		before->reading.scale > slice->reading.scale ? before->reading.scale : slice->reading.scale;
	union value members[SCALED_MEMBERS_MAX] = {{0}};
	_Alignas(max_align_t) unsigned char total[STATE_SIZE_MAX];
	_Alignas(max_align_t) unsigned char carry_in[STATE_SIZE_MAX];
	const enum status status = read_as(c, lane, &type_table[TYPE_I128], scale);
	if (status != STATUS_OK)
		return status;
	*exact = element_format_bring(op, slice->state.members, &slice->reading, &c->readings[lane], members);
	if (!*exact)
		return STATUS_OK;
	row_restart(&l->row, l->cursor, members, slice->state.rest);
	l->row.code->state(l->cursor, total);
	*exact = element_format_bring(op, before->state.members, &before->reading, &c->readings[lane], members);
	if (!*exact)
		return STATUS_OK;
	row_restart(&l->row, l->cursor, members, before->state.rest);
	(void)l->row.code->fold(l->cursor, total, 1, carry_in);
	return STATUS_OK;
}

/* The lane goes on in 64 bits again, as far as that is enough for what is in 128. */
static enum status narrow(struct conductor *c, size_t lane)
{
	struct lane *l = &c->lanes[lane];
	const struct come_to wide = take_state(c, lane);
	struct element_format reading = wide.reading;
	union value members[SCALED_MEMBERS_MAX] = {{0}};
	reading.type = &type_table[TYPE_I64];
	const bool fits = element_format_bring(l->plan->op, wide.state.members, &wide.reading, &reading, members);
	if (fits && read_as(c, lane, reading.type, reading.scale) != STATUS_OK)
		return STATUS_SYSTEM;
	row_restart(&l->row, l->cursor, fits ? members : wide.state.members, wide.state.rest);
	return STATUS_OK;
}

/* The decimals of the last element, or of the first or earliest one if the results have those. */
static unsigned scale_before(const struct lane *l, const struct come_to *before, const struct come_to *slice,
			     const struct result *now)
{
	const enum written written = l->row.op->written;
	const bool is_same =
		written == WRITTEN_EARLIEST && before->last.format.decimal &&
		decimal_is_same(decimal_value(&before->last.value, before->last.format.type), before->last.format.scale,
				decimal_value(&now->value, now->format.type), now->format.scale);
	return written == WRITTEN_FIRST || is_same ? before->scale_before : slice->scale_before;
}

/* The last result is the state's, and has the decimals that it is written with. */
static void put_last(struct conductor *c, size_t lane, const struct come_to *before, const struct come_to *slice)
{
	struct lane *l = &c->lanes[lane];
	const enum written written = l->row.op->written;
	const union value none = {0};
	unsigned char state[STATE_SIZE_MAX] = {0};
	*l->last = (struct result){.format = conductor_format(c, lane, 0)};
	l->row.code->state(l->cursor, state);
	l->row.code->emit(state, &none, l->row.parameter, &l->last->value);
	const unsigned scale = l->last->format.scale;
	l->scale_before = scale_before(l, before, slice, l->last);
	if (!l->last->format.decimal || written == WRITTEN_NONE)
		return;
	l->last->format.scale = l->scale_before;
	if (written == WRITTEN_BEFORE)
		l->last->format.scale = slice->last.absent ? before->scale_before : slice->last.format.scale;
	decimal_reduce(&l->last->value, l->last->format.type, scale, l->last->format.scale);
}

/* The lane's scan is the slice's; before is what it was. */
static enum status join(struct conductor *c, size_t lane, const struct come_to *before)
{
	struct lane *l = &c->lanes[lane];
	const struct come_to slice = take_state(c, lane);
	bool exact;
	enum status status = STATUS_OK;
	l->submitted = 0;
	if (before->has_last && slice.has_last) {
		status = combine(c, lane, before, &slice, &exact);
		if (status == STATUS_OK && !exact)
			return STATUS_DATA;
		if (status == STATUS_OK)
			status = narrow(c, lane);
		if (status == STATUS_OK)
			put_last(c, lane, before, &slice);
		return status;
	}
	if (slice.has_last) {
		row_restart(&l->row, l->cursor, slice.state.members, slice.state.rest);
		return STATUS_OK;
	}
	*l->last = before->last;
	l->scale_before = before->scale_before;
	l->has_last = before->has_last;
	status = read_as(c, lane, before->reading.type, before->reading.scale);
	if (status == STATUS_OK && before->has_last)
		row_restart(&l->row, l->cursor, before->state.members, before->state.rest);
	return status;
}

enum status conductor_join(struct conductor *c, const struct unpack *slice)
{
	struct unpack u = *slice;
	struct saved_scan scan;
	size_t size;
	(void)unpack_text(&u, &size); /* the words for it */
	layout_unpack(&u, &saved_scan_layout, &scan); /* its lanes are these: */
	enum status status = STATUS_OK;
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK; i++) {
		struct lane *l = &c->lanes[i];
		if (!l->plan->decimal)
			continue;
		const struct come_to before = take_state(c, i);
		const bool had_result = l->has_result;
		status = conductor_unpack_lane(&u, c, i);
		l->pending = (struct problem){0};
		if (status == STATUS_OK)
			status = u.failed ? STATUS_SYSTEM : join(c, i, &before);
		l->has_result = l->has_result || had_result;
	}
	c->started = true;
	c->version++;
	return status;
}
