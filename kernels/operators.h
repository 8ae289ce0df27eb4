/* The operators: for every (operator OP, accumulator type T) one row of
 *
 *     state_OP_T                       S, what is combined
 *     lift_OP_T(x)          T -> S     an element as a state; of an operator of several inputs lift_OP_T(x, y, ...)
 *     combine_OP_T(a, b)    S,S -> S   associative; a is the earlier one
 *     result_OP_T                      R, what it gives: a number, or a struct of up to 8, packed
 *     emit_OP_T(s)          S -> R     a state as a result; or emit_OP_T(s, x, ...), with the element at the result's place
 *     overflow_OP_T(p,x,s)             true if s is not the exact value of "p combined with x", where p is exact, or if
 *                                      emit(s) is not exact
 *
 * tile.h picks a row by pasting the names OP and ACC. A new operator is a new block, here, in operators_order.h or in
 * operators_statistics.h, and one of facts in src/scan/operators.inc.
 *
 * Integers wrap modulo 2^n: signed values are combined as unsigned ones. max and min of floats are IEEE 754-2019's
 * maximum and minimum (a NaN wins, -0 < +0). Their states are integers that sort as the floats do, so they are exactly
 * associative and do not depend on how a device treats denormals.
 */
#ifndef PSCAN_KERNELS_OPERATORS_H
#define PSCAN_KERNELS_OPERATORS_H

/* combine where states are the elements, as an expression: of scalars, and of vectors in the vector code. There NOTHING stands
 * where there is nothing: a value that changes none that it is combined with (but for the bits of a NaN). T is the type
 * that is combined. */
#define COMBINE_sum(a, b) ((a) + (b))
#define COMBINE_prod(a, b) ((a) * (b))
#define COMBINE_max(a, b) ((a) < (b) ? (b) : (a))
#define COMBINE_min(a, b) ((b) < (a) ? (b) : (a))
#define COMBINE_and(a, b) ((a) & (b))
#define COMBINE_or(a, b) ((a) | (b))
#define COMBINE_xor(a, b) ((a) ^ (b))
#define NOTHING_sum(T) ((T)-0.0f)
#define NOTHING_prod(T) ((T)1)
#define NOTHING_max(T) LEAST_INTEGER(T)
#define NOTHING_min(T) ((T)~LEAST_INTEGER(T))
#define NOTHING_and(T) ((T)~(T)0)
#define NOTHING_or(T) ((T)0)
#define NOTHING_xor(T) ((T)0)
#define LEAST_INTEGER(T) ((T)-1 > (T)0 ? (T)0 : (T)((u64)1 << (8u * sizeof(T) - 1u)))

/* A state that is the element itself, and of its type the results. */
#define ELEMENT_STATE(OP, T)                                                                                           \
	typedef T state_##OP##_##T;                                                                                    \
	typedef T result_##OP##_##T;                                                                                   \
	static inline T lift_##OP##_##T(T x)                                                                           \
	{                                                                                                              \
		return x;                                                                                              \
	}

/* A row whose results are the states. */
#define PLAIN_ROW(OP, T)                                                                                               \
	ELEMENT_STATE(OP, T)                                                                                           \
	static inline T emit_##OP##_##T(T s)                                                                           \
	{                                                                                                              \
		return s;                                                                                              \
	}

#define NEVER_OVERFLOWS(OP, T)                                                                                         \
	static inline int overflow_##OP##_##T(state_##OP##_##T p, state_##OP##_##T x, state_##OP##_##T s)              \
	{                                                                                                              \
		(void)p;                                                                                               \
		(void)x;                                                                                               \
		(void)s;                                                                                               \
		return 0;                                                                                              \
	}

#define COMBINE(OP, T, EXPRESSION)                                                                                     \
	static inline T combine_##OP##_##T(T a, T b)                                                                   \
	{                                                                                                              \
		(void)a;                                                                                               \
		(void)b;                                                                                               \
		return EXPRESSION;                                                                                     \
	}

