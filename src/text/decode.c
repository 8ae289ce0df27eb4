/* A cursor walks over the tokens of the bytes: white-space-separated ones, or one field of each line. What a token
 * means is decided in one place, take_token; the loop around it only finds the next. Where whole lines come out, it
 * notes how the bytes are to be edited. */
#include "text/decode.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "number/decimal.h"
#include "number/parse.h"
#include "number/scan_text.h"
#include "text/line.h"

/* Elements of one size; a plain loop, so that the compiler makes vectors of it. */
#define SWAP_LOOP(bits)                                             \
	for (size_t i = 0; i < count; i++) {                        \
		uint##bits##_t value;                               \
		memcpy(&value, e + i * sizeof value, sizeof value); \
		value = __builtin_bswap##bits(value);               \
		memcpy(e + i * sizeof value, &value, sizeof value); \
	}

void decode_swap(void *elements, size_t count, size_t size)
{
	unsigned char *e = elements;
	if (size == 2) {
		SWAP_LOOP(16)
	} else if (size == 4) {
		SWAP_LOOP(32)
	} else if (size == 8) {
		SWAP_LOOP(64)
	}
}

struct cursor {
	const struct text_rules *rules;
	const struct element_format *reading;
	const struct decode_target *target;
	const char *end;
	const char *next; /* after the current token, or line */
	const char *record; /* where the current token's record begins: there decoding can begin again */
	struct line line; /* by field: the current one */
	struct field field; /* and its field */
	uint64_t header_left; /* header lines that are still to come */
	bool at_line_start; /* next is one, and lines may pass */
	const char *edited; /* the edits say what becomes of the bytes before it */
	const char *counted; /* up to here there are so many newlines: */
	uint64_t newlines;
	struct decoded *result;
	enum status status;
};

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool out_of_memory(struct cursor *c)
{
	c->status = STATUS_SYSTEM;
	return false;
}

/* Lines before a place, which is no earlier than the last one asked for. */
static uint64_t lines_before(struct cursor *c, const char *place)
{
	c->newlines += line_count(c->counted, place);
	c->counted = place;
	return c->newlines;
}

static bool add_mark(struct cursor *c, const char *text, size_t size)
{
	const struct mark mark = {.element = c->result->count, .text = text, .size = size};
	return bytes_append(c->target->marks, &mark, sizeof mark) == STATUS_OK || out_of_memory(c);
}

/* The bytes up to a place are copied, skipped ones after it are not, and what the kind says takes their place. */
static bool add_edit(struct cursor *c, const char *place, size_t skipped, enum edit_kind kind)
{
	size_t copied = (size_t)(place - c->edited);
	c->edited = kind == EDIT_DELIMITERS ? place : place + skipped;
	for (;;) {
		struct edit edit = {.copied = UINT32_MAX, .kind = EDIT_NOTHING};
		if (copied <= UINT32_MAX) {
			edit.copied = (uint32_t)copied;
			edit.skipped = skipped < UINT32_MAX ? (uint32_t)skipped : UINT32_MAX;
		}
		copied -= edit.copied;
		skipped -= edit.skipped;
		const bool whole = copied == 0 && skipped == 0;
		if (whole || kind == EDIT_DELIMITERS)
			edit.kind = kind;
		if (bytes_append(c->target->edits, &edit, sizeof edit) != STATUS_OK)
			return out_of_memory(c);
		if (whole)
			return true;
	}
}

static bool stop_at(struct cursor *c, enum decode_stop stop, const char *token, size_t size)
{
	c->result->stop = stop;
	c->result->token = token;
	c->result->token_size = size;
	return false;
}

/* Stops with a problem at the current token. */
static bool fail_at(struct cursor *c, const char *what, const char *token, size_t size, const char *hint)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	struct problem *p = &c->result->problem;
	*p = (struct problem){
		.status = STATUS_DATA,
		.fatal = true,
		.line = c->target->lines_before + lines_before(c, c->record) + 1,
		.field = c->target->field,
	};
	(void)snprintf(p->text, sizeof p->text, "%s: %s%s", what, message_quote(quoted, token, size), hint);
	return stop_at(c, DECODE_FAIL, token, size);
}

