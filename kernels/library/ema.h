/* y = A x + (1 - A) y. The first y is the first element. After several elements y is weight times the y after the first
 * of them, plus rest. */
typedef struct {
	T first;
	T weight;
	T rest;
	T factor;
} state;

/* An infinity stays infinite when its weight becomes too small for the type. */
static inline T weighted(T weight, T y)
{
	return weight == 0 && y - y != 0 ? y : weight * y;
}

static inline state lift(T x WITH_PARAMETER)
{
	const state s = {x, 1, 0, PARAMETER};
	return s;
}

static inline state combine(state earlier, state later)
{
	const T kept = 1 - later.factor;
	/* A factor of 1 forgets everything earlier, infinities too. */
	if (kept == 0)
		return later;
	later.rest = weighted(later.weight, kept * earlier.rest + later.factor * later.first) + later.rest;
	later.weight = later.weight * (kept * earlier.weight);
	later.first = earlier.first;
	return later;
}

static inline T emit(state s WITH_PARAMETER)
{
	return weighted(s.weight, s.first) + s.rest;
}