#define OVERFLOW(OP, T, EXPRESSION)                                                                                    \
	static inline int overflow_##OP##_##T(T p, T x, T s)                                                           \
	{                                                                                                              \
		(void)p;                                                                                               \
		(void)x;                                                                                               \
		(void)s;                                                                                               \
		return EXPRESSION;                                                                                     \
	}

#ifdef PSCAN_FP64
#define EACH_FLOAT_TYPE(ROWS) ROWS(f32) ROWS(f64)
#else
#define EACH_FLOAT_TYPE(ROWS) ROWS(f32)
#endif
/* The rows of an operator that every accumulator has. */
#define EACH_TYPE(ROWS)                                                                                                \
	ROWS(i8)                                                                                                       \
	ROWS(u8)                                                                                                       \
	ROWS(i16)                                                                                                      \
	ROWS(u16)                                                                                                      \
	ROWS(i32)                                                                                                      \
	ROWS(u32)                                                                                                      \
	ROWS(i64)                                                                                                      \
	ROWS(u64)                                                                                                      \
	ROWS(i128)                                                                                                     \
	EACH_FLOAT_TYPE(ROWS)

/* Rows of an integer type T; U is an unsigned type at least as wide, wide enough not to be promoted to int. */
#define INTEGER_ROWS(T, U)                                                                                             \
	PLAIN_ROW(sum, T)                                                                                              \
	COMBINE(sum, T, (T)COMBINE_sum((U)a, (U)b))                                                                            \
	PLAIN_ROW(prod, T)                                                                                             \
	COMBINE(prod, T, (T)COMBINE_prod((U)a, (U)b))                                                                  \
	PLAIN_ROW(max, T)                                                                                              \
	COMBINE(max, T, COMBINE_max(a, b))                                                                             \
	NEVER_OVERFLOWS(max, T)                                                                                        \
	PLAIN_ROW(min, T)                                                                                              \
	COMBINE(min, T, COMBINE_min(a, b))                                                                             \
	NEVER_OVERFLOWS(min, T)                                                                                        \
	PLAIN_ROW(and, T)                                                                                              \
	COMBINE(and, T, (T)COMBINE_and(a, b))                                                                          \
	NEVER_OVERFLOWS(and, T)                                                                                        \
	PLAIN_ROW(or, T)                                                                                               \
	COMBINE(or, T, (T)COMBINE_or(a, b))                                                                            \
	NEVER_OVERFLOWS(or, T)                                                                                         \
	PLAIN_ROW(xor, T)                                                                                              \
	COMBINE(xor, T, (T)COMBINE_xor(a, b))                                                                          \
	NEVER_OVERFLOWS(xor, T)

INTEGER_ROWS(i8, u32)
INTEGER_ROWS(u8, u32)
INTEGER_ROWS(i16, u32)
INTEGER_ROWS(u16, u32)
INTEGER_ROWS(i32, u32)
INTEGER_ROWS(u32, u32)
INTEGER_ROWS(i64, u64)
INTEGER_ROWS(u64, u64)

/* A signed sum left its range if it has the sign of neither term; an unsigned one if it is less than a term. */
OVERFLOW(sum, i8, ((p ^ s) & (x ^ s)) < 0)
OVERFLOW(sum, i16, ((p ^ s) & (x ^ s)) < 0)
OVERFLOW(sum, i32, ((p ^ s) & (x ^ s)) < 0)
OVERFLOW(sum, i64, ((p ^ s) & (x ^ s)) < 0)
OVERFLOW(sum, u8, s < x)
OVERFLOW(sum, u16, s < x)
OVERFLOW(sum, u32, s < x)
OVERFLOW(sum, u64, s < x)

