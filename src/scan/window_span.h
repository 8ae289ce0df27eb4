/* The memory of windows by time. Internal to scan/window*.c. */
#ifndef PSCAN_SCAN_WINDOW_SPAN_H
#define PSCAN_SCAN_WINDOW_SPAN_H

#include "base/status.h"
#include "rows/row_code.h"

/* Gives an array, in which the first `count` things of `size` bytes are used, room for `wanted` of them, at most
 * `most`, and one more. Its capacity is in bytes: what the next segment keeps there may be larger. Returns false if
 * memory is missing. */
bool window_reserve_array(unsigned char **array, size_t *capacity, uint64_t count, uint64_t wanted, uint64_t most,
			  size_t size) MUST_CHECK;
/* window_reserve for a window by time, with states of `size` bytes. Returns false if memory is missing. */
bool window_reserve_span(struct window *w, size_t size, uint64_t count) MUST_CHECK;

#endif
