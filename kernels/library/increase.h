/* The growth of a counter from its first element to its last one. */
typedef struct {
	T first, last, grown;
} state;

/* The growth from one element to the next. A counter that fell has begun again at 0. */
static inline T growth(T before, T x)
{
#if T_IS_WIDE
	return i128_less(x, before) ? x : difference(x, before);
#else
	return x < before ? x : difference(x, before);
#endif
}

static inline state lift(T x)
{
	state s;
	s.first = x;
	s.last = x;
#if T_IS_FLOAT
	s.grown = x != x ? x : 0;
#else
	s.grown = difference(x, x);
#endif
	return s;
}

static inline state combine(state earlier, state later)
{
	earlier.grown = sum_of(earlier.grown, sum_of(growth(earlier.last, later.first), later.grown));
	earlier.last = later.last;
	return earlier;
}

static inline T emit(state s)
{
	return s.grown;
}

#if IS_ROW && !T_IS_FLOAT
#define HAS_OVERFLOW
/* The sum of three terms may fit although a part of it does not. So each time that one wraps is counted: up or down. */
static inline int overflow(state p, state x, state s)
{
	const T between = growth(p.last, x.first);
	const T part = sum_of(between, x.grown);
	int wraps = 0;
#if T_IS_WIDE
	wraps += !i128_less(x.first, p.last) && (i64)between.hi < 0;
	wraps += (i64)((between.hi ^ part.hi) & (x.grown.hi ^ part.hi)) < 0 ? ((i64)part.hi < 0 ? 1 : -1) : 0;
	wraps += (i64)((p.grown.hi ^ s.grown.hi) & (part.hi ^ s.grown.hi)) < 0 ? ((i64)part.hi < 0 ? -1 : 1) : 0;
#elif T_IS_SIGNED
	wraps += x.first >= p.last && between < 0;
	wraps += ((between ^ part) & (x.grown ^ part)) < 0 ? (part < 0 ? 1 : -1) : 0;
	wraps += ((p.grown ^ s.grown) & (part ^ s.grown)) < 0 ? (part < 0 ? -1 : 1) : 0;
#else
	wraps += (part < between) + (s.grown < part);
#endif
	return wraps != 0;
}
#endif
