/* The host's rows for every operator and accumulator type, with the fold of the carry.
 *
 * Every row exists as the grid's own text, kernels/tile.h compiled as C. The common ones exist as vector code too, once
 * for each level of instruction sets, with the same bits. */
#ifndef PSCAN_SCAN_ROWS_H
#define PSCAN_SCAN_ROWS_H

#include "scan/row.h"

/* The grid's own text without and with the overflow check. Rows that do not exist (bit operators over floats) or cannot
 * overflow are zero in the first, respectively the second table. */
extern const struct row_code host_rows_plain[OPERATOR_COUNT][TYPE_COUNT];
extern const struct row_code host_rows_checked[OPERATOR_COUNT][TYPE_COUNT];

/* The same with Hillis and Steele's scan in the tree's place. */
extern const struct row_code host_rows_hillis_plain[OPERATOR_COUNT][TYPE_COUNT];
extern const struct row_code host_rows_hillis_checked[OPERATOR_COUNT][TYPE_COUNT];

/* Strictly left to right; [1] with the overflow check. */
extern const struct row_code host_rows_sequential[2][OPERATOR_COUNT][TYPE_COUNT];

/* The fast rows, [1] with the overflow check; zero where there is none. The tables of levels that were not compiled are
 * zero throughout. */
extern const struct row_code host_rows_baseline[2][OPERATOR_COUNT][TYPE_COUNT];
extern const struct row_code host_rows_v3[2][OPERATOR_COUNT][TYPE_COUNT];
extern const struct row_code host_rows_v4[2][OPERATOR_COUNT][TYPE_COUNT];

/* Whether this machine has the instructions of a level: "grid", "baseline", "v3" or "v4". */
bool host_rows_machine_has(const char *name);

/* The fastest code of a row on this machine. PSCAN_CPU=grid, baseline, v3 or v4 sets the highest level tried: grid is the
 * grid's own text. (The algorithms but Blelloch's have one level.) */
const struct row_code *host_rows_find(enum operator_id op, enum type_id acc, bool checked, enum algorithm algorithm);

#endif