/* Something takes the place of a field; the blanks around it stay. */
static bool edit_field(struct cursor *c, const struct field *f, enum edit_kind kind)
{
	const char *start;
	const size_t size = line_trim_field(f, &start);
	return add_edit(c, start, size, kind);
}

/* A whole line, without its newline. */
static bool mark_line(struct cursor *c, const struct line *line)
{
	const size_t newline = line->next[-1] == '\n' ? 1 : 0;
	return add_mark(c, line->start, (size_t)(line->next - line->start) - newline);
}

/* A header line: it comes out once, with the results' name if they have a place in it. */
static bool pass_header(struct cursor *c, const struct line *line)
{
	const struct text_rules *rules = c->rules;
	const bool dropped = c->target->header_lines - c->header_left < c->target->dropped_lines;
	c->header_left--;
	if (rules->lines == LINES_DROPPED) {
		if (!dropped && !mark_line(c, line))
			return false;
		c->result->header_marks = c->target->marks->size / sizeof(struct mark);
		return true;
	}
	if (dropped)
		return add_edit(c, line->start, (size_t)(line->next - line->start), EDIT_NOTHING);
	if (c->header_left > 0 || !c->target->header_whole)
		return true;
	if (rules->lines == LINES_APPENDED)
		return add_edit(c, line->end, 0, EDIT_DELIMITER_NAME);
	struct field f;
	line_find_field(rules, line, c->target->field, &f);
	return rules->as == NULL || f.absent || edit_field(c, &f, EDIT_NAME);
}

/* Whether the line at next passes without being looked at: *passes. False: decoding ends here. */
static bool pass_line(struct cursor *c, bool *passes)
{
	struct line line;
	*passes = line_is_comment(c->rules, c->next, c->end);
	if (!*passes && c->header_left == 0)
		return true;
	c->record = c->next;
	(void)line_take(c->rules, c->next, c->end, &line); /* header.c has seen that its quotes are closed */
	c->next = line.next;
	if (!*passes) {
		*passes = true;
		return pass_header(c, &line);
	}
	return c->rules->lines != LINES_DROPPED || mark_line(c, &line);
}

/* Advances to the next white-space-separated token. False at the end. */
static bool next_token(struct cursor *c, const char **token, size_t *size)
{
	const char *p = c->next;
	const bool may_pass = c->header_left > 0 || c->rules->comment != NULL;
	while (p < c->end) {
		bool passes = false;
		c->next = p;
		if (may_pass && c->at_line_start && !pass_line(c, &passes))
			return false;
		c->at_line_start = passes || *p == '\n';
		if (!passes && !is_space(*p))
			break;
		p = passes ? c->next : p + 1;
	}
	*token = p;
	c->record = p;
	while (p < c->end && !is_space(*p))
		p++;
	*size = (size_t)(p - *token);
	c->next = p;
	return *size > 0;
}

/* Advances to the field of the next line. False at the end. */
static bool next_field(struct cursor *c, const char **token, size_t *size)
{
	bool passes = true;
	while (passes && c->next < c->end) {
		if (!pass_line(c, &passes))
			return false;
	}
	c->record = c->next;
	if (c->next == c->end)
		return false;
	if (!line_take(c->rules, c->next, c->end, &c->line)) {
		(void)fail_at(c, "a quoted field is not closed", c->line.start, (size_t)(c->line.end - c->line.start),
			      "");
		c->result->problem.field = 0; /* it may be any */
		return false;
	}
	c->next = c->line.next;
	line_find_field(c->rules, &c->line, c->target->field, &c->field);
	*token = c->field.token;
	*size = c->field.token_size;
	return true;
}

static bool is_missing(const char *token, size_t size)
{
	switch (size) {
	case 0:
		return true;
	case 1:
		return token[0] == '-';
	case 2:
		return memcmp(token, "NA", 2) == 0;
	case 3:
		return memcmp(token, "N/A", 3) == 0;
	case 4:
		return memcmp(token, "null", 4) == 0;
	default:
		return false;
	}
}

static void *next_element(const struct cursor *c)
{
	return (unsigned char *)c->target->elements + c->result->count * c->reading->type->size;
}

