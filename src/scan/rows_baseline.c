/* The fast rows for every machine of the architecture. */
#define LEVEL host_rows_baseline
#define LEVEL_WINDOWS host_rows_windows_baseline
#define LEVEL_VECTOR_BYTES 16
#include "scan/rows_level.inc"
