/* The rows with the overflow check: integer sums and products. */
#define CHECKED 1
#define HILLIS_STEELE 0
#define ROWS host_rows_checked
#include "scan/rows_grid.inc"
