/* If a header has several lines, the last one names the fields, or the one that --header-names says. Comments between
 * the lines do not count. If a file ends within the header, the next file must begin with the same lines and continue
 * it. */
#include "text/header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "text/hint.h"
#include "text/line.h"
#include "text/record.h"
#include "text/names.h"
#include "text/quotes.h"

/* The most fields of one name that a message lists. */
#define NUMBERS_SHOWN 3

static void fail(struct problem *problem, uint64_t line, const char *what, const char *text, size_t size)
{
	(void)problem_set(problem, STATUS_DATA, "%s %s", what, message_quoted_part(text, size));
	problem->line = line;
}

/* Adds the numbers of the fields of that name to the message. */
static void add_numbers(const struct text_rules *rules, const struct line *line, const char *name,
			struct problem *problem)
{
	char text[80];
	size_t size = 0;
	uint64_t numbers[NUMBERS_SHOWN];
	const uint64_t count = header_numbers_of(rules, line, name, numbers, NUMBERS_SHOWN);
	for (size_t i = 0; i < count && i < NUMBERS_SHOWN; i++)
		size += (size_t)snprintf(text + size, sizeof text - size, "%s%" PRIu64, i > 0 ? ", " : "", numbers[i]);
	const size_t end = strlen(problem->text);
	(void)snprintf(problem->text + end, sizeof problem->text - end, ": %s%s (choose one by its number)", text,
		       count > NUMBERS_SHOWN ? ", ..." : "");
}

/* The number of the field that the line calls name, or else calls so with blanks around it; 0 and *problem if there is
 * not exactly one. */
static uint64_t find_name(const struct text_rules *rules, const struct line *line, const char *name,
			  uint64_t line_number, struct problem *problem)
{
	uint64_t number = 0;
	const uint64_t count = header_numbers_of(rules, line, name, &number, 1);
	if (count == 1)
		return number;
	fail(problem, line_number, "several fields are called", name, strlen(name));
	if (count > 1)
		add_numbers(rules, line, name, problem);
	if (count == 0) {
		const size_t size = (size_t)snprintf(problem->text, sizeof problem->text, "no field is called ");
		hint_of_name(rules, line, name, problem->text + size, sizeof problem->text - size);
	}
	return 0;
}

/* A name as a field: quoted where CSV needs that. */
static enum status put_name(const struct text_rules *rules, const char *name, size_t size, struct bytes *out)
{
	TRY(bytes_reserve(out, 2 * size + 2));
	char *text = (char *)out->data + out->size;
	memcpy(text, name, size);
	out->size += rules->cut == CUT_CSV ? line_quote_field(rules, text, size) : size;
	return STATUS_OK;
}

/* A field's number, which stands for the name that it lacks: one that is counted from the end as -f has it. */
static enum status put_number(uint64_t number, struct bytes *out)
{
	char text[24];
	const bool from_end = number >= FIELD_FROM_END;
	const int size = snprintf(text, sizeof text, "%s%" PRIu64, from_end ? "-" : "",
				  from_end ? number - FIELD_FROM_END : number);
	return bytes_append(out, text, (size_t)size);
}

/* A field's name with a result's: within the quotes, if there are any. */
static enum status join_name(const struct field *f, const char *name, struct bytes *out)
{
	const char *text;
	const size_t size = line_trim_field(f, &text);
	TRY(bytes_append(out, text, size - (f->quoted ? 1 : 0)));
	TRY(bytes_append(out, "_", 1));
	TRY(bytes_append(out, name, strlen(name)));
	return bytes_append(out, "\"", f->quoted ? 1 : 0);
}

static const uint64_t *header_numbers(const struct header *h)
{
	return (const uint64_t *)(const void *)h->numbers.data;
}

struct header_table header_table(const struct header *h)
{
	if (!h->known)
		return (struct header_table){0};
	const uint64_t *numbers = header_numbers(h);
	return (struct header_table){
		.numbers = numbers,
		.fields = h->is_settled ? (const uint64_t *)(const void *)h->fields.data : numbers,
		.shape = h->is_settled ? &h->shape : NULL,
		.names = h->is_settled ? (const struct names_item *)(const void *)h->chosen_names.data : NULL,
		.all_names = h->is_settled ? (const struct names_item *)(const void *)h->all_names.data : NULL,
		.last_line = (const char *)h->lines.data + h->last_line,
		.last_size = h->last_size,
	};
}

