/* The scan of a row on the host, by the calling thread. Elements have the type row->in and are converted to the
 * accumulator's type first. Any thread may call these functions; one cursor only one thread at a time. A row of a
 * user's program has no code for them. */
#ifndef PSCAN_SCAN_HOST_TILES_H
#define PSCAN_SCAN_HOST_TILES_H

#include "scan/row.h"

/* Sets totals[k] to the total of tile k, for `count` elements (at least 1). totals: row_tile_size bytes for each
 * tile. */
void host_scan_totals(const struct row *row, const void *in, size_t count, void *totals);

/* Writes the results of `count` elements. carry_in: a state for each tile; the first one is read only if
 * first_has_carry. Returns the index of the first element whose conversion or result does not fit, or SIZE_MAX. (Rows
 * that are not checked return SIZE_MAX.) */
size_t host_scan_results(const struct row *row, const void *in, size_t count, const void *carry_in,
			 bool first_has_carry, void *out);

/* Writes the results of segments of `length` elements each, at most a tile, as if each segment were a scan of its own.
 * count must be a multiple of length. Returns the index of the first element whose conversion or result does not fit,
 * or SIZE_MAX. */
size_t host_scan_segments(const struct row *row, const void *in, size_t count, size_t length, void *out);

/* Scans short segments by row->short_segments (scan_short_segments in row_code.h). begun[i] is the number of element
 * i's segment: neighbours with equal numbers are one segment. Whole segments are taken from the beginning, up to one
 * that is longer than a run, one with a result that does not fit, or the last one. Returns the number of elements
 * taken. Their results are then in `out` (room for `count`), and those after them are undefined. 0 also if the row has
 * no such code or elements must be converted. */
size_t host_scan_short_segments(const struct row *row, const void *in, const uint32_t *begun, size_t count, void *out);

/* Pushes the next `count` elements into the cursor and writes their results. Returns the index of the first element
 * whose conversion or result does not fit, or SIZE_MAX. */
size_t host_scan_push(const struct row *row, void *cursor, const void *in, size_t count, void *out);

/* host_scan_push, faster because whole tiles are scanned by the row's tile code. states: memory for two states for each
 * whole tile of `count` elements, for temporary use. */
size_t host_scan_push_tiles(const struct row *row, void *cursor, const void *in, size_t count, void *states, void *out);

#endif
