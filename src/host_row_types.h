/* The rows of one operator OP over every accumulator type. No include guard, on purpose. */
#define ACC i8
#include "host_row.h"
#undef ACC
#define ACC u8
#include "host_row.h"
#undef ACC
#define ACC i16
#include "host_row.h"
#undef ACC
#define ACC u16
#include "host_row.h"
#undef ACC
#define ACC i32
#include "host_row.h"
#undef ACC
#define ACC u32
#include "host_row.h"
#undef ACC
#define ACC i64
#include "host_row.h"
#undef ACC
#define ACC u64
#include "host_row.h"
#undef ACC
#define ACC i128
#include "host_row.h"
#undef ACC
#if !CHECKED && !defined INTEGERS_ONLY
#define ACC f32
#include "host_row.h"
#undef ACC
#define ACC f64
#include "host_row.h"
#undef ACC
#endif
