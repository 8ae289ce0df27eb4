/* Results into bytes. */
#ifndef PSCAN_TEXT_ENCODE_H
#define PSCAN_TEXT_ENCODE_H

#include "base/memory.h"
#include "number/decimal.h"
#include "text/decode.h"
#include "text/header.h"
#include "text/rules.h"

/* How a result is written as text. */
struct result_format {
	const struct type *type;
	bool decimal; /* a mantissa, scale digits after the point */
	unsigned scale;
};

/* A result with its format. */
struct result {
	struct result_format format;
	bool absent; /* there is none */
	union value value;
};

/* What one lane gives. */
struct encode_lane {
	struct result_format format;
	const void *results; /* inclusive ones, in format.type, */
	size_t count; /* one for each of so many elements */
	size_t absent; /* so many of what is given (with before, if there is that) is absent: at a stream's start */
	enum written written; /* whose own decimals the results have: if not WRITTEN_NONE, */
	const unsigned char *scales; /* the elements' own decimals, or NULL: they have the format's */
	unsigned scale_before; /* those of the element before the first, or of the stream's first */
	const struct result
		*before; /* the result before the first: what an exclusive scan begins with; NULL: inclusive */
};

/* What one part of a chunk gives. */
struct part_to_encode {
	const struct encode_lane *lanes; /* field by field, each with its operators */
	size_t field_count, operator_count;
	size_t records; /* with one field each has its results */
	const struct absence *absences; /* in the order of their records; with several fields */
	size_t absence_count;
	const struct result *initial; /* one a lane, to be written first, after the header, or NULL */
	const struct mark *marks; /* in the order of their records, which count from 0 in this part */
	size_t mark_count;
	size_t header_marks; /* so many of them are the header */
	const struct header *header;
	/* Where whole lines come out (enum lines): */
	const char *text; /* the part's lines */
	size_t text_size;
	bool byte_order_mark; /* one stands before them */
	const struct edit *edits; /* of the text */
	size_t edit_count;
	struct bytes *scratch; /* borrowed */
};

/* Appends the part's bytes to out: for text each record's results as a line, each mark a line in its place, or the lines with
 * their results (format->text.lines). Those of an exclusive scan are moved one place: before first, the last one left out.
 * STATUS_SYSTEM after a message. Any thread. */
enum status encode_part(const struct record_format *format, const struct part_to_encode *part,
			struct bytes *out) MUST_CHECK;

/* Appends the results of one record, as encode_part would. absent: what stands for one that is absent, or NULL: as there. */
enum status encode_results(const struct record_format *format, const struct result *results, size_t count,
			   const char *absent, struct bytes *out) MUST_CHECK;

#endif
