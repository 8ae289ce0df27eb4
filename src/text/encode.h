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
	size_t field_count, result_count; /* Fields that hold numbers, and results of a record. */
	size_t records; /* Records of the part. */
	const struct absence *absences; /* Elements that records lack, by record. Used with several fields. */
	size_t absence_count;
	const struct result *initial; /* A result for each lane, written first, after the header. Or NULL. */
	const struct mark *marks; /* By record. Records count from 0 in this part. */
	size_t mark_count;
	size_t header_marks; /* Marks at the beginning that are the header. */
	/* If each line of results begins with its record's key; otherwise NULL. */
	const uint32_t *keys; /* Each record's key number. */
	const unsigned char *key_texts; /* All keys' texts, one after the other. */
	const size_t *key_ends; /* Where the text of each key ends in key_texts. */
	const struct header *header;
	/* If whole lines come out (enum lines). */
	const char *text; /* The part's lines. */
	size_t text_size;
	bool byte_order_mark; /* A byte order mark is written before the lines. */
	const struct edit *edits; /* The edits of the lines. */
	size_t edit_count;
	struct bytes *scratch; /* Memory for temporary use. */
};

/* Appends a part to out. For text this is a line of results for each record and a line for each mark, or the input's
 * lines with their results (format->text.lines). STATUS_SYSTEM after a message if memory is missing. Any thread. */
enum status encode_part(const struct record_format *format, const struct part_to_encode *part,
			struct bytes *out) MUST_CHECK;

/* Changes a text in place to the way it is written as a field of a line. Quotes it if the format has quotes and the
 * text needs them. An empty text becomes "-" if fields are separated by blanks, and in logfmt. Any other text stays as
 * it is. Not for JSON. After the text there must be room for its size and two bytes. Returns the new size. */
size_t encode_quote_field(const struct text_rules *rules, char *text, size_t size);

/* Appends the results of one record and the record's end to a record whose beginning, and perhaps other fields, have
 * been written. absent: the text for absent results, if results have no labels; NULL: the usual text. STATUS_SYSTEM
 * after a message if memory is missing. */
enum status encode_rest(const struct record_format *format, const struct result *results, size_t count,
			const char *absent, struct bytes *out) MUST_CHECK;
/* Appends one whole record: what it begins with, its `count` results with their delimiters or labels, and its end. The
 * record is written even if all results are absent, and without a key. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status encode_results(const struct record_format *format, const struct result *results, size_t count,
			   struct bytes *out) MUST_CHECK;

#endif
