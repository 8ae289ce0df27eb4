/* The operators: for every (operator OP, accumulator type T) one row of
 *
 *     state_OP_T                       S, what is combined
 *     lift_OP_T(x)          T -> S     an element as a state
 *     combine_OP_T(a, b)    S,S -> S   associative; a is the earlier one
 *     result_OP_T                      R, what it gives
 *     emit_OP_T(s)          S -> R     a state as a result
 *     overflow_OP_T(p,x,s)             true if s is not the exact value of "p combined with x", where p is exact, or if
 *                                      emit(s) is not exact
 *
 * tile.h picks a row by pasting the names OP and ACC. A new operator is a new block here and one of facts in
 * src/scan/operators.inc.
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

/* Elements so far. */
#define COUNT_ROW(T)                                                                                                   \
	typedef u64 state_count_##T;                                                                                   \
	typedef u64 result_count_##T;                                                                                  \
	static inline u64 lift_count_##T(T x)                                                                          \
	{                                                                                                              \
		(void)x;                                                                                               \
		return 1;                                                                                              \
	}                                                                                                              \
	static inline u64 combine_count_##T(u64 a, u64 b)                                                              \
	{                                                                                                              \
		return a + b;                                                                                          \
	}                                                                                                              \
	static inline u64 emit_count_##T(u64 s)                                                                        \
	{                                                                                                              \
		return s;                                                                                              \
	}                                                                                                              \
	NEVER_OVERFLOWS(count, T)

EACH_TYPE(COUNT_ROW)

/* The greatest element minus the least. The members are the states of min and max; of integers the difference wraps, and the
 * exact one, which is not negative, fits if the wrapped one is not. */
#define RANGE_ROW(T)                                                                                                   \
	struct range_##T {                                                                                             \
		state_min_##T least;                                                                                   \
		state_max_##T greatest;                                                                                \
	};                                                                                                             \
	typedef struct range_##T state_range_##T;                                                                      \
	typedef T result_range_##T;                                                                                    \
	static inline struct range_##T lift_range_##T(T x)                                                             \
	{                                                                                                              \
		struct range_##T s;                                                                                    \
		s.least = lift_min_##T(x);                                                                             \
		s.greatest = lift_max_##T(x);                                                                          \
		return s;                                                                                              \
	}                                                                                                              \
	static inline struct range_##T combine_range_##T(struct range_##T a, struct range_##T b)                       \
	{                                                                                                              \
		a.least = combine_min_##T(a.least, b.least);                                                           \
		a.greatest = combine_max_##T(a.greatest, b.greatest);                                                  \
		return a;                                                                                              \
	}                                                                                                              \
	static inline T emit_range_##T(struct range_##T s)                                                             \
	{                                                                                                              \
		return DIFFERENCE_##T(emit_max_##T(s.greatest), emit_min_##T(s.least));                                \
	}                                                                                                              \
	static inline int overflow_range_##T(struct range_##T p, struct range_##T x, struct range_##T s)               \
	{                                                                                                              \
		(void)p;                                                                                               \
		(void)x;                                                                                               \
		return IS_NEGATIVE_##T(emit_range_##T(s));                                                             \
	}
#define DIFFERENCE_i8(a, b) ((i8)((u32)(a) - (u32)(b)))
#define DIFFERENCE_u8(a, b) ((u8)((u32)(a) - (u32)(b)))
#define DIFFERENCE_i16(a, b) ((i16)((u32)(a) - (u32)(b)))
#define DIFFERENCE_u16(a, b) ((u16)((u32)(a) - (u32)(b)))
#define DIFFERENCE_i32(a, b) ((i32)((u32)(a) - (u32)(b)))
#define DIFFERENCE_u32(a, b) ((a) - (b))
#define DIFFERENCE_i64(a, b) ((i64)((u64)(a) - (u64)(b)))
#define DIFFERENCE_u64(a, b) ((a) - (b))
#define DIFFERENCE_i128(a, b) i128_add(a, i128_negate(b))
#define DIFFERENCE_f32(a, b) emit_sum_f32((a) - (b))
#define DIFFERENCE_f64(a, b) emit_sum_f64((a) - (b))
#define IS_NEGATIVE_i8(d) ((d) < 0)
#define IS_NEGATIVE_u8(d) ((void)(d), 0)
#define IS_NEGATIVE_i16(d) ((d) < 0)
#define IS_NEGATIVE_u16(d) ((void)(d), 0)
#define IS_NEGATIVE_i32(d) ((d) < 0)
#define IS_NEGATIVE_u32(d) ((void)(d), 0)
#define IS_NEGATIVE_i64(d) ((d) < 0)
#define IS_NEGATIVE_u64(d) ((void)(d), 0)
#define IS_NEGATIVE_i128(d) ((i64)(d).hi < 0)
#define IS_NEGATIVE_f32(d) ((void)(d), 0)
#define IS_NEGATIVE_f64(d) ((void)(d), 0)

