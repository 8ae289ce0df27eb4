/* How results become bytes: a writer for each format of the output. */
#ifndef PSCAN_TEXT_WRITER_H
#define PSCAN_TEXT_WRITER_H

#include <string.h>

#include "base/memory.h"
#include "text/result.h"

/* Functions return the bytes that they wrote. Pure functions; any thread. */
struct writer {
	/* a record is a line, its results joined by the delimiter or labels; else they follow each other */
	bool makes_lines;
	const char *begin, *end; /* what stands around the results of a record, WRITER_END_MAX bytes at most */
	/* Writes a result of a record. absent: what stands in a line for one that is absent. Room for result_size_max
	 * bytes. */
	size_t (*put)(const struct record_format *format, const struct result *r, const char *absent,
		      unsigned char *out);
	/* Writes count inclusive results of a lane from first on, each a record of its own. Room for result_size_max
	 * bytes each. */
	size_t (*put_records)(const struct record_format *format, const struct lane_results *lane, size_t first,
			      size_t count, unsigned char *out);
};

#define WRITER_END_MAX 8

/* That of the output. */
const struct writer *writer_of(const struct record_format *format);

/* Appends a label, for which there is room. The first one in an object has no comma before it. */
static inline void writer_put_label(const struct label *label, struct bytes *out)
{
	const size_t skipped = out->size > 0 && out->data[out->size - 1] == '{' && label->text[0] == ',';
	memcpy(out->data + out->size, label->text + skipped, label->size - skipped);
	out->size += label->size - skipped;
}

#endif
