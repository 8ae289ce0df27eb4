/* The memory of windows by time. Internal to scan/window*.c. */
#ifndef PSCAN_SCAN_WINDOW_SPAN_H
#define PSCAN_SCAN_WINDOW_SPAN_H

#include "base/status.h"
#include "rows/row_code.h"

/* Gives an array room for `wanted` things of `size` bytes and one more, and keeps the first `count` things. wanted: at
 * most `most`, the most that will ever be needed. *capacity is in bytes, because the array may have been made for
 * things of another size. Returns false, without a message and with the array as before, if memory is missing. */
bool window_reserve_array(unsigned char **array, size_t *capacity, uint64_t count, uint64_t wanted, uint64_t most,
			  size_t size) MUST_CHECK;
/* window_reserve for a window by time, with states of `size` bytes. Returns false, without a message, if memory is
 * missing. */
bool window_reserve_span(struct window *w, size_t size, uint64_t count) MUST_CHECK;

#endif