EACH_TYPE(RANGE_ROW)

/* The first element and the last one: of two the first or the second. */
#define CHOICE_ROW(OP, T, EXPRESSION)                                                                                  \
	ELEMENT_STATE(OP, T)                                                                                           \
	COMBINE(OP, T, EXPRESSION)                                                                                     \
	static inline T emit_##OP##_##T(T s)                                                                           \
	{                                                                                                              \
		return emit_sum_##T(s);                                                                                \
	}                                                                                                              \
	NEVER_OVERFLOWS(OP, T)
#define FIRST_ROW(T) CHOICE_ROW(first, T, a)
#define LAST_ROW(T) CHOICE_ROW(last, T, b)

EACH_TYPE(FIRST_ROW)
EACH_TYPE(LAST_ROW)

/* The element before, and the difference to it. Of one element there is none. (No padding: states are compared byte by byte.) */
#define PAIR_ROWS(T)                                                                                                   \
	struct pair_##T {                                                                                              \
		T before;                                                                                              \
		T last;                                                                                                \
		FLAG_##T has_before;                                                                                   \
	};                                                                                                             \
	static inline struct pair_##T lift_pair_##T(T x)                                                               \
	{                                                                                                              \
		struct pair_##T s;                                                                                     \
		s.before = ZERO_##T;                                                                                   \
		s.last = x;                                                                                            \
		s.has_before = 0;                                                                                      \
		return s;                                                                                              \
	}                                                                                                              \
	static inline struct pair_##T combine_pair_##T(struct pair_##T a, struct pair_##T b)                           \
	{                                                                                                              \
		if (b.has_before == 0)                                                                                 \
			b.before = a.last;                                                                             \
		b.has_before = 1;                                                                                      \
		return b;                                                                                              \
	}                                                                                                              \
	PAIR_ROW(lag, T)                                                                                               \
	static inline T emit_lag_##T(struct pair_##T s)                                                                \
	{                                                                                                              \
		return emit_sum_##T(s.before);                                                                         \
	}                                                                                                              \
	NEVER_OVERFLOWS(lag, T)                                                                                        \
	PAIR_ROW(delta, T)                                                                                             \
	static inline T emit_delta_##T(struct pair_##T s)                                                              \
	{                                                                                                              \
		return DIFFERENCE_##T(s.last, s.before);                                                               \
	}                                                                                                              \
	static inline int overflow_delta_##T(struct pair_##T p, struct pair_##T x, struct pair_##T s)                  \
	{                                                                                                              \
		(void)p;                                                                                               \
		(void)x;                                                                                               \
		return s.has_before != 0 && DIFFERS_FROM_##T(DIFFERENCE_##T(s.last, s.before), s.last, s.before);      \
	}
#define PAIR_ROW(OP, T)                                                                                                \
	typedef struct pair_##T state_##OP##_##T;                                                                      \
	typedef T result_##OP##_##T;                                                                                   \
	static inline struct pair_##T lift_##OP##_##T(T x)                                                             \
	{                                                                                                              \
		return lift_pair_##T(x);                                                                               \
	}                                                                                                              \
	static inline struct pair_##T combine_##OP##_##T(struct pair_##T a, struct pair_##T b)                         \
	{                                                                                                              \
		return combine_pair_##T(a, b);                                                                         \
	}
