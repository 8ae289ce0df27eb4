/* The scan of a program's row on the host: --map's expressions make elements, an expression or an operator of the table
 * combines them, and --emit's expression makes results. The functions are those that rows of the table have
 * (scan/host_tiles.h, struct row_code), with the bits that a device gives.
 *
 * index: the index of the first element in its scan. gaps: for each element how many elements of other scans lie
 * between the first element and it, or NULL (kernels/program.h). total: the scan's total, for t of --emit, as one
 * result of the operator; NULL if the program does not use it. Results are inclusive for the tiles' functions; rows
 * with exclusive results (struct row) are pushed only. Functions that return an index return that of the first element
 * that has no value, or does not fit, or SIZE_MAX. */
#ifndef PSCAN_SCAN_PROGRAM_SCAN_H
#define PSCAN_SCAN_PROGRAM_SCAN_H

#include "base/status.h"
#include "scan/row.h"
#include "scan/window.h"

/* A row, with the memory for running its program. Only one thread at a time may use it. */
struct program_scan;

/* Makes what runs the row's program, which the host must be able to run (program_host.h). The row is copied, its
 * program borrowed. NULL after a message if memory is missing. The caller frees it with program_scan_free. */
struct program_scan *program_scan_new(const struct row *row);
/* NULL: does nothing. */
void program_scan_free(struct program_scan *s);
/* Whether s was made for a row of this program and with these types. The program that s was made for must still live:
 * their addresses tell programs apart. */
bool program_scan_is_for(const struct program_scan *s, const struct row *row);

/* host_scan_totals. */
void program_scan_totals(struct program_scan *s, const void *in, size_t count, uint64_t index, void *totals);
/* host_scan_results. */
size_t program_scan_results(struct program_scan *s, const void *in, size_t count, uint64_t index, const void *carry_in,
			    bool first_has_carry, const void *total, void *out);
/* host_scan_push. The index is the cursor's count. */
size_t program_scan_push(struct program_scan *s, void *cursor, const void *in, size_t count, const uint64_t *gaps,
			 const void *total, void *out);

/* Cursors that lie one after the other, `size` bytes each. Cursor j takes the elements from ends[j - 1] (0 for the
 * first one) to before ends[j]. bad[j] is set: its first bad element, counted from its own first one, or UINT32_MAX. */
struct program_cursors {
	void *cursors;
	size_t size, count;
	const uint32_t *ends;
	uint32_t *bad;
	const unsigned char
		*totals; /* For each cursor its scan's total, total_size bytes. NULL: --emit does not use it. */
	size_t total_size;
};
/* program_scan_push for each of several cursors. */
void program_scan_push_all(struct program_scan *s, const struct program_cursors *c, const void *in,
			   const uint64_t *gaps, void *out);

/* `fold` of struct row_code. Sets *first_has_carry. Returns the first tile after which the carry has no value, or
 * SIZE_MAX. */
size_t program_scan_fold(struct program_scan *s, void *cursor, const void *totals, size_t count, void *prefixes,
			 bool *first_has_carry);
/* Begins a zeroed cursor with a seed: the numbers that the operator takes, in the accumulator's type, with room for
 * those of an element of the row. *result becomes its result. False: that has no value. */
bool program_scan_seed(struct program_scan *s, void *cursor, const void *seed, void *result);
/* Sets *result to the result of no elements, for an operator that has an identity. False: that has no value. */
bool program_scan_nothing(struct program_scan *s, void *result);
/* Returns the windows of the program's operator: of mapped elements, without --emit. Valid as long as s. */
struct window_row program_scan_window_row(struct program_scan *s, uint64_t length);
/* window_push for elements of the row. windows: from program_scan_window_row. covered: how many numbers each element's
 * window covers; known: it is from window_cover. Returns how many elements have results: `count`, or the index of the
 * first one that has none. */
size_t program_scan_push_window(struct program_scan *s, const struct window_row *windows, struct window *w,
				const void *in, size_t count, const uint64_t *covered, bool known, void *out);

/* Writes CURSOR_TRIPLES' four results (device/engine.h) for each of `count` elements. total: as there. */
enum status program_scan_triples(struct program_scan *s, const void *in, size_t count, uint64_t index,
				 const void *total, void *out) MUST_CHECK;

#endif
