#if T_IS_FLOAT
/* The product is m times 2^(120 e) for float, m times 2^(1000 e) for double, so that no product of many numbers
 * overflows or underflows on the way. Either 2^-60 <= |m| < 2^60 (2^-500 and 2^500 for double), so that m times m is a
 * normal number; or m is 0, infinite or a NaN, and e is 0. */
typedef struct {
	T m;
#if T_IS_F32
	u32 padding; /* without it the struct would have a gap of undefined bytes */
#endif
	i64 e;
} state;

/* Brings m and e into that form. m may be any element or product: it is only multiplied by a power of two, which is
 * exact. */
static inline state scaled(T m, i64 e)
{
	state s;
	if ((bits_of(m) & MAGNITUDE) - SCALED_LEAST >= SCALED_RANGE) {
		const int is_small = (bits_of(m) & MAGNITUDE) < SCALED_LEAST;
		m = m * (is_small ? SCALE_UP : SCALE_DOWN);
		e = (bits_of(m) & MAGNITUDE) - SCALED_LEAST >= SCALED_RANGE ? 0 : is_small ? e - 1 : e + 1;
	}
	s.m = m;
#if T_IS_F32
	s.padding = 0;
#endif
	s.e = e;
	return s;
}

static inline state lift(T x)
{
	return scaled(x, 0);
}

static inline state combine(state earlier, state later)
{
	return scaled(earlier.m * later.m, earlier.e + later.e);
}

/* The result is rounded once. Beyond one power of two it is infinite or 0. */
static inline T emit(state s)
{
	if (s.e == 0)
		return s.m;
	if (s.e > 0)
		return s.m * (s.e == 1 ? SCALE_UP : (T)INFINITY);
	return s.m * (s.e == -1 ? SCALE_DOWN : (T)0);
}
#else
typedef T state;

static inline state lift(T x)
{
	return x;
}

static inline state combine(state earlier, state later)
{
#if T_IS_WIDE
	return i128_multiply(earlier, later);
#elif T_IS_PLAIN
	return earlier * later;
#else
	/* Unsigned, so that a product that does not fit wraps. */
	return (T)((U)earlier * (U)later);
#endif
}

static inline T emit(state s)
{
	return s;
}
#endif

#if IS_ROW && !T_IS_FLOAT
#define HAS_OVERFLOW
/* A product does not fit if the product in twice the width is another number. */
static inline int overflow(state p, state x, state s)
{
	(void)s;
#if T_IS_WIDE
	return i128_multiply_overflows(p, x);
#elif T_IS_LONG && T_IS_SIGNED
	return mul_high_i64(p, x) != (s < 0 ? -1 : 0);
#elif T_IS_LONG
	return mul_high_u64(p, x) != 0;
#elif T_IS_SIGNED
	return (i64)p * (i64)x != (i64)s;
#else
	return (u64)p * (u64)x != (u64)s;
#endif
}
#endif
