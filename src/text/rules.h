/* What the bytes of the input and of the output are. */
#ifndef PSCAN_TEXT_RULES_H
#define PSCAN_TEXT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "number/decimal.h"
#include "number/packed.h"
#include "number/printf_format.h"
#include "number/type.h"

enum format { FORMAT_AUTO, FORMAT_TEXT, FORMAT_BINARY, FORMAT_NPY };

/* What a number that is missing, or a NaN, is. */
enum missing {
	MISSING_FAIL,
	MISSING_SKIP,
	MISSING_KEEP,
	MISSING_HOLD,
	MISSING_PROPAGATE, /* a NaN only: it is a number */
	MISSING_VALUE
};

struct missing_rule {
	enum missing how;
	const char *value; /* the token that stands in, if MISSING_VALUE */
};

/* What any other token that is no number is. */
enum invalid { INVALID_ABORT, INVALID_FAIL, INVALID_WARN, INVALID_IGNORE };

/* What becomes of the lines in the output. */
enum lines {
	LINES_DROPPED, /* one result a line */
	LINES_APPENDED, /* each line, with its result as a new last field */
	LINES_REPLACED, /* each line, with its result in the field's place */
};

/* How a line is cut into fields. */
enum cut {
	CUT_BLANKS, /* between runs of blanks */
	CUT_DELIMITER, /* at each delimiter */
	CUT_CSV, /* the same, but for those in quotes */
	CUT_LOG, /* between runs of blanks, but for those in quotes and brackets */
	CUT_LOGFMT, /* the same of key=value: fields are found by their keys */
	CUT_JSON, /* fields are the members of an object */
};

/* What is added to the number of a field that is counted from the last one of each line, which is 1. No line has that
 * many fields. */
#define FIELD_FROM_END (UINT64_C(1) << 62)

/* A field that holds numbers. */
struct field_choice {
	uint64_t number; /* from 1 */
	const char *name; /* not NULL: the header tells the number (header.h), or the members do (members.h) */
	bool is_whole; /* of a member: the name is no path */
};

struct members;

/* Scans begin anew where a field, or a date and its time of day, is far from its value in the record before. */
struct gap_rule {
	bool given; /* --reset-gap */
	int128 least; /* at DECIMAL_SCALE_MAX; a time is in seconds */
	size_t count; /* fields: 0, 1, or 2 */
	bool is_time; /* the least gap has a unit: numbers are times, too */
	const char *text; /* the least gap as it was given, for messages */
};

/* What tokens are that are not numbers. */
struct token_rules {
	struct missing_rule missing; /* of absent and empty fields, and of marks */
	const char *marks; /* a list (marks.h), or NULL: the usual ones */
	bool marks_have_digits; /* a mark may be a number as well */
	bool has_nan; /* --nan: a NaN is what nan says */
	struct missing_rule nan;
	enum invalid invalid;
};

/* What lines come out. */
struct line_output {
	enum lines lines;
	/* Of the fields after the numbers, how many begin each line of results: the keys. A line of totals also begins
	 * with what resets go by. */
	size_t shown_keys;
	const char *as; /* names of the results in the header, joined by commas, or NULL */
};

/* What records are. */
struct record_rules {
	bool are_lines; /* each line is an element, whatever its only field says */
	bool are_all; /* records without a number count as well: scans begin anew where records change */
	bool stay_in_place; /* a record that is kept or held has an element that takes no part (struct held) */
	bool are_blank; /* CSV of one column: a blank line is an empty field */
	bool end_ranges; /* the first record says where a range of fields ends */
	bool need_all; /* of several numbers of a record none may be absent: results are bytes of integers */
};

/* Lines that are errors. */
struct line_checks {
	uint64_t columns; /* not 0: a line with more fields is an error */
	bool log_names; /* fields of CUT_LOG were named: the format's own fields must be where they are in a log */
};

/* How lines become tokens. Strings and arrays are borrowed. Of the chosen fields of a record the numbers come first,
 * then its key, then what resets go by, then the fields of the gap. */
