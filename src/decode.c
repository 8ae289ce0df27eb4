/* A cursor walks over the tokens of the bytes: white-space-separated ones, or one field of each line. What a token means is
 * decided in one place, take_token; the loop around it only finds the next. */
#include "decode.h"

#include <stdio.h>
#include <string.h>

#include "decimal.h"
#include "message.h"
#include "number.h"

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
	const struct reading *reading;
	const struct decode_target *target;
	const char *start, *end;
	const char *next; /* behind the current token, or line */
	const char *record; /* where the current token's record begins: there decoding can begin again */
	uint64_t lines; /* newlines before record */
	uint64_t token_line; /* line of the token, from 1 within the chunk */
	struct decoded *result;
	enum status status;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Advances to the next white-space-separated token. False at the end. */
static bool next_token(struct cursor *c, const char **token, size_t *size)
{
	const char *p = c->next;
	while (p < c->end && is_space(*p)) {
		c->lines += *p == '\n';
		p++;
	}
	*token = p;
	c->record = p;
	while (p < c->end && !is_space(*p))
		p++;
	*size = (size_t)(p - *token);
	c->next = p;
	c->token_line = c->lines + 1;
	return *size > 0;
}

/* The field of a line by runs of blanks; an absent one is empty. */
static void field_by_blanks(const char *p, const char *end, uint64_t field, const char **token, size_t *size)
{
	const char *start = p;
	for (uint64_t i = 0; i < field; i++) {
		while (p < end && is_blank(*p))
			p++;
		start = p;
		if (p == end)
			break;
		while (p < end && !is_blank(*p))
			p++;
	}
	*token = start;
	*size = (size_t)(p - start);
}

static void field_by_delimiter(const char *p, const char *end, const struct text_rules *rules, const char **token,
			       size_t *size)
{
	for (uint64_t i = 1; i < rules->field; i++) {
		const char *delimiter = memchr(p, rules->delimiter, (size_t)(end - p));
		if (delimiter == NULL) {
			*token = end;
			*size = 0;
			return;
		}
		p = delimiter + 1;
	}
	const char *stop = memchr(p, rules->delimiter, (size_t)(end - p));
	if (stop == NULL)
		stop = end;
	/* Blanks around a field are no part of the number. */
	while (p < stop && is_blank(*p))
		p++;
	while (stop > p && is_blank(stop[-1]))
		stop--;
	*token = p;
	*size = (size_t)(stop - p);
}

/* Advances to the field of the next line. False at the end. */
static bool next_field(struct cursor *c, const char **token, size_t *size)
{
	const char *line = c->next;
	if (line > c->start)
		c->lines += line[-1] == '\n';
	c->record = line;
	if (line >= c->end)
		return false;
	const char *newline = memchr(line, '\n', (size_t)(c->end - line));
	const char *end = newline == NULL ? c->end : newline;
	c->next = newline == NULL ? c->end : newline + 1;
	c->token_line = c->lines + 1;
	if (end > line && end[-1] == '\r')
		end--;
	if (c->rules->by_blanks)
		field_by_blanks(line, end, c->rules->field, token, size);
	else
		field_by_delimiter(line, end, c->rules, token, size);
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
		.line = c->target->lines_before + c->token_line,
		.field = c->rules->field,
	};
	(void)snprintf(p->text, sizeof p->text, "%s: %s%s", what, message_quote(quoted, token, size), hint);
	return stop_at(c, DECODE_FAIL, token, size);
}

static bool out_of_memory(struct cursor *c)
{
	c->status = STATUS_SYSTEM;
	return false;
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
	const struct warning w = {.line = c->target->lines_before + c->token_line,
				  .element = c->result->count,
				  .token = token,
				  .size = size};
	return bytes_append(c->target->warnings, &w, sizeof w) == STATUS_OK || out_of_memory(c);
}

/* One exact decimal. */
static bool take_decimal(struct cursor *c, const char *token, size_t size)
{
	const struct reading *r = c->reading;
	union value value;
	struct decimal d;
	if (!decimal_parse(token, size, &d))
		return take_invalid(c, token, size);
	if (d.is_float || d.scale > r->scale || (r->integers_only && d.scale > 0) ||
	    !decimal_mantissa(&d, r->scale, r->type, &value))
		return stop_at(c, DECODE_CHANGE, token, size);
	memcpy((unsigned char *)c->target->elements + c->result->count * r->type->size, &value, r->type->size);
	c->result->count++;
	return true;
}

static bool take_number(struct cursor *c, const char *token, size_t size)
{
	const struct type *t = c->reading->type;
	union value value;
	switch (number_parse(token, size, t, &value)) {
	case NUMBER_OK:
		memcpy((unsigned char *)c->target->elements + c->result->count * t->size, &value, t->size);
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

static bool take_missing(struct cursor *c, const char **token, size_t *size, bool *done)
{
	const struct mark mark = {.element = c->result->count, .text = *token, .size = *size};
	*done = true;
	switch (c->rules->missing) {
	case MISSING_FAIL:
		return fail_at(c, *size == 0 ? "empty or absent" : "missing", *token, *size, " (see --missing)");
	case MISSING_SKIP:
		return true;
	case MISSING_KEEP:
		return bytes_append(c->target->marks, &mark, sizeof mark) == STATUS_OK || out_of_memory(c);
	case MISSING_VALUE:
		break;
	}
	*done = false;
	*token = c->rules->missing_value;
	*size = strlen(*token);
	return true;
}

/* Takes one token as what it is. False: decoding ends here. */
static bool take_token(struct cursor *c, const char *token, size_t size)
{
	const struct reading *r = c->reading;
	if (is_missing(token, size)) {
		bool done;
		if (!take_missing(c, &token, &size, &done))
			return false;
		if (done)
			return true;
	}
	if (c->result->count == c->target->limit)
		return stop_at(c, DECODE_LIMIT, token, size);
	if (c->result->count == 0 && c->target->first != NULL) {
		struct number_parts parts;
		if (number_split(token, size, &parts)) {
			memcpy(c->target->elements, c->target->first, r->type->size);
			c->result->count = 1;
			return true;
		}
	}
	return r->decimal ? take_decimal(c, token, size) : take_number(c, token, size);
}

enum status decode_text(const struct text_rules *rules, const struct reading *reading, const char *bytes, size_t size,
			const struct decode_target *target, struct decoded *result)
{
	const char *token;
	size_t token_size;
	*result = (struct decoded){.stop = DECODE_END};
	struct cursor c = {
		.rules = rules,
		.reading = reading,
		.target = target,
		.start = bytes,
		.end = bytes + size,
		.next = bytes,
		.result = result,
	};
	while (rules->field != 0 ? next_field(&c, &token, &token_size) : next_token(&c, &token, &token_size)) {
		if (!take_token(&c, token, token_size))
			break;
	}
	result->consumed = (size_t)(c.record - bytes);
	result->lines = c.lines;
	return c.status;
}
