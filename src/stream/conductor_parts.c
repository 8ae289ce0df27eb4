/* A part ends where decoding stopped at a token that the row cannot take, or before the first element whose result does
 * not fit. In the second case the place in the text is not known: the part is decoded again, up to that element. What
 * is good is encoded; then the row changes at the token after it, and the rest of the slot is decoded as the next
 * part. */
#include "stream/conductor_state.h"

#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "stream/element_format.h"

/* Changes the reading and the row so that the token at which the slot's decoding stopped can be taken in, and takes the
 * state over: the grid begins anew. *problem if that cannot be. The engine is idle. */
static enum status change_row(struct conductor *c, const struct slot *s, struct problem *problem)
{
	const struct decoded *t = &s->decoded;
	const size_t members = c->plan->op->scaled_members;
	unsigned char state[STATE_SIZE_MAX] = {0};
	union value before[SCALED_MEMBERS_MAX] = {{0}};
	struct format_change change;
	if (c->has_last)
		c->row.code->state(c->cursor, state);
	for (size_t m = 0; m < members; m++)
		memcpy(&before[m], state + m * c->row.acc->size, c->row.acc->size);
	const unsigned char *rest = state + members * c->row.acc->size;
	if (!element_format_next(&c->reading, c->plan, before, t->stop == DECODE_LIMIT, t->token, t->token_size,
				 &change)) {
		*problem = (struct problem){
			.status = STATUS_DATA, .fatal = true, .line = s->lines + t->lines + 1, .field = s->field};
		memcpy(problem->text, change.why, sizeof problem->text);
		return STATUS_OK;
	}
	if (!change.reading.decimal)
		message_verbose("exact decimals end at element %" PRIu64 "; the scan goes on in f64",
				c->element_base + 1);
	c->submitted = 0;
	c->reading = change.reading;
	const enum status status = conductor_set_row(c);
	if (status != STATUS_OK)
		return status;
	memset(c->cursor, 0, c->row.code->cursor_size);
	if (c->has_last)
		c->row.code->restart(c->cursor, change.members, rest, c->row.parameter);
	return STATUS_OK;
}

/* Scans what the slot of the oldest flight (the only one) holds decoded. */
static enum status scan_part(struct conductor *c, size_t *bad)
{
	const enum status status = conductor_flights_begin(c, &c->flights[0]);
	return status == STATUS_OK ? conductor_flights_await(c, bad) : status;
}

/* Encodes the part, changes the row at the token after it and decodes the rest of the slot from there. */
static enum status next_part(struct conductor *c, struct slot *s, size_t *offset, size_t *warnings)
{
	if (slot_encode(s, c->plan) != STATUS_OK)
		return STATUS_SYSTEM;
	*offset += s->decoded.consumed;
	c->element_base += s->decoded.count;
	enum status status = change_row(c, s, &s->problem);
	s->lines += s->decoded.lines;
	s->decoded.lines = 0;
	s->decoded.count = 0;
	s->count = 0;
	s->marks.size = 0;
	s->edits.size = 0;
	s->part_offset = *offset;
	s->decoded.consumed = 0;
	if (status != STATUS_OK || s->problem.status != STATUS_OK)
		return status;
	*warnings = s->warnings.size;
	return slot_decode(s, c->plan, &c->reading, *offset, SIZE_MAX);
}

enum status conductor_parts_take(struct conductor *c, bool scanned, size_t bad)
{
	struct slot *s = c->flights[0].slot;
	size_t offset = 0;
	size_t warnings = 0;
	enum status status = STATUS_OK;
	for (;;) {
		if (!scanned)
			status = scan_part(c, &bad);
		scanned = false;
		if (status != STATUS_OK)
			return status;
		if (bad != SIZE_MAX && !c->reading.decimal)
			return STATUS_OK; /* f64 never is bad; nothing else changes its row */
		if (bad != SIZE_MAX) {
			/* Where in the text is it? Its elements are decoded again, up to there. */
			conductor_settle(c, s, bad);
			conductor_flights_rewind(c, bad);
			s->warnings.size = warnings;
			status = slot_decode(s, c->plan, &c->reading, offset, bad);
			if (status != STATUS_OK)
				return status;
		} else {
			conductor_settle(c, s, s->decoded.count);
			if (s->decoded.stop != DECODE_CHANGE)
				break;
		}
		status = next_part(c, s, &offset, &warnings);
		if (status != STATUS_OK || s->problem.status != STATUS_OK)
			return status;
	}
	if (s->decoded.stop == DECODE_FAIL)
		s->problem = s->decoded.problem;
	return STATUS_OK;
}

void conductor_parts_withdraw(struct conductor *c, struct slot **withdrawn, size_t *count)
{
	*count = c->flight_count - 1;
	for (size_t i = 0; i < *count; i++) {
		const struct flight *f = &c->flights[i + 1];
		conductor_flights_cancel(c, f);
		withdrawn[i] = f->slot;
	}
	c->flight_count = 1;
}

enum status conductor_parts_submit_again(struct conductor *c, struct slot *const *slots, size_t count)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < count && status == STATUS_OK && !c->done; i++) {
		while (status == STATUS_OK && !conductor_has_room(c) && !c->done)
			status = conductor_finish(c);
		if (status == STATUS_OK && !c->done)
			status = conductor_submit(c, slots[i]);
	}
	return status;
}
