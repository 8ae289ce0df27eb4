/* Finds the host's code for every operator of the table and accumulator type.
 *
 * Every row has code compiled from the grid's own text, kernels/tile.h. Common rows also have vector code for some
 * levels of instruction sets. Both give equal bits.
 *
 * Each operator has object files of its own (row_code.h says what they contain): rows_grid.c, rows_loops.c and, if it
 * has vector code, rows_level.c for each level, all compiled with the operator's facts (rows_facts.inc). */
#ifndef PSCAN_ROWS_ROWS_H
#define PSCAN_ROWS_ROWS_H

#include "rows/level.h"
#include "operators/operator_id.h"
#include "rows/row_code.h"

/* Returns part one of an operator's code (row_code.h). */
const struct operator_grid *host_rows_grid(enum operator_id op);
/* Returns part two of an operator's code (row_code.h). */
const struct operator_loops *host_rows_loops(enum operator_id op);
/* Part three of each operator's code (row_code.h) for each level. NULL: LEVEL_GRID, or an operator without vector
 * code. */
extern const struct operator_level *const host_rows_levels[OPERATOR_ID_COUNT][LEVEL_COUNT];

/* Returns the code of a row, never NULL. All zero: the row has no such code. variant: a sum of ROW_CHECKED and
 * ROW_EXCLUSIVE. */
const struct row_code *host_rows_code(enum operator_id op, enum type_id acc, unsigned variant,
				      enum algorithm algorithm);
/* Returns a row's fastest passes over tiles for the highest level that may be used (level_allowed), never NULL. They
 * are those of host_rows_code if there is no vector code: always so for exclusive results and for algorithms other than
 * Blelloch's. */
const struct tile_code *host_rows_tiles(enum operator_id op, enum type_id acc, unsigned variant,
					enum algorithm algorithm);
/* Returns a row's fastest code for windows, without the overflow check, for the highest level that may be used
 * (level_allowed). NULL: this type has no such code. (Narrow integers may only have code in a wider type.) */
push_window *host_rows_push_window(enum operator_id op, enum type_id acc);

#endif
