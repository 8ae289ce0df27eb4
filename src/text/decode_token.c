/* What a token means. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "number/decimal.h"
#include "number/parse.h"
#include "text/decode_state.h"

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

/* The number of the current field, for messages. */
static uint64_t field_number(const struct decoder *c)
{
	return c->target->fields != NULL ? c->target->fields[c->index] : 0;
}

static size_t records_taken(const struct decoder *c)
{
	return c->by_records ? c->result->records : c->target->columns[0].count;
}

bool decode_add_mark(struct decoder *c, const char *text, size_t size, bool is_result)
{
	const struct mark mark = {.record = records_taken(c), .text = text, .size = size, .is_result = is_result};
	return bytes_append(c->target->marks, &mark, sizeof mark) == STATUS_OK || decode_out_of_memory(c);
}

bool decode_halt(struct decoder *c, enum decode_stop stop, const char *token, size_t size)
{
	c->result->stop = stop;
	c->result->token = token;
	c->result->token_size = size;
	return false;
}

bool decode_fail(struct decoder *c, const char *what, const char *token, size_t size, const char *hint)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	struct problem *p = &c->result->problem;
	*p = (struct problem){
		.status = STATUS_DATA,
		.fatal = true,
		.line = c->target->lines_before + decode_lines_before(c, c->record) + 1,
		.field = field_number(c),
	};
	(void)snprintf(p->text, sizeof p->text, "%s: %s%s", what, message_quote(quoted, token, size), hint);
	return decode_halt(c, DECODE_FAIL, token, size);
}

/* The current field's lanes have no element in this record. */
static bool add_absence(struct decoder *c, const char *text, size_t size)
{
	if (c->lacks_number)
		return true;
	c->lacks_number = true;
	const struct absence absence = {
		.record = c->result->records, .field = c->index / c->rules->inputs, .text = text, .size = size};
	if (c->rules->needs_all) {
		const struct field *f = &c->fields[c->index];
		return decode_fail(c, "no number, for which an integer's bytes have no value", f->token, f->token_size,
				   " (see --missing)");
	}
	return bytes_append(c->target->absences, &absence, sizeof absence) == STATUS_OK || decode_out_of_memory(c);
}

bool decode_is_missing(const char *token, size_t size)
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

/* A token that is no number. */
static bool take_invalid(struct decoder *c, const char *token, size_t size)
{
	struct number_parts parts;
	if (c->rules->invalid == INVALID_IGNORE)
		return true;
	if (c->rules->invalid == INVALID_ABORT) {
		if (number_split(token, size, &parts))
			return decode_fail(c, "not an integer", token, size, text_type_hint(c->rules));
		return decode_fail(c, "not a number", token, size, " (see --invalid)");
	}
	const struct warning w = {.line = c->target->lines_before + decode_lines_before(c, c->record) + 1,
				  .field = field_number(c),
				  .token = token,
				  .size = size};
	return bytes_append(c->target->warnings, &w, sizeof w) == STATUS_OK || decode_out_of_memory(c);
}

static bool stop_at_column(struct decoder *c, const struct column *k, const char *token, size_t size)
{
	c->result->column = (size_t)(k - c->target->columns);
	return decode_halt(c, DECODE_CHANGE, token, size);
}

/* One exact decimal. */
static bool take_decimal(struct decoder *c, struct column *k, const char *token, size_t size)
{
	const struct element_format *r = &k->reading;
	union value value;
	struct decimal d;
	if (!decimal_parse(token, size, &d))
		return take_invalid(c, token, size);
	if (decode_is_at_limit(c, k))
		return decode_halt(c, DECODE_LIMIT, token, size);
	if (d.is_float || d.scale > r->scale || (r->integers_only && d.scale > 0) ||
	    !decimal_mantissa(&d, r->scale, r->type, &value))
		return stop_at_column(c, k, token, size);
	memcpy(decode_next_element(k), &value, r->type->size);
	k->count++;
	const unsigned char scale = (unsigned char)d.scale;
	return !decode_wants_scales(r) || bytes_append(k->scales, &scale, 1) == STATUS_OK || decode_out_of_memory(c);
}

