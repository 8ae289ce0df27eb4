/* Ends decoding, with its messages. */
#include <inttypes.h>
#include <stdio.h>

#include "base/message.h"
#include "text/decode_private.h"
#include "text/hint.h"

bool decode_out_of_memory(struct decoder *c)
{
	c->status = STATUS_SYSTEM;
	return false;
}

uint64_t decode_lines_before(struct decoder *c, const char *place)
{
	c->newlines += line_count(c->counted, place);
	c->counted = place;
	return c->newlines;
}

bool decode_is_in_first(struct decoder *c, uint64_t lines)
{
	return c->target->begins_file && decode_lines_before(c, c->record) < lines;
}

uint64_t decode_field_number(const struct decoder *c)
{
	return c->chosen.numbers != NULL && c->chosen.numbers[c->chosen.index] < FIELD_FROM_END
		       ? c->chosen.numbers[c->chosen.index]
		       : 0;
}

bool decode_halt(struct decoder *c, enum decode_stop stop, const char *token, size_t size)
{
	c->result->stop = stop;
	c->result->token = token;
	c->result->token_size = size;
	return false;
}

uint64_t decode_column(const struct decoder *c, const char *at)
{
	uint64_t column = 1;
	for (const char *p = c->line.start; p < at; p++)
		column += ((unsigned char)*p & 0xc0) != 0x80;
	return column;
}

bool decode_fail(struct decoder *c, const char *what, const char *token, size_t size, const char *hint)
{
	struct problem *p = &c->result->problem;
	(void)problem_set(p, STATUS_DATA, "%s: %s%s", what, message_quoted_part(token, size), hint);
	p->line = decode_lines_before(c, c->record) + 1;
	p->field = decode_field_number(c);
	return decode_halt(c, DECODE_FAIL, token, size);
}

bool decode_fail_line(struct decoder *c, const char *what, const struct line_fault *fault, const char *hint)
{
	const char *at = fault != NULL ? fault->at : c->line.start;
	/* Of a line that is too short all is shown. */
	const char *shown = at < c->line.end ? at : c->line.start;
	(void)decode_fail(c, what, shown, (size_t)(c->line.end - shown), hint);
	c->result->problem.field = 0;
	c->result->problem.column = fault != NULL ? decode_column(c, at) : 0;
	return false;
}

/* The line does not name the field. */
static bool fail_unnamed(struct decoder *c, const char *hint)
{
	if (hint == NULL)
		hint = hint_of_line_bytes(&c->line);
	if (hint == NULL)
		hint = decode_is_in_first(c, 1) ? " (see -f, --missing)" : " (see --missing)";
	return decode_fail(c, "not in the line", c->line.start, (size_t)(c->line.end - c->line.start), hint);
}

bool decode_fail_absent(struct decoder *c, uint64_t number, const char *hint)
{
	if (c->chosen.found != NULL)
		return fail_unnamed(c, hint);
	char what[64];
	const uint64_t count = line_count_fields(c->rules, &c->line);
	if (hint == NULL)
		hint = hint_of_absent(c->rules, &c->line, number, decode_is_in_first(c, c->rules->header_lines + 1));
	(void)snprintf(what, sizeof what, "the line has %" PRIu64 " field%s", count, count == 1 ? "" : "s");
	return decode_fail(c, what, c->line.start, (size_t)(c->line.end - c->line.start), hint);
}

bool decode_fail_kind(struct decoder *c, const struct column *k, enum place_kind kind, const char *token, size_t size)
{
	(void)decode_fail(c, "", token, size, "");
	struct problem *p = &c->result->problem;
	place_describe_kind("--accept=time", kind, k->kind, message_quoted_part(token, size), p->text, sizeof p->text);
	return false;
}

bool decode_fails_at_unit(struct decoder *c)
{
	for (size_t i = 0; i < c->rules->field_count; i++) {
		struct field number, unit;
		char hint[64];
		line_find_field(c->rules, &c->line, c->chosen.numbers[i], &number);
		if (number.absent || !is_digit(number.token[number.token_size - 1]))
			continue;
		line_find_field(c->rules, &c->line, c->chosen.numbers[i] + 1, &unit);
		if (unit.absent || !notation_is_unit(&c->rules->tokens.notation, unit.token, unit.token_size))
			continue;
		const int size = (int)unit.token_size;
		(void)snprintf(hint, sizeof hint, " (join them: sed 's/ %.*s/%.*s/')", size, unit.token, size,
			       unit.token);
		c->chosen.index = i;
		(void)decode_fail(c, "the number's unit is another field", number.token,
				  (size_t)(unit.token + unit.token_size - number.token), hint);
		return true;
	}
	return false;
}
