/* The NaNs that --map gives, and the places of its elements. Only slot_map.c uses this. */
#ifndef PSCAN_STREAM_SLOT_MAP_NANS_H
#define PSCAN_STREAM_SLOT_MAP_NANS_H

#include "stream/slot_map.h"

struct slot_column;

/* What becomes of NaNs. All zero: nothing yet. */
struct map_nans {
	struct bytes left_out; /* Array of struct absence, in order: see slot_map_left_out. */
	struct bytes skipped; /* Array of struct absence: those that are not in left_out yet. */
	struct bytes helds; /* Memory for temporary use. */
};

/* Frees the memory and makes it empty. */
void map_nans_free(struct map_nans *n);

/* Notes in *first that an element has no value, if it lies before the one that is noted there. in_record: the index of
 * the element in its record. element: its index in its column. why, type: see struct map_fault. */
void map_take_fault(const struct slot *s, size_t in_record, size_t element, const char *why, const struct type *type,
		    struct map_fault *first);

/* Applies --nan to the first `count` elements of an evaluated column: replaces their NaNs, adds them to k->helds or to
 * n->skipped, or notes the first one in *first. STATUS_SYSTEM after a message if memory is missing. */
enum status map_take_nans(const struct slot *s, const struct plan *plan, struct slot_column *k, size_t count,
			  struct map_nans *n, struct map_fault *first) MUST_CHECK;

/* Moves what is skipped to what is left out. STATUS_SYSTEM after a message if memory is missing. */
enum status map_leave_out(struct map_nans *n) MUST_CHECK;

#endif
