/* Writers: one for each format of the output. */
#ifndef PSCAN_TEXT_RESULT_WRITERS_H
#define PSCAN_TEXT_RESULT_WRITERS_H

#include <string.h>

#include "base/memory.h"
#include "text/result.h"

/* The functions of a writer return the bytes that they wrote. Pure functions; any thread. */
struct writer {
	/* A record is a line, whose results are joined by the delimiter or by labels. False: results have nothing
	 * between them. */
	bool makes_lines;
	const char *begin, *end; /* Texts before and after a record's results, each at most WRITER_END_MAX bytes. */
	/* Writes a result, without what begins or ends its record. absent: the text for an absent result; among bytes
	 * this is a NaN instead. Needs room for result_size_max bytes. */
	size_t (*put)(const struct record_format *format, const struct result *r, const char *absent,
		      unsigned char *out);
	/* Writes `count` entries of lane->results from `first` on, each as a record. An absent result gives no record.
	 * Among bytes no result may be absent, and the results must have no gaps between them. Needs room for
	 * result_size_max bytes for each. */
	size_t (*put_records)(const struct record_format *format, const struct lane_results *lane, size_t first,
			      size_t count, unsigned char *out);
};

#define WRITER_END_MAX 8

/* Returns the writer of the output's format. */
const struct writer *writer_of(const struct record_format *format);

/* Appends a label, for which *out must have room. If the last byte of *out is an opening brace, the label's comma is
 * left out. */
static inline void writer_put_label(const struct label *label, struct bytes *out)
{
	const size_t skipped = out->size > 0 && out->data[out->size - 1] == '{' && label->text[0] == ',';
	memcpy(out->data + out->size, label->text + skipped, label->size - skipped);
	out->size += label->size - skipped;
}

#endif