#define FLAG_i8 u8
#define FLAG_u8 u8
#define FLAG_i16 u16
#define FLAG_u16 u16
#define FLAG_i32 u32
#define FLAG_u32 u32
#define FLAG_i64 u64
#define FLAG_u64 u64
#define FLAG_i128 u64
#define FLAG_f32 u32
#define FLAG_f64 u64
#define ZERO_i8 0
#define ZERO_u8 0
#define ZERO_i16 0
#define ZERO_u16 0
#define ZERO_i32 0
#define ZERO_u32 0
#define ZERO_i64 0
#define ZERO_u64 0
#define ZERO_i128 i128_make(0, 0)
#define ZERO_f32 0.0f
#define ZERO_f64 0.0
/* Whether the wrapped difference d of a and b is not the exact one. */
#define SIGNED_DIFFERS(d, a, b) (((a) < (b)) != ((d) < 0))
#define UNSIGNED_DIFFERS(d, a, b) ((void)(d), (a) < (b))
#define DIFFERS_FROM_i8(d, a, b) SIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_u8(d, a, b) UNSIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_i16(d, a, b) SIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_u16(d, a, b) UNSIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_i32(d, a, b) SIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_u32(d, a, b) UNSIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_i64(d, a, b) SIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_u64(d, a, b) UNSIGNED_DIFFERS(d, a, b)
#define DIFFERS_FROM_i128(d, a, b) (i128_less(a, b) != ((i64)(d).hi < 0))
#define DIFFERS_FROM_f32(d, a, b) ((void)(d), (void)(a), (void)(b), 0)
#define DIFFERS_FROM_f64(d, a, b) ((void)(d), (void)(a), (void)(b), 0)

EACH_TYPE(PAIR_ROWS)

/* The greatest element minus the element: after an element with all up to it, and before it with those before it alone. */
#define DRAWDOWN_ROWS(T)                                                                                               \
	struct peak_##T {                                                                                              \
		state_max_##T before; /* the greatest but for the last */                                              \
		T last;                                                                                                \
		FLAG_##T has_before;                                                                                   \
	};                                                                                                             \
	static inline state_max_##T peak_##T(struct peak_##T s)                                                        \
	{                                                                                                              \
		const state_max_##T last = lift_max_##T(s.last);                                                       \
		return s.has_before != 0 ? combine_max_##T(s.before, last) : last;                                     \
	}                                                                                                              \
	PEAK_ROW(drawdown, T)                                                                                          \
	static inline T emit_drawdown_##T(struct peak_##T s)                                                           \
	{                                                                                                              \
		return DIFFERENCE_##T(emit_max_##T(peak_##T(s)), s.last);                                              \
	}                                                                                                              \
	static inline int overflow_drawdown_##T(struct peak_##T p, struct peak_##T x, struct peak_##T s)               \
	{                                                                                                              \
		(void)p;                                                                                               \
		(void)x;                                                                                               \
		return IS_NEGATIVE_##T(emit_drawdown_##T(s));                                                          \
	}                                                                                                              \
	PEAK_ROW(drawdown_before, T)                                                                                   \
	static inline T emit_drawdown_before_##T(struct peak_##T s)                                                    \
	{                                                                                                              \
		return DIFFERENCE_##T(emit_max_##T(s.before), s.last);                                                 \
	}                                                                                                              \
	static inline int overflow_drawdown_before_##T(struct peak_##T p, struct peak_##T x, struct peak_##T s)        \
	{                                                                                                              \
		const T before = emit_max_##T(s.before);                                                               \
		(void)p;                                                                                               \
		(void)x;                                                                                               \
		return DIFFERS_FROM_##T(DIFFERENCE_##T(before, s.last), before, s.last);                               \
	}
#define PEAK_ROW(OP, T)                                                                                                \
	typedef struct peak_##T state_##OP##_##T;                                                                      \
	typedef T result_##OP##_##T;                                                                                   \
	static inline struct peak_##T lift_##OP##_##T(T x)                                                             \
	{                                                                                                              \
		struct peak_##T s;                                                                                     \
		s.before = lift_max_##T(ZERO_##T);                                                                     \
		s.last = x;                                                                                            \
		s.has_before = 0;                                                                                      \
		return s;                                                                                              \
	}                                                                                                              \
	static inline struct peak_##T combine_##OP##_##T(struct peak_##T a, struct peak_##T b)                         \
	{                                                                                                              \
		const state_max_##T peak = peak_##T(a);                                                                \
		b.before = b.has_before != 0 ? combine_max_##T(peak, b.before) : peak;                                 \
		b.has_before = 1;                                                                                      \
		return b;                                                                                              \
	}

EACH_TYPE(DRAWDOWN_ROWS)

/* What rows with a parameter get it as. */
#define PARAMETER_OF_i64 f64
#define PARAMETER_OF_i128 f64
#define PARAMETER_OF_f32 f32
#define PARAMETER_OF_f64 f64

#ifdef PSCAN_FP64
/* a / (b * c), rounded once; b * c is no more than 2^124. The quotient of the magnitudes, each with its first bit at the
 * top, gets 64 bits by long division, and what is left sets the last of them, far below the one that is rounded. */