/* The line of the header that names the fields. */
static struct line line_of_names(const struct header *h)
{
	const char *start = (const char *)h->lines.data + h->names_line;
	const char *end = start + h->names_size;
	return (struct line){.start = start, .end = end, .next = end + 1};
}

static enum status remember(struct header *h, const struct text_rules *rules, struct problem *problem)
{
	const struct line line = line_of_names(h);
	enum status status = STATUS_OK;
	const uint64_t count = rules->counts_from_end ? line_count_fields(rules, &line) : 0;
	for (size_t i = 0; i < rules->total_count && status == STATUS_OK && problem->status == STATUS_OK; i++) {
		uint64_t number = text_field_number(rules->fields[i].number, count);
		if (rules->fields[i].name != NULL)
			number = find_name(rules, &line, rules->fields[i].name, h->names_number, problem);
		const bool is_replaced = rules->output.lines == LINES_REPLACED && i < rules->field_count;
		for (size_t k = 0; k < i && is_replaced && problem->status == STATUS_OK; k++) {
			if (header_numbers(h)[k] != number)
				continue;
			fail(problem, h->names_number, "--replace: a field is chosen twice (see -f):", line.start,
			     (size_t)(line.end - line.start));
			problem->status = STATUS_USAGE;
		}
		status = bytes_append(&h->numbers, &number, sizeof number);
	}
	h->known = status == STATUS_OK && problem->status == STATUS_OK;
	h->problem = *problem;
	return status;
}

static void fail_at_record(const struct text_rules *rules, const struct names_shape *shape, uint64_t field_count,
			   uint64_t line_number, const char *name, struct problem *problem)
{
	const bool is_split = text_delimiter_is_mark(rules) && field_count > shape->name_count;
	const char *hint = is_split ? hint_of_split_number : " (choose the field by number: -f N)";
	if (name != NULL && shape->name_count == field_count)
		(void)problem_set(problem, STATUS_DATA, "line %" PRIu64 ": no field is under the name %s%s",
				  line_number, message_quoted(name), hint);
	else
		(void)problem_set(problem, STATUS_DATA,
				  "line %" PRIu64 " has %" PRIu64 " field%s, the header %" PRIu64 " name%s%s",
				  line_number, field_count, field_count == 1 ? "" : "s", shape->name_count,
				  shape->name_count == 1 ? "" : "s", hint);
}

/* Where the chosen fields are, as a file's names and its first record say. */
struct placed {
	struct screen_table table;
	struct bytes fields; /* uint64_t: the number of each chosen field */
	struct bytes names; /* struct names_item: the columns of its name; empty if it was chosen by its number */
};

/* Whether some field is chosen by its name. */
static bool has_name(const struct text_rules *rules)
{
	bool has = false;
	for (size_t i = 0; i < rules->total_count && !has; i++)
		has = rules->fields[i].name != NULL;
	return has;
}

/* Whether the first record may have one field more than the header has names because a number contains the delimiter
 * and has no quotes. (Otherwise the first field is a label.) */
static bool may_be_split(const struct text_rules *rules, const struct names_shape *shape, const struct line *record,
			 const uint64_t *fields)
{
	bool are_quoted = true;
	if (!text_delimiter_is_mark(rules) || shape->most != shape->name_count + 1 || shape->ended > 0)
		return false;
	for (size_t i = 0; i < rules->field_count; i++) {
		struct field f;
		line_find_field(rules, record, text_field_number(fields[i], shape->field_count), &f);
		are_quoted = are_quoted && f.quoted;
	}
	return !are_quoted;
}

