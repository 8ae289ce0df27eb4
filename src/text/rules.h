/* How the bytes of the input are read and those of the output are written. */
#ifndef PSCAN_TEXT_RULES_H
#define PSCAN_TEXT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "number/calendar.h"
#include "number/decimal.h"
#include "number/notation.h"
#include "number/packed.h"
#include "number/printf_format.h"
#include "number/type.h"

enum format { FORMAT_AUTO, FORMAT_TEXT, FORMAT_BINARY, FORMAT_NPY };

/* How a missing number, or a NaN, is treated: the values of --missing and --nan. */
enum missing {
	MISSING_FAIL, /* It is an error. */
	MISSING_SKIP, /* It is left out, and nothing is written for it. */
	MISSING_KEEP, /* It has an index, but no part in the scan. Its own text is written in place of a result. */
	MISSING_HOLD, /* It has an index, but no part in the scan. The previous result is written again. */
	MISSING_PROPAGATE, /* Only for a NaN: it counts as a number. */
	MISSING_VALUE /* Another token is read in its place. */
};

struct missing_rule {
	enum missing how;
	const char *value; /* For MISSING_VALUE: the token to read instead. Borrowed. */
};

/* How a token that is neither a number nor a missing one is treated: the values of --invalid. */
enum invalid { INVALID_ABORT, INVALID_FAIL, INVALID_WARN, INVALID_IGNORE };

/* Whether the lines of the input are written with their results. */
enum lines {
	LINES_DROPPED, /* No: a line of the output has only the results of a record. */
	LINES_APPENDED, /* Yes, with the results as new last fields (-a). */
	LINES_REPLACED, /* Yes, with each result in place of its field (--replace). */
};

/* How a line is cut into fields. */
enum cut {
	CUT_BLANKS, /* Runs of blanks separate fields. */
	CUT_DELIMITER, /* Each delimiter separates two fields. */
	CUT_CSV, /* Each delimiter outside quotes separates two fields. */
	CUT_LOG, /* Runs of blanks outside quotes and brackets separate fields. */
	CUT_LOGFMT, /* Fields are key=value and are found by their keys. Blanks outside quotes separate them. */
	CUT_JSON, /* The line is a JSON object. Fields are its members and are found by their names. */
};

/* What says which delimiter separates fields. */
enum delimiter_source {
	DELIMITER_BY_OPTION, /* -d or --csv */
	DELIMITER_BY_TSV, /* --tsv */
	DELIMITER_BY_HEADER, /* No option: the header shows it. */
};

/* Added to the number of a field that is counted from the end of its line, where the last field is 1. No line has this
 * many fields. */
#define FIELD_FROM_END (UINT64_C(1) << 62)

/* A chosen field. */
struct field_choice {
	uint64_t number; /* The field's number, from 1, perhaps plus FIELD_FROM_END. Used if `name` is NULL. */
	const char *name; /* The field's name. The header (header.h) or the members (members.h) give its number. */
	bool is_whole; /* For JSON: the name is not a path. */
	const char *word; /* The name of --log that gave the number, for messages. NULL: none did. */
	/* Of a key or reset field that is a time, the unit that counts. UNIT_NONE: the field's text counts. */
	enum calendar_unit unit;
	/* If `unit` is set: */
	size_t clock; /* The index of the chosen field with the time of day for this date. 0: there is none. */
	size_t place; /* The index of the field's place (place_kind_of). */
};

struct members;

/* How a record's place is read: the value of a field, or of a date and a time of day. With --reset-gap a segment begins
 * where a record's place is at least `least` away from the previous record's place. A window by time holds the records
 * whose places are less than `least` before its last one. */
struct place_rule {
	bool given; /* The option was given. */
	/* The least gap, as a mantissa at DECIMAL_SCALE_MAX; a time is in seconds. If `unit` is set: a day if dates
	 * without a time of day are accepted. */
	int128 least;
	size_t count; /* The number of its fields: 0, 1, or 2 (a date and a time of day). */
	/* Numbers in the field are times. They are if the least gap has a unit of time, if `unit` is not UNIT_NONE, and
	 * for the times of a picture. */
	bool is_time;
	enum calendar_unit unit; /* The unit that counts, or UNIT_NONE. */
	struct notation marks; /* The decimal and thousands marks of numbers in the field. `accept` is 0. */
	bool is_plain; /* `unit` is UNIT_NONE, and there are no marks. */
	const char *text; /* The least gap or the unit as the user wrote it, for messages. */
	const char *option; /* The option, for messages. */
};

/* How tokens that are not numbers are treated. */
struct token_rules {
	struct missing_rule missing; /* The rule for absent fields, empty fields and marks. */
	const char *marks; /* The list of marks (marks.h). NULL: MARKS_USUAL. */
	bool marks_have_digits; /* Some mark has a digit, so that a number may be a mark. */
	bool has_nan; /* --nan was given: `nan` is the rule for a NaN. */
	struct missing_rule nan;
	enum invalid invalid;
	bool may_be_texts; /* The operators take texts, too, and fields are given. */
	bool suggests_texts; /* Whether -t text is possible. */
	struct notation notation; /* How numbers are written. All zero: only in the ways of parse.h. */
};

