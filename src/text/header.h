/* The header: the lines at the start of each file that hold no numbers. The first file's is the stream's. */
#ifndef PSCAN_TEXT_HEADER_H
#define PSCAN_TEXT_HEADER_H

#include "base/memory.h"
#include "base/problem.h"
#include "text/line.h"
#include "text/rules.h"

struct header {
	bool known; /* a whole header was seen. What follows is constant from then on */
	uint64_t line_count; /* lines that were seen, */
	struct bytes lines; /* each ended by one newline */
	struct bytes numbers; /* uint64_t: of the fields that hold numbers */
	struct bytes
		names; /* of the results, as they stand in a line, joined by the delimiter: each field's with each operator's,
			     * or rules->as */
	struct bytes name_ends; /* size_t: where each ends among them */
};

/* The name of a result. */
static inline const char *header_name(const struct header *h, size_t result, size_t *size)
{
	const size_t *ends = (const size_t *)(const void *)h->name_ends.data;
	const size_t begin = result == 0 ? 0 : ends[result - 1] + 1;
	*size = ends[result] - begin;
	return (const char *)h->names.data + begin;
}

/* How many fields of a line say name, or else say so with blanks around it; *number is the last one's, from 1. */
uint64_t header_names(const struct text_rules *rules, const struct line *line, const char *name, uint64_t *number);

/* The fields' numbers, or NULL as long as the header with their names was not seen. */
const uint64_t *header_fields(const struct header *h);

/* Looks at the start of a file, size bytes that hold the whole header or the whole file: compares the
 * lines that an earlier file had and remembers further ones. *count is the header's lines in this file, *dropped those of
 * them that an earlier file had. A field's name that
 * is not there, or twice, and a header that differs become *problem. STATUS_SYSTEM after a message: no memory. */
enum status header_take(struct header *h, const struct record_format *format, const char *bytes, size_t size,
			uint64_t *count, uint64_t *dropped, struct problem *problem) MUST_CHECK;

void header_free(struct header *h);

#endif