struct text_rules {
	const struct field_choice *fields; /* all that are chosen */
	size_t field_count; /* of the numbers. 0: every white-space-separated token is a number and a record */
	size_t key_count; /* each distinct key has scans of its own */
	size_t reset_count; /* scans begin anew where one of these fields changes */
	size_t total_count; /* of all fields that are chosen */
	struct gap_rule gap;
	const struct hash_key *hash_key;
	const uint64_t *numbers; /* of all fields; NULL if a field has a name that a header tells the number of */
	bool counts_from_end; /* a number is FIELD_FROM_END or more */
	const struct members *members; /* the fields, where each line names its own (text_names_fields); else NULL */
	size_t inputs; /* fields of an element, one after the other */
	size_t result_count; /* results of each element */
	enum cut cut;
	char delimiter; /* unless text_by_blanks */
	uint64_t header_lines; /* at the start of each file */
	uint64_t names_line; /* the header's line that names the fields, from 1; 0: the last */
	const char *comment; /* lines that begin so are left out, or NULL */
	size_t comment_size;
	struct record_rules records;
	struct token_rules tokens;
	struct line_checks checks;
	struct line_output output;
	/* The numbers are exact decimals, even those that have become floats. Then a NaN is a mark, unless
	 * tokens.has_nan. */
	bool exact;
	bool types_declared; /* by programs, not by -t */
};

/* The number of a chosen field in a line that has `count` fields; UINT64_MAX: it has none that far from its end. */
static inline uint64_t text_field_number(uint64_t number, uint64_t count)
{
	if (number < FIELD_FROM_END)
		return number;
	return number - FIELD_FROM_END <= count ? count + 1 - (number - FIELD_FROM_END) : UINT64_MAX;
}

/* The header's line that names the fields, from 1; 0: no line does. */
static inline uint64_t text_names_line(const struct text_rules *rules)
{
	return rules->names_line > 0 ? rules->names_line : rules->header_lines;
}

/* Whether the header tells the number of some field. */
static inline bool text_has_names(const struct text_rules *rules)
{
	return rules->numbers == NULL && rules->field_count > 0 && rules->header_lines > 0;
}

/* Whether records begin segments, and not a lane's elements alone. */
static inline bool text_resets_by_records(const struct text_rules *rules)
{
	return rules->reset_count > 0 || rules->gap.given;
}

/* Whether runs of blanks separate the fields, of which none can be empty then. */
static inline bool text_by_blanks(const struct text_rules *rules)
{
	return rules->cut == CUT_BLANKS || rules->cut == CUT_LOG || rules->cut == CUT_LOGFMT;
}

/* Whether each line names its fields itself, so that their numbers are those of struct members. */
static inline bool text_names_fields(const struct text_rules *rules)
{
	return rules->cut == CUT_LOGFMT || rules->cut == CUT_JSON;
}

/* Which option decides what the numbers are, at a message's end. */
static inline const char *text_type_hint(const struct text_rules *rules)
{
	return rules->types_declared ? " (see -op)" : " (see -t)";
}

/* What stands between fields that are written. */
static inline char text_delimiter(const struct text_rules *rules)
{
	return text_by_blanks(rules) ? ' ' : rules->cut == CUT_JSON ? ',' : rules->delimiter;
}

/* How tokens become elements, or how a scan of exact decimals reads its own at present. */
struct element_format {
	const struct type *type; /* of the stored elements */
	const struct packed *numbers; /* of several types, or NULL: of the one */
	bool decimal; /* mantissas of exact decimals at this scale */
	unsigned scale;
	/* each mantissa at the scale that it was written with (enum own_scale), which struct column's scales have */
	bool own_scale;
	bool integers_only; /* prod of decimals: a fraction ends exactness; bit operators: it is an error */
};

/* What a result is called. */
struct result_name {
	const char *text;
	bool is_whole; /* the name, else FIELD_text */
};

/* What stands before a field that is written, in the delimiter's place. */
struct label {
	const char *text; /* delimiter, name and what follows it */
	size_t size;
};

/* How bytes are elements, and results bytes again. */
struct record_format {
	enum format input, output; /* FORMAT_TEXT or FORMAT_BINARY */
	const struct type *in; /* of binary elements; for decimals the first one, i64 */
	size_t record_size; /* of binary input */
	bool in_swapped, out_swapped; /* binary in or out is not in the machine's byte order */
	struct text_rules text;
	const struct number_spec *number_format; /* of results as text, or NULL: the shortest */
	bool may_need_quotes; /* results as CSV: for what the format puts around them, or a strange delimiter */
	const struct result_name *names; /* of an element's results: text.result_count of them */
	const struct label
		*labels; /* of all results, of the keys and of what resets go by, where they are named; or NULL */
	size_t label_max; /* bytes of the longest */
};

#endif