/* How lines are written. */
struct line_output {
	enum lines lines;
	/* The number of fields, from the first key on, that begin each line of results: those of the key, and with
	 * --total also those of resets. */
	size_t shown_keys;
	const char *as; /* The results' names in the header, joined by commas (--as). NULL: not given. */
};

/* What counts as a record. */
struct record_rules {
	bool are_lines; /* Each line is an element, even if its only field is not a number. */
	bool are_all; /* Records without a number also decide where segments begin. */
	bool are_blank; /* CSV of one column: a blank line is a record with an empty field. */
	bool decide; /* The first one decides where a range of fields ends, or which fields are texts. */
	bool need_all; /* Results are binary integers: a record of several elements that lacks one is an error. */
};

/* Lines that are errors. */
struct line_checks {
	uint64_t columns; /* A line with more fields is an error. 0: not checked. */
	/* Without a header, if numbers may contain the delimiter in quotes: the first record's fields. A line with more
	 * is invalid. 0: not checked. */
	uint64_t first_fields;
	/* A number and its unit must not be two fields with blanks between them (notation_is_unit). */
	bool units;
	/* --log with names of fields: a line must have a log's own fields in their places, up to the field with this
	 * number (line_is_log). 0: not checked. */
	uint64_t log_last;
};

/* How lines become tokens. Strings and arrays are borrowed. The chosen fields of a record have this order:
 *     1. the fields of numbers
 *     2. the fields of the key
 *     3. the fields of resets
 *     4. the fields of the gap
 *     5. the fields of the span
 *     6. the fields of the picture's times
 *     7. the times of day that belong to dates among key and resets
 * More than 24 fields: one for each thing that options say about lines. */
struct text_rules {
	const struct field_choice *fields; /* The chosen fields: total_count of them. */
	size_t field_count; /* Fields of numbers. 0: each token between white space is a number and a record. */
	size_t key_count; /* Fields of the key. Records with different keys belong to different scans. */
	size_t reset_count; /* Fields of resets. A segment begins where the value of one changes. */
	size_t total_count; /* All chosen fields. */
	struct place_rule gap, span; /* Of --reset-gap, and of --window by time. */
	struct place_rule along; /* Of the times along a picture. A record may lack its time. */
	const struct hash_key *hash_key;
	/* The chosen fields' numbers. NULL: decoding needs the header, which gives the number of some field or shows
	 * how many fields a record has. NULL also if no field is chosen. */
	const uint64_t *numbers;
	bool counts_from_end; /* Some number is FIELD_FROM_END or more. */
	const struct members *members; /* For JSON and logfmt: the tree of the fields' names. Otherwise NULL. */
	size_t inputs; /* Neighbouring fields of numbers that form an element. */
	size_t result_count; /* Results of each element. */
	enum cut cut;
	char delimiter; /* For CUT_DELIMITER and CUT_CSV. */
	enum delimiter_source delimiter_source;
	uint64_t header_lines; /* Header lines at the beginning of each file. */
	uint64_t names_line; /* The header's line that names the fields, from 1. 0: the last one. */
	const char *comment; /* The text that begins a comment line. NULL: there are no comments. */
	size_t comment_size; /* Bytes of `comment`. */
	struct record_rules records;
	struct token_rules tokens;
	struct line_checks checks;
	struct line_output output;
	/* The numbers are exact decimals. `exact` stays true when a scan goes on in f64. If `exact` is true, a NaN is a
	 * mark, unless tokens.has_nan. */
	bool exact;
	bool types_declared; /* Programs have declared the types, not -t. */
};

/* Returns the number, from 1, that a chosen field has in a line of `count` fields. number: as in struct field_choice.
 * UINT64_MAX: the field is counted from the end, and the line has too few fields. */
static inline uint64_t text_field_number(uint64_t number, uint64_t count)
{
	if (number < FIELD_FROM_END)
		return number;
	return number - FIELD_FROM_END <= count ? count + 1 - (number - FIELD_FROM_END) : UINT64_MAX;
}

/* Returns the number of the header's line that names the fields, from 1. 0: there is no header. */
static inline uint64_t text_names_line(const struct text_rules *rules)
{
	return rules->names_line > 0 ? rules->names_line : rules->header_lines;
}

/* Whether decoding needs the header (struct text_rules: numbers). */
static inline bool text_has_names(const struct text_rules *rules)
{
	return rules->numbers == NULL && rules->field_count > 0 && rules->header_lines > 0;
}

