/* The host's rows for every operator and accumulator type, with the fold of the carry.
 *
 * Every row exists as the grid's own text, kernels/tile.h compiled as C. The common ones exist as vector code too, once
 * for each level of instruction sets, with the same bits.
 *
 * Each operator has objects of its own (row_code.h says what is in them): rows_grid.c, rows_loops.c and, if it has
 * vector code, rows_level.c for each level, compiled for its facts (rows_facts.inc). Here they are found. */
#ifndef PSCAN_SCAN_ROWS_H
#define PSCAN_SCAN_ROWS_H

#include "scan/row.h"
#include "scan/row_code.h"

const struct operator_grid *host_rows_grid(enum operator_id op);
const struct operator_loops *host_rows_loops(enum operator_id op);
/* Of a level by its name (as host_rows_machine_has's); NULL if the operator has no vector code. */
const struct operator_level *host_rows_level(const char *name, enum operator_id op);

/* Whether this machine has the instructions of a level: "grid", "baseline", "v3" or "v4". */
bool host_rows_machine_has(const char *name);

/* The code of a row. */
const struct row_code *host_rows_code(enum operator_id op, enum type_id acc, unsigned variant,
				      enum algorithm algorithm);
/* Its fastest passes on this machine. PSCAN_CPU=grid, baseline, v3 or v4 sets the highest level tried: grid is the
 * grid's own text. (The algorithms but Blelloch's have one level.) */
const struct tile_code *host_rows_tiles(enum operator_id op, enum type_id acc, unsigned variant,
					enum algorithm algorithm);
/* The same for windows without the overflow check. */
push_window *host_rows_push_window(enum operator_id op, enum type_id acc);

#endif
