/* A run that scans only a part of a stream: what it gets to know about the elements before the part, and what it gives
 * back. */
#ifndef PSCAN_SCANNER_SCAN_PART_H
#define PSCAN_SCANNER_SCAN_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/pack.h"

/* A place in the stream is an array with counts of what is before it: lines of its file; then, one number for each of
 * the plan's fields, elements of its file; then, one for each field again, elements of all files. */
static inline size_t place_size(size_t field_count)
{
	return 1 + 2 * field_count;
}

/* Elements of a lane around its tiles. */
struct tile_ends {
	struct bytes head; /* elements before the first tile boundary, if there are elements after it */
	struct bytes tail; /* elements of the last tile, which may be whole, or of the only tile */
	bool is_in_head; /* no tile boundary was passed */
};

/* The totals of a part's whole tiles, which a scan of later elements needs. */
struct tile_totals {
	struct bytes *lanes; /* for each lane: one state a tile. Owned by the caller. NULL: elements are only counted */
	struct tile_ends *ends; /* for each lane: the elements around its tiles. NULL: not wanted */
	const uint64_t *firsts; /* for each field: the index of its first element. NULL: all are `first` */
	uint64_t first;
};

/* All zero: a whole scan, from its beginning. All pointers are the caller's and may be NULL. */
struct scan_part {
	/* What the scan continues from, in this order: */
	const struct unpack *saved; /* the output of conductor_save */
	bool is_begun; /* initial results were written, in an earlier run */
	const struct tile_totals *before; /* the tiles after `saved` */
	/* the output of conductor_save for the part after `before` (conductor_joins) */
	const struct unpack *joined;
	bool *is_joined; /* becomes whether `joined` could be joined; if false, do not use `next` */
	const uint64_t *place; /* where the part begins; without `saved`, all that is known of its segments */
	/* What is wanted of the part: */
	struct tile_totals *gathered; /* receives the totals of its tiles; the run then gives no results */
	/* receives the state at the end: if the run succeeds, or if is_part and the whole part was scanned */
	struct pack *next;
	uint64_t *end; /* receives the place where the scan ended, whether the run succeeds or not */
	bool *begins_anew; /* receives the result of conductor_begins_anew */
	bool is_part; /* no total is written */
	/* A stream that is read twice for t of --emit: */
	struct last_results *finds; /* the first reading: receives each segment's last result; no results are given */
	struct last_results *found; /* the second reading: what the first one found */
};

#endif
