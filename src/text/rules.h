/* How the bytes of the input are read and those of the output are written. */
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

/* How a missing number, or a NaN, is treated. */
enum missing {
	MISSING_FAIL,
	MISSING_SKIP,
	MISSING_KEEP,
	MISSING_HOLD,
	MISSING_PROPAGATE, /* only for a NaN: it counts as a number */
	MISSING_VALUE
};

struct missing_rule {
	enum missing how;
	const char *value; /* for MISSING_VALUE: the token to read in its place */
};

/* How any other token is treated that is not a number. */
enum invalid { INVALID_ABORT, INVALID_FAIL, INVALID_WARN, INVALID_IGNORE };

/* Whether the lines of the input are written with their results. */
enum lines {
	LINES_DROPPED, /* one result a line */
	LINES_APPENDED, /* each line, with its result as a new last field */
	LINES_REPLACED, /* each line, with its result in the field's place */
};

/* How a line is cut into fields. */
enum cut {
	CUT_BLANKS, /* between runs of blanks */
	CUT_DELIMITER, /* at each delimiter */
	CUT_CSV, /* at each delimiter outside quotes */
	CUT_LOG, /* between runs of blanks outside quotes and brackets */
	CUT_LOGFMT, /* as CUT_LOG, of key=value: fields are found by their keys */
	CUT_JSON, /* fields are the members of an object */
};

/* Added to the number of a field that is counted from the end of its line, where the last field is 1. No line has this
 * many fields. */
#define FIELD_FROM_END (UINT64_C(1) << 62)

/* A field that holds numbers. */
struct field_choice {
	uint64_t number; /* from 1 */
	const char *name; /* not NULL: the header (header.h) or the members (members.h) give the number */
	bool is_whole; /* for a member: the name is not a path */
};

struct members;

/* --reset-gap: a new segment begins where a field, or a date with its time of day, is at least `least` away from its
 * value in the record before. */
struct gap_rule {
	bool given; /* --reset-gap */
	int128 least; /* at DECIMAL_SCALE_MAX; a time is in seconds */
	size_t count; /* how many fields it has: 0, 1, or 2 */
	bool is_time; /* the least gap has a unit, so numbers are times as well */
	const char *text; /* the least gap as it was given, for messages */
};

/* How tokens are treated that are not numbers. */
struct token_rules {
	struct missing_rule missing; /* for absent and empty fields, and marks */
	const char *marks; /* a list (marks.h), or NULL: the usual ones */
	bool marks_have_digits; /* a mark may be a number as well */
	bool has_nan; /* --nan was given: `nan` is the rule for a NaN */
	struct missing_rule nan;
	enum invalid invalid;
};

/* How lines are written. */
struct line_output {
	enum lines lines;
	/* How many of the fields after the numbers, which are the keys, begin each line of results. A line of totals
	 * begins with the fields of resets as well. */
	size_t shown_keys;
	const char *as; /* names of the results in the header, joined by commas, or NULL */
};

/* What counts as a record. */
struct record_rules {
	bool are_lines; /* each line is an element, whatever its only field is */
	bool are_all; /* records without a number also decide where segments begin */
	bool stay_in_place; /* a record that is kept or held has an element, which takes no part in the scan */
	bool are_blank; /* CSV of one column: a blank line is an empty field */
	bool end_ranges; /* the first record decides where a range of fields ends */
	bool need_all; /* a record must have all its numbers: results are binary integers */
};

/* Lines that are errors. */
struct line_checks {
	uint64_t columns; /* not 0: a line with more fields is an error */
	bool log_names; /* fields of CUT_LOG were named: the format's own fields must be where they are in a log */
};

/* How lines become tokens. Strings and arrays are borrowed. The chosen fields of a record are, in this order: the
 * numbers, the key, the fields of resets, and the fields of the gap. */
