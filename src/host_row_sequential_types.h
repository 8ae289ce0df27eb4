/* The sequential rows of one operator OP over every accumulator type. No include guard, on purpose. */
#define ROW_FILE "host_row_sequential.h"
#include "host_row_integer_types.h"
#undef ROW_FILE
#ifndef INTEGERS_ONLY
#if OVERFLOWS
#undef OVERFLOWS
#define OVERFLOWS 0
#define RESTORE_OVERFLOWS
#endif
#define ACC f32
#include "host_row_sequential.h"
#undef ACC
#define ACC f64
#include "host_row_sequential.h"
#undef ACC
#ifdef RESTORE_OVERFLOWS
#undef RESTORE_OVERFLOWS
#undef OVERFLOWS
#define OVERFLOWS 1
#endif
#endif
