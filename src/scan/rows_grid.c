/* The rows as the grid's own text. */
#define HILLIS_STEELE 0
#define ROWS host_rows_grid
#include "scan/rows_grid.inc"
