/* Finds the host's code for every operator and accumulator type.
 *
 * Every row has code compiled from the grid's own text, kernels/tile.h. Common rows also have vector code for each
 * level of instruction sets, which gives the same bits.
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
/* Part three of each operator's code (row_code.h) for each level. NULL: the operator has no vector code. */
extern const struct operator_level *const host_rows_levels[OPERATOR_ID_COUNT][LEVEL_COUNT];

/* Returns the code of a row. variant: a sum of ROW_CHECKED and ROW_EXCLUSIVE. */
const struct row_code *host_rows_code(enum operator_id op, enum type_id acc, unsigned variant,
				      enum algorithm algorithm);
/* Returns a row's fastest passes over tiles on this machine. The environment variable PSCAN_CPU (grid, baseline, v3 or
 * v4) sets the highest level that is used; grid is the grid's own text. Algorithms other than Blelloch's have one
 * level. */
const struct tile_code *host_rows_tiles(enum operator_id op, enum type_id acc, unsigned variant,
					enum algorithm algorithm);
/* Returns a row's fastest code for windows without the overflow check on this machine. */
push_window *host_rows_push_window(enum operator_id op, enum type_id acc);

#endif
