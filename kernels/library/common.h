/* What operators' texts share for all accumulators. C includes it once; for OpenCL C it stands before a row's text. (A
 * shown program gets the parts that it uses. A part is what stands between two empty lines.) */

#ifdef PSCAN_PROGRAM
/* A 128-bit integer in two's complement. */
typedef struct {
	u64 lo, hi;
} i128;
#endif

/* 128-bit integers: the second width of exact decimals, and sums of integers of 64 bits. */
static inline i128 i128_make(u64 hi, u64 lo)
{
	i128 r;
	r.lo = lo;
	r.hi = hi;
	return r;
}

static inline int i128_less(i128 a, i128 b)
{
	return (i64)a.hi < (i64)b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static inline i128 i128_add(i128 a, i128 b)
{
	const u64 lo = a.lo + b.lo;
	return i128_make(a.hi + b.hi + (lo < a.lo ? 1u : 0u), lo);
}

static inline i128 i128_negate(i128 a)
{
	return i128_make(~a.hi + (a.lo == 0 ? 1u : 0u), 0u - a.lo);
}

static inline i128 i128_magnitude(i128 a)
{
	return (i64)a.hi < 0 ? i128_negate(a) : a;
}

static inline i128 i128_multiply(i128 a, i128 b)
{
	return i128_make(mul_high_u64(a.lo, b.lo) + a.hi * b.lo + a.lo * b.hi, a.lo * b.lo);
}

/* Whether a * b does not fit the type. The magnitudes are multiplied word by word. */
static inline int i128_multiply_overflows(i128 a, i128 b)
{
	const int negative = (i64)(a.hi ^ b.hi) < 0;
	const i128 m = i128_magnitude(a);
	const i128 k = i128_magnitude(b);
	const u64 middle = m.hi * k.lo + m.lo * k.hi;
	const u64 top = mul_high_u64(m.lo, k.lo) + middle;
	const u64 sign_bit = (u64)1 << 63;
	if ((m.hi != 0 && k.hi != 0) || mul_high_u64(m.hi, k.lo) != 0 || mul_high_u64(m.lo, k.hi) != 0 || top < middle)
		return 1;
	return top >= sign_bit && !(negative && top == sign_bit && m.lo * k.lo == 0);
}

#ifdef PSCAN_FP64
/* magnitude / (b * c), rounded once. b * c is at most 2^124. Both are shifted until their first bit is the top one.
 * Long division gives 64 bits of the quotient, and a remainder sets the last of them, which is far below the bit that
 * is rounded. */
static inline f64 i128_long_ratio(i128 magnitude, u64 b, u64 c)
{
	i128 rest = magnitude;
	i128 by = i128_make(mul_high_u64(b, c), b * c);
	u64 quotient = 0;
	u32 carry_out = 0;
	i32 exponent = 1023 - 63;
	if ((magnitude.hi | magnitude.lo) == 0)
		return 0.0;
	for (; (by.hi >> 63) == 0; exponent++)
		by = i128_make(by.hi << 1 | by.lo >> 63, by.lo << 1);
	for (; (rest.hi >> 63) == 0; exponent--)
		rest = i128_make(rest.hi << 1 | rest.lo >> 63, rest.lo << 1);
	for (u32 i = 0; i < 64; i++) {
		const u32 bit = carry_out != 0 || rest.hi > by.hi || (rest.hi == by.hi && rest.lo >= by.lo);
		if (bit != 0)
			rest = i128_add(rest, i128_negate(by));
		quotient = quotient << 1 | bit;
		carry_out = (u32)(rest.hi >> 63);
		rest = i128_make(rest.hi << 1 | rest.lo >> 63, rest.lo << 1);
	}
	quotient |= carry_out != 0 || (rest.hi | rest.lo) != 0 ? 1u : 0u;
	return (f64)quotient * f64_from_bits((u64)exponent << 52);
}

/* a / (b * c), rounded once: of most numbers by one division of doubles. */
static inline f64 i128_ratio(i128 a, u64 b, u64 c)
{
	const i128 magnitude = i128_magnitude(a);
	const f64 divisor = (f64)b * (f64)c;
	const u64 exact = (u64)1 << 53;
	const int is_short = magnitude.hi == 0 && magnitude.lo <= exact && divisor < (f64)exact;
	const f64 r = is_short ? (f64)magnitude.lo / divisor : i128_long_ratio(magnitude, b, c);
	return (i64)a.hi < 0 ? -r : r;
}

/* A sum kept as two parts: hi + lo, with |lo| <= ulp(hi) / 2. */
typedef struct {
	f64 hi, lo;
} wide_sum;

/* TwoSum (Knuth, TAOCP 2, 4.2.2) takes the total in. FastTwoSum (Dekker 1971) then brings the pair back in order. Where
 * the sum is infinite or NaN, or the low part would be 0, only the high part is kept. */
static inline wide_sum wide_sum_add(wide_sum before, f64 total)
{
	const f64 s = before.hi + total;
	const f64 part = s - before.hi;
	const f64 e = (before.hi - (s - part)) + (total - part);
	const f64 low = before.lo + e;
	before.hi = s;
	before.lo = 0.0;
	if (!isfinite(s) || !isfinite(e) || low == 0.0)
		return before;
	before.hi = s + low;
	before.lo = low - (before.hi - s);
	return before;
}

/* The mean of the elements, and the sum of the squares of their distances from it. The mean is kept as two parts:
 * without the low part its rounding error would count in every distance, however far from 0 the elements are. */
typedef struct {
	f64 mean;
	f64 mean_low;
	f64 squares;
	u64 count;
} moments;

/* Of one element. */
static inline moments moments_of(f64 x)
{
	const moments s = {x, 0.0, 0.0, 1};
	return s;
}

/* Of two parts: Chan, Golub and LeVeque (1983, "Algorithms for computing the sample variance"), with TwoSum and
 * FastTwoSum (Knuth; Dekker 1971). */
static inline moments moments_combine(moments a, moments b)
{
	const f64 distance = (b.mean - a.mean) + (b.mean_low - a.mean_low);
	const f64 share = (f64)b.count / (f64)(a.count + b.count);
	const f64 shift = distance * share;
	const f64 sum = a.mean + shift;
	const f64 part = sum - a.mean;
	const f64 low = a.mean_low + ((a.mean - (sum - part)) + (shift - part));
	a.squares = a.squares + b.squares + distance * distance * ((f64)a.count * share);
	a.mean = sum + low;
	a.mean_low = low - (a.mean - sum);
	a.count += b.count;
	return a;
}

/* The variance of a sample. Less than two elements have none: NaN. Where the mean is infinite or NaN its low part is
 * NaN, and so is the variance. */
static inline f64 moments_variance(moments s)
{
	if (s.count < 2)
		return (f64)NAN;
	return s.mean_low != s.mean_low ? s.mean_low : s.squares / (f64)(s.count - 1);
}
#endif
