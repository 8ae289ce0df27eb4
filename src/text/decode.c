/* A cursor walks over the tokens of the bytes: white-space-separated ones, or the fields of each line that hold numbers. What a
 * token means is decided in one place, take_token; the loop around it only finds the next. Each token becomes an element of
 * every column of its field. Where whole lines come out, it is noted how the bytes are to be edited. */
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
	const struct decode_target *target;
	bool by_records; /* several fields hold numbers: the limit counts records, and what is absent is noted */
	const char *begin, *end;
	const char *next; /* after the current token, or line */
	const char *record; /* where the current token's record begins: there decoding can begin again */
	struct line line; /* by field: the current one */
	struct field *fields; /* and its fields, rules->field_count of them, */
	enum field_outcome *outcomes; /* with what became of each, */
	const size_t *order; /* and their indices in the order of their numbers */
	size_t index; /* of the current field */
	bool lacks_number; /* the current field's element is absent: of several numbers one before is */
	uint64_t header_left; /* header lines that are still to come */
	bool at_line_start; /* next is one, and lines may pass */
	struct editor editor;
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

/* The number of the current field, for messages. */
static uint64_t field_number(const struct cursor *c)
{
	return c->target->fields != NULL ? c->target->fields[c->index] : 0;
}

static size_t records_taken(const struct cursor *c)
{
	return c->by_records ? c->result->records : c->target->columns[0].count;
}

static bool add_mark(struct cursor *c, const char *text, size_t size, bool is_result)
{
	const struct mark mark = {.record = records_taken(c), .text = text, .size = size, .is_result = is_result};
	return bytes_append(c->target->marks, &mark, sizeof mark) == STATUS_OK || out_of_memory(c);
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
		.field = field_number(c),
	};
	(void)snprintf(p->text, sizeof p->text, "%s: %s%s", what, message_quote(quoted, token, size), hint);
	return stop_at(c, DECODE_FAIL, token, size);
}

/* The current field's lanes have no element in this record. */
static bool add_absence(struct cursor *c, const char *text, size_t size)
{
	const struct absence absence = {
		.record = c->result->records, .field = c->index / c->rules->inputs, .text = text, .size = size};
	if (c->lacks_number)
		return true;
	c->lacks_number = true;
	if (c->rules->needs_all) {
		const struct field *f = &c->fields[c->index];
		return fail_at(c, "no number, for which an integer's bytes have no value", f->token, f->token_size,
			       " (see --missing)");
	}
	return bytes_append(c->target->absences, &absence, sizeof absence) == STATUS_OK || out_of_memory(c);
}

/* A whole line, without its newline. */
static bool mark_line(struct cursor *c, const struct line *line)
{
	const size_t newline = line->next[-1] == '\n' ? 1 : 0;
	return add_mark(c, line->start, (size_t)(line->next - line->start) - newline, false);
}

static void find_fields(struct cursor *c, const struct line *line)
{
	line_find_fields(c->rules, line, c->target->fields, c->order, c->rules->field_count, c->fields);
}

/* The current line, or a header, for the editor. */
static struct edited_line line_to_edit(const struct cursor *c, const struct line *line)
{
	return (struct edited_line){.end = line->end, .fields = c->fields, .outcomes = c->outcomes, .order = c->order};
}

static bool good_or_out_of_memory(struct cursor *c, enum status status)
{
	return status == STATUS_OK || out_of_memory(c);
}

/* A header line: it comes out once, with the results' names if they have a place in it, or these alone. */
static bool pass_header(struct cursor *c, const struct line *line)
{
	const struct text_rules *rules = c->rules;
	const bool dropped = c->target->header_lines - c->header_left < c->target->dropped_lines;
	c->header_left--;
	const bool names = c->header_left == 0 && c->target->header_whole;
	if (rules->lines == LINES_DROPPED) {
		const bool alone = names && rules->field_count > 0;
		if (!dropped && !(alone ? add_mark(c, NULL, 0, false) : mark_line(c, line)))
			return false;
		c->result->header_marks = c->target->marks->size / sizeof(struct mark);
		return true;
	}
	if (dropped)
		return good_or_out_of_memory(c, edit_drop(&c->editor, line));
	if (!names)
		return true;
	if (rules->lines == LINES_REPLACED && rules->as != NULL)
		find_fields(c, line);
	const struct edited_line edited = line_to_edit(c, line);
	return good_or_out_of_memory(c, edit_names(&c->editor, &edited));
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

/* Advances to the next line that holds numbers. False at the end. */
static bool next_line(struct cursor *c)
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

/* Takes back the column's last element. */
static void drop_element(struct column *k)
{
	k->count--;
	if (decode_wants_scales(&k->reading))
		k->scales->size--;
}

static void *next_element(const struct column *k)
{
	return k->elements + k->count * k->step;
}

/* Whether no record may follow; with several fields that was seen before. */
static bool is_at_limit(const struct cursor *c, const struct column *k)
{
	return !c->by_records && k->count == c->target->limit;
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
				  .field = field_number(c),
				  .token = token,
				  .size = size};
	return bytes_append(c->target->warnings, &w, sizeof w) == STATUS_OK || out_of_memory(c);
}

