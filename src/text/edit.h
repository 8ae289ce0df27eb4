/* Lines of the input that come out are copied, but for edits. */
#ifndef PSCAN_TEXT_EDIT_H
#define PSCAN_TEXT_EDIT_H

#include "base/memory.h"
#include "text/line.h"
#include "text/rules.h"

/* What stands in the output after the bytes that an edit copies. The results come field by field, each field's one by
 * one. */
enum edit_kind {
	EDIT_NOTHING,
	EDIT_RESULT,
	EDIT_NO_RESULT, /* the next element gives nothing */
	EDIT_HELD, /* the result before, or where there is none what is skipped */
	EDIT_DELIMITERS, /* skipped of them; nothing is skipped */
	EDIT_DELIMITER_RESULT, /* of one element */
	EDIT_DELIMITER_RESULTS, /* of each element */
	EDIT_DELIMITER_MARK, /* the next mark */
	/* the results before; for those that there are not, the next mark of lines with new fields */
	EDIT_DELIMITER_HELD,
	EDIT_DELIMITER_NAMES, /* what the header calls all results */
	EDIT_NAME,
	EDIT_NEWLINE,
};

struct edit {
	uint32_t copied; /* bytes of the input, after the edit before */
	uint32_t skipped; /* bytes after them that do not come out */
	enum edit_kind kind;
	uint32_t field; /* the index of its element among the record's */
};

/* Makes the edits of a text from its start to its end. */
struct editor {
	const struct text_rules *rules;
	const char *edited; /* the edits say what becomes of the bytes before it */
	struct bytes *edits; /* struct edit, appended; borrowed */
};

/* What became of a field of a line. */
enum field_outcome {
	TAKEN_NOTHING,
	TAKEN_ELEMENT,
	TAKEN_KEPT, /* an element that gives nothing: its line stays as it is */
	TAKEN_MARK,
	TAKEN_HELD,
	TAKEN_SKIPPED /* a missing number: nothing comes out */
};

/* A line and its fields, rules->field_count of them. */
struct edited_line {
	const char *end;
	const struct field *fields;
	const enum field_outcome *outcomes;
	const size_t *order; /* their indices in the order of their numbers */
	size_t lacking; /* fields that are missing before new ones */
};

/* Whether the columns got an element. */
static inline bool edit_has_element(enum field_outcome outcome)
{
	return outcome == TAKEN_ELEMENT || outcome == TAKEN_KEPT;
}

/* The functions return STATUS_SYSTEM after a message if there is no memory. */

/* The line does not come out. */
enum status edit_drop(struct editor *e, const struct line *line) MUST_CHECK;
/* Results take their place in the line, as its new last fields or in the fields' places. */
enum status edit_results(struct editor *e, const struct edited_line *line) MUST_CHECK;
/* A token and its result become a line of their own; space_end: where the white space after it ends. */
enum status edit_token(struct editor *e, const char *token, size_t size, const char *space_end,
		       enum field_outcome outcome) MUST_CHECK;
/* The results' names do, in the line that names the fields; its outcomes do not matter. */
enum status edit_names(struct editor *e, const struct edited_line *line) MUST_CHECK;

#endif
