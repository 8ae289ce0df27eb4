/* Decodes text into elements. */
#ifndef PSCAN_TEXT_DECODE_H
#define PSCAN_TEXT_DECODE_H

#include "base/memory.h"
#include "base/problem.h"
#include "number/decimal.h"
#include "number/read_text.h"
#include "text/edit.h"
#include "text/place.h"
#include "text/grouper.h"
#include "text/header.h"
#include "text/line.h"
#include "text/resets.h"
#include "text/rules.h"

/* A line that is written as it is before the results of a record, if records' lines are not written (enum lines): a
 * header or a comment. */
struct mark {
	size_t record; /* The record's index. If only one field holds numbers, only records with an element count. */
	const char *text; /* The line, which lies in the input. NULL: the results' names. */
	size_t size; /* Its bytes, without a newline. */
};

/* An element that a record lacks. Used if several fields hold numbers. */
struct absence {
	size_t record;
	size_t field; /* The index of the element among the record's elements. */
};

/* A missing element that still produces output: an absent result, or the lane's previous result again. */
struct held {
	size_t element; /* The element's index in the column. */
	size_t record;
	const char *text; /* The text that is written if there is no previous result. */
	size_t size; /* Bytes of the text. */
	bool is_absent; /* The result is absent. False: it is the previous result. */
};

/* Bytes after a text that must be readable; they may be any bytes. */
#define TEXT_PADDING 64
_Static_assert(TEXT_PADDING >= LINE_PADDING && TEXT_PADDING >= NUMBER_SCAN_SLACK, "whoever reads text may read so far");

/* Why a line does not line up with the header. */
struct decode_misfit {
	/* A chosen name that is above another field than in the first record. NULL: the number of fields is wrong. */
	const char *name;
	uint64_t number; /* The number of the name's field in the first record, if `name` is not NULL. */
	uint64_t field_count; /* The line's fields. */
	uint64_t wanted; /* The fields that the line should have. */
	bool is_of_header; /* `wanted` is the number of the header's names. False: that of the first record's fields. */
};

/* A token, or a line, that was left out with a warning. */
struct warning {
	uint64_t line; /* The line within the chunk, from 1. */
	uint64_t field; /* The number of the field. 0: not reported. */
	const char *token; /* The token. Borrowed from the input. */
	size_t size; /* Bytes of the token. */
	const char *what; /* What the token should be. NULL: a number. */
	uint64_t column; /* The column in the line, from 1. 0: not reported. */
	struct decode_misfit misfit; /* For a line that does not line up with the header. All zero: a token. */
};

/* The numbers of one field of all records, read in one format. */
struct column {
	size_t field; /* The field's index among the fields, or 0. */
	struct element_format reading;
	unsigned char *elements; /* The elements, in reading.type. Room for one more than there are bytes of text. */
	size_t step; /* Bytes from one element to the next. */
	struct bytes *scales; /* If reading.own_scale: gets a byte for each element (enum own_scale). Borrowed. */
	struct grouper *
		texts; /* If reading.is_text: gets the elements' texts. Their other bytes are in key_bytes. Borrowed. */
	struct bytes *helds; /* Array of struct held, to which kept and held elements are appended. Borrowed. */
	size_t count; /* Elements that were written. Set by decode_text. */
	/* The elements are decimals at their own scales, and all are stored as i64 at `scale`, the greatest scale so
	 * far. decode_text sets this to false and changes `step` when a number does not fit. */
	bool is_narrow;
	unsigned scale; /* Set if is_narrow. */
	/* Set by decode_text if durations are accepted. Elements that take no part, and numbers that stand in for
	 * missing ones, count as what the others are. */
	size_t durations; /* The elements before the first one that was not written as a duration. */
	size_t plain_record; /* That element's record. SIZE_MAX: there is none. */
	/* Set by decode_text if times are accepted: whether the elements are numbers or times, and of which kind. As
	 * above, some elements do not count. */
	enum place_kind kind;
	size_t kind_record; /* The record of the first element that has the kind. */
};

