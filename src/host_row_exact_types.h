/* The exactly associative rows of one operator OP over every accumulator type; IDEMPOTENT, CAN_OVERFLOW, IDENTITY_OF(T)
 * and, for max and min, ORDERED are defined. No include guard, on purpose. */
#define IDENTITY IDENTITY_OF(ACC)
#define VECTOR_LIFT(v) (v)
#define VECTOR_EMIT(v) (v)
#define LANE ACC

#define LANE_SIZE 1
#define LANE_BITS 8
#define LANE_IS_SIGNED 1
#define ACC i8
#include "host_row_exact.h"
#undef ACC
#undef LANE_IS_SIGNED
#define LANE_IS_SIGNED 0
#define ACC u8
#include "host_row_exact.h"
#undef ACC
#undef LANE_IS_SIGNED
#undef LANE_BITS
#undef LANE_SIZE

#define LANE_SIZE 2
#define LANE_BITS 16
#define LANE_IS_SIGNED 1
#define ACC i16
#include "host_row_exact.h"
#undef ACC
#undef LANE_IS_SIGNED
#define LANE_IS_SIGNED 0
#define ACC u16
#include "host_row_exact.h"
#undef ACC
#undef LANE_IS_SIGNED
#undef LANE_BITS
#undef LANE_SIZE

#define LANE_SIZE 4
#define LANE_BITS 32
#define LANE_IS_SIGNED 1
#define ACC i32
#include "host_row_exact.h"
#undef ACC
#undef LANE_IS_SIGNED
#define LANE_IS_SIGNED 0
#define ACC u32
#include "host_row_exact.h"
#undef ACC
#undef LANE_IS_SIGNED
#undef LANE_BITS
#undef LANE_SIZE

#define LANE_SIZE 8
#define LANE_BITS 64
#define LANE_IS_SIGNED 1
#define ACC i64
#include "host_row_exact.h"
#undef ACC
#undef LANE_IS_SIGNED
#define LANE_IS_SIGNED 0
#define ACC u64
#include "host_row_exact.h"
#undef ACC
#undef LANE_IS_SIGNED
#undef LANE_BITS
#undef LANE_SIZE

#undef LANE
#undef VECTOR_LIFT
#undef VECTOR_EMIT
#undef IDENTITY

#ifdef ORDERED
#define IDENTITY IDENTITY_OF(LANE)
#define VECTOR_LIFT(v) ROW(vector_lift)(v)
#define VECTOR_EMIT(v) ROW(vector_emit)(v)
#define LANE i32
#define LANE_SIZE 4
#define LANE_BITS 32
#define ACC f32
#include "host_row_exact.h"
#undef ACC
#undef LANE_BITS
#undef LANE_SIZE
#undef LANE
#define LANE i64
#define LANE_SIZE 8
#define LANE_BITS 64
#define ACC f64
#include "host_row_exact.h"
#undef ACC
#undef LANE_BITS
#undef LANE_SIZE
#undef LANE
#undef VECTOR_LIFT
#undef VECTOR_EMIT
#undef IDENTITY
#endif
