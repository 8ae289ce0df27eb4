/* What conductor_save.c and conductor_load.c share. Only they include this. */
#ifndef PSCAN_SCANNER_CONDUCTOR_SAVE_PRIVATE_H
#define PSCAN_SCANNER_CONDUCTOR_SAVE_PRIVATE_H

#include "scan/layouts.h"
#include "scanner/key_scans.h"
#include "scanner/saved_layout.h"

/* The flags of a saved segment: members of struct segment. */
#define SEGMENT_HAS_LAST 1
#define SEGMENT_IS_PAST 2
#define SEGMENT_IS_SHORT 8
#define SEGMENT_IS_ANEW 16 /* Only for a part of a stream (part.is_part). */

/* Layouts of the members of a lane's segments whose size depends on the row. All zero: the lane has no such member. */
struct lane_layouts {
	/* For each width: of the cursor, or with windows of the window's prefix and states. */
	struct layout cursor[WIDTH_COUNT], prefix[WIDTH_COUNT], states[WIDTH_COUNT];
	struct layout_member result_members[PACKED_MAX]; /* Memory of `results`. */
	struct layout results; /* An element's results. */
	size_t results_size; /* Packed bytes of `results`. */
};

/* Returns the layouts of all lanes, in their order. The caller ends them with memory_free. NULL after a message. */
struct lane_layouts *saved_find_layouts(const struct conductor *c);
/* Returns the layout of what the window keeps of an element: the element as it was written, or its index. NULL: the
 * window keeps nothing. Not for narrow windows, which are never saved. */
const struct layout *saved_kept_layout(const struct window *w);

/* Returns the bytes of the segment's last result, from its form. */
size_t saved_last_size(const struct conductor *c, size_t lane, const struct segment *g);

/* Appends the lane's segment of a key as it is saved. layouts: the lane's. Failures are recorded in p->failed. */
void saved_pack_segment(struct pack *p, const struct conductor *c, const struct lane_layouts *layouts, size_t lane,
			uint32_t key);

/* Appends the description of what conductor_save writes of this scan. layouts: of all lanes. */
void saved_describe_all(struct pack *p, const struct conductor *c, const struct lane_layouts *layouts);
/* Return the records that conductor_save writes of this scan, of a lane, and of the keys. They borrow memory of *c.
 * types: room for the lane's result types, which the returned record borrows. */
struct saved_scan saved_scan_of(const struct conductor *c);
struct saved_key_lane saved_key_lane_of(const struct conductor *c, size_t lane, unsigned char types[PACKED_MAX]);
struct saved_keys saved_keys_of(const struct conductor *c);

#endif