/* A product left its range if the product in twice the width is another number. */
OVERFLOW(prod, i8, (i64)p * (i64)x != (i64)s)
OVERFLOW(prod, i16, (i64)p * (i64)x != (i64)s)
OVERFLOW(prod, i32, (i64)p * (i64)x != (i64)s)
OVERFLOW(prod, u8, (u64)p * (u64)x != (u64)s)
OVERFLOW(prod, u16, (u64)p * (u64)x != (u64)s)
OVERFLOW(prod, u32, (u64)p * (u64)x != (u64)s)
OVERFLOW(prod, i64, mul_high_i64(p, x) != (s < 0 ? -1 : 0))
OVERFLOW(prod, u64, mul_high_u64(p, x) != 0)

/* Floats. The hardware's NaNs differ in sign and payload; emit makes them one. */
#define FLOAT_ROW(OP, T, EXPRESSION, NAN_BITS)                                                                         \
	ELEMENT_STATE(OP, T)                                                                                           \
	COMBINE(OP, T, EXPRESSION)                                                                                     \
	static inline T emit_##OP##_##T(T s)                                                                           \
	{                                                                                                              \
		return s != s ? T##_from_bits(NAN_BITS) : s;                                                           \
	}                                                                                                              \
	NEVER_OVERFLOWS(OP, T)

FLOAT_ROW(sum, f32, COMBINE_sum(a, b), F32_NAN_BITS)
FLOAT_ROW(prod, f32, COMBINE_prod(a, b), F32_NAN_BITS)
#ifdef PSCAN_FP64
FLOAT_ROW(sum, f64, COMBINE_sum(a, b), F64_NAN_BITS)
FLOAT_ROW(prod, f64, COMBINE_prod(a, b), F64_NAN_BITS)
#endif

/* Sorting keys: the bits of a float as a signed integer I sort as the floats do once the magnitude bits of the negative
 * ones are inverted. NAN_KEY is the key of the NaN that wins: above +inf for max, below -inf for min. */
#define ORDERED_ROW(OP, T, I, U, EXPRESSION, MAGNITUDE, INF_BITS, NAN_KEY, NAN_BITS)                                    \
	typedef I state_##OP##_##T;                                                                                    \
	typedef T result_##OP##_##T;                                                                                   \
	static inline I lift_##OP##_##T(T x)                                                                           \
	{                                                                                                              \
		const U bits = T##_bits(x);                                                                            \
		const U magnitude = bits & (MAGNITUDE);                                                                \
		const I key = (I)(bits ^ (bits != magnitude ? (U)(MAGNITUDE) : (U)0));                                 \
		return magnitude > (U)(INF_BITS) ? (I)(U)(NAN_KEY) : key;                                              \
	}                                                                                                              \
	static inline I combine_##OP##_##T(I a, I b)                                                                   \
	{                                                                                                              \
		return EXPRESSION;                                                                                     \
	}                                                                                                              \
	static inline T emit_##OP##_##T(I s)                                                                           \
	{                                                                                                              \
		const U bits = (U)s ^ (s < 0 ? (U)(MAGNITUDE) : (U)0);                                                 \
		return T##_from_bits(s == (I)(U)(NAN_KEY) ? (U)(NAN_BITS) : bits);                                     \
	}                                                                                                              \
	NEVER_OVERFLOWS(OP, T)

ORDERED_ROW(max, f32, i32, u32, COMBINE_max(a, b), 0x7fffffffu, 0x7f800000u, 0x7fc00000u, F32_NAN_BITS)
ORDERED_ROW(min, f32, i32, u32, COMBINE_min(a, b), 0x7fffffffu, 0x7f800000u, 0x803fffffu, F32_NAN_BITS)
#ifdef PSCAN_FP64
ORDERED_ROW(max, f64, i64, u64, COMBINE_max(a, b), 0x7ffffffffffffffful, 0x7ff0000000000000ul, 0x7ff8000000000000ul,
            F64_NAN_BITS)
ORDERED_ROW(min, f64, i64, u64, COMBINE_min(a, b), 0x7ffffffffffffffful, 0x7ff0000000000000ul, 0x8007fffffffffffful,
            F64_NAN_BITS)
