/* Windows of segments. Only files of src/scanner include this.
 *
 * A function that returns a status has printed a message unless the status is STATUS_OK. */
#ifndef PSCAN_SCANNER_SEGMENT_WINDOWS_H
#define PSCAN_SCANNER_SEGMENT_WINDOWS_H

#include "scanner/key_scans.h"

/* Returns the lane that windows scan in place of this one. Results of exact decimals that are elements are written as
 * the elements were: max and min are found by argmax and argmin, and first, last and lag by places alone (count). */
struct plan_lane key_scans_window_lane(const struct plan_lane *lane);
/* Whether the lane's windows must keep each element's index among all records: for argmax and argmin, if records
 * without a number count. */
bool key_scans_keep_indices(const struct plan *plan, const struct plan_lane *lane);
/* Prints that there is no memory for a window of the lane. Returns STATUS_SYSTEM. */
enum status key_scans_lack_window(const struct conductor *c, const struct lane *l);
/* Checks that there is memory for a whole window of the lane. With keys, and for windows by time, does nothing.
 * STATUS_SYSTEM. */
enum status key_scans_try_window(const struct conductor *c, const struct lane *l) MUST_CHECK;
/* Scans `count` elements, which are the run's from its first one on, into the segment's window, and writes their
 * results to `out`. *bad becomes the first element that does not fit, or SIZE_MAX; the elements before it are then
 * scanned, and no others. Of windows by time also an element whose time is before an earlier one's: the stream then
 * ends there. STATUS_SYSTEM. */
enum status segment_push_window(const struct run_scan *r, const void *in, size_t count, void *out,
				size_t *bad) MUST_CHECK;
/* Counts record i of the run, which has no number, in the segment's window. In an exclusive lane the segment's last
 * result, which the next element shows, becomes that of the numbers left in the window. Windows by time stay as they
 * are. STATUS_SYSTEM. */
enum status segment_pass_window(const struct run_scan *r, size_t i) MUST_CHECK;
/* Counts `count` records without a number in the segment's window, without results. Windows by time stay as they are.
 * STATUS_SYSTEM. */
enum status segment_pass_places(const struct run_scan *r, uint64_t count) MUST_CHECK;
/* Call it once for the `count` elements that a window with kept_is_index took in last. Keeps their indices among all of
 * the segment's records, and converts their results in work->out to such indices. */
void segment_find_window_indices(const struct run_scan *r, size_t count);
/* Call it once for the `count` elements that the segment's window took in last, from the run's element `first` on.
 * Keeps them in the window as they were written. Sets forms[0 .. count - 1], and from the beginning of work->in on
 * their results, a union value each. Uses what the window's push has left in work->covered and work->whole. indices: a
 * uint64_t for each element, which must be readable; for max and min the index of its result among all elements that
 * the window took in, for other operators any number. */
void segment_find_places(const struct run_scan *r, size_t first, size_t count, const unsigned char *indices,
			 unsigned char *forms);

/* segment_narrow_windows.c */

/* Decides whether the lane's windows begin narrow: for exact decimals that all have 64 bits and one scale. Sets
 * l->has_narrow_windows and, if true, the row and the window of WIDTH_NARROW. Call it when the lane's rows are set. */
void lane_find_narrow_window(const struct plan *plan, struct lane *l);
/* Makes a segment's window empty, for elements of the segment's width. */
void segment_begin_window(const struct lane *l, struct segment *g);
/* Scans the run's elements, which are `in` at the segment's scale, into the segment's narrow window, and writes their
 * results to `out`, an int64_t each. *bad becomes SIZE_MAX; or 0, and nothing changes, if a result may need more bits.
 * STATUS_SYSTEM. */
enum status segment_push_narrow_window(const struct run_scan *r, const int64_t *in, void *out, size_t *bad) MUST_CHECK;
/* For a lane with narrow windows: if the segment's window is narrow, converts it to 128 bits. STATUS_SYSTEM; the window
 * is then undefined. */
enum status segment_widen_window(const struct run_scan *r) MUST_CHECK;

#endif
