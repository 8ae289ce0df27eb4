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
	return s.has_before != 0 ? s.before : (T)NAN;
#else
	return s.before;
#endif
}