struct text_rules {
	const struct field_choice *fields; /* all chosen fields */
	size_t field_count; /* how many are numbers. 0: every token between white space is a number and a record */
	size_t key_count; /* how many form the key; each distinct key has its own scans */
	size_t reset_count; /* how many are for resets: a segment begins where one of them changes */
	size_t total_count; /* how many there are */
	struct gap_rule gap;
	const struct hash_key *hash_key;
	const uint64_t *numbers; /* of all chosen fields; NULL if a header must give the number of one */
	bool counts_from_end; /* a number is FIELD_FROM_END or more */
	const struct members *members; /* the fields, where each line names its own (text_names_fields); else NULL */
	size_t inputs; /* how many neighbouring fields an element has */
	size_t result_count; /* results of each element */
	enum cut cut;
	char delimiter; /* unless text_by_blanks */
	uint64_t header_lines; /* at the start of each file */
	uint64_t names_line; /* the header's line that names the fields, from 1; 0: the last */
	const char *comment; /* lines that begin with this text are comments; NULL: none are */
	size_t comment_size;
	struct record_rules records;
	struct token_rules tokens;
	struct line_checks checks;
	struct line_output output;
	/* The numbers are exact decimals, even those that have become floats. Then a NaN is a mark, unless
	 * tokens.has_nan. */
	bool exact;
	bool types_declared; /* the types were declared by programs, not by -t */
};

/* The number, from 1, of a chosen field in a line of `count` fields; `number` may be FIELD_FROM_END or more.
 * UINT64_MAX: the line has too few fields. */
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

/* Whether segments begin at records, and not at a lane's elements. */
static inline bool text_resets_by_records(const struct text_rules *rules)
{
	return rules->reset_count > 0 || rules->gap.given;
}

/* Whether runs of blanks separate the fields. Then no field can be empty. */
static inline bool text_by_blanks(const struct text_rules *rules)
{
	return rules->cut == CUT_BLANKS || rules->cut == CUT_LOG || rules->cut == CUT_LOGFMT;
}

/* Whether each line names its fields itself, so that their numbers are those of struct members. */
static inline bool text_names_fields(const struct text_rules *rules)
{
	return rules->cut == CUT_LOGFMT || rules->cut == CUT_JSON;
}

/* The end of a message: a hint at the option that decides the types. */
static inline const char *text_type_hint(const struct text_rules *rules)
{
	return rules->types_declared ? " (see -op)" : " (see -t)";
}

/* The character between written fields. */
static inline char text_delimiter(const struct text_rules *rules)
{
	return text_by_blanks(rules) ? ' ' : rules->cut == CUT_JSON ? ',' : rules->delimiter;
}

/* How tokens become elements. A scan of exact decimals may change its own in mid-stream. */
struct element_format {
	const struct type *type; /* of the stored elements */
	const struct packed *numbers; /* the numbers of an element of several types; NULL: all have `type` */
	bool decimal; /* mantissas of exact decimals at this scale */
	unsigned scale;
	/* each mantissa keeps the scale that it was written with (enum own_scale); struct column has these */
	bool own_scale;
	bool integers_only; /* only integers are exact: for prod of decimals a fraction ends exactness, for bit
	 * operators it is an error */
};

/* What a result is called. */
struct result_name {
	const char *text;
	bool is_whole; /* text is the whole name; else the name is FIELD_text */
};

/* A text that is written before a field, in place of the delimiter. */
struct label {
	const char *text; /* delimiter, name and what follows it */
	size_t size;
};

/* How bytes become elements, and results become bytes. */
struct record_format {
	enum format input, output; /* FORMAT_TEXT or FORMAT_BINARY */
	const struct type *in; /* of binary elements; for decimals the first one, i64 */
	size_t record_size; /* of binary input */
	bool in_swapped, out_swapped; /* binary in or out is not in the machine's byte order */
	struct text_rules text;
	const struct number_spec *number_format; /* of results as text, or NULL: the shortest */
	bool may_need_quotes; /* results in CSV may need quotes: the format adds text to them, or the delimiter is
	 * unusual */
	const struct result_name *names; /* of an element's results: text.result_count of them */
	const struct label *labels; /* of each result, key and field of resets, if these are named; or NULL */
	size_t label_max; /* bytes of the longest */
};

#endif
