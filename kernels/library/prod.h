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
	/* What does not fit wraps: as unsigned integers, which are wide enough. */
	return (T)((U)earlier * (U)later);
#endif
}

static inline T emit(state s)
{
	return s;
}

#if IS_ROW && !T_IS_FLOAT
#define HAS_OVERFLOW
/* A product left its range if the product in twice the width is another number. */
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

#if !IS_ROW
static inline state identity(void)
{
	return 1;
}
#endif
