/* Means and what is like them: rows as operators.h has them. */
#ifndef PSCAN_KERNELS_OPERATORS_STATISTICS_H
#define PSCAN_KERNELS_OPERATORS_STATISTICS_H

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

/* Variance and standard deviation of a sample: the elements' mean and the sum of the squares of their distances from it, of two
 * parts by Chan, Golub and LeVeque (1983, "Algorithms for computing the sample variance"). The mean is an unevaluated sum of two
 * numbers, by TwoSum and FastTwoSum (Knuth; Dekker 1971): its error is one of the distances, however far from 0 they are. */
struct moments {
	f64 mean;
	f64 mean_low;
	f64 squares;
	u64 count;
};

static inline struct moments moments_of(f64 x)
{
	const struct moments s = {.mean = x, .mean_low = 0.0, .squares = 0.0, .count = 1};
	return s;
}

static inline struct moments moments_combine(struct moments a, struct moments b)
{
	const f64 distance = (b.mean - a.mean) + (b.mean_low - a.mean_low);
	const f64 share = (f64)b.count / (f64)(a.count + b.count);
	const f64 step = distance * share;
	const f64 sum = a.mean + step;
	const f64 part = sum - a.mean;
	const f64 low = a.mean_low + ((a.mean - (sum - part)) + (step - part));
	a.squares = a.squares + b.squares + distance * distance * ((f64)a.count * share);
	a.mean = sum + low;
	a.mean_low = low - (a.mean - sum);
	a.count += b.count;
	return a;
}

/* A mean that is no finite number has a low part that is none. */
static inline f64 moments_variance(struct moments s)
{
	return s.mean_low != s.mean_low ? s.mean_low : s.squares / (f64)(s.count - 1);
}

#define MOMENTS_ROW(OP, T, R, EXPRESSION)                                                                              \
	typedef struct moments state_##OP##_##T;                                                                       \
	typedef R result_##OP##_##T;                                                                                   \
	static inline struct moments lift_##OP##_##T(T x)                                                              \
	{                                                                                                              \
		return moments_of((f64)x);                                                                             \
	}                                                                                                              \
	static inline struct moments combine_##OP##_##T(struct moments a, struct moments b)                            \
	{                                                                                                              \
		return moments_combine(a, b);                                                                          \
	}                                                                                                              \
	static inline R emit_##OP##_##T(struct moments s)                                                              \
	{                                                                                                              \
		return emit_sum_##R((R)(EXPRESSION));                                                                  \
	}                                                                                                              \
	NEVER_OVERFLOWS(OP, T)
#define MOMENTS_ROWS(T, R)                                                                                             \
	MOMENTS_ROW(var, T, R, moments_variance(s))                                                                    \
	MOMENTS_ROW(std, T, R, sqrt(moments_variance(s)))

MOMENTS_ROWS(i8, f64)
MOMENTS_ROWS(u8, f64)
MOMENTS_ROWS(i16, f64)
MOMENTS_ROWS(u16, f64)
MOMENTS_ROWS(i32, f64)
MOMENTS_ROWS(u32, f64)
MOMENTS_ROWS(i64, f64)
MOMENTS_ROWS(u64, f64)
MOMENTS_ROWS(f32, f32)
MOMENTS_ROWS(f64, f64)
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

/* A linear recurrence, y = a y + b with y = 0 before the first element: the elements are affine maps of y, and what is combined is
 * their composition, weight y + rest (Blelloch 1990, "Prefix sums and their applications", 1.4). */
#define LINREC_ROW(T)                                                                                                  \
	struct linrec_##T {                                                                                            \
		T weight;                                                                                              \
		T rest;                                                                                                \
	};                                                                                                             \
	typedef struct linrec_##T state_linrec_##T;                                                                    \
	typedef T result_linrec_##T;                                                                                   \
	static inline struct linrec_##T lift_linrec_##T(T a, T b)                                                      \
	{                                                                                                              \
		const struct linrec_##T s = {a, b};                                                                    \
		return s;                                                                                              \
	}                                                                                                              \
	static inline struct linrec_##T combine_linrec_##T(struct linrec_##T a, struct linrec_##T b)                   \
	{                                                                                                              \
		b.rest = b.weight * a.rest + b.rest;                                                                   \
		b.weight = b.weight * a.weight;                                                                        \
		return b;                                                                                              \
	}                                                                                                              \
	static inline T emit_linrec_##T(struct linrec_##T s)                                                           \
	{                                                                                                              \
		return emit_sum_##T(s.rest);                                                                           \
	}                                                                                                              \
	NEVER_OVERFLOWS(linrec, T)

EACH_FLOAT_TYPE(LINREC_ROW)

#endif
