/* There are two methods. Each rounds correctly where it is used:
 *   1. If the digits and the power of ten are exact in the format, a single division or multiplication (Clinger 1990,
 *      "How to read floating point numbers accurately").
 *   2. Otherwise 64 bits of significand times 128 bits of the power (Lemire 2021, "Number parsing at a gigabyte per
 *      second"; the algorithm is Eisel's). These always decide the rounding (Mushtak and Lemire 2023, "Fast number
 *      parsing without fallback"). */
#include "number/decimal_to_binary.h"

#include <stdbool.h>

#include "number/powers.h"
#include "types.h"

const struct float_format float_format_f32 = {23, 127, 0xff, -65, 38, -17, 10, UINT64_C(1) << 24, 10};
const struct float_format float_format_f64 = {52, 1023, 0x7ff, -342, 308, -4, 23, UINT64_C(1) << 53, 22};

/* Returns the bits of w * 10^q (w > 0), correctly rounded. */
static inline __attribute__((always_inline)) uint64_t eisel_lemire(const struct float_format *f, uint64_t w, int64_t q)
{
	if (q < f->least_power)
		return 0;
	if (q > f->greatest_power)
		return float_infinity(f);
	const int shift = __builtin_clzll(w);
	struct power power = power_of_ten((int)q);
	if (q < 0 && q >= -27)
		power.lo++; /* These powers must be rounded up. The increment never carries. */
	w <<= shift;
	/* The upper 128 bits of w * power. The lower product is added only if it can change bits that are needed. */
	uint64_t high = mul_high_u64(w, power.hi);
	uint64_t low = w * power.hi;
	const uint64_t undecided = UINT64_MAX >> (f->significand_bits + 3);
	if ((high & undecided) == undecided) {
		const uint64_t more = mul_high_u64(w, power.lo);
		low += more;
		if (low < more)
			high++;
	}
	/* m has one bit more than the significand, for rounding. */
	const int top = (int)(high >> 63);
	const int drop = top + 64 - f->significand_bits - 3;
	uint64_t m = high >> drop;
	int exponent = floor_log2_power_of_ten((int)q) + 63 + top - shift + f->exponent_bias;
	if (exponent <= 0) { /* denormal */
		if (1 - exponent >= 64)
			return 0;
		m >>= 1 - exponent;
		m += m & 1;
		return m >> 1; /* A carry into the exponent gives the least normal number, which is right. */
	}
	/* Exactly half way between two values: clears the odd bit, so that rounding goes to the even one. */
	if (low <= 1 && q >= f->least_half && q <= f->greatest_half && (m & 3) == 1 && m << drop == high)
		m &= ~UINT64_C(1);
	m += m & 1;
	m >>= 1;
	if (m >= UINT64_C(2) << f->significand_bits) {
		m = UINT64_C(1) << f->significand_bits;
		exponent++;
	}
	if (exponent >= f->infinite_exponent)
		return float_infinity(f);
	return (m & ((UINT64_C(1) << f->significand_bits) - 1)) | (uint64_t)exponent << f->significand_bits;
}

static inline __attribute__((always_inline)) bool clinger(const struct float_format *f, uint64_t digits, int64_t power,
							  uint64_t *bits)
{
	if (digits > f->exact_significand || power > f->exact_power || power < -f->exact_power)
		return false;
	const double factor = power_of_ten_f64[power < 0 ? -power : power];
	if (f == &float_format_f32) {
		const float w = (float)digits;
		*bits = f32_bits(power < 0 ? w / (float)factor : w * (float)factor);
	} else {
		const double w = (double)digits;
		*bits = f64_bits(power < 0 ? w / factor : w * factor);
	}
	return true;
}

static inline __attribute__((always_inline)) uint64_t decide(const struct float_format *f, uint64_t digits,
							     int64_t power)
{
	uint64_t bits = 0;
	return clinger(f, digits, power, &bits) || digits == 0 ? bits : eisel_lemire(f, digits, power);
}

/* Each format gets its own copy of the code, in which the format's numbers are constants. */
uint64_t number_float_bits(const struct float_format *f, uint64_t digits, int64_t power)
{
	if (f == &float_format_f32)
		return decide(&float_format_f32, digits, power);
	return decide(&float_format_f64, digits, power);
}