static inline f64 i128_ratio(i128 a, u64 b, u64 c)
{
	const i128 magnitude = i128_magnitude(a);
	const f64 divisor = (f64)b * (f64)c;
	i128 rest = magnitude;
	i128 by = i128_make(mul_high_u64(b, c), b * c);
	u64 quotient = 0;
	u32 carry = 0;
	i32 exponent = 1023 - 63;
	if ((magnitude.hi | magnitude.lo) == 0)
		return 0.0;
	if (magnitude.hi == 0 && magnitude.lo <= (u64)1 << 53 && divisor < 9007199254740992.0) {
		const f64 r = (f64)magnitude.lo / divisor;
		return (i64)a.hi < 0 ? -r : r;
	}
	for (; (by.hi >> 63) == 0; exponent++)
		by = i128_make(by.hi << 1 | by.lo >> 63, by.lo << 1);
	for (; (rest.hi >> 63) == 0; exponent--)
		rest = i128_make(rest.hi << 1 | rest.lo >> 63, rest.lo << 1);
	for (u32 i = 0; i < 64; i++) {
		const u32 bit = carry != 0 || rest.hi > by.hi || (rest.hi == by.hi && rest.lo >= by.lo);
		if (bit != 0)
			rest = i128_add(rest, i128_negate(by));
		quotient = quotient << 1 | bit;
		carry = (u32)(rest.hi >> 63);
		rest = i128_make(rest.hi << 1 | rest.lo >> 63, rest.lo << 1);
	}
	quotient |= carry != 0 || (rest.hi | rest.lo) != 0 ? 1u : 0u;
	const f64 r = (f64)quotient * f64_from_bits((u64)exponent << 52);
	return (i64)a.hi < 0 ? -r : r;
}

/* The sum of the elements, divided by their number: of integers the exact one, rounded once. */
#define MEAN_ROW(OP, T, S)                                                                                             \
	typedef struct mean_##S state_##OP##_##T;                                                                      \
	static inline struct mean_##S combine_##OP##_##T(struct mean_##S a, struct mean_##S b)                         \
	{                                                                                                              \
		a.sum = combine_sum_##S(a.sum, b.sum);                                                                 \
		a.count += b.count;                                                                                    \
		return a;                                                                                              \
	}
#define MEAN_STATE(S, PADDING)                                                                                         \
	struct mean_##S {                                                                                              \
		S sum;                                                                                                 \
		PADDING u64 count;                                                                                     \
	};                                                                                                             \
	static inline struct mean_##S mean_##S##_of(S x)                                                               \
	{                                                                                                              \
		const struct mean_##S s = {.sum = x, .count = 1};                                                      \
		return s;                                                                                              \
	}
#define FLOAT_MEAN_ROW(T)                                                                                              \
	MEAN_ROW(mean, T, T)                                                                                           \
	typedef T result_mean_##T;                                                                                     \
	static inline struct mean_##T lift_mean_##T(T x)                                                               \
	{                                                                                                              \
		return mean_##T##_of(x);                                                                               \
	}                                                                                                              \
	static inline T emit_mean_##T(struct mean_##T s)                                                               \
	{                                                                                                              \
		return emit_sum_##T((T)((f64)s.sum / (f64)s.count));                                                   \
	}                                                                                                              \
	NEVER_OVERFLOWS(mean, T)
#define INTEGER_MEAN_ROW(T)                                                                                            \
	MEAN_ROW(mean, T, i128)                                                                                        \
	typedef f64 result_mean_##T;                                                                                   \
	static inline struct mean_i128 lift_mean_##T(T x)                                                              \
	{                                                                                                              \
		return mean_i128_of(i128_make(x < (T)1 && x != 0 ? ~(u64)0 : 0u, (u64)x));                             \
	}                                                                                                              \
	static inline f64 emit_mean_##T(struct mean_i128 s)                                                            \
	{                                                                                                              \
		return i128_ratio(s.sum, s.count, 1u);                                                                 \
	}                                                                                                              \
	NEVER_OVERFLOWS(mean, T)
