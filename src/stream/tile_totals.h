/* The totals of a stream's whole tiles, lane by lane: what a scan of the elements after them must know of them. */
#ifndef PSCAN_STREAM_TILE_TOTALS_H
#define PSCAN_STREAM_TILE_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* Elements of a lane around its tiles. */
struct tile_ends {
	struct bytes head; /* those before the first tile's edge, if some are after it */
	struct bytes tail; /* those of the last tile, which may be whole, or of the only one */
	bool is_in_head; /* no edge was passed */
};

struct tile_totals {
	struct bytes *
		lanes; /* of each of the plan's its states, one a tile. The caller's. NULL: elements are only counted */
	struct tile_ends *ends; /* the same of what is around them; NULL: there is nothing */
	const uint64_t *firsts; /* of each field's elements the index of the first one; NULL: of all it is */
	uint64_t first;
};

#endif
