/* Hillis and Steele's scan in the tree's place (kernels/tile.h), for any row, through its functions: an element costs some calls. It is there
 * to be looked at, beside Blelloch's, which is compiled for each row. */
#ifndef PSCAN_SCAN_HILLIS_H
#define PSCAN_SCAN_HILLIS_H

#include "scan/row_code.h"

/* What it needs of a row. Cursors are those of kernels/cursor.h: with all run totals of a tile, where the grid's have the tree's nodes. */
struct hillis_row {
	size_t state_size, element_size, result_size;
	size_t base, local_prefix, node; /* where these are in a cursor */
	void (*lift)(const void *element, double parameter, void *state);
	void (*combine)(const void *earlier, const void *later, void *state); /* which may be either */
	int (*overflow)(const void *before, const void *x, const void *state);
	/* As struct row_code has them. */
	bool (*fold)(void *cursor, const void *totals, size_t count, void *prefixes);
	void (*state)(const void *cursor, void *state);
	void (*emit)(const void *state, const void *element, double parameter, void *result);
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
