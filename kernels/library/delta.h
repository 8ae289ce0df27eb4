typedef last_two state;

static inline state lift(T x)
{
	return last_two_of(x);
}

static inline state combine(state earlier, state later)
{
	return last_two_combine(earlier, later);
}

static inline T emit(state s)
{
#if T_IS_FLOAT
	return s.has_before != 0 ? s.last - s.before : (T)NAN;
#else
	return difference(s.last, s.before);
#endif
}

#if IS_ROW && !T_IS_FLOAT
#define HAS_OVERFLOW
static inline int overflow(state p, state x, state s)
{
	(void)p;
	(void)x;
	return s.has_before != 0 && difference_wraps(s.last, s.before);
}
#endif
