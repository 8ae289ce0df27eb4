/* A part ends where decoding stopped at a token that the row cannot take, or before the first element whose result does
 * not fit. In the second case the place in the text is not known: the part is decoded again, up to that element. What
 * is good is encoded; then the row changes at the token after it, and the rest of the slot is decoded as the next
 * part. */
#include "stream/conductor_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "stream/element_format.h"

struct misfit conductor_parts_first_misfit(const struct conductor *c)
{
	const struct slot *s = c->flights[0].slot;
	struct misfit first = {.record = SIZE_MAX};
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct slot_lane *l = &s->lanes[i];
		if (l->bad == SIZE_MAX)
			continue;
		const size_t record = slot_record_of(s, &s->columns[l->column], l->bad);
		if (record < first.record)
			first = (struct misfit){.record = record, .lane = i};
	}
	return first;
}

/* Changes a lane's reading and row so that the token at which the slot's decoding stopped can be taken in, and takes
 * the state over: the lane's grid begins anew. *problem if that cannot be. The engine is idle. */
static enum status change_row(struct conductor *c, const struct slot *s, size_t lane, struct problem *problem)
{
	struct lane *l = &c->lanes[lane];
	const struct decoded *t = &s->decoded;
	const struct state_parts before = row_take_apart(&l->row, l->has_last ? l->cursor : NULL);
	struct format_change change;
	struct decimal d = {0};
	(void)decimal_parse(t->token, t->token_size, &d); /* the decoder has taken it for a number */
	if (!element_format_next(&c->readings[lane], c->plan, l->plan, before.members, t->stop == DECODE_LIMIT, &d,
				 &change)) {
		char quoted[MESSAGE_QUOTED_SIZE];
		*problem = (struct problem){
			.status = STATUS_DATA,
			.fatal = true,
			.line = s->lines + t->lines + 1,
			.field = s->fields != NULL ? s->fields[l->plan->field * c->plan->format.text.inputs] : 0};
		(void)snprintf(problem->text, sizeof problem->text, "%s: %s%s", change.why,
			       message_quote(quoted, t->token, t->token_size), text_type_hint(&c->plan->format.text));
		return STATUS_OK;
	}
	if (!change.reading.decimal)
		message_verbose("exact decimals end at element %" PRIu64 "; the scan goes on in f64",
				l->element_base + 1);
	l->submitted = 0;
	c->readings[lane] = change.reading;
	c->version++;
	const enum status status = conductor_set_row(c, lane);
	if (status != STATUS_OK)
		return status;
	row_restart(&l->row, l->cursor, l->has_last ? change.members : NULL, before.rest);
	return STATUS_OK;
}

/* Changes the rows of the lanes that the part ended for: of one whose result did not fit, or of those whose column
 * could not take a token. */
static enum status change_rows(struct conductor *c, const struct slot *s, size_t misfit, struct problem *problem)
{
	enum status status = STATUS_OK;
	if (s->decoded.stop == DECODE_LIMIT)
		return change_row(c, s, misfit, problem);
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK && problem->status == STATUS_OK; i++) {
		if (s->lanes[i].column == s->decoded.column)
			status = change_row(c, s, i, problem);
	}
	return status;
}

/* Scans what the slot of the oldest flight (the only one) holds decoded. */
static enum status scan_part(struct conductor *c, struct misfit *misfit)
{
	enum status status = conductor_flights_begin(c, &c->flights[0]);
	if (status == STATUS_OK)
		status = conductor_flights_await(c);
	if (status == STATUS_OK)
		*misfit = conductor_parts_first_misfit(c);
	return status;
}

/* Encodes the part, changes rows at the record after it and decodes the rest of the slot from there. */
static enum status next_part(struct conductor *c, struct slot *s, size_t misfit, size_t *offset, size_t *warnings)
{
	if (slot_encode(s, c->plan) != STATUS_OK)
		return STATUS_SYSTEM;
	*offset += s->decoded.consumed;
	enum status status = change_rows(c, s, misfit, &s->problem);
	s->lines += s->decoded.lines;
	s->decoded.lines = 0;
	s->decoded.records = 0;
	s->records = 0;
	s->marks.size = 0;
	s->absences.size = 0;
	s->edits.size = 0;
	s->part_offset = *offset;
	s->decoded.consumed = 0;
	if (status != STATUS_OK || s->problem.status != STATUS_OK)
		return status;
	*warnings = s->warnings.size;
	const struct readings readings = conductor_readings(c);
	return slot_decode(s, c->plan, &readings, *offset, (struct decode_stop_at){.records = SIZE_MAX});
}

enum status conductor_parts_take(struct conductor *c, bool scanned, struct misfit misfit)
{
	struct slot *s = c->flights[0].slot;
	size_t offset = 0;
	size_t warnings = 0;
	enum status status = STATUS_OK;
	for (;;) {
		if (!scanned)
			status = scan_part(c, &misfit);
		scanned = false;
		if (status != STATUS_OK)
			return status;
		if (misfit.record != SIZE_MAX) {
			/* Where in the text is it? The records are decoded again, up to there. */
			const struct readings readings = conductor_readings(c);
			s->warnings.size = warnings;
			status = slot_decode(s, c->plan, &readings, offset,
					     (struct decode_stop_at){.records = misfit.record,
								     .field = c->lanes[misfit.lane].plan->field});
			if (status != STATUS_OK)
				return status;
			status = conductor_flights_rewind(c);
			if (status != STATUS_OK)
				return status;
		}
		size_t refused;
		status = conductor_try_triples(c, s, &refused, &s->problem);
		if (status == STATUS_OK && refused != SIZE_MAX) {
			s->warnings.size = warnings;
			return conductor_end_before(c, s, offset, refused);
		}
		if (status != STATUS_OK)
			return status;
		conductor_accept(c, s);
		if (misfit.record == SIZE_MAX && s->decoded.stop != DECODE_CHANGE)
			break;
		status = next_part(c, s, misfit.lane, &offset, &warnings);
		if (status != STATUS_OK || s->problem.status != STATUS_OK)
			return status;
	}
	if (s->decoded.stop == DECODE_FAIL)
		s->problem = s->decoded.problem;
	return STATUS_OK;
}