/* A token that is no number. */
static bool take_invalid(struct cursor *c, const char *token, size_t size)
{
	struct number_parts parts;
	if (c->rules->invalid == INVALID_IGNORE)
		return true;
	if (c->rules->invalid == INVALID_ABORT) {
		if (number_split(token, size, &parts))
			return fail_at(c, "not an integer", token, size, " (see -t)");
		return fail_at(c, "not a number", token, size, " (see --invalid)");
	}
	const struct warning w = {.line = c->target->lines_before + lines_before(c, c->record) + 1,
				  .element = c->result->count,
				  .token = token,
				  .size = size};
	return bytes_append(c->target->warnings, &w, sizeof w) == STATUS_OK || out_of_memory(c);
}

/* One exact decimal. */
static bool take_decimal(struct cursor *c, const char *token, size_t size)
{
	const struct element_format *r = c->reading;
	union value value;
	struct decimal d;
	if (!decimal_parse(token, size, &d))
		return take_invalid(c, token, size);
	if (c->result->count == c->target->limit)
		return stop_at(c, DECODE_LIMIT, token, size);
	if (d.is_float || d.scale > r->scale || (r->integers_only && d.scale > 0) ||
	    !decimal_mantissa(&d, r->scale, r->type, &value))
		return stop_at(c, DECODE_CHANGE, token, size);
	memcpy(next_element(c), &value, r->type->size);
	c->result->count++;
	const unsigned char scale = (unsigned char)d.scale;
	return !decode_wants_scales(r) || bytes_append(c->target->scales, &scale, 1) == STATUS_OK || out_of_memory(c);
}

static bool take_number(struct cursor *c, const char *token, size_t size)
{
	const struct type *t = c->reading->type;
	union value value;
	const enum number_result result = number_parse(token, size, t, &value);
	if (c->result->count == c->target->limit && (result == NUMBER_OK || result == NUMBER_RANGE))
		return stop_at(c, DECODE_LIMIT, token, size);
	switch (result) {
	case NUMBER_OK:
		memcpy(next_element(c), &value, t->size);
		c->result->count++;
		return true;
	case NUMBER_INVALID:
		return take_invalid(c, token, size);
	case NUMBER_RANGE:
		return fail_at(c, t->kind == KIND_FLOAT ? "too large for a float" : "out of the type's range", token,
			       size, " (see -t)");
	case NUMBER_MEMORY:
		break;
	}
	return out_of_memory(c);
}

/* A missing field: *token and *size become what stands in for it, or *taken tells that it is no element. */
static bool take_missing(struct cursor *c, const char **token, size_t *size, bool *taken)
{
	*taken = true;
	switch (c->rules->missing) {
	case MISSING_FAIL:
		return fail_at(c, *size == 0 ? "empty or absent" : "missing", *token, *size, " (see --missing)");
	case MISSING_SKIP:
		return true;
	case MISSING_KEEP:
		return c->rules->lines == LINES_REPLACED || add_mark(c, *token, *size);
	case MISSING_VALUE:
		/* Between runs of blanks an empty field cannot stand, so that the result would be another one's. */
		if (c->rules->lines == LINES_REPLACED && c->rules->by_blanks && c->field.absent)
			return fail_at(c, "absent, so nothing can be replaced", c->line.start,
				       (size_t)(c->line.end - c->line.start), " (see --missing=skip)");
		break;
	}
	*taken = false;
	*token = c->rules->missing_value;
	*size = strlen(*token);
	return true;
}

/* Takes one token as what it is. False: decoding ends here. */
static bool take_token(struct cursor *c, const char *token, size_t size)
{
	const struct element_format *r = c->reading;
	if (is_missing(token, size)) {
		bool taken;
		if (!take_missing(c, &token, &size, &taken))
			return false;
		if (taken)
			return true;
	}
	return r->decimal ? take_decimal(c, token, size) : take_number(c, token, size);
}

/* Whether numbers can be read on the fast road, which is for what fits 64 bits and forgets how it was written. */
static bool is_fast(const struct cursor *c)
{
	return c->reading->type->id != TYPE_I128 && !decode_wants_scales(c->reading);
}

