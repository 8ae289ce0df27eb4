/* Hillis and Steele's scan instead of Blelloch's tree (kernels/tile.h), for --algorithm=hillis-steele. It works for any
 * row: the runs are those of the row with Blelloch's tree, and only what comes before a run is computed here. It exists
 * for study; Blelloch's code is compiled for each row as a whole. */
#ifndef PSCAN_ROWS_HILLIS_H
#define PSCAN_ROWS_HILLIS_H

#include "rows/row_code.h"

/* The bytes of a cursor. cursor: the type struct GRID(cursor) (kernels/cursor.h) of the row; state: the type of its
 * states. Hillis and Steele's cursor has room for all run totals of a tile, where struct GRID(cursor) has 8 nodes. */
#define HILLIS_CURSOR_SIZE(cursor, state) (sizeof(cursor) + (GRID_TILE / GRID_RUN - 8) * sizeof(state))

/* `push` of struct row_code. */
typedef size_t hillis_push_run(void *cursor, const void *in, size_t count, double parameter, void *out);

/* The sizes and functions of a row. Elements are in the accumulator's type. */
struct hillis_row {
	size_t state_size, element_size, result_size; /* Bytes of one state, one element, one result. */
	size_t local_prefix, node; /* Bytes from a cursor's beginning to these members. */
	/* Sets later[i] to combine(earlier[i], later[i]), for i = count - 1 down to 0: `earlier` may overlap `later` if
	 * it begins before it. */
	void (*combine)(const void *earlier, void *later, size_t count);
	/* Sets *total to the total of `count` elements, 1 to GRID_RUN, combined left to right. */
	void (*run_total)(const void *elements, size_t count, double parameter, void *total);
	/* `fold` of struct row_code, of the row with Blelloch's tree. */
	bool (*fold)(void *cursor, const void *totals, size_t count, void *prefixes);
};

/* `totals` of struct tile_code, for any row. */
void hillis_totals(const struct hillis_row *row, const void *in, size_t count, double parameter, void *totals);
/* `results` of struct tile_code, for any row. push: of the row's variant, with Blelloch's tree. */
size_t hillis_results(const struct hillis_row *row, hillis_push_run *push, const void *in, size_t count,
		      double parameter, const void *carry_in, bool first_has_carry, void *out);
/* `segments` of struct tile_code, for any row. push: as for hillis_results. */
size_t hillis_segments(const struct hillis_row *row, hillis_push_run *push, const void *in, size_t count, size_t length,
		       double parameter, void *out);
/* `push` of struct row_code, for any row. push: as for hillis_results. */
size_t hillis_push(const struct hillis_row *row, hillis_push_run *push, void *cursor, const void *in, size_t count,
		   double parameter, void *out);

#endif
