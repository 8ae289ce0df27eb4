/* The rows without overflow check. */
#define CHECKED 0
#define HILLIS_STEELE 0
#define ROWS host_rows_plain
#include "scan/rows_grid.inc"
