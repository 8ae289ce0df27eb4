/* Scans of the last N elements, of any operator: none has an inverse here (van Herk 1992, Gil and Werman 1993).
 *
 *     elements   | 0 .. N-1 | N .. 2N-1 | 2N .. |     blocks, by index
 *                       |--------|                    a window: a suffix of the block before, and a prefix of its element's own
 *
 * The prefix is the scan of the block, on a grid that begins there; the suffixes are one, too, on that grid's mirror image, from the
 * block's end back, made as it ends. A window that is a block is its prefix alone. So an element costs three combinations, however
 * long the windows are. The states of N elements are kept: a place holds its element, then its suffix, which was combined by the time that
 * the next block's element takes the place.
 *
 * An element may have no number: it takes its place, and the grids of its block, both ways, are those of the numbers
 * there are. What is left of the block before may then be nothing, as may be the prefix.
 *
 * Where order does not count vectors of elements are combined at once, in short windows without blocks (rows_any_order_windows.inc).
 * Sums and products of floats are scanned many blocks at once, across their runs (rows_across_segments.inc).
 */
#ifndef PSCAN_SCAN_WINDOW_H
#define PSCAN_SCAN_WINDOW_H

#include "base/pack.h"
#include "base/status.h"
#include "scan/row.h"

/* How the windows of a row are scanned. Integers whose results may not fit are scanned in a wider type, in which what
 * is in between is exact. */
struct window_row {
	const struct row *row; /* borrowed */
	const struct window_code *code;
	push_window *push; /* the code's, or a faster one */
	const struct type *type; /* the accumulator: the row's, or a wider one */
};

/* The row's windows of so many elements; it must stay where it is. It is no program's, and in the grid's order. */
struct window_row window_row_of(const struct row *row, uint64_t length);
/* From a window's beginning on: its states are such that a machine with other vectors can go on from them, that
 * elements may have no number, and that it can change to another row. */
void window_row_forget_vectors(struct window_row *row);
/* Bytes of a window of such rows as the operator may have, a multiple of its alignment. */
size_t window_size_max(const struct scan_operator *op);

/* Makes room for the states of the next count elements. STATUS_SYSTEM: there is no memory; nothing was printed. */
enum status window_reserve(struct window *w, const struct window_row *row, uint64_t count) MUST_CHECK;
void window_free(struct window *w);
/* Begins it anew; its length is set. */
void window_begin(struct window *w, const struct window_row *row);

/* Takes in the next count elements, in row->in, for which there is room, and writes their results. covered: by
 * window_cover, or NULL if all elements are numbers. Returns how many were taken: less than count if the next one,
 * or its result, does not fit; then so many were taken in, or more (w->count says so) if row->acc is narrower than
 * the type. */
size_t window_push(struct window *w, const struct window_row *row, const void *in, size_t count,
		   const uint64_t *covered, void *out) MUST_CHECK;
/* Of how many numbers the windows of the next count elements are, all of which are numbers: window_push's covered. */
void window_cover(const struct window *w, size_t count, uint64_t *covered);
/* What the window of an element without a number gives. */
enum window_passed { WINDOW_IS_EMPTY, WINDOW_HAS_RESULT, WINDOW_DOES_NOT_FIT };
/* Takes in an element without a number, for which there is room. If its window has numbers their result is written to
 * out, unless that is NULL; of exact decimals, if it does not fit, the window is as it was. */
enum window_passed window_pass(struct window *w, const struct window_row *row, void *out) MUST_CHECK;

/* Brings all that it holds from one row of exact decimals to another, whose states are no larger. The context's
 * function gives the members of a state there. False: it says that some have no place there; the window is as it
 * was. */
typedef bool window_bring(const void *context, const union value *members, union value *brought);
bool window_change(struct window *w, const struct window_row *from, const struct window_row *to, window_bring *bring,
		   const void *context) MUST_CHECK;

/* What a window is as bytes (but for what is kept), for a row that is scanned by its code's own push, and the way back.
 * How many things are kept. STATUS_SYSTEM after a message: there is no memory. (*u says whether it was a window.) */
uint64_t window_pack(struct pack *p, const struct window *w, const struct window_row *row);
enum status window_unpack(struct unpack *u, struct window *w, const struct window_row *row, uint64_t *count) MUST_CHECK;

#endif
