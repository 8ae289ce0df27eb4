/* ROW_FILE, the rows of one operator OP for an accumulator type ACC, over every integer type. No include guard, on purpose. */
#define ACC i8
#include ROW_FILE
#undef ACC
#define ACC u8
#include ROW_FILE
#undef ACC
#define ACC i16
#include ROW_FILE
#undef ACC
#define ACC u16
#include ROW_FILE
#undef ACC
#define ACC i32
#include ROW_FILE
#undef ACC
#define ACC u32
#include ROW_FILE
#undef ACC
#define ACC i64
#include ROW_FILE
#undef ACC
#define ACC u64
#include ROW_FILE
#undef ACC
#define ACC i128
#include ROW_FILE
#undef ACC
