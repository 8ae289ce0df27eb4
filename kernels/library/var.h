typedef moments state;

static inline state lift(T x)
{
	return moments_of((f64)x);
}

static inline state combine(state earlier, state later)
{
	return moments_combine(earlier, later);
}

static inline R emit(state s)
{
	return (R)moments_variance(s);
}
