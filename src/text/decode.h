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

/* A header or a comment, which is written as it is between the results of records. Only with LINES_DROPPED: otherwise
 * edits keep such lines. */
struct mark {
	/* The index of the record before which the line stands. After the last record: the number of records. Records
	 * count as for decoded.records. */
	size_t record;
	const char *text; /* The line. Borrowed from the input. NULL: the results' names. */
	size_t size; /* Bytes of `text`, without a newline. */
};

/* An element that a record lacks. Noted if decode_counts_records. */
struct absence {
	size_t record; /* The record's index. */
	size_t field; /* The index of the element among the record's elements. */
};

/* A missing element that still produces output: an absent result, or the lane's previous result again. */
struct held {
	size_t element; /* The element's index in the column. */
	size_t record; /* The record's index, counted as for decoded.records. */
	const char *text; /* The text that is written if there is no result. Borrowed. */
	size_t size; /* Bytes of the text. */
	bool is_absent; /* The result is absent. False: it is the previous result. */
};

/* Bytes after a text that must be readable; they may be any bytes. */
#define TEXT_PADDING 64
_Static_assert(TEXT_PADDING >= LINE_PADDING && TEXT_PADDING >= NUMBER_SCAN_SLACK, "whoever reads text may read so far");

/* Why a line does not line up with the header or with the first record. */
struct decode_misfit {
	/* A chosen name that is above another field than in the first record. Borrowed from the rules. NULL: the number
	 * of fields is wrong. */
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
	const char *what; /* What is wrong (static). NULL: the token is not a number, or `misfit` has the reason. */
	uint64_t column; /* The column in the line, from 1. 0: not reported. */
	struct decode_misfit misfit; /* The reason if the token is a line that does not line up. Otherwise all zero. */
};

/* The numbers of one field of all records, read in one format. */
struct column {
	size_t field; /* The field's index among the fields, or 0. */
	struct element_format reading;
	/* The elements, in reading.type, or in i64 if is_narrow. Room for one element more than there are bytes of
	 * text. */
	unsigned char *elements;
	size_t step; /* Bytes from one element to the next. */
	struct bytes *scales; /* If reading.own_scale: gets a byte for each element (enum own_scale). Borrowed. */
	/* If reading.is_text: gets the elements' texts. A text that is not in the input as it is lies in key_bytes.
	 * Borrowed. */
	struct grouper *texts;
	struct bytes *helds; /* Array of struct held: gets the kept and the held elements. Borrowed. */
	size_t count; /* Elements that were written. Set by decode_text. */
	/* The elements are decimals at their own scales, and all are stored as i64 at `scale`, the greatest scale so
	 * far. decode_text sets this to false and changes `step` when a number does not fit. */
	bool is_narrow;
	unsigned scale; /* Set if is_narrow. */
	/* Set by decode_text if durations are accepted. Two sorts of elements are passed over, as they are neither
	 * durations nor other numbers: those that take no part, and numbers that stand in for missing ones. */
	size_t durations; /* The number of elements before the first one that is not a duration. */
	size_t plain_record; /* The record of that first element. SIZE_MAX: all elements are durations. */
	/* Set by decode_text if times are accepted: the kind of the first element that has one. The elements that are
	 * passed over for `durations` have no kind. PLACE_NONE: no element has a kind. */
	enum place_kind kind;
	size_t kind_record; /* The record of that first element. Set unless `kind` is PLACE_NONE. */
};

enum decode_stop {
	DECODE_END, /* All bytes are consumed. */
	DECODE_LIMIT, /* The limit is reached. `token` is the token of the target's limit_field in the next record. */
	DECODE_FAIL, /* `problem` has the reason. */
};

