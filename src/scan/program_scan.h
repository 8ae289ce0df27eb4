/* The scan of a program's row on the host: --map's expressions make elements, an expression or an operator of the table
 * combines them, and --emit's expression makes results. The functions are what scan/host_tiles.h and struct row_code
 * have for rows of the table. The bits are those that a device gives.
 *
 *     in       elements of type row->in, which are converted to the accumulator's type first
 *     index    the index in the scan of the first element of `in`
 *     gaps     gaps[i]: how many of the scan's records without a number come before element i, from the scan's
 *              beginning. They are added to its index (kernels/program.h). NULL: none are
 *     total    the scan's total, for t of --emit: one result of the operator. NULL if the program does not use t
 *
 * program_scan_totals and program_scan_results are for inclusive results only; exclusive ones (struct row) are made by
 * the cursor's functions. Functions that return the index of an element return that of the first element that is bad,
 * or SIZE_MAX. An element is bad if it does not fit the accumulator's type, or if it, its state or its result has no
 * value. */
#ifndef PSCAN_SCAN_PROGRAM_SCAN_H
#define PSCAN_SCAN_PROGRAM_SCAN_H

#include "base/status.h"
#include "scan/row.h"
#include "scan/window.h"

/* A row, with the memory for running its program. Only one thread at a time may use a program_scan. */
struct program_scan;

/* Makes a program_scan for a row whose program is compiled for the host (program_compile). The row is copied, its
 * program is borrowed. The caller frees the program_scan with program_scan_free. NULL after a message if memory is
 * missing. */
struct program_scan *program_scan_new(const struct row *row);
/* Frees a program_scan. NULL: does nothing. */
void program_scan_free(struct program_scan *s);
/* Whether s, made for another row, can be used for `row`: both have the same program, types, parameter and kind of
 * results (exclusive or not). Programs are compared by address, so the program of s must not have been freed. */
bool program_scan_is_for(const struct program_scan *s, const struct row *row);

/* host_scan_totals for the program's row. Nothing is checked: program_scan_results finds bad elements. */
void program_scan_totals(struct program_scan *s, const void *in, size_t count, uint64_t index, void *totals);
/* host_scan_results for the program's row. */
size_t program_scan_results(struct program_scan *s, const void *in, size_t count, uint64_t index, const void *carry_in,
			    bool first_has_carry, const void *total, void *out);
/* host_scan_push for the program's row. The index of the first element is the cursor's count. */
size_t program_scan_push(struct program_scan *s, void *cursor, const void *in, size_t count, const uint64_t *gaps,
			 const void *total, void *out);

/* Several cursors, for program_scan_push_all. All memory is borrowed. */
struct program_cursors {
	void *cursors; /* `count` cursors of `size` bytes, one after the other. */
	size_t size, count;
	const uint32_t *ends; /* Cursor j takes the elements from ends[j - 1] (0 for cursor 0) to before ends[j]. */
	/* bad[j] becomes the index of cursor j's first bad element, counted from its own first one, or UINT32_MAX. */
	uint32_t *bad;
	const unsigned char *totals; /* A total of total_size bytes for each cursor. NULL if --emit does not use t. */
	size_t total_size;
};
/* program_scan_push for several cursors. `in`, `gaps` and `out` are for the elements of all cursors. */
void program_scan_push_all(struct program_scan *s, const struct program_cursors *c, const void *in,
			   const uint64_t *gaps, void *out);

/* `fold` of struct row_code, for inclusive results. *first_has_carry becomes whether tile 0 has a carry-in; prefixes[0]
 * may be unset if not. Returns the index of the first tile after which the carry has no value, or SIZE_MAX. */
size_t program_scan_fold(struct program_scan *s, void *cursor, const void *totals, size_t count, void *prefixes,
			 bool *first_has_carry);
/* Begins a zeroed cursor with a seed. seed: the numbers that the operator takes, in the accumulator's type. If an
 * element of the row has more numbers, as many must be readable. Sets *result to the seed's result. Returns false if
 * that has no value. */
bool program_scan_seed(struct program_scan *s, void *cursor, const void *seed, void *result);
/* Sets *result to the result of no elements, if the program has an operator of the table with an identity; otherwise
 * *result does not change. Returns false if that result has no value. */
bool program_scan_nothing(struct program_scan *s, void *result);
/* Returns the code for windows of `length` elements of the program's operator alone: elements are mapped already, and
 * results are not emitted yet. It borrows from s. */
struct window_row program_scan_window_row(struct program_scan *s, uint64_t length);
/* window_push for the program: maps elements of the row, pushes them and emits. windows: from program_scan_window_row.
 * covered: for each element how many numbers its window holds. known: some elements may have no number, so that
 * `covered` is from window_cover. Returns how many elements have results: `count`, or the index of the first bad
 * element. The window may then have taken in more elements. */
size_t program_scan_push_window(struct program_scan *s, const struct window_row *windows, struct window *w,
				const void *in, size_t count, const uint64_t *covered, bool known, void *out);

/* Writes the four results of CURSOR_TRIPLES (device/engine.h) for each of `count` elements, 1 to GRID_TILE. Results
 * whose elements do not exist, and all results of an operator of the table, are zero bytes. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status program_scan_triples(struct program_scan *s, const void *in, size_t count, uint64_t index,
				 const void *total, void *out) MUST_CHECK;

#endif
