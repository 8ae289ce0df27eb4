#if T_IS_FLOAT
/* IEEE 754-2019's minimum: a NaN wins, -0 is less than +0. States are sorting keys. */
#endif
typedef KEY state;

static inline state lift(T x)
{
#if T_IS_FLOAT
	return key_of(x, NAN_BELOW);
#else
	return x;
#endif
}

static inline state combine(state earlier, state later)
{
	return lesser_of(earlier, later);
}

static inline T emit(state s)
{
#if T_IS_FLOAT
	return value_of(s);
#else
	return s;
#endif
}
