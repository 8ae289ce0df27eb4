/* Hillis and Steele's scan in the tree's place (kernels/tile.h), for any row, through its functions, a run at a time.
 * It is there to be looked at, beside Blelloch's, which is compiled for each row as a whole. */
#ifndef PSCAN_SCAN_HILLIS_H
#define PSCAN_SCAN_HILLIS_H

#include "scan/row_code.h"

/* What it needs of a row. Cursors are those of kernels/cursor.h: with all run totals of a tile, where the grid's have
 * the tree's nodes. */
struct hillis_row {
	size_t state_size, element_size, result_size;
	size_t base, local_prefix, node; /* where these are in a cursor */
	/* Of count elements, one after the other: them as states; */
	void (*lift)(const void *elements, size_t count, double parameter, void *states);
	/* each state with all before it; */
	void (*scan)(void *states, size_t count);
	/* later[i] with earlier[i] before it, or with the same one before them all. They may overlap: the last one is
	 * the first. */
	void (*combine)(const void *earlier, bool is_one, void *later, size_t count);
	/* The first x[i] that gives no exact given[i] after before[i], or count; and the results of states. */
	size_t (*first_bad)(const void *before, const void *x, const void *given, size_t count);
	void (*emit)(const void *states, const void *elements, size_t count, double parameter, void *results);
	/* As struct row_code has them. */
	bool (*fold)(void *cursor, const void *totals, size_t count, void *prefixes);
	void (*state)(const void *cursor, void *state);
};

/* As struct tile_code and row_code have them. variant: a sum of rows' variants. */
void hillis_totals(const struct hillis_row *row, const void *in, size_t count, double parameter, void *totals);
size_t hillis_results(const struct hillis_row *row, unsigned variant, const void *in, size_t count, double parameter,
		      const void *carry_in, bool first_has_carry, void *out);
size_t hillis_segments(const struct hillis_row *row, unsigned variant, const void *in, size_t count, size_t length,
		       double parameter, void *out);
size_t hillis_push(const struct hillis_row *row, unsigned variant, void *cursor, const void *in, size_t count,
		   double parameter, void *out);

#endif