#endif

/* 128-bit integers, the second width of exact decimals. */
static inline i128 i128_make(u64 hi, u64 lo)
{
	i128 r;
	r.lo = lo;
	r.hi = hi;
	return r;
}

static inline int i128_less(i128 a, i128 b)
{
	return (i64)a.hi < (i64)b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static inline i128 i128_add(i128 a, i128 b)
{
	const u64 lo = a.lo + b.lo;
	return i128_make(a.hi + b.hi + (lo < a.lo ? 1u : 0u), lo);
}

static inline i128 i128_negate(i128 a)
{
	return i128_make(~a.hi + (a.lo == 0 ? 1u : 0u), 0u - a.lo);
}

static inline i128 i128_magnitude(i128 a)
{
	return (i64)a.hi < 0 ? i128_negate(a) : a;
}

static inline i128 i128_multiply(i128 a, i128 b)
{
	return i128_make(mul_high_u64(a.lo, b.lo) + a.hi * b.lo + a.lo * b.hi, a.lo * b.lo);
}

/* Whether a * b is outside the type: the product of the magnitudes, word by word. */
static inline int i128_multiply_overflows(i128 a, i128 b)
{
	const int negative = (i64)(a.hi ^ b.hi) < 0;
	const i128 m = i128_magnitude(a);
	const i128 k = i128_magnitude(b);
	const u64 middle = m.hi * k.lo + m.lo * k.hi;
	const u64 top = mul_high_u64(m.lo, k.lo) + middle;
	const u64 sign_bit = (u64)1 << 63;
	if ((m.hi != 0 && k.hi != 0) || mul_high_u64(m.hi, k.lo) != 0 || mul_high_u64(m.lo, k.hi) != 0 || top < middle)
		return 1;
	return top >= sign_bit && !(negative && top == sign_bit && m.lo * k.lo == 0);
}

PLAIN_ROW(sum, i128)
COMBINE(sum, i128, i128_add(a, b))
OVERFLOW(sum, i128, (i64)((p.hi ^ s.hi) & (x.hi ^ s.hi)) < 0)
PLAIN_ROW(prod, i128)
COMBINE(prod, i128, i128_multiply(a, b))
static inline int overflow_prod_i128(i128 p, i128 x, i128 s)
{
	(void)s;
	return i128_multiply_overflows(p, x);
}
PLAIN_ROW(max, i128)
COMBINE(max, i128, i128_less(a, b) ? b : a)
NEVER_OVERFLOWS(max, i128)
PLAIN_ROW(min, i128)
COMBINE(min, i128, i128_less(b, a) ? b : a)
NEVER_OVERFLOWS(min, i128)
PLAIN_ROW(and, i128)
COMBINE(and, i128, i128_make(a.hi & b.hi, a.lo & b.lo))
NEVER_OVERFLOWS(and, i128)
PLAIN_ROW(or, i128)
COMBINE(or, i128, i128_make(a.hi | b.hi, a.lo | b.lo))
NEVER_OVERFLOWS(or, i128)
PLAIN_ROW(xor, i128)
COMBINE(xor, i128, i128_make(a.hi ^ b.hi, a.lo ^ b.lo))
NEVER_OVERFLOWS(xor, i128)

/* Rows that only tests use. "interval" (the interval monoid) takes element i as the interval (i, i) and joins (a, b)
 * and (c, d) to (a, d) only if b + 1 == c; anything else gives the poison (1, 0). One scan of 0, 1, 2, ... proves the
 * order of combination for every associative operator. "recent" is b ? b : a, which is not commutative. */
#ifdef PSCAN_TEST_OPERATORS
typedef u64 state_interval_u64;
typedef u64 result_interval_u64;
static inline u64 lift_interval_u64(u64 x)
{
	return (x << 32) | x;
}
static inline u64 combine_interval_u64(u64 a, u64 b)
{
	const u64 poison = (u64)1 << 32;
	if (a == poison || b == poison || (a & 0xfffffffful) + 1 != b >> 32)
		return poison;
	return (a & 0xffffffff00000000ul) | (b & 0xfffffffful);
}
static inline u64 emit_interval_u64(u64 s)
{
	return s;
}
NEVER_OVERFLOWS(interval, u64)

/* The same of elements of several numbers: 3i, 3i + 1, 3i + 2, or 8i, ... 8i + 7. */
#define INTERVAL_ROW(OP)                                                                                               \
	typedef u64 state_##OP##_u64;                                                                                  \
	typedef u64 result_##OP##_u64;                                                                                 \
	static inline u64 combine_##OP##_u64(u64 a, u64 b)                                                             \
	{                                                                                                              \
		return combine_interval_u64(a, b);                                                                     \
	}                                                                                                              \
	static inline u64 emit_##OP##_u64(u64 s)                                                                       \
	{                                                                                                              \
		return s;                                                                                              \
	}                                                                                                              \
	NEVER_OVERFLOWS(OP, u64)
static inline u64 lift_triples_u64(u64 a, u64 b, u64 c)
{
	return b == a + 1 && c == a + 2 && a % 3 == 0 ? lift_interval_u64(a / 3) : (u64)1 << 32;
}
INTERVAL_ROW(triples)
static inline u64 lift_octets_u64(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h)
{
	const u64 rises = b == a + 1 && c == a + 2 && d == a + 3 && e == a + 4 && f == a + 5 && g == a + 6 && h == a + 7;
	return rises && a % 8 == 0 ? lift_interval_u64(a / 8) : (u64)1 << 32;
}
INTERVAL_ROW(octets)

/* The same with several results: two that fill a word, two that do not, and eight of all sizes. */
#define RESULTS_ROW(OP)                                                                                                \
	typedef u64 state_##OP##_u64;                                                                                  \
	typedef struct result_##OP result_##OP##_u64;                                                                  \
	static inline u64 lift_##OP##_u64(u64 x)                                                                       \
	{                                                                                                              \
		return lift_interval_u64(x);                                                                           \
	}                                                                                                              \
	static inline u64 combine_##OP##_u64(u64 a, u64 b)                                                             \
	{                                                                                                              \
		return combine_interval_u64(a, b);                                                                     \
	}                                                                                                              \
	NEVER_OVERFLOWS(OP, u64)
struct __attribute__((packed)) result_ends {
	u32 first;
	u32 last;
};
struct __attribute__((packed)) result_edges {
	u32 last;
	u16 first;
};
struct __attribute__((packed)) result_views {
	u8 low;
	u64 all;
	i16 length;
	u32 first;
	f32 last;
	i8 is_poison;
	u16 high;
	i64 opposite;
};
RESULTS_ROW(ends)
static inline struct result_ends emit_ends_u64(u64 s)
{
	const struct result_ends r = {(u32)(s >> 32), (u32)s};
	return r;
}
RESULTS_ROW(edges)
static inline struct result_edges emit_edges_u64(u64 s)
{
	const struct result_edges r = {(u32)s, (u16)(s >> 32)};
	return r;
}
RESULTS_ROW(views)
static inline struct result_views emit_views_u64(u64 s)
{
	const u32 first = (u32)(s >> 32);
	const u32 last = (u32)s;
	const struct result_views r = {(u8)last, s, (i16)(last - first), first, (f32)last, (i8)-(last < first), (u16)(last >> 16), -(i64)last};
	return r;
}

PLAIN_ROW(recent, u64)
COMBINE(recent, u64, b != 0 ? b : a)
NEVER_OVERFLOWS(recent, u64)
#endif

#if !defined __OPENCL_VERSION__ && !defined __OPENCL_C_VERSION__ /* there the files follow one another */
#include "operators_order.h"
#include "operators_statistics.h"
#endif

#endif
