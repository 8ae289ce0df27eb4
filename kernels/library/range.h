#if T_IS_FLOAT
/* Both are sorting keys. A NaN is both the least and the greatest. */
#endif
typedef struct {
	KEY least, greatest;
} state;

static inline state lift(T x)
{
	state s;
#if T_IS_FLOAT
	s.least = key_of(x, NAN_BELOW);
	s.greatest = key_of(x, NAN_ABOVE);
#else
	s.least = x;
	s.greatest = x;
#endif
	return s;
}

static inline state combine(state earlier, state later)
{
	earlier.least = lesser_of(earlier.least, later.least);
	earlier.greatest = greater_of(earlier.greatest, later.greatest);
	return earlier;
}

static inline T emit(state s)
{
#if T_IS_FLOAT
	return value_of(s.greatest) - value_of(s.least);
#else
	return difference(s.greatest, s.least);
#endif
}

#if IS_ROW && !T_IS_FLOAT
#define HAS_OVERFLOW
static inline int overflow(state p, state x, state s)
{
	(void)p;
	(void)x;
	return difference_wraps(s.greatest, s.least);
}
#endif