static bool take_number(struct decoder *c, struct column *k, const char *token, size_t size)
{
	const struct type *t = k->reading.type;
	union value value;
	const enum number_result result = number_parse(token, size, t, &value);
	if (decode_is_at_limit(c, k) && (result == NUMBER_OK || result == NUMBER_RANGE))
		return decode_halt(c, DECODE_LIMIT, token, size);
	switch (result) {
	case NUMBER_OK:
		memcpy(decode_next_element(k), &value, t->size);
		k->count++;
		return true;
	case NUMBER_INVALID:
		return take_invalid(c, token, size);
	case NUMBER_RANGE:
		return decode_fail(c, t->kind == KIND_FLOAT ? "too large for a float" : "out of the type's range",
				   token, size, text_type_hint(c->rules));
	case NUMBER_MEMORY:
		break;
	}
	return decode_out_of_memory(c);
}

/* A missing number: *token and *size become what stands in for it, or *outcome tells that it is no element. */
static bool take_missing(struct decoder *c, const char **token, size_t *size, enum field_outcome *outcome)
{
	*outcome = TAKEN_NOTHING;
	switch (c->rules->missing) {
	case MISSING_FAIL:
		return decode_fail(c, *size == 0 ? "empty or absent" : "missing", *token, *size, " (see --missing)");
	case MISSING_SKIP:
		return !c->by_records || add_absence(c, NULL, 0);
	case MISSING_KEEP:
		*outcome = TAKEN_MARK;
		if (c->lacks_number)
			return true;
		if (c->by_records && !add_absence(c, *token, *size))
			return false;
		if (c->rules->lines == LINES_REPLACED || (c->by_records && c->rules->lines == LINES_DROPPED))
			return true;
		return decode_add_mark(c, *token, *size, true);
	case MISSING_VALUE:
		/* Between runs of blanks an empty field cannot stand, so that the result would be another one's. */
		if (c->rules->lines == LINES_REPLACED && c->rules->by_blanks && c->fields[c->index].absent)
			return decode_fail(c, "absent, so nothing can be replaced", c->line.start,
					   (size_t)(c->line.end - c->line.start), " (see --missing=skip)");
		break;
	}
	*outcome = TAKEN_ELEMENT;
	*token = c->rules->missing_value;
	*size = strlen(*token);
	return true;
}

static bool take_for_column(struct decoder *c, struct column *k, const char *token, size_t size)
{
	return k->reading.decimal ? take_decimal(c, k, token, size) : take_number(c, k, token, size);
}

struct column *decode_columns_end(const struct decoder *c, struct column *k)
{
	struct column *const end = c->target->columns + c->target->column_count;
	const size_t field = k->field;
	while (k < end && k->field == field)
		k++;
	return k;
}

bool decode_take_token(struct decoder *c, struct column *k, const char *token, size_t size, enum field_outcome *outcome)
{
	struct column *const first = k;
	const size_t before = k->count;
	*outcome = TAKEN_ELEMENT;
	if (decode_is_missing(token, size)) {
		if (!take_missing(c, &token, &size, outcome))
			return false;
		if (*outcome != TAKEN_ELEMENT)
			return true;
	}
	bool goes_on = take_for_column(c, k, token, size);
	if (goes_on && k->count == before) {
		*outcome = TAKEN_NOTHING; /* it is no number */
		return !c->by_records || add_absence(c, NULL, 0);
	}
	struct column *const end = decode_columns_end(c, first);
	while (goes_on && ++k < end)
		goes_on = take_for_column(c, k, token, size);
	/* Where one of them cannot take it none does. */
	for (struct column *taken = first; !goes_on && taken < k; taken++)
		decode_drop_element(taken);
	return goes_on;
}
