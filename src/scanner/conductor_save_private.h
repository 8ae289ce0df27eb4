/* What conductor_save.c and conductor_load.c share. Only they include this. */
#ifndef PSCAN_SCANNER_CONDUCTOR_SAVE_PRIVATE_H
#define PSCAN_SCANNER_CONDUCTOR_SAVE_PRIVATE_H

#include "scan/layouts.h"
#include "scanner/key_scans.h"
#include "scanner/saved_layout.h"

/* The flags of a saved segment. */
#define SEGMENT_HAS_LAST 1
#define SEGMENT_IS_PAST 2
#define SEGMENT_IS_SHORT 8
#define SEGMENT_IS_ANEW 16 /* (Only of a part of a stream: a later run does not ask.) */

/* Layouts of the parts of a lane's segments whose size depends on the row, one for each width. */
struct lane_layouts {
	struct layout cursor[WIDTH_COUNT];
	struct layout prefix[WIDTH_COUNT], states[WIDTH_COUNT]; /* the window's */
	struct layout_member result_members[PACKED_MAX];
	struct layout results;
	size_t results_size; /* packed */
};

/* Returns the layouts of each lane. The caller ends them with memory_free. NULL after a message. */
struct lane_layouts *saved_find_layouts(const struct conductor *c);
/* The layout of what a window keeps of an element (the element, or its index); NULL if it keeps nothing. */
const struct layout *saved_kept_layout(const struct window *w);

/* How many bytes the segment's last result has. */
size_t saved_last_size(const struct conductor *c, size_t lane, const struct segment *g);

/* Appends a segment as it is saved. layouts: its lane's. */
void saved_pack_segment(struct pack *p, const struct conductor *c, const struct lane_layouts *layouts, size_t lane,
			uint32_t key);

/* Appends the description of what conductor_save writes of this scan. */
void saved_describe_all(struct pack *p, const struct conductor *c, const struct lane_layouts *layouts);
/* The records of which what conductor_save writes consists. types: memory for the lane's result types, which the
 * saved_key_lane borrows. */
struct saved_scan saved_scan_of(const struct conductor *c);
struct saved_key_lane saved_key_lane_of(const struct conductor *c, size_t lane, unsigned char types[PACKED_MAX]);
struct saved_keys saved_keys_of(const struct conductor *c);

#endif
