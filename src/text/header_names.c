/* Which fields of a line have a name; and the names that --state keeps for the next run to compare with its own. */
#include <string.h>

#include "base/message.h"
#include "text/header.h"
#include "text/line.h"
#include "text/quotes.h"

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
	for (; p < end; p = f->quoted ? quotes_next(p, end) : p + 1) {
		if (*name == '\0' || *p != *name++)
			return false;
	}
	return *name == '\0';
}

/* How many fields of the line say name; the first `most` of their numbers are stored. */
static uint64_t count_named(const struct text_rules *rules, const struct line *line, const char *name, bool exact,
			    uint64_t *numbers, size_t most)
{
	struct field f;
	const char *at = NULL;
	uint64_t count = 0;
	for (uint64_t i = 1; line_next_field(rules, line, &at, &f); i++) {
		if (field_is(&f, name, exact)) {
			if (count < most)
				numbers[count] = i;
			count++;
		}
	}
	return count;
}

uint64_t header_numbers_of(const struct text_rules *rules, const struct line *line, const char *name, uint64_t *numbers,
			   size_t most)
{
	const uint64_t count = count_named(rules, line, name, true, numbers, most);
	return count > 0 ? count : count_named(rules, line, name, false, numbers, most);
}

/* One name in one line. */
static enum status put(struct bytes *names, const char *name, size_t size)
{
	const size_t begin = names->size;
	TRY(bytes_append(names, name, size));
	TRY(bytes_append(names, "\n", 1));
	for (size_t i = begin; i + 1 < names->size; i++)
		names->data[i] = names->data[i] == '\n' ? ' ' : names->data[i];
	return STATUS_OK;
}

/* Of names that each have an end. */
static size_t name_size(const char *name, const char *end)
{
	return name < end ? (size_t)((const char *)memchr(name, '\n', (size_t)(end - name)) - name) : 0;
}

enum status header_put_names(const struct header *h, const struct text_rules *rules, const struct bytes *before,
			     struct bytes *names)
{
	const char *old = before->size > 0 ? (const char *)before->data : "";
	const char *old_end = old + before->size;
	const char *lines = h->lines.size > 0 ? (const char *)h->lines.data : "";
	const char *start = lines + h->names_line;
	const struct line line = {.start = start, .end = start + h->names_size, .next = start + h->names_size + 1};
	const uint64_t *numbers = (const uint64_t *)(const void *)h->numbers.data;
	const size_t count = h->numbers.size / sizeof *numbers;
	if (!h->known || (count > 0 && !h->are_names_sure))
		return STATUS_OK;
	if (count == 0)
		return put(names, start, h->names_size);
	for (size_t i = 0; i < count; i++) {
		struct field f = {.token = ""};
		const size_t old_size = name_size(old, old_end);
		if (rules->fields[i].name == NULL && numbers[i] == HEADER_NAME_UNKNOWN)
			f = old < old_end ? (struct field){.token = old, .token_size = old_size}
					  : (struct field){.token = "\0", .token_size = 1};
		else if (rules->fields[i].name == NULL)
			line_find_field(rules, &line, numbers[i], &f);
		TRY(put(names, f.token, f.token_size));
		old += old < old_end ? old_size + 1 : 0;
	}
	return STATUS_OK;
}

void header_compare_names(const struct header *h, const struct bytes *before, const struct bytes *names,
			  struct problem *problem)
{
	const char *old = (const char *)before->data;
	const char *new = (const char *)names->data;
	if (before->size == 0 || names->size == 0 ||
	    (before->size == names->size && memcmp(old, new, names->size) == 0))
		return;
	const char *old_end = old + before->size;
	const char *new_end = new + names->size;
	size_t old_size = name_size(old, old_end);
	size_t new_size = name_size(new, new_end);
	while (old < old_end && (header_is_unknown((const unsigned char *)old, old_size) ||
				 (old_size == new_size && memcmp(old, new, new_size) == 0))) {
		old += old_size + 1;
		new += new_size + 1;
		old_size = name_size(old, old_end);
		new_size = name_size(new, new_end);
	}
	if (old == old_end && new == new_end)
		return;
	(void)problem_set(problem, STATUS_DATA, "the header has %s where earlier runs had %s (--state)",
			  message_quoted_part(new, new_size), message_quoted_part(old, old_size));
	problem->line = h->names_number;
}
