typedef T state;

static inline state lift(T x)
{
	return x;
}

static inline state combine(state earlier, state later)
{
#if T_IS_WIDE
	return i128_make(earlier.hi | later.hi, earlier.lo | later.lo);
#elif !T_IS_NARROW
	return earlier | later;
#else
	return (T)(earlier | later);
#endif
}

static inline T emit(state s)
{
	return s;
}
