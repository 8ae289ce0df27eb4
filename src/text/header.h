/* The header: the lines at the start of each file that hold no numbers. The first file's is the stream's. */
#ifndef PSCAN_TEXT_HEADER_H
#define PSCAN_TEXT_HEADER_H

#include "base/memory.h"
#include "base/problem.h"
#include "text/line.h"
#include "text/names.h"
#include "text/rules.h"

/* Where fields are in the header whose names it does not have: none of its fields. */
#define HEADER_NAMELESS UINT64_MAX /* a label */
#define HEADER_NAME_UNKNOWN (UINT64_MAX - 1) /* perhaps a name that the first record is too short for */

struct header {
	bool known; /* a whole header was seen: lines, numbers and names are constant from then on */
	struct problem problem; /* why not, if the header is whole: that of every file */
	/* the first record was seen as well: fields, chosen_names and shape are constant from then on */
	bool is_settled;
	uint64_t line_count; /* lines that were seen, */
	struct bytes lines; /* each ended by one newline */
	size_t last_line; /* where the last of them begins, */
	size_t names_line, names_size; /* and the one that names the fields, with its size */
	uint64_t names_number; /* of that line in its file */
	bool are_names_sure; /* the first record has told what the names belong to */
	struct bytes numbers; /* uint64_t: of the fields that hold numbers, where they are in the header */
	struct bytes fields; /* uint64_t: the same in the records, where these need not be one. */
	struct bytes
		chosen_names; /* struct names_item: of the same, the columns of their names; empty without a name */
	struct names_shape shape; /* of the records, where a field was chosen by its name */
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

/* What is known of the lines from their header. */
struct header_table {
	const uint64_t *numbers; /* of the fields where they are in the header; NULL as long as that was not seen */
	const uint64_t *fields; /* of the same fields where they are in the records */
	const struct names_item *names; /* of the same: the columns of their names; with shape only */
	const struct names_shape *shape; /* NULL: no field was chosen by its name, or no record was seen */
	const char *last_line; /* of the header, without its line end */
	size_t last_size;
};

/* The pointers are good as long as the header is. */
struct header_table header_table(const struct header *h);

/* Looks at the start of a file, size bytes that hold the whole header and the first record or the whole file: compares
 * the lines that an earlier file had and remembers further ones. *count is the header's lines in this file, *dropped
 * those of them that an earlier file had. A field's name that
 * is not there, or twice, a header that differs, and names that do not line up with the first record's fields become
 * *problem. STATUS_SYSTEM after a message: no memory. */
enum status header_take(struct header *h, const struct record_format *format, const char *bytes, size_t size,
			uint64_t *count, uint64_t *dropped, struct problem *problem) MUST_CHECK;

/* For a run after this one (--state): the names of the fields that were chosen by number, each ended by a newline; an
 * empty one of labels without a name, and of those that were chosen by it; that of a run before where it is unknown, or
 * else a NUL. Of none the line that names the fields. Nothing: they are not known. */
enum status header_put_names(const struct header *h, const struct text_rules *rules, const struct bytes *before,
			     struct bytes *names) MUST_CHECK;
/* Whether a name that was put so says that it is unknown. */
static inline bool header_is_unknown(const unsigned char *name, size_t size)
{
	return size == 1 && name[0] == '\0';
}
/* Names that a run before has put so, and this header's own. *problem: they are known, and others. */
void header_compare_names(const struct header *h, const struct bytes *before, const struct bytes *names,
			  struct problem *problem);

void header_free(struct header *h);

#endif
