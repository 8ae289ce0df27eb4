/* The fast rows for x86-64-v3: AVX2 and BMI2. */
#define LEVEL host_rows_v3
#define LEVEL_WINDOWS host_rows_windows_v3
#define LEVEL_VECTOR_BYTES 32
#include "scan/rows_level.inc"
