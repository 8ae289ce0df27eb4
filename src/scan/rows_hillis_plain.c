/* The rows without overflow check, by Hillis and Steele. */
#define CHECKED 0
#define HILLIS_STEELE 1
#define ROWS host_rows_hillis_plain
#include "scan/rows_grid.inc"
