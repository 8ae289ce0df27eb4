/* What the bytes of the input and of the output are. */
#ifndef PSCAN_TEXT_RULES_H
#define PSCAN_TEXT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* How lines become tokens. Strings are borrowed. */
struct text_rules {
	uint64_t field; /* from 1; 0: every white-space-separated token is a number */
	const char *field_name; /* the header tells the field (header.h), or NULL */
	bool by_blanks; /* fields are separated by runs of blanks, else by delimiter */
	bool csv; /* quotes count */
	char delimiter;
	uint64_t header_lines; /* at the start of each file */
	const char *comment; /* lines that begin so are none of ours, or NULL */
	size_t comment_size;
	enum lines lines;
	const char *as; /* name of the results in the header, or NULL */
	enum missing missing;
	const char *missing_value; /* the token that stands in, if MISSING_VALUE */
	enum invalid invalid;
};

/* How tokens become elements. For exact decimals it changes in the course of the stream; version counts the changes. */
struct element_format {
	const struct type *type; /* of the stored elements */
	bool decimal; /* mantissas of exact decimals at this scale */
	unsigned scale;
	bool integers_only; /* prod of decimals: a fraction ends exactness; bit operators: it is an error */
	bool written; /* the decimals of every token count, not only the scale */
	unsigned version;
};

/* How bytes are elements, and results bytes again. */
struct record_format {
	enum format input, output; /* never FORMAT_AUTO */
	const struct type *in; /* of binary elements; for decimals the first one, i64 */
	bool in_swapped, out_swapped; /* binary in or out is not in the machine's byte order */
	struct text_rules text;
	const struct number_spec *number_format; /* of results as text, or NULL: the shortest */
	bool may_need_quotes; /* results as CSV: for what the format puts around them, or a strange delimiter */
	const char *operator_name; /* part of the results' name */
};

#endif