static bool stop_at_column(struct cursor *c, const struct column *k, const char *token, size_t size)
{
	c->result->column = (size_t)(k - c->target->columns);
	return stop_at(c, DECODE_CHANGE, token, size);
}

/* One exact decimal. */
static bool take_decimal(struct cursor *c, struct column *k, const char *token, size_t size)
{
	const struct element_format *r = &k->reading;
	union value value;
	struct decimal d;
	if (!decimal_parse(token, size, &d))
		return take_invalid(c, token, size);
	if (is_at_limit(c, k))
		return stop_at(c, DECODE_LIMIT, token, size);
	if (d.is_float || d.scale > r->scale || (r->integers_only && d.scale > 0) ||
	    !decimal_mantissa(&d, r->scale, r->type, &value))
		return stop_at_column(c, k, token, size);
	memcpy(next_element(k), &value, r->type->size);
	k->count++;
	const unsigned char scale = (unsigned char)d.scale;
	return !decode_wants_scales(r) || bytes_append(k->scales, &scale, 1) == STATUS_OK || out_of_memory(c);
}

static bool take_number(struct cursor *c, struct column *k, const char *token, size_t size)
{
	const struct type *t = k->reading.type;
	union value value;
	const enum number_result result = number_parse(token, size, t, &value);
	if (is_at_limit(c, k) && (result == NUMBER_OK || result == NUMBER_RANGE))
		return stop_at(c, DECODE_LIMIT, token, size);
	switch (result) {
	case NUMBER_OK:
		memcpy(next_element(k), &value, t->size);
		k->count++;
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

/* A missing number: *token and *size become what stands in for it, or *outcome tells that it is no element. */
static bool take_missing(struct cursor *c, const char **token, size_t *size, enum field_outcome *outcome)
{
	*outcome = TAKEN_NOTHING;
	switch (c->rules->missing) {
	case MISSING_FAIL:
		return fail_at(c, *size == 0 ? "empty or absent" : "missing", *token, *size, " (see --missing)");
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
		return add_mark(c, *token, *size, true);
	case MISSING_VALUE:
		/* Between runs of blanks an empty field cannot stand, so that the result would be another one's. */
		if (c->rules->lines == LINES_REPLACED && c->rules->by_blanks && c->fields[c->index].absent)
			return fail_at(c, "absent, so nothing can be replaced", c->line.start,
				       (size_t)(c->line.end - c->line.start), " (see --missing=skip)");
		break;
	}
	*outcome = TAKEN_ELEMENT;
	*token = c->rules->missing_value;
	*size = strlen(*token);
	return true;
}

static bool take_for_column(struct cursor *c, struct column *k, const char *token, size_t size)
{
	return k->reading.decimal ? take_decimal(c, k, token, size) : take_number(c, k, token, size);
}

/* The column after those of the same field as k. */
static struct column *columns_end(const struct cursor *c, struct column *k)
{
	struct column *const end = c->target->columns + c->target->column_count;
	const size_t field = k->field;
	while (k < end && k->field == field)
		k++;
	return k;
}

/* Takes one token as what it is: an element of each of its field's columns, of which k is the first. False: decoding ends
 * here. */
static bool take_token(struct cursor *c, struct column *k, const char *token, size_t size, enum field_outcome *outcome)
{
	struct column *const first = k;
	const size_t before = k->count;
	*outcome = TAKEN_ELEMENT;
	if (is_missing(token, size)) {
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
	struct column *const end = columns_end(c, first);
	while (goes_on && ++k < end)
		goes_on = take_for_column(c, k, token, size);
	/* Where one of them cannot take it none does. */
	for (struct column *taken = first; !goes_on && taken < k; taken++)
		drop_element(taken);
	return goes_on;
}

/* Whether numbers can be read on the fast road, which is for what fits 64 bits and forgets how it was written. */
static bool is_fast(const struct column *k)
{
	return k->reading.type->id != TYPE_I128 && !decode_wants_scales(&k->reading);
}

/* Takes tokens up to end as long as they are plain numbers, each after white space. */
static void take_run(struct cursor *c, struct column *k, const char *end)
{
	const struct element_format *r = &k->reading;
	struct number_run run;
	do {
		const size_t left = c->target->limit - k->count;
		while (c->next < end && is_space(*c->next))
			c->next++;
		run = r->decimal ? decimal_scan_run(c->next, end, r->scale, next_element(k), left)
				 : number_scan_run(c->next, end, r->type, next_element(k), left);
		c->next = run.next;
		k->count += run.count;
	} while (run.count > 0);
}

/* The same for all lines that are no comments, up to a token that is no plain number. */
static void take_plain_tokens(struct cursor *c)
{
	struct column *k = c->target->columns;
	if (c->target->column_count > 1 || !is_fast(k) || c->header_left > 0)
		return;
	if (c->rules->comment == NULL) {
		take_run(c, k, c->end);
		return;
	}
	while (c->next < c->end && !(c->at_line_start && line_is_comment(c->rules, c->next, c->end))) {
		const char *newline = memchr(c->next, '\n', (size_t)(c->end - c->next));
		const char *end = newline == NULL ? c->end : newline + 1;
		take_run(c, k, end);
		c->at_line_start = c->next == end && newline != NULL;
		if (c->next < end)
			break;
	}
}

/* Takes a token of a field of one column if it is a plain number. */
static bool take_plain(struct cursor *c, struct column *k, const char *token, size_t size)
{
	const struct element_format *r = &k->reading;
	const char *stop;
	union value value;
	if (size == 0 || !is_fast(k) || is_at_limit(c, k))
		return false;
	bool taken = false;
	if (token - c->begin >= NUMBER_TOKEN_BEFORE)
		taken = r->decimal ? decimal_scan_token(token, size, r->scale, &value.i64)
				   : number_scan_token(token, size, r->type, &value);
	if (!taken) {
		taken = r->decimal ? decimal_scan(token, token + size, r->scale, &value.i64, &stop)
				   : number_scan(token, token + size, r->type, &value, &stop);
		if (!taken || stop != token + size)
			return false;
	}
	memcpy(next_element(k), &value, r->type->size);
	k->count++;
	return true;
}

/* Decoding stopped at the current field: the record's fields before it gave nothing. (What is absent in it nobody asks for.) */
static void drop_record(struct cursor *c, size_t marks, size_t warnings)
{
	for (size_t i = 0; i < c->target->column_count && c->target->columns[i].field < c->index; i++) {
		struct column *k = &c->target->columns[i];
		if (c->outcomes[k->field] == TAKEN_ELEMENT)
			drop_element(k);
	}
	c->target->marks->size = marks;
	if (c->result->stop != DECODE_FAIL)
		c->target->warnings->size = warnings;
}

/* Takes the only field of the current line, for its only column. False: decoding ends before it. */
static inline bool take_only_field(struct cursor *c)
{
	struct field *f = c->fields;
	struct column *k = c->target->columns;
	line_find_field(c->rules, &c->line, c->target->fields[0], f);
	c->outcomes[0] = TAKEN_ELEMENT;
	return take_plain(c, k, f->token, f->token_size) || take_token(c, k, f->token, f->token_size, &c->outcomes[0]);
}

/* Of the current line's elements of several numbers those that lack one: they give nothing, and what became of their first field that
 * did becomes of all. */
static void drop_incomplete(struct cursor *c)
{
	const size_t inputs = c->rules->inputs;
	for (size_t begin = 0; begin < c->rules->field_count; begin += inputs) {
		enum field_outcome outcome = TAKEN_ELEMENT;
		for (size_t i = begin; i < begin + inputs && outcome == TAKEN_ELEMENT; i++)
			outcome = c->outcomes[i];
		for (size_t i = 0; i < c->target->column_count && outcome != TAKEN_ELEMENT; i++) {
			struct column *k = &c->target->columns[i];
			if (k->field / inputs == begin / inputs && c->outcomes[k->field] == TAKEN_ELEMENT)
				drop_element(k);
		}
		for (size_t i = begin; i < begin + inputs && outcome != TAKEN_ELEMENT; i++)
			c->outcomes[i] = outcome;
	}
}

/* Takes the fields of the current line. False: decoding ends before it. */
static bool take_record(struct cursor *c)
{
	const size_t marks = c->target->marks->size;
	const size_t warnings = c->target->warnings->size;
	const size_t absences = c->target->absences->size;
	const size_t inputs = c->rules->inputs;
	struct column *k = c->target->columns;
	size_t input = 0;
	find_fields(c, &c->line);
	for (c->index = 0; c->index < c->rules->field_count; c->index++, input = input + 1 < inputs ? input + 1 : 0) {
		const struct field *f = &c->fields[c->index];
		struct column *const end = columns_end(c, k);
		c->outcomes[c->index] = TAKEN_ELEMENT;
		c->lacks_number = c->lacks_number && input > 0;
		if ((end - k > 1 || !take_plain(c, k, f->token, f->token_size)) &&
		    !take_token(c, k, f->token, f->token_size, &c->outcomes[c->index])) {
			if (c->by_records)
				drop_record(c, marks, warnings);
			return false;
		}
		k = end;
	}
	c->index = 0;
	if (inputs > 1 && c->target->absences->size > absences)
		drop_incomplete(c);
	return true;
}

static void take_tokens(struct cursor *c)
{
	const char *token = NULL;
	size_t size = 0;
	enum field_outcome outcome;
	do
		take_plain_tokens(c);
	while (next_token(c, &token, &size) && take_token(c, c->target->columns, token, size, &outcome));
}

/* Whether the current line has more fields than columns: what nobody scans must not get lost in silence. */
static bool has_more(const struct cursor *c)
{
	struct field f;
	line_find_field(c->rules, &c->line, c->rules->columns + 1, &f);
	return !f.absent;
}

/* The record after the last one that may be taken. */
static void stop_at_limit(struct cursor *c)
{
	find_fields(c, &c->line);
	const struct field *f = &c->fields[c->target->limit_field];
	const bool stands_in = c->rules->missing == MISSING_VALUE && is_missing(f->token, f->token_size);
	const char *token = stands_in ? c->rules->missing_value : f->token;
	(void)stop_at(c, DECODE_LIMIT, token, stands_in ? strlen(token) : f->token_size);
}

/* Says what becomes of the current line, whose fields were taken, if it comes out. */
static bool edit_line(struct cursor *c)
{
	const struct edited_line line = line_to_edit(c, &c->line);
	return c->rules->lines == LINES_DROPPED || good_or_out_of_memory(c, edit_results(&c->editor, &line));
}

static void take_lines(struct cursor *c)
{
	const bool only = c->rules->field_count == 1 && c->target->column_count == 1;
	while (next_line(c)) {
		if (c->by_records && c->result->records == c->target->limit) {
			stop_at_limit(c);
			return;
		}
		if (c->rules->columns > 0 && has_more(c)) {
			(void)fail_at(c, "more fields than columns", c->line.start,
				      (size_t)(c->line.end - c->line.start), " (see -c)");
			c->result->problem.field = 0;
			return;
		}
		if (!(only ? take_only_field(c) : take_record(c)) || !edit_line(c))
			return;
		c->result->records++;
	}
}

/* The fields' indices in the order of their numbers. */
static void sort_fields(const uint64_t *fields, size_t count, size_t *order)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = i;
		for (; at > 0 && fields[order[at - 1]] > fields[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

enum status decode_text(const struct text_rules *rules, const char *bytes, size_t size,
			const struct decode_target *target, struct decoded *result)
{
	const size_t count = target->fields != NULL ? rules->field_count : 0;
	*result = (struct decoded){.stop = DECODE_END};
	struct cursor c = {
		.rules = rules,
		.target = target,
		.by_records = count > 1,
		.begin = bytes,
		.end = bytes + size,
		.next = bytes,
		.record = bytes,
		.header_left = target->header_lines,
		.at_line_start = target->at_line_start,
		.editor = {.rules = rules, .edited = bytes, .edits = target->edits},
		.counted = bytes,
		.result = result,
	};
	for (size_t i = 0; i < target->column_count; i++)
		target->columns[i].count = 0;
	target->scratch->size = 0;
	if (bytes_reserve(target->scratch, (count + 1) * (sizeof *c.fields + sizeof *c.order + sizeof *c.outcomes)) !=
	    STATUS_OK)
		return STATUS_SYSTEM;
	c.fields = (struct field *)(void *)target->scratch->data;
	size_t *order = (size_t *)(void *)(c.fields + count);
	c.order = order;
	c.outcomes = (enum field_outcome *)(void *)(order + count);
	if (count > 0) {
		sort_fields(target->fields, count, order);
		take_lines(&c);
	} else {
		take_tokens(&c);
	}
	if (!c.by_records)
		result->records = target->columns[0].count;
	result->consumed = (size_t)(c.record - bytes);
	result->lines = lines_before(&c, c.record);
	return c.status;
}
