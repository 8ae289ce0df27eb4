/* The index of the greatest element, from 0. The earliest of equal ones. */
typedef place state;

static inline state lift(T x)
{
#if T_IS_FLOAT
	return place_of(key_of(x, NAN_ABOVE));
#else
	return place_of(x);
#endif
}

static inline state combine(state earlier, state later)
{
#if T_IS_WIDE
	return place_combine(earlier, later, i128_less(earlier.key, later.key));
#else
	return place_combine(earlier, later, earlier.key < later.key);
#endif
}

static inline u64 emit(state s)
{
	return s.index;
}
