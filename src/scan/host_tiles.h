/* The scan of a row on the host, by the calling thread. Elements have the type row->in and are converted to the
 * accumulator's type first. The row must not be a program's. Any thread may call these functions, but only one thread
 * at a time for one cursor. Functions that return the index of an element return SIZE_MAX if the row is not checked. */
#ifndef PSCAN_SCAN_HOST_TILES_H
#define PSCAN_SCAN_HOST_TILES_H

#include "scan/row.h"

/* Sets totals[k] to the total of tile k, a state, for `count` elements (at least 1). */
void host_scan_totals(const struct row *row, const void *in, size_t count, void *totals);

/* Writes the results of `count` elements (at least 1). carry_in: a state for each tile. The first one is used only if
 * first_has_carry, but must be readable. Returns the index of the first element whose conversion or result does not
 * fit, or SIZE_MAX. */
size_t host_scan_results(const struct row *row, const void *in, size_t count, const void *carry_in,
			 bool first_has_carry, void *out);

/* Writes the results of `count` elements in segments of `length` elements, as if each segment were a scan of its own.
 * length: 1 to GRID_TILE; count must be a multiple of it. Returns the index of the first element whose conversion or
 * result does not fit, or SIZE_MAX. */
size_t host_scan_segments(const struct row *row, const void *in, size_t count, size_t length, void *out);

/* Scans short segments by row->short_segments: scan_short_segments in row_code.h says what goes in and comes out. `out`
 * has room for `count` results. Returns 0 also if the row has no such code, or if elements must be converted. */
size_t host_scan_short_segments(const struct row *row, const void *in, const uint32_t *begun, size_t count, void *out);

/* Pushes the next `count` elements (fewer than 2^32 numbers), all of them, into the cursor and writes their results.
 * Returns the index of the first element whose conversion or result does not fit, or SIZE_MAX. */
size_t host_scan_push(const struct row *row, void *cursor, const void *in, size_t count, void *out);

/* host_scan_push, faster because row->tiles scans whole tiles. A sequential row must be operator_is_any_order. states:
 * memory for 2 * (count / GRID_TILE) states, for temporary use. */
size_t host_scan_push_tiles(const struct row *row, void *cursor, const void *in, size_t count, void *states, void *out);

#endif
