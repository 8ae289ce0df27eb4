/* An edit counts bytes in 32 bits, so a longer stretch of the input takes several edits. */
#include "text/edit.h"

#include <string.h>

/* The bytes up to a place are copied, skipped ones after it are not, and what the kind says takes their place, of the
 * field with that index. */
static enum status add(struct editor *e, const char *place, size_t skipped, enum edit_kind kind, size_t index)
{
	size_t copied = (size_t)(place - e->edited);
	e->edited = kind == EDIT_DELIMITERS ? place : place + skipped;
	for (;;) {
		struct edit edit = {.copied = UINT32_MAX, .kind = EDIT_NOTHING, .field = (uint32_t)index};
		if (copied <= UINT32_MAX) {
			edit.copied = (uint32_t)copied;
			edit.skipped = skipped < UINT32_MAX ? (uint32_t)skipped : UINT32_MAX;
		}
		copied -= edit.copied;
		skipped -= edit.skipped;
		const bool whole = copied == 0 && skipped == 0;
		if (whole || kind == EDIT_DELIMITERS)
			edit.kind = kind;
		TRY(bytes_append(e->edits, &edit, sizeof edit));
		if (whole)
			return STATUS_OK;
	}
}

/* Something takes the place of a field; the blanks around it stay. */
static enum status replace_field(struct editor *e, const struct field *f, enum edit_kind kind, size_t index)
{
	const char *start;
	const size_t size = line_trim_field(f, &start);
	return add(e, start, size, kind, index);
}

enum status edit_drop(struct editor *e, const struct line *line)
{
	return add(e, line->start, (size_t)(line->next - line->start), EDIT_NOTHING, 0);
}

/* Results take their fields' places, which may have to be made; under runs of blanks they are there. */
static enum status replace_fields(struct editor *e, const struct edited_line *line)
{
	uint64_t made = 0;
	for (size_t i = 0; i < e->rules->field_count; i++) {
		const size_t index = line->order[i];
		const struct field *f = &line->fields[index];
		if (line->outcomes[index] == TAKEN_KEPT)
			TRY(add(e, line->end, 0, EDIT_NO_RESULT, index));
		if (line->outcomes[index] != TAKEN_ELEMENT)
			continue;
		if (!f->absent) {
			TRY(replace_field(e, f, EDIT_RESULT, index));
			continue;
		}
		const size_t others = (size_t)(f->absent_count - made) - 1;
		made = f->absent_count;
		if (others > 0)
			TRY(add(e, line->end, others, EDIT_DELIMITERS, index));
		TRY(add(e, line->end, 0, EDIT_DELIMITER_RESULT, index));
	}
	return STATUS_OK;
}

/* New fields for the results of an element. */
static enum status add_new(struct editor *e, const char *place, enum field_outcome outcome, size_t index)
{
	return outcome == TAKEN_ELEMENT ? add(e, place, 0, EDIT_DELIMITER_RESULT, index)
					: add(e, place, e->rules->result_count, EDIT_DELIMITERS, index);
}

enum status edit_token(struct editor *e, const char *token, size_t size, const char *space_end,
		       enum field_outcome outcome)
{
	const char *begin = token;
	/* Lines that pass may stand before it, and white space, which does not come out. */
	while (begin > e->edited && (begin[-1] == ' ' || (begin[-1] >= '\t' && begin[-1] <= '\r')))
		begin--;
	const char *newline = begin > e->edited ? memchr(begin, '\n', (size_t)(token - begin)) : NULL;
	begin = newline != NULL ? newline + 1 : begin;
	if (begin < token)
		TRY(add(e, begin, (size_t)(token - begin), EDIT_NOTHING, 0));
	TRY(add_new(e, token + size, outcome, 0));
	return add(e, token + size, (size_t)(space_end - token) - size, EDIT_NEWLINE, 0);
}

enum status edit_results(struct editor *e, const struct edited_line *line)
{
	bool has_all = true;
	if (e->rules->output.lines == LINES_REPLACED)
		return replace_fields(e, line);
	if (line->lacking > 0)
		TRY(add(e, line->end, line->lacking, EDIT_DELIMITERS, 0));
	for (size_t i = 0; i < e->rules->field_count; i++)
		has_all = has_all && line->outcomes[i] == TAKEN_ELEMENT;
	if (has_all)
		return add(e, line->end, 0, EDIT_DELIMITER_RESULTS, 0);
	const size_t inputs = e->rules->inputs; /* those of an element have one outcome */
	for (size_t index = 0; index < e->rules->field_count / inputs; index++)
		TRY(add_new(e, line->end, line->outcomes[index * inputs], index));
	return STATUS_OK;
}

enum status edit_names(struct editor *e, const struct edited_line *line)
{
	if (e->rules->output.lines == LINES_APPENDED && line->lacking > 0)
		TRY(add(e, line->end, line->lacking, EDIT_DELIMITERS, 0));
	if (e->rules->output.lines == LINES_APPENDED)
		return add(e, line->end, 0, EDIT_DELIMITER_NAMES, 0);
	for (size_t i = 0; i < e->rules->field_count && e->rules->output.as != NULL; i++) {
		const size_t index = line->order[i];
		const struct field *f = &line->fields[index];
		if (!f->absent)
			TRY(replace_field(e, f, EDIT_NAME, index));
	}
	return STATUS_OK;
}
