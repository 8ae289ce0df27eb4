/* The layout of what --state saves of a scan (conductor_save.c). Code that packs, reads or shows it takes the names
 * from here. For cursors see scan/layouts.h. */
#ifndef PSCAN_STREAM_SAVED_H
#define PSCAN_STREAM_SAVED_H

#include <stdbool.h>

#include "base/layout.h"

/* The scan. A saved_key_lane for each lane follows, then the keys. */
#define SAVED_SCAN(M) M(U8, started) M(U32, lanes)
/* A lane: the types of its results; whether a segment's last results are packed; whether its window keeps elements. */
#define SAVED_KEY_LANE(M) M(TEXT, result_types) M(U8, is_packed) M(U8, keeps)
/* The keys. is_one: each lane has only one scan (plan_is_one_scan). gap_kind: the form of --reset-gap fields (enum
 * gap_kind). */
#define SAVED_KEYS(M) M(U8, is_one) M(U8, has_resets) M(U8, has_windows) M(U8, gap_kind)
/* What a key's next record is compared with, to find whether it begins a segment: segments begun; whether there was a
 * record; the last record's place and reset fields; the reset fields of the last record with an element. */
#define SAVED_RESETS(M) M(COUNT, begun) M(U8, is_known) M(I128, place) M(TEXT, text) M(TEXT, name)
/* A segment: flags (conductor_saved.h); the width of its cursor (enum width); the last result and its form (enum
 * result_form); segments begun, records, records that took no part, and how many of these came last in a row; the key's
 * place in the order of totals; records that already belong to the next segment, and `begun` at that time. The last
 * results follow if they are packed, then the cursor or the window. */
#define SAVED_SEGMENT(M) \
	M(U8, flags)     \
	M(U8, width)     \
	M(U8, scale)     \
	M(U8, own_scale) \
	M(U8, last_form) \
	M(VALUE, last)   \
	M(COUNT, begun)  \
	M(COUNT, count) M(COUNT, passed) M(COUNT, in_row) M(COUNT, order) M(COUNT, early) M(COUNT, early_begun)
/* What a window keeps of an element: the element as it was written, or its index. */
#define SAVED_ELEMENT(M) M(VALUE, value) M(U8, own)
#define SAVED_INDEX(M) M(U64, index)

#define RECORD_NAME struct saved_scan
struct saved_scan {
	SAVED_SCAN(RECORD_FIELD)
};
static const struct layout_member saved_scan_members[] = {SAVED_SCAN(RECORD_MEMBER)};
static const struct layout saved_scan_layout = RECORD_LAYOUT(saved_scan);
#undef RECORD_NAME
#define RECORD_NAME struct saved_key_lane
struct saved_key_lane {
	SAVED_KEY_LANE(RECORD_FIELD)
};
static const struct layout_member saved_key_lane_members[] = {SAVED_KEY_LANE(RECORD_MEMBER)};
static const struct layout saved_key_lane_layout = RECORD_LAYOUT(saved_key_lane);
#undef RECORD_NAME
#define RECORD_NAME struct saved_keys
struct saved_keys {
	SAVED_KEYS(RECORD_FIELD)
};
static const struct layout_member saved_keys_members[] = {SAVED_KEYS(RECORD_MEMBER)};
static const struct layout saved_keys_layout = RECORD_LAYOUT(saved_keys);
#undef RECORD_NAME
#define RECORD_NAME struct saved_resets
struct saved_resets {
	SAVED_RESETS(RECORD_FIELD)
};
static const struct layout_member saved_resets_members[] = {SAVED_RESETS(RECORD_MEMBER)};
static const struct layout saved_resets_layout = RECORD_LAYOUT(saved_resets);
#undef RECORD_NAME
#define RECORD_NAME struct saved_segment
struct saved_segment {
	SAVED_SEGMENT(RECORD_FIELD)
};
static const struct layout_member saved_segment_members[] = {SAVED_SEGMENT(RECORD_MEMBER)};
static const struct layout saved_segment_layout = RECORD_LAYOUT(saved_segment);
#undef RECORD_NAME
#define RECORD_NAME struct saved_element
struct saved_element {
	SAVED_ELEMENT(RECORD_FIELD)
};
static const struct layout_member saved_element_members[] = {SAVED_ELEMENT(RECORD_MEMBER)};
static const struct layout saved_element_layout = RECORD_LAYOUT(saved_element);
#undef RECORD_NAME
#define RECORD_NAME struct saved_index
struct saved_index {
	SAVED_INDEX(RECORD_FIELD)
};
static const struct layout_member saved_index_members[] = {SAVED_INDEX(RECORD_MEMBER)};
static const struct layout saved_index_layout = RECORD_LAYOUT(saved_index);
#undef RECORD_NAME

/* Appends the type of a lane's sized member; what: "cursor", "last_results", "prefix", "states" or "kept". False if the
 * lane has no such member. */
typedef bool saved_sized(const void *context, struct pack *p, size_t lane, const char *what);

/* Appends the description of a saved scan of that many lanes. */
void saved_describe(struct pack *p, size_t lane_count, bool has_resets, bool has_windows, saved_sized *sized,
		    const void *context);
/* Appends a description without the types of sized members. */
void saved_leave_out_sized(struct pack *p, const struct saved_text *words);

#endif