/* The same of exact decimals: mantissas that were multiplied by a power of ten. Their sum may outgrow them. */
#define DECIMAL_MEAN_ROW(T)                                                                                            \
	MEAN_ROW(mean_of_decimals, T, T)                                                                               \
	typedef f64 result_mean_of_decimals_##T;                                                                       \
	static inline struct mean_##T lift_mean_of_decimals_##T(T x, f64 power)                                        \
	{                                                                                                              \
		(void)power;                                                                                           \
		return mean_##T##_of(x);                                                                               \
	}                                                                                                              \
	static inline f64 emit_mean_of_decimals_##T(struct mean_##T s, f64 power)                                      \
	{                                                                                                              \
		return i128_ratio(WIDE_##T(s.sum), s.count, (u64)power);                                               \
	}                                                                                                              \
	static inline int overflow_mean_of_decimals_##T(struct mean_##T p, struct mean_##T x, struct mean_##T s)       \
	{                                                                                                              \
		return overflow_sum_##T(p.sum, x.sum, s.sum);                                                          \
	}
#define WIDE_i64(x) i128_make((x) < 0 ? ~(u64)0 : 0u, (u64)(x))
#define WIDE_i128(x) (x)

MEAN_STATE(f32, u32 padding;)
MEAN_STATE(f64, )
MEAN_STATE(i64, )
MEAN_STATE(i128, )
FLOAT_MEAN_ROW(f32)
FLOAT_MEAN_ROW(f64)
INTEGER_MEAN_ROW(i8)
INTEGER_MEAN_ROW(u8)
INTEGER_MEAN_ROW(i16)
INTEGER_MEAN_ROW(u16)
INTEGER_MEAN_ROW(i32)
INTEGER_MEAN_ROW(u32)
INTEGER_MEAN_ROW(i64)
INTEGER_MEAN_ROW(u64)
DECIMAL_MEAN_ROW(i64)
DECIMAL_MEAN_ROW(i128)
#endif

/* Exponential smoothing, y = factor x + (1 - factor) y; the first element is y itself. After a part of the elements y is weight
 * times the y after the part's first element, plus rest. (An infinity stays one where its weight is too small for the type; a
 * factor of 1 forgets it.) */
#define EMA_ROW(T)                                                                                                     \
	struct ema_##T {                                                                                               \
		T first;                                                                                               \
		T weight;                                                                                              \
		T rest;                                                                                                \
		T factor;                                                                                              \
	};                                                                                                             \
	typedef struct ema_##T state_ema_##T;                                                                          \
	typedef T result_ema_##T;                                                                                      \
	static inline T ema_weighted_##T(T weight, T y)                                                                \
	{                                                                                                              \
		return weight == 0 && y - y != 0 ? y : weight * y;                                                     \
	}                                                                                                              \
	static inline struct ema_##T lift_ema_##T(T x, T factor)                                                       \
	{                                                                                                              \
		const struct ema_##T s = {x, 1, 0, factor};                                                            \
		return s;                                                                                              \
	}                                                                                                              \
	static inline struct ema_##T combine_ema_##T(struct ema_##T a, struct ema_##T b)                               \
	{                                                                                                              \
		const T kept = 1 - b.factor;                                                                           \
		if (kept == 0)                                                                                         \
			return b;                                                                                      \
		b.rest = ema_weighted_##T(b.weight, kept * a.rest + b.factor * b.first) + b.rest;                      \
		b.weight = b.weight * (kept * a.weight);                                                               \
		b.first = a.first;                                                                                     \
		return b;                                                                                              \
	}                                                                                                              \
	static inline T emit_ema_##T(struct ema_##T s, T factor)                                                       \
	{                                                                                                              \
		(void)factor;                                                                                          \
		return emit_sum_##T(ema_weighted_##T(s.weight, s.first) + s.rest);                                     \
	}                                                                                                              \
	NEVER_OVERFLOWS(ema, T)

EACH_FLOAT_TYPE(EMA_ROW)

/* Two rows that only tests use. "interval" (the interval monoid) takes element i as the interval (i, i) and joins (a, b)
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

PLAIN_ROW(recent, u64)
COMBINE(recent, u64, b != 0 ? b : a)
NEVER_OVERFLOWS(recent, u64)
#endif

/* Conversion of an element from its type IN to the accumulator's type ACC. An integer fits if it comes back unchanged and
 * with its sign. A float is truncated; it fits if LOW <= it < HIGH, which are powers of two, hence exact in any float
 * type; a NaN does not. To a float everything fits, rounded to nearest. */
#define INTEGER_FITS(IN, ACC, x) ((IN)(ACC)(x) == (x) && (((x) > 0) == ((ACC)(x) > 0)))
#define FLOAT_FITS(x, LOW, HIGH) (trunc(x) >= (LOW) && trunc(x) < (HIGH))

#endif