/* The outcome of decode_text. */
struct decoded {
	enum decode_stop stop;
	/* Records decoded. If decode_counts_records, this includes records that have no element. (If the records have
	 * keys, an invalid line is no record.) Otherwise it is the records that have an element. */
	size_t records;
	size_t header_marks; /* Marks at the beginning that are the header, with the comments in it. */
	size_t consumed; /* Bytes before the record at which decoding stopped, or all bytes. */
	uint64_t lines; /* Newlines among the consumed bytes. */
	/* The token at which decoding stopped, or NULL. Borrowed from the input, the rules, or the memory of
	 * target->key_bytes, where it is valid until key_bytes changes. */
	const char *token;
	size_t token_size; /* Bytes of the token. */
	uint64_t place_kinds; /* The kinds of the records' places (place_kind_of). */
	struct problem problem; /* Set for DECODE_FAIL. */
};

/* The places for elements and everything else that decoding gives. All memory is borrowed. Decoding appends to the
 * arrays, `keys`, `resets` and the columns' members. The caller must empty all of them before. */
struct decode_target {
	struct column *columns; /* In the order of their fields. Each field has at least one column. */
	size_t column_count;
	size_t limit; /* The most records to decode, counted as for decoded.records. */
	size_t limit_field; /* The index of the field whose token is returned at the limit. */
	/* The numbers of the chosen fields: rules->total_count of them, each perhaps plus FIELD_FROM_END. NULL: each
	 * token between white space is an element. (Or the header is not complete, so that no record follows.) */
	const uint64_t *fields;
	const struct header_table *table; /* The header of the lines, or NULL. */
	bool at_line_start; /* These bytes begin a line. */
	bool begins_file; /* The chunk begins a file. */
	uint64_t header_lines; /* Header lines at the beginning of these bytes. */
	bool header_whole; /* The header is complete. False: its file ends within it. */
	uint64_t dropped_lines; /* The first `dropped_lines` header lines are not written: an earlier file has them. */
	struct bytes *marks; /* Array of struct mark. */
	struct bytes *absences; /* Array of struct absence. */
	struct bytes *edits; /* Array of struct edit. */
	struct bytes *warnings; /* Array of struct warning. */
	struct grouper *keys; /* Gets the records' keys, if there are key fields. */
	struct resets *resets; /* Gets the records' texts of --reset-on, if there are such fields. */
	/* Arrays of int128: the records' places of the gap and of the span, at scale DECIMAL_SCALE_MAX. */
	struct bytes *gaps, *times;
	struct bytes *along; /* Array of uint64_t: the records' times along a picture (place_written). */
	/* Gets the bytes of keys, of texts of resets and of texts that are elements, where they are not in the input as
	 * they are. */
	struct bytes *key_bytes;
	struct bytes *scratch; /* Memory for temporary use. Its contents are lost. */
	/* Elements that are left out, in their order, as MISSING_SKIP leaves out missing numbers. If not
	 * decode_counts_records, `record` is the number of elements before the element, earlier ones of this list
	 * included. */
	const struct absence *left_out;
	size_t left_out_count;
};

/* Whether absences are noted, and the limit counts records without an element, too: several fields hold numbers, or
 * records without a number count. fields: the target's. */
static inline bool decode_counts_records(const struct text_rules *rules, const uint64_t *fields)
{
	return fields != NULL && (rules->field_count > 1 || (rules->field_count == 1 && rules->records.are_all));
}

/* Decodes `size` bytes of text that begin and end between records. (Only the last record of a file may lack its
 * newline.) TEXT_PADDING more bytes must be readable after them. What is wrong with the text becomes result->problem.
 * STATUS_SYSTEM after a message if memory is missing; *result and the target's arrays are then incomplete. Any
 * thread. */
enum status decode_text(const struct text_rules *rules, const char *bytes, size_t size,
			const struct decode_target *target, struct decoded *result) MUST_CHECK;

/* Writes the reason of a misfit to `text`, at most `size` bytes with the NUL. The line itself is not in the reason.
 * Returns the reason's whole length, as snprintf does. Pure. */
int decode_say_misfit(const struct decode_misfit *misfit, char *text, size_t size);

/* Reverses the byte order of `count` elements of `size` bytes (1, 2, 4 or 8), in place. Any thread. */
void decode_swap(void *elements, size_t count, size_t size);

#endif
