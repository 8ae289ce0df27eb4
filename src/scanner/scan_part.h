/* A run that scans only a part of a stream: what it is told of the elements before it, and what it gives back. */
#ifndef PSCAN_SCANNER_SCAN_PART_H
#define PSCAN_SCANNER_SCAN_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/pack.h"

/* Returns how many numbers a place in the stream has. A place is an array of counts of what comes before it: the lines
 * of its file; then for each of the plan's fields the records of its file; then for each field the elements of all
 * files that take part. */
static inline size_t place_size(size_t field_count)
{
	return 1 + 2 * field_count;
}

/* The elements of a lane at both ends of a part that are not scanned by their tile's total. */
struct tile_ends {
	/* The elements before the part's first tile edge. Empty if the part begins at an edge or has no element after
	 * it. */
	struct bytes head;
	struct bytes tail; /* The elements of the part's last tile, which may be whole. */
	bool is_in_head; /* The part has begun within a tile, and has no element after this tile so far. */
};

/* The totals of a part's tiles, which a scan of later elements needs. The bytes are owned by the caller. */
struct tile_totals {
	struct bytes *lanes; /* For each lane: row_tile_size bytes a whole tile. NULL: elements are only counted. */
	struct tile_ends *ends; /* For each lane. NULL: not wanted; the part begins at a tile's edge. */
	const uint64_t *firsts; /* For each field: the index of the part's first element. NULL: all are `first`. */
	uint64_t first;
};

/* All zero: a whole scan, from its beginning. All pointers are borrowed and may be NULL. */
struct scan_part {
	/* What the scan continues from. Applied in the order `saved`, `joined`, `before`. */
	const struct unpack *saved; /* The state that conductor_save has saved. */
	bool is_begun; /* An earlier run has written the initial results. */
	const struct tile_totals *before; /* Tiles after `saved`. Only for plans that are not segmented. */
	/* The state, saved by conductor_save, of a scan of the elements after `saved` alone. Only if
	 * conductor_joins. */
	const struct unpack *joined;
	bool *is_joined; /* Set if `joined` is: whether it could be joined exactly. If not, do not use `next`. */
	/* The place where the part begins. Without `saved`, this is all that is known of the segment there. */
	const uint64_t *place;
	/* What is wanted of the part: */
	struct tile_totals *gathered; /* Receives the totals of the part's tiles. The run then gives no results. */
	/* Receives the state at the end (conductor_save), if the run succeeds. With is_part also if the input had
	 * errors and all of it was scanned. */
	struct pack *next;
	uint64_t *end; /* Receives the place where the scan ended (conductor_place), also if the run fails. */
	bool *begins_anew; /* Receives the result of conductor_begins_anew, also if the run fails. */
	bool is_part; /* The stream goes on after the part, so no total is written. */
	/* For a stream that is read twice, because --emit uses t: */
	/* The first reading, whose own results are of no use: receives each segment's last result. */
	struct last_results *finds;
	struct last_results *found; /* The second reading: what the first one has found. */
};

#endif
