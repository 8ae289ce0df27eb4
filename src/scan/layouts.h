/* The layouts of rows' states and cursors in memory (base/layout.h), for --state. */
#ifndef PSCAN_SCAN_LAYOUTS_H
#define PSCAN_SCAN_LAYOUTS_H

#include "base/layout.h"
#include "scan/row.h"
#include "scan/window.h"

/* Returns the layout of a row's cursor. */
struct layout layout_of_cursor(const struct row *row);
/* Returns the layout of a window's prefix. */
struct layout layout_of_prefix(const struct window_row *row);
/* Returns the layout of one of a window's states. */
struct layout layout_of_state(const struct window_row *row);
/* Returns the layout of an element's packed results. members: room for PACKED_MAX. The layout borrows it. */
struct layout layout_of_results(const struct packed *results, struct layout_member *members);

/* The first part of a saved window by count, before its prefix and its states (window_pack). */
#define SAVED_WINDOW(M, R)    \
	M(R, COUNT, elements) \
	M(R, COUNT, place)    \
	M(R, U8, has_block)   \
	M(R, COUNT, numbers)  \
	M(R, COUNT, taken)    \
	M(R, COUNT, covered)  \
	M(R, COUNT, suffix_end) M(R, TEXT, lacks) M(R, U8, is_spoilt) M(R, COUNT, spoilt_from) M(R, COUNT, spoilt_to)
RECORD(saved_window, SAVED_WINDOW)

#endif
