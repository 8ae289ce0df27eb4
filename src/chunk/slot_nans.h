/* Applies --nan to raw numbers, and to the numbers that --map gives. NaNs that are kept or held stay in their column,
 * as missing numbers of text do, and are listed in the column's helds. */
#ifndef PSCAN_CHUNK_SLOT_NANS_H
#define PSCAN_CHUNK_SLOT_NANS_H

#include "chunk/slot_map.h"

struct slot_column;

/* Applies --nan to the decoded binary elements of a chunk: replaces NaNs, or lists them as kept or held. With
 * --nan=fail, the chunk is cut off before the record of the first NaN, which becomes decoded.problem, and STATUS_OK is
 * returned. The problem has the NaN's field if records have several fields, but not its record. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status slot_apply_nan(struct slot *s, const struct plan *plan) MUST_CHECK;

/* What becomes of the NaNs of --map. All zero: nothing yet. */
struct map_nans {
	struct bytes left_out; /* What slot_map_left_out returns: array of struct absence, in order. */
	struct bytes skipped; /* Array of struct absence: elements found since, which are not in left_out yet. */
	struct bytes helds; /* Memory for temporary use. */
};

/* Frees the memory and makes it empty. */
void map_nans_free(struct map_nans *n);

/* Notes in *first that an element has no value, unless *first has this record or an earlier one. in_record: the
 * element's index in its record. element: the element's index in its column. why, type: see struct map_fault. */
void map_note_fault(const struct slot *s, size_t in_record, size_t element, const char *why, const struct type *type,
		    struct map_fault *first);

/* Applies --nan to the first `count` elements of a column.
 *     a number       replaces their NaNs
 *     keep, hold     adds their NaNs to k->helds
 *     skip           adds their NaNs to n->skipped
 *     fail           notes the first NaN in *first
 *     propagate      does nothing, like a run without --nan
 * STATUS_SYSTEM after a message if memory is missing. */
enum status map_apply_nan(const struct slot *s, const struct plan *plan, struct slot_column *k, size_t count,
			  struct map_nans *n, struct map_fault *first) MUST_CHECK;

/* Moves the elements of n->skipped to n->left_out, in order and each once. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status map_leave_out(struct map_nans *n) MUST_CHECK;

#endif
