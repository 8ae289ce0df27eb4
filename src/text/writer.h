/* How results become bytes: a writer for each format of the output. */
#ifndef PSCAN_TEXT_WRITER_H
#define PSCAN_TEXT_WRITER_H

#include "text/result.h"

/* Functions return the bytes that they wrote. Pure functions; any thread. */
struct writer {
	bool makes_lines; /* a record is a line, its results joined by the delimiter; else they follow each other */
	/* Writes a result of a record. absent: what stands in a line for one that is absent. Room for result_size_max bytes. */
	size_t (*put)(const struct record_format *format, const struct result *r, const char *absent,
		      unsigned char *out);
	/* Writes count inclusive results of a lane from first on, each a record of its own. Room for result_size_max bytes
	 * each. */
	size_t (*put_records)(const struct record_format *format, const struct lane_results *lane, size_t first,
			      size_t count, unsigned char *out);
};

/* That of format->output. */
const struct writer *writer_of(const struct record_format *format);

#endif
