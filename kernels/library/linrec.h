/* y = a y + b, with y = 0 before the first element. Each element is an affine map of y. What is combined are these
 * maps, whose composition is again one: weight y + rest (Blelloch 1990, "Prefix sums and their applications", 1.4). */
typedef struct {
	T weight;
	T rest;
} state;

static inline state lift(T a, T b)
{
	const state s = {a, b};
	return s;
}

static inline state combine(state earlier, state later)
{
	later.rest = later.weight * earlier.rest + later.rest;
	later.weight = later.weight * earlier.weight;
	return later;
}

static inline T emit(state s)
{
	return s.rest;
}

#if !IS_ROW
static inline state identity(void)
{
	const state s = {1, 0};
	return s;
}
#endif