/* Whether numbers may contain the delimiter of CSV, in quotes: it is also one of their marks. */
static inline bool text_delimiter_is_mark(const struct text_rules *rules)
{
	const struct notation *n = &rules->tokens.notation;
	return rules->cut == CUT_CSV && (rules->delimiter == n->decimal || rules->delimiter == n->thousands ||
					 (rules->delimiter == ':' && (n->accept & ACCEPT_DURATION) != 0));
}

/* Whether the fields of records decide where segments begin (--reset-on, --reset-gap). */
static inline bool text_resets_by_fields(const struct text_rules *rules)
{
	return rules->reset_count > 0 || rules->gap.given;
}

/* Whether each record has a key, a text of resets, or a place of the gap or span. */
static inline bool text_has_keys(const struct text_rules *rules)
{
	return rules->key_count + rules->reset_count > 0 || rules->gap.given || rules->span.given;
}

/* Returns the index of the gap's first chosen field. */
static inline size_t text_gap_field(const struct text_rules *rules)
{
	return rules->field_count + rules->key_count + rules->reset_count;
}

/* Returns the index of the span's first chosen field. */
static inline size_t text_span_field(const struct text_rules *rules)
{
	return text_gap_field(rules) + rules->gap.count;
}

/* Returns the index of the first chosen field of the picture's times. */
static inline size_t text_along_field(const struct text_rules *rules)
{
	return text_span_field(rules) + rules->span.count;
}

/* Whether runs of blanks separate the fields. Then no field can be empty. */
static inline bool text_by_blanks(const struct text_rules *rules)
{
	return rules->cut == CUT_BLANKS || rules->cut == CUT_LOG || rules->cut == CUT_LOGFMT;
}

/* Whether each delimiter separates two fields. */
static inline bool text_by_delimiters(const struct text_rules *rules)
{
	return rules->cut == CUT_DELIMITER || rules->cut == CUT_CSV;
}

/* Whether each line names its own fields (JSON, logfmt). A field's number is then what members_make gives. */
static inline bool text_names_fields(const struct text_rules *rules)
{
	return rules->cut == CUT_LOGFMT || rules->cut == CUT_JSON;
}

/* Returns the end of a message: a hint at the option that decides the types. */
static inline const char *text_type_hint(const struct text_rules *rules)
{
	return rules->types_declared ? " (see -op)" : " (see -t)";
}

/* Returns the character that is written between fields. */
static inline char text_delimiter(const struct text_rules *rules)
{
	return text_by_blanks(rules) ? ' ' : rules->cut == CUT_JSON ? ',' : rules->delimiter;
}

/* The tokens that may be texts. Any other one is an error. */
enum text_kind {
	TEXT_ANY,
	TEXT_WORDS, /* What is not a number. No option says that elements are texts. */
	TEXT_NUMBERS, /* Numbers, as they were written: times. */
};

/* How tokens become elements. A scan of exact decimals may change its format in mid-stream. */
struct element_format {
	const struct type *type; /* The type of the stored elements. */
	const struct packed *numbers; /* The types of an element's numbers, if they differ. NULL: all have `type`. */
	bool decimal; /* Elements are mantissas of exact decimals. */
	unsigned scale; /* The mantissas' scale, if `decimal` and not own_scale. */
	bool own_scale; /* Each mantissa has the scale that it was written with: struct column has the scales. */
	/* Only integers are exact. For prod of decimals a fraction ends exactness. It is an error for bit operators
	 * and with -F %d. */
	bool integers_only;
	bool is_text; /* Elements are texts: each is a number (u64) by which column->texts knows its text. */
	enum text_kind text_kind; /* If is_text. */
};

/* The name of a result. */
struct result_name {
	const char *text;
	bool is_whole; /* `text` is the whole name. False: the name is the field's name, "_" and `text`. */
};

/* A text that is written before a result, a key or a field of resets, in place of the delimiter. */
struct label {
	const char *text; /* The delimiter, the name, and the characters between the name and the value. */
	size_t size;
};

/* How bytes become elements, and results become bytes. Everything is borrowed. */
struct record_format {
	enum format input, output; /* FORMAT_TEXT or FORMAT_BINARY. */
	const struct type *in; /* The type of binary elements. For decimals i64, the type that they begin with. */
	size_t record_size; /* Bytes of a record of binary input. */
	bool in_swapped, out_swapped; /* Binary input, or output, is not in the machine's byte order. */
	struct text_rules text;
	const struct number_spec *number_format; /* The format of results as text (-F). NULL: the shortest text. */
	/* A result in CSV may need quotes, because its format adds text to it or the delimiter is unusual. */
	bool may_need_quotes;
	/* Lines have several fields and no quotes, and the text of a number may contain the delimiter: such a result is
	 * an error. */
	bool may_split;
	const struct result_name *names; /* The names of an element's results: text.result_count of them. */
	/* The labels of each result, key and field of resets. NULL: results are written without names. */
	const struct label *labels;
	size_t label_max; /* Bytes of the longest label. */
};

#endif
