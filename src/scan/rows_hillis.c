/* The rows with Hillis and Steele's scan in the tree's place. */
#define HILLIS_STEELE 1
#define ROWS host_rows_hillis
#include "scan/rows_grid.inc"