static enum status place_fields(const struct header *h, const struct text_rules *rules, const struct line *record,
				uint64_t line_number, struct placed *p, struct problem *problem)
{
	const struct line line = line_of_names(h);
	TRY(screen_place(rules, &line, record, &p->table));
	const struct names_item *items = (const struct names_item *)(const void *)p->table.names.data;
	const char *name = NULL; /* of the last field that was looked for */
	bool are_placed = p->table.numbers.size > 0;
	if (!are_placed && !has_name(rules)) {
		/* The header is no line of names. */
		p->table.shape.most = p->table.field_count;
		p->table.shape.is_sure = false;
		are_placed = true;
	}
	for (size_t i = 0; i < rules->total_count && are_placed; i++) {
		struct names_item columns = {0};
		uint64_t number = rules->fields[i].number;
		name = rules->fields[i].name;
		if (name != NULL) {
			const size_t index = (size_t)header_numbers(h)[i] - 1;
			number = screen_number(&p->table, index);
			columns = (struct names_item){.begin = items[index].begin, .end = items[index].end};
		}
		are_placed = number > 0;
		TRY(bytes_append(&p->fields, &number, sizeof number));
		TRY(bytes_append(&p->names, &columns, sizeof columns));
	}
	if (!are_placed || may_be_split(rules, &p->table.shape, record, (const uint64_t *)(const void *)p->fields.data))
		fail_at_record(rules, &p->table.shape, p->table.field_count, line_number, name, problem);
	return STATUS_OK;
}

/* Fields that were chosen by number take the names that belong to them; those counted from the end take them from the
 * first record. A field without a name may have one in another file, unless it is a label before the names. (Once the
 * results have their names, other threads may look at the numbers.) */
static void find_names(struct header *h, const struct text_rules *rules, const struct screen_table *table)
{
	uint64_t *numbers = (uint64_t *)(void *)h->numbers.data;
	const size_t name_count = table->numbers.size / sizeof *numbers;
	uint64_t first = 0; /* field that has a name */
	for (size_t k = 0; k < name_count; k++) {
		const uint64_t number = screen_number(table, k);
		first = number > 0 && (first == 0 || number < first) ? number : first;
	}
	for (size_t i = 0; i < rules->total_count; i++) {
		const uint64_t number = text_field_number(rules->fields[i].number, table->field_count);
		if (rules->fields[i].name != NULL)
			continue;
		/* (Between blanks the text after the last name's field belongs to it.) */
		if (rules->fields[i].number < FIELD_FROM_END || !text_by_blanks(rules))
			numbers[i] = number < first ? HEADER_NAMELESS : HEADER_NAME_UNKNOWN;
		for (size_t k = 0; k < name_count; k++)
			numbers[i] = screen_number(table, k) == number ? k + 1 : numbers[i];
	}
}

/* Whether another file has labels without a name, as the first file has, although the first record of the other one
 * has an empty last field, which by itself would only end the record. True if that record begins with a quoted field,
 * or with one that is not a number. */
static bool has_label_again(const struct text_rules *rules, const struct names_shape *first,
			    const struct names_shape *other, const struct line *record)
{
	struct field f;
	if (first->most != first->name_count + 1 || first->ended > 0 || other->most != first->most || other->ended != 1)
		return false;
	line_find_field(rules, record, 1, &f);
	return f.token_size > 0 && (f.quoted || !notation_is_number(&rules->tokens.notation, f.token, f.token_size));
}

/* The first file's first record says where the fields are. In another file they must be there, too. */
static enum status settle(struct header *h, const struct text_rules *rules, const struct line *record,
			  uint64_t line_number, struct problem *problem)
{
	struct placed p = {0};
	const enum status status = place_fields(h, rules, record, line_number, &p, problem);
	const bool are_placed = status == STATUS_OK && problem->status == STATUS_OK;
	if (are_placed && p.table.shape.is_sure && h->name_ends.size == 0) {
		find_names(h, rules, &p.table);
		h->are_names_sure = true;
	}
	/* (Of fields by number alone nothing else depends on the names.) */
	if (!text_has_names(rules)) {
		*problem = (struct problem){0};
	} else if (are_placed && !h->is_settled) {
		h->shape = p.table.shape;
		h->fields = p.fields;
		h->chosen_names = p.names;
		h->is_settled = true;
		h->all_names = p.table.names;
		p.fields = p.names = p.table.names = (struct bytes){0};
	} else if (are_placed && memcmp(p.fields.data, h->fields.data, p.fields.size) != 0 &&
		   !has_label_again(rules, &h->shape, &p.table.shape, record)) {
		fail(problem, line_number, "the names belong to other fields than in the first file:", record->start,
		     (size_t)(record->end - record->start));
	}
	screen_table_free(&p.table);
	bytes_free(&p.fields);
	bytes_free(&p.names);
	return status;
}

