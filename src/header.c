/* Of several header lines the last one names the fields. Comments among them do not count. */
#include "header.h"

#include <stdio.h>
#include <string.h>

#include "line.h"
#include "message.h"

/* Whether a field says name; doubled quotes count once. */
static bool field_is(const struct field *f, const char *name)
{
	const char *end = f->token + f->token_size;
	for (const char *p = f->token; p < end; p++) {
		if (*name == '\0' || *p != *name++)
			return false;
		if (f->quoted && *p == '"' && p + 1 < end && p[1] == '"')
			p++;
	}
	return *name == '\0';
}

static void fail(struct problem *problem, uint64_t line, const char *what, const char *text, size_t size)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	*problem = (struct problem){.status = STATUS_DATA, .fatal = true, .line = line};
	(void)snprintf(problem->text, sizeof problem->text, "%s %s", what, message_quote(quoted, text, size));
}

/* The number of the field that the line calls rules->field_name; 0 and *problem if there is not exactly one. */
static uint64_t find_name(const struct text_rules *rules, const struct line *line, uint64_t line_number,
			  struct problem *problem)
{
	struct field f;
	const char *at = NULL;
	uint64_t found = 0;
	for (uint64_t i = 1; line_next_field(rules, line, &at, &f); i++) {
		if (!field_is(&f, rules->field_name))
			continue;
		if (found != 0) {
			fail(problem, line_number, "several fields are called", rules->field_name,
			     strlen(rules->field_name));
			return 0;
		}
		found = i;
	}
	if (found == 0)
		fail(problem, line_number, "no field is called", rules->field_name, strlen(rules->field_name));
	return found;
}

/* A name as a field: quoted where CSV needs that. */
static enum status put_name(const struct text_rules *rules, const char *name, struct bytes *out)
{
	const char special[] = {'"', rules->delimiter, '\r', '\n', '\0'};
	if (!rules->csv || strpbrk(name, special) == NULL)
		return bytes_append(out, name, strlen(name));
	enum status status = bytes_append(out, "\"", 1);
	for (; *name != '\0' && status == STATUS_OK; name++)
		status = bytes_append(out, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
	return status == STATUS_OK ? bytes_append(out, "\"", 1) : status;
}

/* The results' name from the line that names the fields. */
static enum status name_results(struct header *h, const struct plan *plan, const struct line *line)
{
	const struct text_rules *rules = &plan->text;
	struct field f;
	if (rules->as != NULL)
		return put_name(rules, rules->as, &h->name);
	line_find_field(rules, line, h->field, &f);
	/* Within the quotes, if there are any. */
	const char *text = f.quoted ? f.start : f.token;
	const char *end = f.quoted ? f.start + f.size : f.token + f.token_size;
	while (f.quoted && *--end != '"')
		;
	enum status status = bytes_append(&h->name, text, (size_t)(end - text));
	if (status == STATUS_OK)
		status = bytes_append(&h->name, "_", 1);
	if (status == STATUS_OK)
		status = bytes_append(&h->name, plan->op->name, strlen(plan->op->name));
	if (status == STATUS_OK && f.quoted)
		status = bytes_append(&h->name, "\"", 1);
	return status;
}

static enum status remember(struct header *h, const struct plan *plan, const struct line *line, uint64_t line_number,
			    struct problem *problem)
{
	h->field = plan->text.field;
	if (plan->text.field_name != NULL)
		h->field = find_name(&plan->text, line, line_number, problem);
	h->known = problem->status == STATUS_OK;
	return h->known && h->field != 0 ? name_results(h, plan, line) : STATUS_OK;
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

enum status header_take(struct header *h, const struct plan *plan, const char *bytes, size_t size, uint64_t *count,
			struct problem *problem)
{
	const struct text_rules *rules = &plan->text;
	const bool first = !h->known;
	const char *p = bytes;
	const char *end = bytes + size;
	size_t at = 0;
	enum status status = STATUS_OK;
	struct line line;
	*count = 0;
	if (first)
		h->lines.size = 0;
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
		if (!first && !is_same(h, &line, &at)) {
			fail(problem, line_number, "the header is not that of the first file:", start,
			     (size_t)(line.end - start));
			return STATUS_OK;
		}
		if (!first)
			continue;
		status = bytes_append(&h->lines, line.start, (size_t)(line.end - line.start));
		if (status == STATUS_OK)
			status = bytes_append(&h->lines, "\n", 1);
		if (status == STATUS_OK && *count == rules->header_lines)
			status = remember(h, plan, &line, line_number, problem);
	}
	return status;
}

void header_free(struct header *h)
{
	bytes_free(&h->lines);
	bytes_free(&h->name);
}
