/* What conductor_save.c and conductor_load.c share. Only they include this. */
#ifndef PSCAN_STREAM_CONDUCTOR_SAVED_H
#define PSCAN_STREAM_CONDUCTOR_SAVED_H

#include "scan/layouts.h"
#include "stream/key_scans.h"
#include "stream/saved.h"

/* What is said of a segment, in one byte. */
#define SEGMENT_HAS_LAST 1
#define SEGMENT_IS_PAST 2
#define SEGMENT_HAS_OUTSIDE 4
#define SEGMENT_IS_SHORT 8

/* How what a segment of a lane has besides lies in memory, of each width. */
struct lane_layouts {
	struct layout cursor[WIDTH_COUNT];
	struct layout prefix[WIDTH_COUNT], states[WIDTH_COUNT]; /* of a window */
	struct layout_member result_members[PACKED_MAX];
	struct layout results;
	size_t results_size; /* packed */
};

/* Of each lane; the caller's to memory_free. NULL after a message. */
struct lane_layouts *saved_find_layouts(const struct conductor *c);
/* How it lies in memory what a window keeps of an element: the element, or its index; NULL: nothing. */
const struct layout *saved_kept_layout(const struct window *w);

/* Bytes of a segment's last result. */
size_t saved_last_size(const struct conductor *c, size_t lane, const struct segment *g);

/* What conductor_save makes of this scan: in words, and what stands at the beginning. */
enum status saved_describe_all(struct pack *p, const struct conductor *c,
			       const struct lane_layouts *layouts) MUST_CHECK;
struct saved_scan saved_scan_of(const struct conductor *c);
struct saved_key_lane saved_key_lane_of(const struct conductor *c, size_t lane, unsigned char types[PACKED_MAX]);
struct saved_keys saved_keys_of(const struct conductor *c);

#endif