/* The results' names from the line that names the fields. */
static enum status name_results(struct header *h, const struct record_format *format)
{
	const struct text_rules *rules = &format->text;
	const struct line line = line_of_names(h);
	const char delimiter = text_delimiter(rules);
	const char *as = rules->output.as;
	const size_t count = rules->field_count / rules->inputs * rules->result_count;
	for (size_t i = 0; i < rules->output.shown_keys; i++) {
		struct field f;
		const char *text;
		const enum calendar_unit unit = rules->fields[rules->field_count + i].unit;
		line_find_field(rules, &line, header_numbers(h)[rules->field_count + i], &f);
		const size_t size = line_trim_field(&f, &text);
		TRY(unit != UNIT_NONE ? join_name(&f, calendar_unit_name(unit), &h->names)
				      : bytes_append(&h->names, text, size));
		TRY(bytes_append(&h->names, &delimiter, 1));
	}
	for (size_t i = 0; i < count; i++) {
		const struct result_name *name = &format->names[i % rules->result_count];
		struct field f;
		TRY(bytes_append(&h->names, &delimiter, i > 0 ? 1 : 0));
		if (as != NULL) {
			/* A name alone may have commas in it. */
			const size_t size = count == 1 ? strlen(as) : strcspn(as, ",");
			TRY(put_name(rules, as, size, &h->names));
			as += size + 1;
		} else if (name->is_whole) {
			TRY(put_name(rules, name->text, strlen(name->text), &h->names));
		} else {
			const size_t field = i / rules->result_count * rules->inputs; /* an element's first */
			line_find_field(rules, &line, header_numbers(h)[field], &f);
			if (f.token_size == 0 && rules->fields[field].name == NULL) {
				TRY(put_number(rules->fields[field].number, &h->names));
				f = (struct field){.start = "", .token = ""};
			}
			TRY(join_name(&f, name->text, &h->names));
		}
		TRY(bytes_append(&h->name_ends, &h->names.size, sizeof h->names.size));
	}
	return STATUS_OK;
}

/* Appends a name that header_put_names has written, as a field. (A doubled quote in it is one.) */
static enum status put_name_before(const struct text_rules *rules, const char *name, size_t size, struct bytes *out)
{
	struct bytes text = {0};
	enum status status = bytes_reserve(&text, size + 1);
	for (const char *p = name; p < name + size && status == STATUS_OK; p = quotes_next(p, name + size))
		status = bytes_append(&text, p, 1);
	if (status == STATUS_OK)
		status = put_name(rules, (const char *)text.data, text.size, out);
	bytes_free(&text);
	return status;
}

/* Makes of earlier names a line that names the chosen fields and no others. */
static enum status write_names_before(struct header *h, const struct text_rules *rules, const struct bytes *before)
{
	const char *old = (const char *)before->data;
	const char *end = old + before->size;
	const char delimiter = text_delimiter(rules);
	uint64_t count = 0;
	for (size_t i = 0; i < rules->total_count; i++) {
		const char *name = rules->fields[i].name;
		const char *next = old < end ? memchr(old, '\n', (size_t)(end - old)) : old;
		const size_t size = (size_t)(next - old);
		const bool is_known = size > 0 && !header_is_unknown((const unsigned char *)old, size);
		const bool has_name = name != NULL || is_known;
		const uint64_t number = has_name ? ++count : HEADER_NAMELESS;
		TRY(bytes_append(&h->lines, &delimiter, count > 1 && has_name));
		if (name != NULL)
			TRY(put_name(rules, name, strlen(name), &h->lines));
		else if (has_name)
			TRY(put_name_before(rules, old, size, &h->lines));
		TRY(bytes_append(&h->numbers, &number, sizeof number));
		old = next + (next < end);
	}
	h->names_size = h->lines.size;
	TRY(bytes_reserve(&h->lines, LINE_PADDING));
	memset(h->lines.data + h->lines.size, 0, LINE_PADDING);
	return STATUS_OK;
}

