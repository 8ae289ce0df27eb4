/* The rows of one operator OP over every accumulator type. No include guard, on purpose. */
#define ROW_FILE "host_row.h"
#include "host_row_integer_types.h"
#undef ROW_FILE
#if !CHECKED && !defined INTEGERS_ONLY
#define ACC f32
#include "host_row.h"
#undef ACC
#define ACC f64
#include "host_row.h"
#undef ACC
#endif
