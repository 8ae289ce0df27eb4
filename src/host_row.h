/* One row of the host: included once for every OP and ACC, with CHECKED defined. No include guard, on purpose. */
#define ELEM ACC
#include "grid.h"
#include "tile.h"

static void ROW(row_totals)(const void *in, size_t count, void *totals)
{
	const ACC *elements = in;
	STATE *total = totals;
	for (size_t first = 0; first < count; first += TILE) {
		STATE node[NODE_COUNT];
		const size_t left = count - first;
		ROW(tile_up_sweep)(elements + first, (u32)(left < TILE ? left : TILE), node);
		*total++ = NODE(RUNS - 1);
	}
}

static size_t ROW(row_results)(const void *in, size_t count, const void *carry_in, bool first_has_carry, void *out)
{
	const ACC *elements = in;
	const STATE *carry = carry_in;
	ACC *results = out;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += TILE) {
		STATE node[NODE_COUNT];
		u32 first_bad = NOT_BAD;
		const size_t left = count - first;
		const u32 length = (u32)(left < TILE ? left : TILE);
		ROW(tile_up_sweep)(elements + first, length, node);
		ROW(tile_down_sweep)(length, node);
		ROW(tile_results)
		(elements + first, results + first, length, first > 0 || first_has_carry, *carry++, node, &first_bad);
		if (first_bad != NOT_BAD && bad == SIZE_MAX)
			bad = first + first_bad;
	}
	return bad;
}

#include "host_row_fold.h"

#undef ELEM
