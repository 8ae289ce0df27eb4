/* Of delta:N, in a window of N + 1 elements: the last element minus the first. */
typedef struct {
	T first, last;
} state;

static inline state lift(T x)
{
	const state s = {x, x};
	return s;
}

static inline state combine(state earlier, state later)
{
	earlier.last = later.last;
	return earlier;
}

static inline T emit(state s)
{
	return difference(s.last, s.first);
}

#if IS_ROW && !T_IS_FLOAT
#define HAS_OVERFLOW
static inline int overflow(state p, state x, state s)
{
	(void)p;
	(void)x;
	return difference_wraps(s.last, s.first);
}
#endif
