/* The scan of a row on the host, by the calling thread. Elements of another type than the accumulator's (row->in) are
 * converted first. */
#ifndef PSCAN_SCAN_HOST_H
#define PSCAN_SCAN_HOST_H

#include "scan/row.h"

/* Writes the total of each tile of the count (at least 1) elements: totals[k] is that of tile k. in: elements of type
 * row->in. Any thread. */
void host_scan_totals(const struct row *row, const void *in, size_t count, void *totals);

/* Writes count results. carry_in: a state for each tile, the first of which is not read unless first_has_carry. Returns
 * the index of the first element whose conversion or result does not fit, or SIZE_MAX. Any thread. */
size_t host_scan_results(const struct row *row, const void *in, size_t count, const void *carry_in,
			 bool first_has_carry, void *out);

/* Writes the results of segments of `length` elements each, at most a tile, as if each segment were a scan of its own.
 * count must be a multiple of length. Returns as host_scan_results does. */
size_t host_scan_segments(const struct row *row, const void *in, size_t count, size_t length, void *out);

/* Writes the results of the segments that row->short_segments can take (scan_short_segments in row_code.h explains
 * begun). Returns how many elements it took: 0 where elements must be converted. */
size_t host_scan_short_segments(const struct row *row, const void *in, const uint32_t *begun, size_t count, void *out);

/* Takes the next count elements into the cursor and writes their results. Returns as host_scan_results does. */
size_t host_scan_push(const struct row *row, void *cursor, const void *in, size_t count, void *out);

/* host_scan_push that does whole tiles at once. states: memory for two states a tile. */
size_t host_scan_push_tiles(const struct row *row, void *cursor, const void *in, size_t count, void *states, void *out);

#endif
