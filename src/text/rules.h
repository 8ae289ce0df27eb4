/* What the bytes of the input and of the output are. */
#ifndef PSCAN_TEXT_RULES_H
#define PSCAN_TEXT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/packed.h"
#include "number/printf_format.h"
#include "number/type.h"

enum format { FORMAT_AUTO, FORMAT_TEXT, FORMAT_BINARY };

/* What an absent or marked field is. */
enum missing { MISSING_FAIL, MISSING_SKIP, MISSING_KEEP, MISSING_VALUE };

/* What any other token that is no number is. */
enum invalid { INVALID_ABORT, INVALID_FAIL, INVALID_WARN, INVALID_IGNORE };

/* What becomes of the lines in the output. */
enum lines {
	LINES_DROPPED, /* one result a line */
	LINES_APPENDED, /* each line, with its result as a new last field */
	LINES_REPLACED, /* each line, with its result in the field's place */
};

/* A field that holds numbers. */
struct field_choice {
	uint64_t number; /* from 1 */
	const char *name; /* not NULL: the header tells the number (header.h) */
};

/* How lines become tokens. Strings and arrays are borrowed. */
struct text_rules {
	const struct field_choice *fields; /* a record is a line, with so many numbers: */
	size_t field_count; /* 0: every white-space-separated token is a number and a record */
	const uint64_t *numbers; /* theirs; NULL if a field has a name */
	size_t inputs; /* an element is so many of the fields, one after the other */
	size_t result_count; /* results of each element */
	uint64_t columns; /* not 0: a line with more fields is an error */
	bool by_blanks; /* fields are separated by runs of blanks, else by delimiter */
	bool csv; /* quotes count */
	char delimiter;
	uint64_t header_lines; /* at the start of each file */
	const char *comment; /* lines that begin so are none of ours, or NULL */
	size_t comment_size;
	enum lines lines;
	const char *as; /* names of the results in the header, joined by commas, or NULL */
	enum missing missing;
	const char *missing_value; /* the token that stands in, if MISSING_VALUE */
	bool needs_all; /* of several numbers of a record none may be absent: results are bytes of integers */
	enum invalid invalid;
	bool types_declared; /* by programs, not by -t */
};

/* Which option decides what the numbers are, at a message's end. */
static inline const char *text_type_hint(const struct text_rules *rules)
{
	return rules->types_declared ? " (see -op)" : " (see -t)";
}

/* What stands between fields that are written. */
static inline char text_delimiter(const struct text_rules *rules)
{
	return rules->by_blanks ? ' ' : rules->delimiter;
}

/* How tokens become elements. For exact decimals it changes in the course of the stream. */
struct element_format {
	const struct type *type; /* of the stored elements */
	const struct packed *numbers; /* of several types, or NULL: of the one */
	bool decimal; /* mantissas of exact decimals at this scale */
	unsigned scale;
	bool integers_only; /* prod of decimals: a fraction ends exactness; bit operators: it is an error */
	bool written; /* the decimals of every token count, not only the scale */
};

/* What a result is called. */
struct result_name {
	const char *text;
	bool is_whole; /* the name, else FIELD_text */
};

/* How bytes are elements, and results bytes again. */
struct record_format {
	enum format input, output; /* never FORMAT_AUTO */
	const struct type *in; /* of binary elements; for decimals the first one, i64 */
	size_t record_size; /* of binary input */
	bool in_swapped, out_swapped; /* binary in or out is not in the machine's byte order */
	struct text_rules text;
	const struct number_spec *number_format; /* of results as text, or NULL: the shortest */
	bool may_need_quotes; /* results as CSV: for what the format puts around them, or a strange delimiter */
	const struct result_name *names; /* of an element's results: text.result_count of them */
};

#endif
