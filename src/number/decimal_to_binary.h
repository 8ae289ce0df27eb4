/* Converts decimal to binary floating point, for number_parse and number_scan. Pure functions; any thread. */
#ifndef PSCAN_NUMBER_DECIMAL_TO_BINARY_H
#define PSCAN_NUMBER_DECIMAL_TO_BINARY_H

#include <stdint.h>

/* A binary floating-point format. */
struct float_format {
	int significand_bits; /* Bits of the significand that are stored, without the implicit one. */
	int exponent_bias;
	int infinite_exponent; /* The biased exponent of infinity. */
	/* For 0 < w < 2^64, w * 10^q rounds to 0 if q is below least_power, to infinity if q is above
	 * greatest_power. */
	int least_power, greatest_power;
	/* The powers q for which w * 10^q with w < 2^64 can lie exactly half way between two values. */
	int least_half, greatest_half;
	uint64_t exact_significand; /* Integers up to this one are exact. */
	int exact_power; /* Powers of ten up to 10^exact_power are exact. */
};

extern const struct float_format float_format_f32, float_format_f64;

/* Returns the bits of positive infinity. */
static inline uint64_t float_infinity(const struct float_format *f)
{
	return (uint64_t)f->infinite_exponent << f->significand_bits;
}

/* Returns the bits of digits * 10^power, correctly rounded to one of the two formats above: to 0 or a denormal if it is
 * too small, to infinity if it is too large. */
uint64_t number_float_bits(const struct float_format *f, uint64_t digits, int64_t power);

#endif
