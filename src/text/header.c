/* Of several header lines the last one names the fields. Comments among them do not count. Where a file ends within the
 * header the next one has to begin in the same way, and goes on with it. */
#include "text/header.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "text/hint.h"
#include "text/line.h"

/* Whether a field says name, with the blanks around it (exact) or without; doubled quotes count once. */
static bool field_is(const struct field *f, const char *name, bool exact)
{
	const char *p = f->token;
	const char *end = p + f->token_size;
	if (exact && f->quoted) {
		const size_t size = line_trim_field(f, &p);
		end = p++ + size - 1;
	} else if (exact) {
		p = f->start;
		end = p + f->size;
	}
	for (; p < end; p++) {
		if (*name == '\0' || *p != *name++)
			return false;
		if (f->quoted && *p == '"' && p + 1 < end && p[1] == '"')
			p++;
	}
	return *name == '\0';
}

/* How many fields of the line say name; *number is the last one's. */
static uint64_t count_named(const struct text_rules *rules, const struct line *line, const char *name, bool exact,
			    uint64_t *number)
{
	struct field f;
	const char *at = NULL;
	uint64_t count = 0;
	for (uint64_t i = 1; line_next_field(rules, line, &at, &f); i++) {
		if (field_is(&f, name, exact)) {
			*number = i;
			count++;
		}
	}
	return count;
}

uint64_t header_names(const struct text_rules *rules, const struct line *line, const char *name, uint64_t *number)
{
	const uint64_t count = count_named(rules, line, name, true, number);
	return count > 0 ? count : count_named(rules, line, name, false, number);
}

static void fail(struct problem *problem, uint64_t line, const char *what, const char *text, size_t size)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	*problem = (struct problem){.status = STATUS_DATA, .fatal = true, .line = line};
	(void)snprintf(problem->text, sizeof problem->text, "%s %s", what, message_quote(quoted, text, size));
}

/* The number of the field that the line calls name, or else calls so with blanks around it; 0 and *problem if there is not
 * exactly one. */
static uint64_t find_name(const struct text_rules *rules, const struct line *line, const char *name,
			  uint64_t line_number, struct problem *problem)
{
	uint64_t number = 0;
	const uint64_t count = header_names(rules, line, name, &number);
	if (count == 1)
		return number;
	fail(problem, line_number, "several fields are called", name, strlen(name));
	if (count == 0) {
		const size_t size = (size_t)snprintf(problem->text, sizeof problem->text, "no field is called ");
		hint_of_name(rules, line, name, problem->text + size, sizeof problem->text - size);
	}
	return 0;
}

/* A name as a field: quoted where CSV needs that. */
static enum status put_name(const struct text_rules *rules, const char *name, size_t size, struct bytes *out)
{
	if (bytes_reserve(out, 2 * size + 2) != STATUS_OK)
		return STATUS_SYSTEM;
	char *text = (char *)out->data + out->size;
	memcpy(text, name, size);
	out->size += rules->cut == CUT_CSV ? line_quote_field(rules, text, size) : size;
	return STATUS_OK;
}

/* A field's name with a result's: within the quotes, if there are any. */
static enum status join_name(const struct field *f, const char *name, struct bytes *out)
{
	const char *text;
	const size_t size = line_trim_field(f, &text);
	enum status status = bytes_append(out, text, size - (f->quoted ? 1 : 0));
	if (status == STATUS_OK)
		status = bytes_append(out, "_", 1);
	if (status == STATUS_OK)
		status = bytes_append(out, name, strlen(name));
	if (status == STATUS_OK && f->quoted)
		status = bytes_append(out, "\"", 1);
	return status;
}

const uint64_t *header_fields(const struct header *h)
{
	return (const uint64_t *)(const void *)h->numbers.data;
}

