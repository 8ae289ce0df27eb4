/* The host's rows: kernels/tile.h compiled as C for every operator and accumulator type, with the fold of the carry. */
#ifndef PSCAN_HOST_ROWS_H
#define PSCAN_HOST_ROWS_H

#include "row.h"

/* Without and with the overflow check. Rows that do not exist (bit operators over floats) or cannot overflow are zero in
 * the first, respectively the second table. */
extern const struct row_code host_rows_plain[OPERATOR_COUNT][TYPE_COUNT];
extern const struct row_code host_rows_checked[OPERATOR_COUNT][TYPE_COUNT];

#endif
