/* The fast rows for x86-64-v4: AVX-512 F, BW, DQ, VL. */
#define LEVEL host_rows_v4
#define LEVEL_WINDOWS host_rows_windows_v4
#define LEVEL_VECTOR_BYTES 64
#include "scan/rows_level.inc"
