/* What one run of pscan does, settled before it starts: the options together with the first block of the input. */
#ifndef PSCAN_PLAN_H
#define PSCAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number_spec.h"
#include "row.h"
#include "status.h"
#include "type.h"

enum format { FORMAT_AUTO, FORMAT_TEXT, FORMAT_BINARY };

/* What an absent or marked field is. */
enum missing { MISSING_FAIL, MISSING_SKIP, MISSING_KEEP, MISSING_VALUE };

/* What any other token that is no number is. */
enum invalid { INVALID_ABORT, INVALID_FAIL, INVALID_WARN, INVALID_IGNORE };

/* What becomes of the lines in the output. */
enum lines {
	LINES_DROPPED, /* one result a line */
	LINES_APPENDED, /* each line, with its result as a new last field */
	LINES_REPLACED, /* each line, with its result in the field's place */
};

/* How lines become tokens. Strings are borrowed. */
struct text_rules {
	uint64_t field; /* from 1; 0: every white-space-separated token is a number */
	const char *field_name; /* the header tells the field (header.h), or NULL */
	bool by_blanks; /* fields are separated by runs of blanks, else by delimiter */
	bool csv; /* quotes count */
	char delimiter;
	uint64_t header_lines; /* at the start of each file */
	const char *comment; /* lines that begin so are none of ours, or NULL */
	size_t comment_size;
	enum lines lines;
	const char *as; /* name of the results in the header, or NULL */
	enum missing missing;
	const char *missing_value; /* the token that stands in, if MISSING_VALUE */
	enum invalid invalid;
};

/* How tokens become elements. For exact decimals it changes in the course of the stream; version counts the changes. */
struct reading {
	const struct type *type; /* of the stored elements */
	bool decimal; /* mantissas of exact decimals at this scale */
	unsigned scale;
	bool integers_only; /* prod of decimals: a fraction ends exactness; bit operators: it is an error */
	unsigned version;
};

struct plan {
	const struct scan_operator *op;
	enum format input_format, output_format; /* never FORMAT_AUTO */
	/* The scan. */
	const struct type *in, *acc; /* for decimals the first ones, i64 */
	bool decimal; /* exact decimals: num or dec */
	bool decimal_strict; /* dec: what cannot be exact is an error */
	enum algorithm algorithm;
	bool verify; /* what a device returns */
	bool checked; /* --overflow=error */
	bool exclusive, include_initial, total;
	const char *seed; /* its text, or NULL */
	/* Bytes. */
	bool in_swapped, out_swapped; /* binary in or out is not in the machine's byte order */
	struct text_rules text;
	const struct number_spec *number_format; /* of results as text, or NULL: the shortest */
	bool may_need_quotes; /* results as CSV: for what the format puts around them, or a strange delimiter */
	/* Running. */
	bool line_buffered; /* every line is read and written for itself */
	size_t chunk_elements; /* whole tiles; of text as many bytes */
	bool chunk_fixed; /* by the user: no device changes it */
	size_t slot_count; /* at most PLAN_SLOTS_MAX */
	size_t thread_count; /* workers */
};

#define PLAN_SLOTS_MAX 64
/* Elements of a chunk that a device can number, with the unfinished tile before them: its indices have 32 bits. */
#define PLAN_CHUNK_ELEMENTS_MAX ((UINT32_MAX - 2 * (size_t)GRID_TILE) / GRID_TILE * GRID_TILE)

struct options;
/* The worker threads that the options ask for, and the slots that so many need. Asked for once in a run: how many
 * processors there are may change at any time. */
size_t plan_threads(const struct options *options);
size_t plan_slots(size_t threads);
/* Completes the plan for so many worker threads. It borrows strings of the options, and is made from them and the first
 * block (size bytes, whole if it is all there is) of the input. STATUS_USAGE after a message: the input or the options do
 * not go together. */
enum status plan_make(struct plan *plan, const struct options *options, size_t threads, const unsigned char *block,
		      size_t size) MUST_CHECK;

#endif
