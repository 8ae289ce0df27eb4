typedef T state;

static inline state lift(T x)
{
	return x;
}

static inline state combine(state earlier, state later)
{
	(void)earlier;
	return later;
}

static inline T emit(state s)
{
	return s;
}
