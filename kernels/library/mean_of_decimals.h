/* The mean of exact decimals. Elements are mantissas: decimals multiplied by a power of ten, which is the parameter.
 * Their sum may overflow. */
typedef struct {
	T sum;
	u64 count;
} state;

static inline state lift(T x WITH_PARAMETER)
{
	const state s = {x, 1};
	return s;
}

static inline state combine(state earlier, state later)
{
	earlier.sum = sum_of(earlier.sum, later.sum);
	earlier.count += later.count;
	return earlier;
}

static inline R emit(state s WITH_PARAMETER)
{
#if T_IS_WIDE
	return i128_ratio(s.sum, s.count, (u64)PARAMETER);
#else
	return i128_ratio(i128_make(s.sum < 0 ? ~(u64)0 : 0u, (u64)s.sum), s.count, (u64)PARAMETER);
#endif
}

#define NEVER_NAN
#define HAS_OVERFLOW
static inline int overflow(state p, state x, state s)
{
#if T_IS_WIDE
	return (i64)((p.sum.hi ^ s.sum.hi) & (x.sum.hi ^ s.sum.hi)) < 0;
#else
	return ((p.sum ^ s.sum) & (x.sum ^ s.sum)) < 0;
#endif
}
