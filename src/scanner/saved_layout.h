/* The layout of what --state saves of a scan (conductor_save.c). Code that packs, reads or shows it takes the names
 * from here. For cursors see scan/layouts.h. */
#ifndef PSCAN_SCANNER_SAVED_LAYOUT_H
#define PSCAN_SCANNER_SAVED_LAYOUT_H

#include <stdbool.h>

#include "base/layout.h"
#include "number/type.h"

/* The scan. A saved_key_lane for each lane follows, then the keys. */
#define SAVED_SCAN(M, R) M(R, U8, started) M(R, U32, lanes)
/* A lane: the types of its results; whether a segment's last results are packed; whether it has a window, which keeps
 * elements; whether its results are texts, which then follow. */
#define SAVED_KEY_LANE(M, R) \
	M(R, TEXT, result_types) M(R, U8, is_packed) M(R, U8, has_window) M(R, U8, keeps) M(R, U8, has_texts)
/* A text of a lane, and the lower half of its number. */
#define SAVED_KEPT_TEXT(M, R) M(R, U32, number) M(R, TEXT, text)
/* The keys. is_one: each lane has only one scan (plan_is_one_scan). place_kinds: the kinds of the records' places
 * (place_kind_of); number_kinds: those of the fields of numbers, a byte each, if numbers may be times. */
#define SAVED_KEYS(M, R) M(R, U8, is_one) M(R, U8, has_resets) M(R, U64, place_kinds) M(R, TEXT, number_kinds)
/* What a key's next record is compared with, to find whether it begins a segment: segments begun; whether there was a
 * record; the last record's place and reset fields; the reset fields of the last record with an element. */
#define SAVED_RESETS(M, R) M(R, COUNT, begun) M(R, U8, is_known) M(R, I128, place) M(R, TEXT, text) M(R, TEXT, name)
/* A segment: flags (SEGMENT_HAS_LAST and others); the width of its cursor (enum width); its scale, own scale, last
 * result and form (enum result_form) as in struct segment; segments begun and records. Its record_counts follow (all 0
 * if it has none), the last results if they are packed, then the cursor or the window. */
#define SAVED_SEGMENT(M, R) \
	M(R, U8, flags)     \
	M(R, U8, width)     \
	M(R, U8, scale)     \
	M(R, U8, own_scale) \
	M(R, U8, last_form) \
	M(R, VALUE, last)   \
	M(R, COUNT, begun) M(R, COUNT, count)
/* Counts of a segment. passed: records that took no part; in_row: those of them after the last number. For totals,
 * whose order is that of the numbers: order grows with the places of the keys' first numbers (0: no number yet, or no
 * keys); early: records that belong to the next segment, whose first number has not come; early_begun: its `begun`. */
#define RECORD_COUNTS(M, R) \
	M(R, COUNT, passed) M(R, COUNT, in_row) M(R, COUNT, order) M(R, COUNT, early) M(R, COUNT, early_begun)
/* What a window keeps of an element: the element as it was written, or its index. */
#define SAVED_ELEMENT(M, R) M(R, VALUE, value) M(R, U8, own)
#define SAVED_INDEX(M, R) M(R, U64, index)

RECORD(saved_scan, SAVED_SCAN)
RECORD(saved_key_lane, SAVED_KEY_LANE)
RECORD(saved_kept_text, SAVED_KEPT_TEXT)
RECORD(saved_keys, SAVED_KEYS)
RECORD(saved_resets, SAVED_RESETS)
RECORD(saved_segment, SAVED_SEGMENT)
RECORD(record_counts, RECORD_COUNTS)
RECORD(saved_element, SAVED_ELEMENT)
RECORD(saved_index, SAVED_INDEX)

/* Returns a value of a type of `size` bytes. */
union value saved_value_load(const struct saved_value *saved, size_t size);

/* Appends the type of a lane's sized member to *p, and returns true. Returns false if the lane has no such member; *p
 * may then have more bytes, which the caller removes. what: "cursor", "last_results", "prefix", "states" or "kept". A
 * lane without "cursor" has a window. If `what` is "texts": only returns whether the lane's results are texts. */
typedef bool saved_sized(const void *context, struct pack *p, size_t lane, const char *what);

/* Appends the description of a saved scan of `lane_count` lanes. has_resets: records begin segments, so keys have
 * saved_resets. context: for `sized`. */
void saved_describe(struct pack *p, size_t lane_count, bool has_resets, saved_sized *sized, const void *context);
/* Appends the description `words` without the types of sized members. */
void saved_leave_out_sized(struct pack *p, const struct saved_text *words);

#endif
