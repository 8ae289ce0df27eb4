/* Results into bytes. */
#ifndef PSCAN_TEXT_ENCODE_H
#define PSCAN_TEXT_ENCODE_H

#include "base/memory.h"
#include "text/decode.h"
#include "text/header.h"
#include "text/result.h"
#include "text/rules.h"

/* What one part of a chunk gives. */
struct part_to_encode {
	const struct lane_results *lanes; /* field by field, each with its operators */
	size_t field_count, result_count;
	size_t records; /* with one field each has its results, unless absences say that it lacks its element */
	const struct absence *absences; /* in the order of their records; where several fields hold numbers */
	size_t absence_count;
	const struct result *initial; /* one a lane, to be written first, after the header, or NULL */
	const struct mark *marks; /* in the order of their records, which count from 0 in this part */
	size_t mark_count;
	size_t header_marks; /* so many of them are the header */
	/* Where each record's line begins with its key; else NULL: */
	const uint32_t *keys; /* of the records, among */
	const unsigned char *key_texts; /* their texts, one after the other, */
	const size_t *key_ends; /* which end there */
	const struct header *header;
	/* Where whole lines come out (enum lines): */
	const char *text; /* the part's lines */
	size_t text_size;
	bool byte_order_mark; /* one stands before them */
	const struct edit *edits; /* of the text */
	size_t edit_count;
	struct bytes *scratch; /* borrowed */
};

/* Appends the part's bytes to out: for text each record's results as a line, each mark a line in its place, or the
 * lines with their results (format->text.lines). Those of an exclusive scan are moved one place: before first, the
 * last one left out. STATUS_SYSTEM after a message. Any thread. */
enum status encode_part(const struct record_format *format, const struct part_to_encode *part,
			struct bytes *out) MUST_CHECK;

/* Appends the results of one record, as encode_part would, and what ends it: what begins it, and perhaps other fields,
 * are there. */
enum status encode_rest(const struct record_format *format, const struct result *results, size_t count,
			const char *absent, struct bytes *out) MUST_CHECK;
/* Appends the results of one record, as encode_part would. absent: what stands for one that is absent, where
 * results have no labels, or NULL: as there. */
enum status encode_results(const struct record_format *format, const struct result *results, size_t count,
			   const char *absent, struct bytes *out) MUST_CHECK;

#endif
