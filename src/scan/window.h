/* Scans of the last N elements, for any operator. No operator needs an inverse (van Herk 1992, Gil and Werman 1993).
 *
 *     elements   | 0 .. N-1 | N .. 2N-1 | 2N .. |     blocks of N elements, by index
 *                       |--------|                    a window: a suffix of one block and a prefix of the next block
 *
 * The prefix is the scan of its block, on a grid that begins with the block. The suffixes are a scan from the block's
 * end backwards, on the mirror image of this grid; they are computed when the block ends. A window that is a whole
 * block is its prefix alone. So an element costs three combinations, whatever N is. N states are kept: a place holds
 * its element's state, and later its suffix, which is no longer needed when the next block's element takes the place.
 *
 * An element without a number takes its place. The two grids of a block are those of its numbers only. The suffix and
 * the prefix of a window may then both be empty.
 *
 * A window by time has blocks, too, but of different lengths: a block ends before the first element whose window does
 * not hold the block's first element. Here this gives blocks of N. Such a window is a suffix of one block and the next
 * block's prefix. Its states and suffixes are in memory of their own.
 *
 * If any order of combining gives the same bits, vectors of elements are combined at once, for short windows without
 * blocks (rows_any_order_windows.inc). For sums and products of floats, many blocks are scanned at once, across their
 * runs (rows_across_segments.inc). The grid's own code for windows is in rows_window_blocks.inc and
 * rows_suffixes.inc. */
#ifndef PSCAN_SCAN_WINDOW_H
#define PSCAN_SCAN_WINDOW_H

#include "base/pack.h"
#include "base/status.h"
#include "scan/row.h"

/* The code for a row's windows. Integers whose results may not fit are scanned in a wider type, in which all
 * intermediate states are exact. */
struct window_row {
	const struct row *row; /* Borrowed. */
	const struct window_code *code;
	push_window *push; /* code->push, or faster vector code. */
	const struct type *type; /* The accumulator's type: the row's, or a wider one. */
	struct evaluator *combine; /* Of an expression, for one thread (evaluate/expression_window.h), or NULL. */
};

/* Returns the code for a row's windows of `length` elements. *row must outlive it, must not be a program's or
 * exclusive, and must have Blelloch's algorithm. */
struct window_row window_row_of(const struct row *row, uint64_t length);
/* Uses the grid's own code. This is needed if the state is saved for other machines, if elements may have no number, or
 * if the window may change to another row. Call it before the window begins. */
void window_row_forget_vectors(struct window_row *row);
/* Uses the code of windows by time (struct window_span). The row must not be an expression's. Call it before the window
 * begins. */
void window_row_set_by_time(struct window_row *row);
/* Returns the bytes of the largest window of any row that the operator may have, a multiple of the alignment. */
size_t window_size_max(const struct scan_operator *op);

/* Makes room for the states of the next `count` elements. STATUS_SYSTEM without a message if memory is missing. */
enum status window_reserve(struct window *w, const struct window_row *row, uint64_t count) MUST_CHECK;
/* Frees the memory that the window owns. */
void window_free(struct window *w);
/* Makes a window empty again. Its length, kept_size, may_lack and memory stay. */
void window_begin(struct window *w, const struct window_row *row);

/* Adds the next `count` elements, of type row->row->in, to the window and writes their results. Room for them must be
 * reserved (window_reserve). covered: from window_cover, or NULL if all elements so far have numbers. Returns the
 * number of elements that have results. It is less than count if the next element or its result does not fit. In that
 * case, if row->type is wider than the row's accumulator, more elements may have been added than have results: w->count
 * tells how many. */
size_t window_push(struct window *w, const struct window_row *row, const void *in, size_t count,
		   const uint64_t *covered, void *out) MUST_CHECK;
/* For the next `count` elements, which must all have numbers: sets covered[i] to how many elements of element i's
 * window have a number. For window_push. */
void window_cover(const struct window *w, size_t count, uint64_t *covered);
/* Whether the window of element i of the next ones, which must all have numbers, has all its elements, and the first of
 * them has a number, too. Not for windows that vector code has pushed. */
bool window_begins_with_number(const struct window *w, size_t i);
/* For the next `count` elements of a window by time, for which room is reserved: takes their times, and sets begins[i]
 * to the first number of element i's window and covered[i] to how many numbers it holds, for window_push. The window of
 * an element holds the numbers up to it whose times are less than `length` (at least 1) before its time. Element i's
 * time is times[order[i]], or times[i] if `order` is NULL. `begins` must live until window_push returns. Returns
 * `count`, or the index of the first element whose time is before that of the element before it; it and later ones are
 * not taken. */
size_t window_find_begins(struct window *w, const int128 *times, const uint32_t *order, size_t count, int128 length,
			  uint64_t *begins, uint64_t *covered) MUST_CHECK;
/* The outcome of window_pass: the element's window has no number, has a result, or has a result that does not fit. */
enum window_passed { WINDOW_IS_EMPTY, WINDOW_HAS_RESULT, WINDOW_DOES_NOT_FIT };
/* Adds an element without a number to the window. Room for it must be reserved (window_reserve). If its window has
 * numbers, writes their result to out, which may be NULL. If for exact decimals the result does not fit, the window is
 * unchanged. */
enum window_passed window_pass(struct window *w, const struct window_row *row, void *out) MUST_CHECK;

/* Writes the result of a window by time before its next element, whose window begins with the number `begin`
 * (window_find_begins): of the numbers from that one on that were taken in. Call it before window_push takes that
 * element. */
enum window_passed window_look_back(struct window *w, const struct window_row *row, uint64_t begin,
				    void *out) MUST_CHECK;

/* A function that converts the members of a state (struct state_parts) from one row to another. Returns false if a
 * member does not fit. */
typedef bool window_bring(const void *context, const union value *members, union value *brought);
/* Converts all states of a window from the row `from` to the row `to`, by bring(context, ...). Both are rows of exact
 * decimals, or `to` is of f64, and use the grid's own code (window_row_forget_vectors). The states of `to` must not be
 * larger than those of `from`. `bring` may be called twice for a state. Returns false and leaves the window unchanged
 * if it returns false for any state. */
bool window_change_row(struct window *w, const struct window_row *from, const struct window_row *to,
		       window_bring *bring, const void *context) MUST_CHECK;

/* Packs a window without `kept`, and returns the number of entries of `kept`, which the caller must pack. The row must
 * use the grid's own code (window_row_forget_vectors). Failures are recorded in p->failed. */
uint64_t window_pack(struct pack *p, const struct window *w, const struct window_row *row);
/* Reads into *w what window_pack has packed. w's length, kept_size and may_lack must be set; its old content is
 * dropped. *count becomes the number of entries of `kept`, for which there is room and which the caller must read next.
 * The row must use the grid's own code (window_row_forget_vectors). Invalid bytes set u->failed (STATUS_OK); the window
 * is then undefined and *count is 0. STATUS_SYSTEM after a message if memory is missing. */
enum status window_unpack(struct unpack *u, struct window *w, const struct window_row *row, uint64_t *count) MUST_CHECK;

#endif
