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
 * A record without a number is an element, too, and has a place. But the two grids of a block have its numbers only. So
 * a window may have neither a suffix nor a prefix.
 *
 * A window by time holds the elements whose times are less than a length of time before that of its last element. Its
 * blocks differ in length: a block ends before the first element whose window does not hold the block's first element.
 * (With windows by count this rule gives blocks of N.) So these windows, too, are a suffix of one block and a prefix of
 * the next block. The states of the present block and the suffixes of the previous one are in different memory. Records
 * without a number are not elements.
 *
 * If the order of combining cannot change the bits, vectors of elements are combined at once, for short windows without
 * blocks (rows_any_order_windows.inc). For sums and products of floats, many blocks are scanned at once, across their
 * runs (rows_across_segments.inc). The grid's own code for windows is in rows_window_blocks.inc, rows_window_walk.inc
 * and rows_suffixes.inc.
 *
 * One thread at a time uses a window. struct window is in rows/row_code.h. */
#ifndef PSCAN_SCAN_WINDOW_H
#define PSCAN_SCAN_WINDOW_H

#include "base/pack.h"
#include "base/status.h"
#include "scan/row.h"

/* The code for a row's windows. Integers that are checked for overflow are scanned in a wider type, in which all
 * intermediate states are exact. (In i128, the widest type, states are checked instead.) */
struct window_row {
	const struct row *row; /* Borrowed. */
	const struct window_code *code;
	push_window *push; /* code->push, code->push_by_time, or faster vector code. */
	const struct type *type; /* The accumulator's type: the row's, or a wider one. */
	const struct combination
		*combine; /* Of an expression (evaluate/expression_window.h), otherwise NULL. Borrowed. */
};

/* Returns the code for a row's windows of `length` elements, which borrows *row. The row must not be a program's, must
 * have inclusive results, and must have Blelloch's algorithm. */
struct window_row window_row_of(const struct row *row, uint64_t length);
/* Makes *row use the grid's own code. This is needed if the window is packed, if elements may have no number
 * (may_lack), or if the window may change to another row. Call it before the window begins. */
void window_row_forget_vectors(struct window_row *row);
/* Makes *row use the grid's own code for windows by time (struct window_span). The row must not be a program's. Call it
 * before the window begins. */
void window_row_set_by_time(struct window_row *row);
/* Returns the bytes of the largest window (struct window with its prefix) of any row that an operator of the table may
 * have, a multiple of the alignment. */
size_t window_size_max(const struct scan_operator *op);

/* Makes room for the next `count` elements, for window_push or window_pass. STATUS_SYSTEM without a message if memory
 * is missing; the window is then as before. */
enum status window_reserve(struct window *w, const struct window_row *row, uint64_t count) MUST_CHECK;
/* Frees the memory that the window owns, but not *w. Only window_begin may follow, or nothing. */
void window_free(struct window *w);
/* Makes a window empty, before its first element or again. Its length, kept_size, may_lack, span.is_given and memory
 * stay. */
void window_begin(struct window *w, const struct window_row *row);

/* Adds the next `count` elements, which all have numbers, of type row->row->in, to the window and writes their results.
 * Room for them must be reserved (window_reserve). covered: from window_cover, or by time from window_find_begins; NULL
 * if all elements so far had numbers and the window is by count. Returns the number of elements that have results. It
 * is less than `count` if the next element or its result does not fit. If row->type is then wider than the row's
 * accumulator, more elements may have been added than have results: w->count tells how many. A window of an expression
 * is then undefined. */
size_t window_push(struct window *w, const struct window_row *row, const void *in, size_t count,
		   const uint64_t *covered, void *out) MUST_CHECK;
/* For the next `count` elements of a window by count, which must all have numbers: sets covered[i] to how many elements
 * of element i's window have a number. For window_push. Not for windows that vector code has pushed. */
void window_cover(const struct window *w, size_t count, uint64_t *covered);
/* Whether the window of element i of the next elements, which must all have numbers, has `length` elements and its
 * first element has a number. For windows by count, but not for those that vector code has pushed. */
bool window_begins_with_number(const struct window *w, size_t i);
/* For the next `count` elements of a window by time, for which room is reserved: takes their times, and prepares the
 * call of window_push with these elements. Element i's time is times[order[i]], or times[i] if `order` is NULL. Its
 * window holds element i and the numbers before it whose times are less than `length` (at least 1) before its time.
 * Sets begins[i] to the index of the window's first number, and covered[i] to how many numbers the window holds.
 * `begins` must live until window_push returns. Returns `count`, or the index of the first element whose time is before
 * that of the element before it: only the elements before this one may then be pushed. */
size_t window_find_begins(struct window *w, const int128 *times, const uint32_t *order, size_t count, int128 length,
			  uint64_t *begins, uint64_t *covered) MUST_CHECK;
/* The outcome of window_pass and window_look_back: no result was written, because the window has no number or none was
 * asked for; a result was written; or the result does not fit. */
enum window_passed { WINDOW_IS_EMPTY, WINDOW_HAS_RESULT, WINDOW_DOES_NOT_FIT };
/* Adds an element without a number to a window by count that may_lack. Room for it must be reserved (window_reserve).
 * Sets *out to the result of its window, if that has numbers. out NULL: no result is wanted, and WINDOW_IS_EMPTY is
 * returned. If the result does not fit, the window of exact decimals or of an expression is as before, and any other
 * window has the element. */
enum window_passed window_pass(struct window *w, const struct window_row *row, void *out) MUST_CHECK;

/* For exclusive results by time: sets *out to the result of the numbers so far that the next element's window holds.
 * begin: the index of this window's first number (window_find_begins). Call it before window_push takes the next
 * element. */
enum window_passed window_look_back(struct window *w, const struct window_row *row, uint64_t begin,
				    void *out) MUST_CHECK;

/* A function that converts the members of a state (struct state_parts) from one row to another: sets `brought` to them.
 * Returns false if a member does not fit. */
typedef bool window_bring(const void *context, const union value *members, union value *brought);
/* Converts all states of a window from the row `from` to the row `to`, by bring(context, ...). `from` is of exact
 * decimals, and `to` is of exact decimals or f64. Both must use the grid's own code (window_row_forget_vectors). The
 * states of `to` must not be larger than those of `from`. `bring` may be called twice for a state. If it returns false
 * for a state, window_change_row returns false and the window is as before. */
bool window_change_row(struct window *w, const struct window_row *from, const struct window_row *to,
		       window_bring *bring, const void *context) MUST_CHECK;

/* Packs a window by count without `kept`, and returns the number of entries of `kept`, which the caller must pack. Not
 * for windows by time. The row must use the grid's own code (window_row_forget_vectors). Failures are recorded in
 * p->failed. */
uint64_t window_pack(struct pack *p, const struct window *w, const struct window_row *row);
/* Reads into *w what window_pack has packed. *w is a window by count, whose length, kept_size and may_lack are set;
 * what else it holds is dropped. *count becomes the number of entries of w->kept, which has room for them and which the
 * caller must read next. The row must use the grid's own code (window_row_forget_vectors). Returns STATUS_OK with
 * u->failed if the bytes are invalid, and STATUS_SYSTEM after a message if memory is missing. After both *count is 0,
 * and only window_begin and window_free may be called with the window. */
enum status window_unpack(struct unpack *u, struct window *w, const struct window_row *row, uint64_t *count) MUST_CHECK;

#endif
