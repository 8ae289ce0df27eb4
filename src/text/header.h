/* The header: lines at the beginning of each file that hold no numbers. The first file's header is that of the
 * stream. */
#ifndef PSCAN_TEXT_HEADER_H
#define PSCAN_TEXT_HEADER_H

#include "base/memory.h"
#include "base/problem.h"
#include "text/line.h"
#include "text/names.h"
#include "text/rules.h"

/* Numbers for chosen fields that have no name in the header. */
#define HEADER_NAMELESS UINT64_MAX /* The field has no name (a label of the line). */
#define HEADER_NAME_UNKNOWN (UINT64_MAX - 1) /* The field may have a name, but the first record is too short to tell. */

/* All memory is owned. */
struct header {
	/* A whole header was read. The lines are then constant. The numbers and the results' names are constant once
	 * name_ends is not empty. */
	bool known;
	struct problem problem; /* Why the whole header cannot be used. It is reported for every file. */
	/* A field was chosen by name, and the first record was read, too. fields, chosen_names, all_names and shape are
	 * then set and constant. */
	bool is_settled;
	uint64_t line_count; /* Header lines that were read. */
	struct bytes lines; /* These lines, each with a newline. LINE_PADDING readable bytes follow them. */
	size_t last_line, last_size; /* Where the last line begins in `lines`; its size (record_repeated_size). */
	size_t names_line, names_size; /* Where the line that names the fields begins in `lines`, and its bytes. */
	uint64_t names_number; /* The number of that line in its file, from 1. */
	bool are_names_sure; /* The first record has shown to which fields the names belong. */
	/* A uint64_t for each chosen field: the number of its name in the header, HEADER_NAMELESS or
	 * HEADER_NAME_UNKNOWN. */
	struct bytes numbers;
	/* A uint64_t for each chosen field: its number in the records, which may differ from that of its name, perhaps
	 * plus FIELD_FROM_END. */
	struct bytes fields;
	/* A struct names_item for each chosen field: the columns of its name. All zero for a field that was chosen by
	 * number. */
	struct bytes chosen_names;
	struct bytes all_names; /* A struct names_item for each name of the header. Only their columns are used. */
	struct names_shape shape; /* The shape of the records. */
	/* The names as they are written, joined by the delimiter: those of the shown keys (line_output), then those of
	 * the results. */
	struct bytes names;
	struct bytes name_ends; /* A size_t for each result: where its name ends in `names`. Empty: not known yet. */
};

/* Returns the name of a result, from 0, and sets *size to its bytes. Borrowed from *h. name_ends must not be empty, and
 * no keys may be shown (line_output). */
static inline const char *header_name(const struct header *h, size_t result, size_t *size)
{
	const size_t *ends = (const size_t *)(const void *)h->name_ends.data;
	const size_t begin = result == 0 ? 0 : ends[result - 1] + 1;
	*size = ends[result] - begin;
	return (const char *)h->names.data + begin;
}

/* Returns how many fields of the line equal `name`. If no field does, returns how many equal it without the blanks
 * around them. Stores the numbers, from 1, of the first `most` of these fields in `numbers`, which may be NULL if
 * `most` is 0. */
uint64_t header_numbers_of(const struct text_rules *rules, const struct line *line, const char *name, uint64_t *numbers,
			   size_t most);
/* Whether one of the line's fields has this name. */
static inline bool header_has(const struct text_rules *rules, const struct line *line, const char *name)
{
	return header_numbers_of(rules, line, name, NULL, 0) > 0;
}

/* The facts from the header that decoding needs. */
struct header_table {
	const uint64_t *numbers; /* header.numbers. NULL: no field is chosen, or no whole header was read yet. */
	const uint64_t *fields; /* Each chosen field's number in the records. Before header.is_settled: `numbers`. */
	const struct names_item *names; /* header.chosen_names. NULL if `shape` is. */
	const struct names_item *all_names; /* header.all_names. NULL if `shape` is. */
	const struct names_shape *shape; /* NULL: no field was chosen by name, or no record was read yet. */
	const char *last_line; /* The last line of the header, without its newline. */
	size_t last_size; /* Bytes of the last line. 0: an equal line is a record (record_repeated_size). */
};

/* Returns the facts from a header. Pointers point into *h and are valid until it changes. */
struct header_table header_table(const struct header *h);

/* Reads the beginning of a file: `size` bytes that contain the whole header and the first record, or the whole file.
 * LINE_PADDING more bytes must be readable. Compares the lines that an earlier file has, and remembers others. *count
 * becomes the file's header lines. *dropped becomes the number of those that an earlier file has, too. *problem must be
 * all zero. It is set, and prints nothing, in these cases:
 *   A chosen name is not in the header, or is there twice.
 *   A header line differs from that of the first file, has an open quote, or has a carriage return within it.
 *   The names do not line up with the fields of the first record.
 *   --replace chooses a field twice. (STATUS_USAGE; otherwise STATUS_DATA.)
 * STATUS_SYSTEM after a message if memory is missing. */
enum status header_read(struct header *h, const struct record_format *format, const char *bytes, size_t size,
			uint64_t *count, uint64_t *dropped, struct problem *problem) MUST_CHECK;

/* Appends the names of the chosen fields, each with a newline, for a later run (--state) to compare.
 *   A field that was chosen by name, or has no name, gives an empty name.
 *   A field whose name is unknown gives its name in `before` (the names of an earlier run), or else a NUL byte.
 *   If no field is chosen, the line that names the fields is appended.
 * Appends nothing if no header is known, or if no record has shown yet to which fields the names belong.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status header_put_names(const struct header *h, const struct text_rules *rules, const struct bytes *before,
			     struct bytes *names) MUST_CHECK;
/* Whether a name of header_put_names stands for an unknown name. */
static inline bool header_is_unknown(const unsigned char *name, size_t size)
{
	return size == 1 && name[0] == '\0';
}
/* Compares the names that header_put_names has appended in an earlier run (`before`) and in this one (`names`). Sets
 * *problem if a name is known in both and differs, or if the numbers of names differ; otherwise *problem stays. Prints
 * nothing. If one of the two is empty, nothing is compared. */
void header_compare_names(const struct header *h, const struct bytes *before, const struct bytes *names,
			  struct problem *problem);
/* Gives the results their names from an earlier run, whose names of fields header_put_names has appended to `before`.
 * Call it only if h->name_ends is empty. STATUS_SYSTEM after a message if memory is missing; *h is then unchanged. */
enum status header_name_before(struct header *h, const struct record_format *format,
			       const struct bytes *before) MUST_CHECK;

/* Frees the memory. *h may be used again only if it is then set to all zero. */
void header_free(struct header *h);

#endif
