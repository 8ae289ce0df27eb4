/* Ends decoding, with its messages. */
#include "base/message.h"
#include "text/decode_private.h"

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
