/* The totals of a stream's whole tiles, lane by lane: what a scan of the elements after them must know of them. */
#ifndef PSCAN_STREAM_TILE_TOTALS_H
#define PSCAN_STREAM_TILE_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct tile_totals {
	struct bytes *lanes; /* of each of the plan's its states, one a tile. The caller's */
	uint64_t first; /* the index in its lane of their first element */
	size_t tiles; /* of each lane, that count */
};

#endif