enum decode_stop {
	DECODE_END, /* All bytes are consumed. */
	DECODE_LIMIT, /* The limit of records is reached. `token` is the next token of the target's limit_field. */
	DECODE_FAIL, /* `problem` has the reason. */
};

/* The outcome of decode_text for one part of a chunk. */
struct decoded {
	enum decode_stop stop;
	size_t records; /* Records decoded. With at most one field, only those that have an element. */
	size_t header_marks; /* Marks before the first line after the header. */
	size_t consumed; /* Bytes before the record at which decoding stopped, or all bytes. */
	uint64_t lines; /* Newlines among the consumed bytes. */
	const char *token; /* The token at which decoding stopped: in the input, target->key_bytes or the rules. */
	size_t token_size;
	uint64_t place_kinds; /* The kinds of the records' places (place_kind_of). */
	struct problem problem; /* Set for DECODE_FAIL. */
};

/* The places for elements and everything else that decoding gives. All memory is borrowed. */
struct decode_target {
	struct column *columns; /* In the order of their fields. Each field has at least one column. */
	size_t column_count;
	size_t limit; /* The most records to decode. */
	size_t limit_field; /* The index of the field whose token is returned at the limit. */
	const uint64_t *fields; /* The numbers of rules->field_count fields. NULL: not known; no lines are written. */
	const struct header_table *table; /* The header of the lines, or NULL. */
	bool at_line_start; /* These bytes begin a line. */
	bool begins_file; /* The chunk begins a file. */
	uint64_t header_lines; /* Header lines at the beginning of these bytes. */
	bool header_whole; /* The last of the header lines names the fields. */
	uint64_t dropped_lines; /* Header lines that are not written, because an earlier file has them. */
	struct bytes *marks; /* Array of struct mark, to which marks are appended. */
	struct bytes *absences; /* Array of struct absence, to which absences are appended. */
	struct bytes *edits; /* Array of struct edit, to which edits are appended. */
	struct bytes *warnings; /* Array of struct warning, to which warnings are appended. */
	struct grouper *keys; /* Gets the records' keys, if there are key fields. */
	struct resets *resets; /* Gets the texts on which the records reset, if there are such fields. */
	/* Arrays of int128, to which places of the gap and of the span are appended, at scale DECIMAL_SCALE_MAX. */
	struct bytes *gaps, *times;
	struct bytes *along; /* Array of uint64_t: the records' times along a picture (place_written). Appended. */
	struct bytes *key_bytes; /* Gets bytes of keys and resets that are not in the input as they are. Appended. */
	struct bytes *scratch; /* Memory for temporary use. */
	/* Elements, in their order, that are left out as missing numbers are that are skipped. If absences are not
	 * noted, `record` is the number of elements before the element, of which some may be left out. */
	const struct absence *left_out;
	size_t left_out_count;
};

/* Whether absences are noted, and limits count records: several fields hold numbers, or records without a number count.
 * fields: the target's. */
static inline bool decode_is_by_records(const struct text_rules *rules, const uint64_t *fields)
{
	return fields != NULL && (rules->field_count > 1 || (rules->field_count == 1 && rules->records.are_all));
}

/* Decodes `size` bytes of text that begin and end between records. TEXT_PADDING more bytes must be readable after them.
 * Fails only for lack of memory (STATUS_SYSTEM after a message); everything else is in *result. Any thread. */
enum status decode_text(const struct text_rules *rules, const char *bytes, size_t size,
			const struct decode_target *target, struct decoded *result) MUST_CHECK;

/* Writes the message for a line that does not line up with the header to `text`, at most `size` bytes with the NUL.
 * Returns the message's whole length, as snprintf does. Pure. */
int decode_say_misfit(const struct decode_misfit *misfit, char *text, size_t size);

/* Reverses the byte order of `count` elements of `size` bytes (1, 2, 4 or 8), in place. Any thread. */
void decode_swap(void *elements, size_t count, size_t size);

#endif
