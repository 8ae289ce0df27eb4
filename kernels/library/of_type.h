/* What operators' texts share for one accumulator: included for every row. (A shown program gets the parts that it
 * uses. A part is what stands between two empty lines.) */

#if T_IS_FLOAT
/* The sorting key of x. The bits of floats, as signed integers, sort as the floats do once the magnitude bits of the
 * negative ones are inverted; -0 comes before +0. The key of a NaN is of_nan. */
static inline KEY key_of(T x, KEY of_nan)
{
	const BITS bits = bits_of(x);
	const BITS magnitude = bits & MAGNITUDE;
	const KEY key = (KEY)(bits ^ (bits != magnitude ? MAGNITUDE : 0));
	return magnitude > INFINITY_BITS ? of_nan : key;
}

/* The float that has the key. */
static inline T value_of(KEY key)
{
	return from_bits((BITS)key ^ (key < 0 ? MAGNITUDE : 0));
}
#endif

/* Of equal ones the earlier. */
static inline KEY greater_of(KEY earlier, KEY later)
{
#if T_IS_WIDE
	return i128_less(earlier, later) ? later : earlier;
#else
	return earlier < later ? later : earlier;
#endif
}

/* Of equal ones the earlier. */
static inline KEY lesser_of(KEY earlier, KEY later)
{
#if T_IS_WIDE
	return i128_less(later, earlier) ? later : earlier;
#else
	return later < earlier ? later : earlier;
#endif
}

/* a + b, which wraps. */
static inline T sum_of(T a, T b)
{
#if T_IS_WIDE
	return i128_add(a, b);
#elif T_IS_PLAIN
	return a + b;
#else
	return (T)((U)a + (U)b);
#endif
}

#if T_IS_PLAIN
/* a - b. */
static inline T difference(T a, T b)
{
	return a - b;
}
#else
/* a - b, which wraps. */
static inline T difference(T a, T b)
{
#if T_IS_WIDE
	return i128_add(a, i128_negate(b));
#else
	return (T)((U)a - (U)b);
#endif
}
#endif

#if IS_ROW && !T_IS_FLOAT
/* Whether difference(a, b) wraps. */
static inline int difference_wraps(T a, T b)
{
#if T_IS_WIDE
	return i128_less(a, b) != ((i64)difference(a, b).hi < 0);
#elif T_IS_SIGNED
	return (a < b) != (difference(a, b) < 0);
#else
	return a < b;
#endif
}
#endif

/* The last two elements. It has no gaps: states are compared byte by byte. */
typedef struct {
	T before;
	T last;
	FLAG has_before;
} last_two;

/* Of one element. */
static inline last_two last_two_of(T x)
{
	last_two s;
	s.before = x;
	s.last = x;
	s.has_before = 0;
	return s;
}

static inline last_two last_two_combine(last_two earlier, last_two later)
{
	if (later.has_before == 0)
		later.before = earlier.last;
	later.has_before = 1;
	return later;
}

/* An element's key, its index, and the count of elements that were looked at. Keys are at least as wide as counts, so
 * that there are no gaps: states are compared byte by byte. */
typedef struct {
	LONG_KEY key;
	u64 index;
	u64 count;
} place;

/* Of one element. */
static inline place place_of(LONG_KEY key)
{
	place s;
	s.key = key;
	s.index = 0;
	s.count = 1;
	return s;
}

static inline place place_combine(place earlier, place later, int takes_later)
{
	if (takes_later != 0) {
		earlier.key = later.key;
		earlier.index = earlier.count + later.index;
	}
	earlier.count += later.count;
	return earlier;
}