/* Takes tokens up to end as long as they are plain numbers, each after white space. */
static void take_run(struct cursor *c, const char *end)
{
	const struct element_format *r = c->reading;
	struct number_run run;
	do {
		const size_t left = c->target->limit - c->result->count;
		while (c->next < end && is_space(*c->next))
			c->next++;
		run = r->decimal ? decimal_scan_run(c->next, end, r->scale, next_element(c), left)
				 : number_scan_run(c->next, end, r->type, next_element(c), left);
		c->next = run.next;
		c->result->count += run.count;
	} while (run.count > 0);
}

/* The same for all lines that are no comments, up to a token that is no plain number. */
static void take_plain_tokens(struct cursor *c)
{
	if (!is_fast(c) || c->header_left > 0)
		return;
	if (c->rules->comment == NULL) {
		take_run(c, c->end);
		return;
	}
	while (c->next < c->end && !(c->at_line_start && line_is_comment(c->rules, c->next, c->end))) {
		const char *newline = memchr(c->next, '\n', (size_t)(c->end - c->next));
		const char *end = newline == NULL ? c->end : newline + 1;
		take_run(c, end);
		c->at_line_start = c->next == end && newline != NULL;
		if (c->next < end)
			break;
	}
}

/* Takes the line's field if it is a plain number. */
static bool take_plain_field(struct cursor *c, const char *token, size_t size)
{
	const struct element_format *r = c->reading;
	const char *stop;
	union value value;
	if (size == 0 || !is_fast(c) || c->result->count == c->target->limit)
		return false;
	const bool taken = r->decimal ? decimal_scan(token, token + size, r->scale, &value.i64, &stop)
				      : number_scan(token, token + size, r->type, &value, &stop);
	if (!taken || stop != token + size)
		return false;
	memcpy(next_element(c), &value, r->type->size);
	c->result->count++;
	return true;
}

/* The line's result takes the field's place, which may have to be made; under runs of blanks it is there. */
static bool replace_field(struct cursor *c)
{
	if (!c->field.absent)
		return edit_field(c, &c->field, EDIT_RESULT);
	const size_t others = (size_t)c->field.absent_count - 1;
	if (others > 0 && !add_edit(c, c->line.end, others, EDIT_DELIMITERS))
		return false;
	return add_edit(c, c->line.end, 0, EDIT_DELIMITER_RESULT);
}

/* Says what becomes of the current line, whose field was taken; before: elements and marks before it. */
static bool edit_line(struct cursor *c, size_t elements_before, size_t marks_before)
{
	const bool has_result = c->result->count > elements_before;
	if (c->rules->lines == LINES_REPLACED)
		return !has_result || replace_field(c);
	const bool has_mark = c->target->marks->size > marks_before;
	if (has_result)
		return add_edit(c, c->line.end, 0, EDIT_DELIMITER_RESULT);
	return has_mark ? add_edit(c, c->line.end, 0, EDIT_DELIMITER_MARK)
			: add_edit(c, c->line.end, 1, EDIT_DELIMITERS);
}

static void take_tokens(struct cursor *c)
{
	const char *token = NULL;
	size_t size = 0;
	do
		take_plain_tokens(c);
	while (next_token(c, &token, &size) && take_token(c, token, size));
}

static void take_fields(struct cursor *c)
{
	const char *token = NULL;
	size_t size = 0;
	while (next_field(c, &token, &size)) {
		const size_t elements = c->result->count;
		const size_t marks = c->target->marks->size;
		if (!take_plain_field(c, token, size) && !take_token(c, token, size))
			return;
		if (c->rules->lines != LINES_DROPPED && !edit_line(c, elements, marks))
			return;
	}
}

enum status decode_text(const struct text_rules *rules, const struct element_format *reading, const char *bytes,
			size_t size, const struct decode_target *target, struct decoded *result)
{
	*result = (struct decoded){.stop = DECODE_END};
	struct cursor c = {
		.rules = rules,
		.reading = reading,
		.target = target,
		.end = bytes + size,
		.next = bytes,
		.record = bytes,
		.header_left = target->header_lines,
		.at_line_start = target->at_line_start,
		.edited = bytes,
		.counted = bytes,
		.result = result,
	};
	if (target->field != 0)
		take_fields(&c);
	else
		take_tokens(&c);
	result->consumed = (size_t)(c.record - bytes);
	result->lines = lines_before(&c, c.record);
	return c.status;
}
