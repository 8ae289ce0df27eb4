/* The names of the scalar types, for C and for OpenCL C.
 *
 * This file, tile.h and the texts of the operators are written in the common subset of C11 and OpenCL C 1.2. The host
 * engine compiles them as C. The opencl engine embeds them and compiles them on the device. This file settles how the
 * two languages differ in types and in functions of numbers. (grid.h settles the rest.)
 */
#ifndef PSCAN_KERNELS_TYPES_H
#define PSCAN_KERNELS_TYPES_H

#define PASTE2_(a, b) a##b
#define PASTE2(a, b) PASTE2_(a, b)
#define PASTE4_(a, b, c, d) a##b##c##d
#define PASTE4(a, b, c, d) PASTE4_(a, b, c, d)
/* The function or type `name` of the row of operator OP and accumulator ACC (row_begin.h). */
#define ROW(name) PASTE4(name##_, OP, _, ACC)

#if defined __OPENCL_VERSION__ || defined __OPENCL_C_VERSION__
#pragma OPENCL FP_CONTRACT OFF
/* Some implementations define these built-in functions as macros. Here they are parts of names. */
#undef max
#undef min
typedef char i8;
typedef uchar u8;
typedef short i16;
typedef ushort u16;
typedef int i32;
typedef uint u32;
typedef long i64;
typedef ulong u64;
typedef float f32;
#ifdef PSCAN_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double f64;
#endif

#define f32_bits(x) as_uint(x)
#define f32_from_bits(b) as_float((u32)(b))
#define f64_bits(x) as_ulong(x)
#define f64_from_bits(b) as_double((u64)(b))
#define IN_ANY_MEMORY
#define mul_high_u64(a, b) mul_hi((u64)(a), (u64)(b))
#define mul_high_i64(a, b) mul_hi((i64)(a), (i64)(b))

#else /* C */
#include <math.h>
#include <stdint.h>
#include <string.h>
typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef float f32;
typedef double f64;
#define PSCAN_FP64 1
/* A struct that lies in memory of any declared type. */
#define IN_ANY_MEMORY __attribute__((may_alias))

static inline u32 f32_bits(f32 x)
{
	u32 b;
	memcpy(&b, &x, sizeof b);
	return b;
}

static inline f32 f32_from_bits(u32 b)
{
	f32 x;
	memcpy(&x, &b, sizeof x);
	return x;
}

static inline u64 f64_bits(f64 x)
{
	u64 b;
	memcpy(&b, &x, sizeof b);
	return b;
}

static inline f64 f64_from_bits(u64 b)
{
	f64 x;
	memcpy(&x, &b, sizeof x);
	return x;
}

static inline u64 mul_high_u64(u64 a, u64 b)
{
	__extension__ typedef unsigned __int128 u128;
	return (u64)(((u128)a * b) >> 64);
}

static inline i64 mul_high_i64(i64 a, i64 b)
{
	__extension__ typedef __int128 s128;
	return (i64)(((s128)a * b) >> 64);
}
#endif

/* A 128-bit integer in two's complement. OpenCL C 1.2 has no such type. The host uses the same two words. */
struct int128 {
	u64 lo;
	u64 hi;
};
typedef struct int128 i128;

/* The bits of the one NaN that pscan writes. */
#define F32_NAN_BITS 0x7fc00000u
#define F64_NAN_BITS 0x7ff8000000000000ul

/* Whether an element x can be converted to the accumulator's type ACC, an integer. (Any number can be converted to a
 * float: it is rounded to nearest.) INTEGER_FITS: x is an integer of type IN, and fits if it comes back unchanged and
 * with its sign. FLOAT_FITS: x is a float. It is truncated, and fits if LOW <= trunc(x) < HIGH. A NaN does not fit. LOW
 * and HIGH are 0, a power of two or minus a power of two, which are exact in any float type. */
#define INTEGER_FITS(IN, ACC, x) ((IN)(ACC)(x) == (x) && (((x) > 0) == ((ACC)(x) > 0)))
#define FLOAT_FITS(x, LOW, HIGH) (trunc(x) >= (LOW) && trunc(x) < (HIGH))

#endif
