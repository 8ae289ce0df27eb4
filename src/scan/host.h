/* The scan of a row on the host, by the calling thread. Elements of another type than the accumulator's are converted
 * on the way. */
#ifndef PSCAN_SCAN_HOST_H
#define PSCAN_SCAN_HOST_H

#include "scan/row.h"

/* totals[k] = the total of tile k of the count (at least 1) elements, in row->in. Any thread. */
void host_scan_totals(const struct row *row, const void *in, size_t count, void *totals);

/* Writes count results. carry_in holds one state a tile, the first absent unless first_has_carry. Returns the index of
 * the first element whose conversion or result does not fit, or SIZE_MAX. Any thread. */
size_t host_scan_results(const struct row *row, const void *in, size_t count, const void *carry_in,
			 bool first_has_carry, void *out);

/* The same of segments of length elements, at most a tile, as if each were alone; count is a multiple of length. */
size_t host_scan_segments(const struct row *row, const void *in, size_t count, size_t length, void *out);

/* The same of segments that a row's short_segments takes, which returns how many elements it took; 0 where elements
 * are converted. */
size_t host_scan_short_segments(const struct row *row, const void *in, const uint32_t *begun, size_t count, void *out);

/* Takes the next count elements into the cursor and writes their results; returns as host_scan_results does. */
size_t host_scan_push(const struct row *row, void *cursor, const void *in, size_t count, void *out);

/* The same, whole tiles of them at once. states: memory for two of each tile. */
size_t host_scan_push_tiles(const struct row *row, void *cursor, const void *in, size_t count, void *states, void *out);

#endif
