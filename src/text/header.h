/* The header: the lines at the start of each file that hold no numbers. The first file's is the stream's. */
#ifndef PSCAN_TEXT_HEADER_H
#define PSCAN_TEXT_HEADER_H

#include "base/memory.h"
#include "base/problem.h"
#include "text/rules.h"

struct header {
	bool known; /* a whole header was seen. What follows is constant from then on */
	uint64_t line_count; /* lines that were seen, */
	struct bytes lines; /* each ended by one newline */
	uint64_t field; /* of the numbers */
	struct bytes name; /* of the results, as it stands in the line: the field's with the operator's, or rules->as */
};

/* Looks at the start of a file, size bytes that hold the whole header or the whole file: compares the
 * lines that an earlier file had and remembers further ones. *count is the header's lines in this file, *dropped those of
 * them that an earlier file had. A field's name that
 * is not there, or twice, and a header that differs become *problem. STATUS_SYSTEM after a message: no memory. */
enum status header_take(struct header *h, const struct record_format *format, const char *bytes, size_t size,
			uint64_t *count, uint64_t *dropped, struct problem *problem) MUST_CHECK;

void header_free(struct header *h);

#endif
