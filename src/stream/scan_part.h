/* How a run begins and ends that scans a part of a stream: what others know of the elements before it, and what they
 * want to know of it. */
#ifndef PSCAN_STREAM_SCAN_PART_H
#define PSCAN_STREAM_SCAN_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/pack.h"

/* A place of the stream: what is before it. The arrays have one number for each of the plan's fields, and are the
 * caller's. */
struct place {
	uint64_t lines; /* of its file */
	uint64_t *elements; /* of its file */
	uint64_t *taken; /* elements of all files */
};

/* Elements of a lane around its tiles. */
struct tile_ends {
	struct bytes head; /* those before the first tile's edge, if some are after it */
	struct bytes tail; /* those of the last tile, which may be whole, or of the only one */
	bool is_in_head; /* no edge was passed */
};

/* The totals of a part's whole tiles: what a scan of the elements after them must know of them. */
struct tile_totals {
	struct bytes *lanes; /* of each lane, one state a tile. The caller's. NULL: elements are only counted */
	struct tile_ends *ends; /* of each lane: what is around its tiles. NULL: nothing */
	const uint64_t *firsts; /* of each field the index of its first element. NULL: it is `first` */
	uint64_t first;
};

/* All zero: a whole scan, from its beginning. All pointers are the caller's and may be NULL. */
struct scan_part {
	/* What the scan goes on from, in this order: */
	const struct unpack *saved; /* what conductor_save made */
	const struct tile_totals *before; /* tiles after that */
	const struct unpack *joined; /* what conductor_save made of the elements after that (conductor_joins) */
	bool *is_joined; /* becomes whether they could be joined; if not, next is not to be used */
	const struct place *place; /* where the part begins: all that is known of segments if nothing is saved */
	/* What is wanted of the part: */
	struct tile_totals *gathered; /* the totals of its tiles, and no results */
	struct pack *next; /* the state after it, if the run succeeds, or if is_part and all of it was scanned */
	struct place *end; /* where it ended, whether the run succeeds or not */
	bool *begins_anew; /* conductor_begins_anew */
	bool is_part; /* no total */
};

#endif
