#if T_IS_FLOAT
typedef struct {
	T sum;
#if T_IS_F32
	u32 padding; /* without it the struct would have a gap of undefined bytes */
#endif
	u64 count;
} state;
#else
/* The sum is exact. Its quotient by the count is rounded once. */
typedef struct {
	i128 sum;
	u64 count;
} state;
#endif

static inline state lift(T x)
{
	state s;
#if T_IS_FLOAT
	s.sum = x;
#elif T_IS_SIGNED
	s.sum = i128_make(x < 0 ? ~(u64)0 : 0u, (u64)x);
#else
	s.sum = i128_make(0u, x);
#endif
#if T_IS_F32
	s.padding = 0;
#endif
	s.count = 1;
	return s;
}

#if !T_IS_FLOAT
#define NEVER_NAN
#endif

static inline state combine(state earlier, state later)
{
#if T_IS_FLOAT
	earlier.sum = earlier.sum + later.sum;
#else
	earlier.sum = i128_add(earlier.sum, later.sum);
#endif
	earlier.count += later.count;
	return earlier;
}

static inline R emit(state s)
{
#if T_IS_FLOAT
	return (T)((f64)s.sum / (f64)s.count);
#elif IS_ROW
	return i128_ratio(s.sum, s.count, 1u);
#else
	return s.count > 0 ? i128_ratio(s.sum, s.count, 1u) : NAN;
#endif
}

#if T_IS_FLOAT
#define HAS_CARRY
/* From tile to tile (of 4096 elements) the sum is carried in a wider type. */
typedef struct {
#if T_IS_F32
	f64 sum;
#else
	wide_sum sum;
#endif
	u64 count;
} carry;

static inline carry carry_first(state total)
{
	carry c;
#if T_IS_F32
	c.sum = (f64)total.sum;
#else
	c.sum.hi = total.sum;
	c.sum.lo = 0.0;
#endif
	c.count = total.count;
	return c;
}

static inline carry carry_add(carry before, state total)
{
#if T_IS_F32
	before.sum = before.sum + (f64)total.sum;
#else
	before.sum = wide_sum_add(before.sum, total.sum);
#endif
	before.count += total.count;
	return before;
}

static inline state carry_prefix(carry before)
{
	state s;
#if T_IS_F32
	s.sum = (f32)before.sum;
	s.padding = 0;
#else
	s.sum = before.sum.hi;
#endif
	s.count = before.count;
	return s;
}
#endif
