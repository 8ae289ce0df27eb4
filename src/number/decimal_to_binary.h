/* Decimal to binary floating point: what number_parse and number_scan share. Pure functions; any thread. */
#ifndef PSCAN_NUMBER_DECIMAL_TO_BINARY_H
#define PSCAN_NUMBER_DECIMAL_TO_BINARY_H

#include <stdbool.h>
#include <stdint.h>

/* A binary floating-point format. */
struct float_format {
	int significand_bits; /* explicit ones */
	int exponent_bias;
	int infinite_exponent; /* the biased exponent of infinity */
	int least_power, greatest_power; /* below the first every w * 10^q (w < 2^64) is 0, above the second infinite */
	int least_half,
		greatest_half; /* powers of ten for which a 64-bit w can be exactly half way between two values */
	uint64_t exact_significand; /* integers up to this are exact */
	int exact_power; /* powers of ten up to this are exact */
};

extern const struct float_format float_format_f32, float_format_f64;

/* The bits of infinity. */
static inline uint64_t float_infinity(const struct float_format *f)
{
	return (uint64_t)f->infinite_exponent << f->significand_bits;
}

/* *bits becomes digits * 10^power, correctly rounded to f's format (one of the two above): 0 or a denormal if too
 * small, infinity if too large. False, *bits untouched, in the rare cases that 128 bits of 10^power do not decide. */
bool number_float_bits(const struct float_format *f, uint64_t digits, int64_t power, uint64_t *bits);

#endif
