#if T_IS_FLOAT
/* The greatest element is a sorting key. */
#endif
typedef KEY state;

static inline state lift(T x)
{
#if T_IS_FLOAT
	return key_of(x, NAN_ABOVE);
#else
	return x;
#endif
}

static inline state combine(state earlier, state later)
{
	return greater_of(earlier, later);
}

/* x is the element at the result's place. */
static inline T emit(state s, T x)
{
#if T_IS_FLOAT
	return value_of(s) - x;
#else
	return difference(s, x);
#endif
}

#if IS_ROW && !T_IS_FLOAT
#define HAS_OVERFLOW
static inline int overflow(state p, state x, state s)
{
	(void)p;
	return difference_wraps(s, x);
}
#endif
