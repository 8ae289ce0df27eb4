/* The sequential rows of one operator OP over every accumulator type. No include guard, on purpose. */
#define ACC i8
#include "host_row_sequential.h"
#undef ACC
#define ACC u8
#include "host_row_sequential.h"
#undef ACC
#define ACC i16
#include "host_row_sequential.h"
#undef ACC
#define ACC u16
#include "host_row_sequential.h"
#undef ACC
#define ACC i32
#include "host_row_sequential.h"
#undef ACC
#define ACC u32
#include "host_row_sequential.h"
#undef ACC
#define ACC i64
#include "host_row_sequential.h"
#undef ACC
#define ACC u64
#include "host_row_sequential.h"
#undef ACC
#define ACC i128
#include "host_row_sequential.h"
#undef ACC
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
