/* What one run does, settled before it starts: the options together with the first block of the input
 * (cli/make_plan.h). */
#ifndef PSCAN_STREAM_PLAN_H
#define PSCAN_STREAM_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "scan/row.h"
#include "text/members.h"
#include "text/npy.h"
#include "text/rules.h"

/* One independent scan: a field, or a column, under an operator. */
struct plan_lane {
	size_t field; /* the index of the element that each record has for it */
	size_t first_result; /* the index among those of a record of its first one */
	const struct scan_operator *op;
	double factor; /* the operator's, if it has one (PARAMETER_FACTOR) */
	const struct type *in, *acc; /* for decimals the first ones, i64 */
	const struct packed *numbers; /* of several types, those of text; or NULL: all are in's */
	bool decimal; /* exact decimals */
	bool exclusive; /* what it gives are its row's inclusive results, moved one place */
	bool exclusive_row; /* its row gives the exclusive ones (struct row) */
	const char *seed; /* its text, or NULL */
};

/* Results that are written as a .npy file. */
struct plan_array {
	struct npy_shape shape;
	bool grows; /* its first size is what was written in the end */
	struct bytes type; /* of an element, in Python. Owned */
	size_t element_size; /* in bytes */
};

struct plan {
	struct record_format format;
	struct packed element; /* of binary input */
	bool reads_npy, writes_npy; /* binary with headers */
	bool is_guessed; /* nothing but the first block says that the input is raw numbers */
	struct npy_shape beside; /* of an array with --axis: the other axes */
	struct npy_array array; /* of the first such file */
	struct plan_array result;
	/* The scans: those of the first element of a record, operator by operator, then those of the next. */
	struct plan_lane *lanes; /* owned */
	size_t lane_count;
	size_t field_count; /* elements of a record, at least 1 */
	bool is_segmented; /* lanes have several scans: keys, or */
	uint64_t reset_every; /* elements of a lane after which its scan begins anew; 0: none */
	uint64_t window; /* elements that results are of, or 0: all */
	const char *reset_at; /* so does it at each element that is this number; NULL: at none */
	bool resets_at_nan, resets_after_missing; /* so it does there */
	bool keeps_records; /* records without a number may be kept or held: they take indices, too */
	uint64_t min_count; /* numbers that a result must be of */
	uint64_t fill_limit; /* records in a row whose result is the one before; 0: any number */
	size_t operator_count;
	size_t result_count; /* of a record: each lane has one, or a program's several */
	struct bytes fields, numbers; /* format.text's. Owned */
	uint64_t line_fields; /* of line 1, or a run before, where a range of fields has no end; else 0 */
	bool lacks_line; /* such a range is of one field as long as there is no line */
	struct hash_key hash_key; /* format.text's */
	struct bytes seeds; /* the lanes'. Owned */
	struct result_name *names; /* format.names. Owned */
	struct members members; /* format.text's, where lines name their fields. Owned */
	struct label *labels; /* format.labels. Owned, */
	struct bytes label_text; /* as is what they say */
	/* Binary records of many columns, which all are scanned alike: record by record, on the host, and results are
	 * written as records. */
	bool by_cursors;
	bool decimal_strict; /* what cannot be exact is an error: of dec */
	enum algorithm algorithm;
	bool verify; /* what a device returns */
	bool check_associative; /* of programs, with the first elements */
	bool needs_device; /* the host has no code for some lane's operator */
	bool checked; /* --overflow=error */
	bool include_initial, total;
	bool plots; /* results are drawn in the end: slots have curves, or points, of theirs */
	bool is_saved; /* the scan at the end of the stream is kept, for another run to go on */
	/* Running. */
	bool line_buffered; /* every line is read and written for itself */
	size_t chunk_elements; /* of a lane: whole tiles, unless there are many columns; of text as many bytes */
	bool chunk_fixed; /* by the user: no device changes it */
	size_t slot_count; /* at most PLAN_SLOTS_MAX */
	size_t thread_count; /* workers */
};

/* Whether records of the same key have scans of their own. */
static inline bool plan_has_keys(const struct plan *plan)
{
	return plan->format.text.key_count > 0;
}

/* Whether a lane has only one scan, which begins with the stream and does not end before it: its results may still be
 * of windows. */
static inline bool plan_is_one_scan(const struct plan *plan)
{
	return !plan_has_keys(plan) && !text_resets_by_records(&plan->format.text) && plan->reset_every == 0 &&
	       plan->reset_at == NULL;
}

/* Whether the bytes of the input are the elements of the only column. */
static inline bool plan_is_direct(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	bool is_direct = plan->format.input == FORMAT_BINARY && plan->field_count == 1 &&
			 plan->format.record_size == plan->element.size && t->key_count + t->reset_count == 0 &&
			 !t->gap.given;
	for (size_t i = 0; is_direct && i < plan->format.text.field_count; i++)
		is_direct = plan->format.text.numbers[i] == i + 1;
	return is_direct;
}

#define PLAN_SLOTS_MAX 64
/* Results of a record. */
#define PLAN_LANES_MAX 65536
/* Elements of a chunk that a device can number, with the unfinished tile before them: its indices have 32 bits. */
#define PLAN_CHUNK_ELEMENTS_MAX ((UINT32_MAX - 2 * (size_t)GRID_TILE) / GRID_TILE * GRID_TILE)

#endif