enum status header_name_before(struct header *h, const struct record_format *format, const struct bytes *before)
{
	struct header old = {0};
	enum status status = write_names_before(&old, &format->text, before);
	if (status == STATUS_OK)
		status = name_results(&old, format);
	if (status == STATUS_OK) {
		h->names = old.names;
		h->name_ends = old.name_ends;
		old.names = old.name_ends = (struct bytes){0};
	}
	header_free(&old);
	return status;
}

/* Whether the header line is the one at *at of the first file's; advances *at. */
static bool is_same(const struct header *h, const struct line *line, size_t *at)
{
	const size_t size = (size_t)(line->end - line->start);
	const size_t left = h->lines.size - *at;
	if (left <= size || memcmp(h->lines.data + *at, line->start, size) != 0 || h->lines.data[*at + size] != '\n')
		return false;
	*at += size + 1;
	return true;
}

/* Whether a line cannot be one of the header, and why. */
static bool refuse_line(const struct text_rules *rules, const struct line *line, bool closed, uint64_t number,
			struct problem *problem)
{
	const size_t size = (size_t)(line->end - line->start);
	if (!closed) {
		fail(problem, number, "a quoted field is not closed:", line->start, size);
	} else if (line->next[-1] != '\n' && rules->field_count > 0 && line_has_return(rules, line)) {
		fail(problem, number, "a carriage return within the line:", line->start, size);
		const size_t said = strlen(problem->text);
		(void)snprintf(problem->text + said, sizeof problem->text - said, "%s", hint_of_returns);
	}
	return problem->status != STATUS_OK;
}

enum status header_read(struct header *h, const struct record_format *format, const char *bytes, size_t size,
			uint64_t *count, uint64_t *dropped, struct problem *problem)
{
	const struct text_rules *rules = &format->text;
	const uint64_t known = h->line_count;
	const unsigned char *data = (const unsigned char *)bytes;
	struct header_search search = {0};
	size_t at = 0;
	uint64_t line_number = 1;
	struct line line = {.start = bytes};
	*count = 0;
	*dropped = 0;
	while (*count < rules->header_lines) {
		const char *before = line.start;
		if (!record_next_line(rules, &search, data, size, false, &line))
			break;
		line_number += line_count(before, line.start);
		if (refuse_line(rules, &line, search.is_closed, line_number, problem))
			return STATUS_OK;
		++*count;
		if (*count <= known && !is_same(h, &line, &at)) {
			fail(problem, line_number, "the header differs from that of the first file:", line.start,
			     (size_t)(line.end - line.start));
			return STATUS_OK;
		}
		if (*count <= known) {
			++*dropped;
			continue;
		}
		h->line_count++;
		h->last_line = h->lines.size;
		h->last_size = record_repeated_size(rules, &line);
		if (h->line_count == text_names_line(rules)) {
			h->names_line = h->last_line;
			h->names_size = (size_t)(line.end - line.start);
			h->names_number = line_number;
		}
		TRY(bytes_append(&h->lines, line.start, (size_t)(line.end - line.start)));
		TRY(bytes_append(&h->lines, "\n", 1));
		TRY(bytes_reserve(&h->lines, LINE_PADDING));
		memset(h->lines.data + h->lines.size, 0, LINE_PADDING);
		if (*count == rules->header_lines)
			TRY(remember(h, rules, problem));
	}
	if (problem->status == STATUS_OK && *count == rules->header_lines && !h->known)
		*problem = h->problem;
	const bool is_whole = problem->status == STATUS_OK && *count == rules->header_lines;
	const char *before = line.start;
	while (is_whole && rules->field_count > 0 && !search.is_record &&
	       record_next_line(rules, &search, data, size, false, &line))
		;
	if (search.is_record && search.is_closed)
		TRY(settle(h, rules, &line, line_number + line_count(before, line.start), problem));
	return is_whole && problem->status == STATUS_OK && h->name_ends.size == 0 ? name_results(h, format) : STATUS_OK;
}

void header_free(struct header *h)
{
	bytes_free(&h->lines);
	bytes_free(&h->numbers);
	bytes_free(&h->fields);
	bytes_free(&h->chosen_names);
	bytes_free(&h->all_names);
	bytes_free(&h->names);
	bytes_free(&h->name_ends);
}
