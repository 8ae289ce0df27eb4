/* The rows with the overflow check: integer sums and products, by Hillis and Steele. */
#define CHECKED 1
#define HILLIS_STEELE 1
#define ROWS host_rows_hillis_checked
#include "scan/rows_grid.inc"
