/* Hillis and Steele's scan instead of Blelloch's tree (kernels/tile.h), for --algorithm=hillis-steele. It works for any
 * row through functions that each process a run at a time. It exists for study; Blelloch's code is compiled for each
 * row as a whole. */
#ifndef PSCAN_ROWS_HILLIS_H
#define PSCAN_ROWS_HILLIS_H

#include "rows/row_code.h"

/* The bytes of a cursor. cursor: the type struct GRID(cursor) (kernels/cursor.h) of the row; state: the type of its
 * states. Hillis and Steele's cursor has room for all run totals of a tile, where struct GRID(cursor) has 8 nodes. */
#define HILLIS_CURSOR_SIZE(cursor, state) (sizeof(cursor) + (GRID_TILE / GRID_RUN - 8) * sizeof(state))

/* The sizes and functions of a row. Elements are in the accumulator's type. */
struct hillis_row {
	size_t state_size, element_size, result_size; /* Bytes of one state, one element, one result. */
	size_t base, local_prefix, node; /* Bytes from a cursor's beginning to these members. */
	/* Lifts `count` elements to states. */
	void (*lift)(const void *elements, size_t count, double parameter, void *states);
	/* Scans `count` states in place: states[i] becomes the combination of states 0 to i. */
	void (*scan)(void *states, size_t count);
	/* Sets later[i] to combine(earlier[i], later[i]), for i = count - 1 down to 0: `earlier` may overlap `later` if
	 * it begins before it. is_one: `earlier` is a single state, which is used for all i. */
	void (*combine)(const void *earlier, bool is_one, void *later, size_t count);
	/* Returns the first i for which the row's overflow (kernels/row_begin.h) is true of before[i], x[i] and
	 * given[i], or count. */
	size_t (*first_bad)(const void *before, const void *x, const void *given, size_t count);
	/* Sets results[i] to the result of states[i], emitted at elements[i], for `count` i. */
	void (*emit)(const void *states, const void *elements, size_t count, double parameter, void *results);
	/* The functions of these names in struct row_code, of the row with Blelloch's tree. */
	bool (*fold)(void *cursor, const void *totals, size_t count, void *prefixes);
	void (*state)(const void *cursor, void *state);
};

/* `totals` of struct tile_code, for any row. */
void hillis_totals(const struct hillis_row *row, const void *in, size_t count, double parameter, void *totals);
/* `results` of struct tile_code, for any row. variant: a sum of ROW_CHECKED and ROW_EXCLUSIVE. */
size_t hillis_results(const struct hillis_row *row, unsigned variant, const void *in, size_t count, double parameter,
		      const void *carry_in, bool first_has_carry, void *out);
/* `segments` of struct tile_code, for any row. variant: a sum of ROW_CHECKED and ROW_EXCLUSIVE. */
size_t hillis_segments(const struct hillis_row *row, unsigned variant, const void *in, size_t count, size_t length,
		       double parameter, void *out);
/* `push` of struct row_code, for any row. variant: a sum of ROW_CHECKED and ROW_EXCLUSIVE. */
size_t hillis_push(const struct hillis_row *row, unsigned variant, void *cursor, const void *in, size_t count,
		   double parameter, void *out);

#endif