/* The results' names from the line that names the fields. */
static enum status name_results(struct header *h, const struct record_format *format, const struct line *line)
{
	const struct text_rules *rules = &format->text;
	const char delimiter = text_delimiter(rules);
	const char *as = rules->as;
	enum status status = STATUS_OK;
	const size_t count = rules->field_count / rules->inputs * rules->result_count;
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		const struct result_name *name = &format->names[i % rules->result_count];
		struct field f;
		if (i > 0)
			status = bytes_append(&h->names, &delimiter, 1);
		if (status == STATUS_OK && as != NULL) {
			/* A name alone may have commas in it. */
			const size_t size = count == 1 ? strlen(as) : strcspn(as, ",");
			status = put_name(rules, as, size, &h->names);
			as += size + 1;
		} else if (status == STATUS_OK && name->is_whole) {
			status = put_name(rules, name->text, strlen(name->text), &h->names);
		} else if (status == STATUS_OK) {
			const size_t field = i / rules->result_count * rules->inputs; /* an element's first */
			line_find_field(rules, line, header_fields(h)[field], &f);
			status = join_name(&f, name->text, &h->names);
		}
		if (status == STATUS_OK)
			status = bytes_append(&h->name_ends, &h->names.size, sizeof h->names.size);
	}
	return status;
}

static enum status remember(struct header *h, const struct record_format *format, const struct line *line,
			    uint64_t line_number, struct problem *problem)
{
	const struct text_rules *rules = &format->text;
	enum status status = STATUS_OK;
	const size_t total = rules->field_count + rules->key_count + rules->reset_count + rules->gap_count;
	for (size_t i = 0; i < total && status == STATUS_OK && problem->status == STATUS_OK; i++) {
		uint64_t number = rules->fields[i].number;
		if (rules->fields[i].name != NULL)
			number = find_name(rules, line, rules->fields[i].name, line_number, problem);
		const bool is_replaced = rules->lines == LINES_REPLACED && i < rules->field_count;
		for (size_t k = 0; k < i && is_replaced && problem->status == STATUS_OK; k++) {
			if (header_fields(h)[k] != number)
				continue;
			fail(problem, line_number, "--replace: a field is there twice (see -f):", line->start,
			     (size_t)(line->end - line->start));
			problem->status = STATUS_USAGE;
		}
		status = bytes_append(&h->numbers, &number, sizeof number);
	}
	h->known = status == STATUS_OK && problem->status == STATUS_OK;
	return h->known ? name_results(h, format, line) : status;
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

enum status header_take(struct header *h, const struct record_format *format, const char *bytes, size_t size,
			uint64_t *count, uint64_t *dropped, struct problem *problem)
{
	const struct text_rules *rules = &format->text;
	const uint64_t known = h->line_count;
	const char *p = bytes;
	const char *end = bytes + size;
	size_t at = 0;
	enum status status = STATUS_OK;
	struct line line;
	*count = 0;
	*dropped = 0;
	for (uint64_t number = 1; status == STATUS_OK && p < end && *count < rules->header_lines; p = line.next) {
		const char *start = p;
		const bool closed = line_take(rules, p, end, &line);
		const uint64_t line_number = number;
		number += line_count(start, line.next);
		if (line_is_comment(rules, start, end))
			continue;
		if (!closed) {
			fail(problem, line_number, "a quoted field is not closed:", start, (size_t)(line.end - start));
			return STATUS_OK;
		}
		++*count;
		if (*count <= known && !is_same(h, &line, &at)) {
			fail(problem, line_number, "the header is not that of the first file:", start,
			     (size_t)(line.end - start));
			return STATUS_OK;
		}
		if (*count <= known) {
			++*dropped;
			continue;
		}
		h->line_count++;
		status = bytes_append(&h->lines, line.start, (size_t)(line.end - line.start));
		if (status == STATUS_OK)
			status = bytes_append(&h->lines, "\n", 1);
		if (status == STATUS_OK && *count == rules->header_lines)
			status = remember(h, format, &line, line_number, problem);
	}
	return status;
}

void header_free(struct header *h)
{
	bytes_free(&h->lines);
	bytes_free(&h->numbers);
	bytes_free(&h->names);
	bytes_free(&h->name_ends);
}
