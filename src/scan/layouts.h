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
/* Returns the layout of an element's packed results. members: room for PACKED_MAX, used by the layout. */
struct layout layout_of_results(const struct packed *results, struct layout_member *members);

/* The head of a saved window, before its prefix and its states (window.c). */
#define SAVED_WINDOW(M)    \
	M(COUNT, elements) \
	M(COUNT, place)    \
	M(U8, has_block)   \
	M(COUNT, numbers)  \
	M(COUNT, taken)    \
	M(COUNT, covered) M(COUNT, suffix_end) M(TEXT, lacks) M(U8, is_spoilt) M(COUNT, spoilt_from) M(COUNT, spoilt_to)
#define RECORD_NAME struct saved_window
struct saved_window {
	SAVED_WINDOW(RECORD_FIELD)
};
static const struct layout_member saved_window_members[] = {SAVED_WINDOW(RECORD_MEMBER)};
static const struct layout saved_window_layout = RECORD_LAYOUT(saved_window);
#undef RECORD_NAME

#endif
