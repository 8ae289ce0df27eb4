typedef T state;

static inline state lift(T x)
{
	return x;
}

static inline state combine(state earlier, state later)
{
#if T_IS_WIDE
	return i128_add(earlier, later);
#elif T_IS_PLAIN
	return earlier + later;
#else
	/* Unsigned, so that a sum that does not fit wraps. */
	return (T)((U)earlier + (U)later);
#endif
}

static inline T emit(state s)
{
	return s;
}

#if IS_ROW && !T_IS_FLOAT
#define HAS_OVERFLOW
/* A signed sum does not fit if it has the sign of neither term; an unsigned one if it is less than a term. */
static inline int overflow(state p, state x, state s)
{
	(void)p;
#if T_IS_WIDE
	return (i64)((p.hi ^ s.hi) & (x.hi ^ s.hi)) < 0;
#elif T_IS_SIGNED
	return ((p ^ s) & (x ^ s)) < 0;
#else
	return s < x;
#endif
}
#endif

#if T_IS_F32 && CARRIES_WIDE
#define HAS_CARRY
/* From tile to tile (of 4096 elements) sums are carried wider than they are. */
typedef f64 carry;

static inline carry carry_first(state total)
{
	return (f64)total;
}

static inline carry carry_add(carry before, state total)
{
	return before + (f64)total;
}

static inline state carry_prefix(carry before)
{
	return (f32)before;
}
#endif
#if T_IS_F64
#define HAS_CARRY
/* From tile to tile (of 4096 elements) sums are carried wider than they are. */
typedef wide_sum carry;

static inline carry carry_first(state total)
{
	const carry c = {total, 0.0};
	return c;
}

static inline carry carry_add(carry before, state total)
{
	return wide_sum_add(before, total);
}

static inline state carry_prefix(carry before)
{
	return before.hi;
}
#endif
