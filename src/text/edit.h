/* Edits: how lines of the input become lines of the output. A line is copied except where an edit changes it. */
#ifndef PSCAN_TEXT_EDIT_H
#define PSCAN_TEXT_EDIT_H

#include "base/memory.h"
#include "text/line.h"
#include "text/rules.h"

/* What an edit writes after the bytes that it copies. Results are written field by field. */
enum edit_kind {
	EDIT_NOTHING, /* Nothing. */
	EDIT_RESULT, /* The next result. */
	EDIT_NO_RESULT, /* Nothing; the next element's result is left out. */
	/* `skipped` delimiters, each with the text of an absent result after it, which is often empty. No bytes are
	 * left out. */
	EDIT_DELIMITERS,
	EDIT_DELIMITER_RESULT, /* A delimiter and the next result, of one element. */
	EDIT_DELIMITER_RESULTS, /* A delimiter and the next result, for each element of the record. */
	EDIT_DELIMITER_NAMES, /* Delimiters and the names of all results. */
	EDIT_NAME, /* The name of a result. */
	EDIT_NEWLINE, /* A newline. */
};

struct edit {
	uint32_t copied; /* Bytes of the input to copy, beginning where the previous edit ended. */
	uint32_t skipped; /* Bytes after them that are left out. */
	enum edit_kind kind;
	uint32_t field; /* The index of the field's element among the record's elements. */
};

/* Makes the edits of a text, from its beginning to its end. */
struct editor {
	const struct text_rules *rules;
	/* The input before this place is covered by edits. The functions below move it on. The line or token that they
	 * are given must not begin before it. */
	const char *edited;
	struct bytes *edits; /* An array of struct edit, to which edits are appended. Borrowed. */
};

/* What decoding made of a field of a line. */
enum field_outcome {
	TAKEN_NOTHING, /* The field is not a number. It gave no element. */
	TAKEN_ELEMENT, /* The field gave an element, whose result is written. */
	/* Only with --replace and `keep`, for a field that its line lacks: the field gave an element, whose result is
	 * not written. */
	TAKEN_KEPT,
	TAKEN_SKIPPED /* The number is left out. It gave no element. */
};

/* A line and its fields. The arrays have rules->field_count entries. */
struct edited_line {
	const char *end; /* Where new fields go: before the newline, or in JSON after the last member. */
	const struct field *fields; /* The fields of numbers. */
	const enum field_outcome *outcomes; /* The outcome of each field. */
	const size_t *order; /* The indices of the fields in the order of their places in the line. */
	size_t lacking; /* How many of its last fields the line lacks. Their delimiters come before new fields. */
};

/* Whether the field gave an element to its columns. */
static inline bool edit_has_element(enum field_outcome outcome)
{
	return outcome == TAKEN_ELEMENT || outcome == TAKEN_KEPT;
}

/* Appends the edit that leaves a line, its newline included, out of the output. STATUS_SYSTEM after a message if memory
 * is missing. */
enum status edit_drop(struct editor *e, const struct line *line) MUST_CHECK;
/* Appends the edits that put results into a line, as new last fields or in the fields' places:
 * rules->output.lines says which, and must not be LINES_DROPPED. STATUS_SYSTEM after a message if memory is missing. */
enum status edit_results(struct editor *e, const struct edited_line *line) MUST_CHECK;
/* Appends the edits that make a token and its result a line of their own. The white space around the token is left out.
 * space_end: the end of the white space after the token. STATUS_SYSTEM after a message if memory is missing. */
enum status edit_token(struct editor *e, const char *token, size_t size, const char *space_end,
		       enum field_outcome outcome) MUST_CHECK;
/* Appends the edits that put the results' names into the header line that names the fields. (With --replace only names
 * of --as are put.) line->outcomes is not used. STATUS_SYSTEM after a message if memory is missing. */
enum status edit_names(struct editor *e, const struct edited_line *line) MUST_CHECK;

#endif
