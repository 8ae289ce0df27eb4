/* Turns results into bytes of the output. */
#ifndef PSCAN_TEXT_ENCODE_H
#define PSCAN_TEXT_ENCODE_H

#include "base/memory.h"
#include "text/decode.h"
#include "text/header.h"
#include "text/result.h"
#include "text/rules.h"

/* The results of one part of a chunk, and what is written with them. Everything is borrowed. */
struct part_to_encode {
	const struct lane_results *lanes; /* The lanes of the first field's operators, then of the next field's. */
	size_t field_count, result_count; /* The elements of a record, and the results of an element. */
	size_t records; /* Records of the part. */
	const struct absence *absences; /* Elements that records lack, in the order of records and of their elements. */
	size_t absence_count;
	/* A result for each lane, written first, after the header. NULL: none. Not used if whole lines come out. */
	const struct result *initial;
	const struct mark *marks; /* In the order of their records, which count from 0 in this part. */
	size_t mark_count;
	size_t header_marks; /* Marks at the beginning that are the header. */
	/* Each record's key number, if each line of results begins with its record's key. Otherwise NULL. */
	const uint32_t *keys;
	/* If `keys` is not NULL: the texts of all keys, one after the other, each as it begins a line. */
	const unsigned char *key_texts;
	const size_t *key_ends; /* Where the text of each key ends in key_texts. */
	const struct header *header;
	/* If whole lines come out (enum lines). */
	const char *text; /* The part's lines. */
	size_t text_size;
	bool byte_order_mark; /* A byte order mark is written before the lines. */
	const struct edit *edits; /* The edits of the lines. */
	size_t edit_count;
	struct bytes *scratch; /* Memory for temporary use. */
	struct problem *problem; /* Receives the error if a result contains the delimiter. */
};

/* Appends a part to out. For text this is a line for each record that has a result and a line for each mark, or the
 * input's lines with their results (format->text.output.lines). STATUS_DATA, with *part->problem, if a result contains
 * the delimiter (may_split): *out then ends before that line's end. STATUS_SYSTEM after a message if memory is missing;
 * a piece of the part may then have been appended. Any thread. */
enum status encode_part(const struct record_format *format, const struct part_to_encode *part,
			struct bytes *out) MUST_CHECK;

/* Changes a text in place to the way it is written as a field of a line. In CSV, a log and logfmt the text gets quotes
 * if it needs them. An empty text becomes "-" between blanks, and two quotes in a log and in logfmt. Not for JSON.
 * `text` must have room for 2 * size + 2 bytes in all. Returns the new size. */
size_t encode_quote_field(const struct text_rules *rules, char *text, size_t size);

/* Appends the results of one record, and what ends a record. The caller has appended what begins a record, and perhaps
 * other fields. In lines without labels, the caller has also appended a delimiter after each of these fields; with
 * labels it must not, because the label of the first result begins with the comma. absent: the text for absent results;
 * NULL: the usual text (encode_absent_text). If results have labels, the usual text is written in any case. STATUS_DATA
 * with *problem if a result contains the delimiter (may_split): a piece of the record was then appended. STATUS_SYSTEM
 * after a message if memory is missing. */
enum status encode_rest(const struct record_format *format, const struct result *results, size_t count,
			const char *absent, struct problem *problem, struct bytes *out) MUST_CHECK;
/* Appends one whole record without a key: what begins a record, its `count` results with delimiters or labels, and what
 * ends it. The record is written even if all results are absent. Fails as encode_rest does. */
enum status encode_results(const struct record_format *format, const struct result *results, size_t count,
			   struct problem *problem, struct bytes *out) MUST_CHECK;

#endif
