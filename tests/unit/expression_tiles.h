/* The passes over the tiles of many elements, of functions of evaluate/expression_scan.h for one tile. */
#ifndef PSCAN_TESTS_UNIT_EXPRESSION_TILES_H
#define PSCAN_TESTS_UNIT_EXPRESSION_TILES_H

#include "base/least.h"
#include "evaluate/expression_scan.h"
#include "rows/row_code.h"

/* Sets totals[k] to the total of tile k, of `size` bytes. Returns whether all combinations have a value. */
static inline bool totals_of_tiles(const struct combination *combine, const void *in, size_t count, size_t size,
				   void *totals)
{
	bool good = true;
	for (size_t first = 0; first < count; first += GRID_TILE)
		good = expression_scan_total(combine, (const unsigned char *)in + first * size,
					     least(count - first, GRID_TILE),
					     (unsigned char *)totals + first / GRID_TILE * size) &&
		       good;
	return good;
}

/* Writes the results of tiles with these carry-ins; the first one is read only if first_has_carry. Returns the first
 * bad element, or SIZE_MAX. */
static inline size_t results_of_tiles(const struct combination *combine, const void *in, size_t count, size_t size,
				      const void *carry_in, bool first_has_carry, void *out)
{
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count && bad == SIZE_MAX; first += GRID_TILE) {
		uint64_t cursor[EXPRESSION_CURSOR_SIZE_MAX / sizeof(uint64_t)] = {0};
		if (first > 0 || first_has_carry)
			(void)expression_scan_add(combine, cursor,
						  (const unsigned char *)carry_in + first / GRID_TILE * size);
		bad = expression_scan_push(combine, cursor, (const unsigned char *)in + first * size,
					   least(count - first, GRID_TILE), (unsigned char *)out + first * size);
		bad = bad != SIZE_MAX ? first + bad : SIZE_MAX;
	}
	return bad;
}

#endif
