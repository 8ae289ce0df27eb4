/* Windows of segments, for the conductor's own files.
 *
 * Functions that return a status have printed a message if it is not STATUS_OK. */
#ifndef PSCAN_SCANNER_SEGMENT_WINDOWS_H
#define PSCAN_SCANNER_SEGMENT_WINDOWS_H

#include "scanner/key_scans.h"

/* Returns the lane that windows scan. For max and min of exact decimals that is argmax and argmin, so that the element
 * is found as it was written. */
struct plan_lane key_scans_window_lane(const struct plan_lane *lane);
/* Whether a window must store indices itself, because records without a number count. */
bool key_scans_keep_indices(const struct plan *plan, const struct plan_lane *lane);
/* Prints that there is no memory for a window of the lane. Returns STATUS_SYSTEM. */
enum status key_scans_lack_window(const struct conductor *c, const struct lane *l);
/* Checks that there is memory for the lane's window, if the lane has only one. */
enum status key_scans_try_window(const struct conductor *c, const struct lane *l) MUST_CHECK;
/* Scans `count` elements into the segment's window. *bad: the first element that does not fit (all before it were
 * scanned), or SIZE_MAX. */
enum status segment_push_window(const struct run_scan *r, const void *in, size_t count, void *out,
				size_t *bad) MUST_CHECK;
/* Counts record i of the run, which has no number, in the segment's window. In an exclusive lane the next result
 * becomes that of the numbers left in the window. */
enum status segment_pass_window(const struct run_scan *r, size_t i) MUST_CHECK;
/* Counts `count` records without a number in the segment's window, without results. */
enum status segment_pass_places(const struct run_scan *r, uint64_t count) MUST_CHECK;
/* Converts the results of the last `count` elements, in work->out, to indices among all of the segment's records. */
void segment_find_window_indices(const struct run_scan *r, size_t count);
/* Call it once for the `count` elements that the segment's window took in last, from the run's element `first` on.
 * Keeps them in the window as they were written. Sets their forms and, in work->in, their results, a union value each.
 * indices, for max and min: a uint64_t for each, its result as an index among all elements that the window took in. */
void segment_find_places(const struct run_scan *r, size_t first, size_t count, const unsigned char *indices,
			 unsigned char *forms);

/* segment_narrow_windows.c */

/* Decides whether the lane has narrow windows, of exact decimals that all have 64 bits and one scale. If so, sets their
 * row and window_row. The lane's other rows are set. */
void lane_find_narrow_window(const struct plan *plan, struct lane *l);
/* Makes a segment's window empty, for elements of the segment's width. */
void segment_begin_window(const struct lane *l, struct segment *g);
/* Scans the run's elements, which are `in` at the segment's scale, into the segment's narrow window. *bad: SIZE_MAX; or
 * 0, and nothing changes, if a result may need more bits. STATUS_SYSTEM after a message. */
enum status segment_push_narrow_window(const struct run_scan *r, const int64_t *in, void *out, size_t *bad) MUST_CHECK;
/* If the lane has narrow windows: makes the segment's one of 128 bits, if it is narrow. STATUS_SYSTEM after a
 * message. */
enum status segment_widen_window(const struct run_scan *r) MUST_CHECK;

#endif
