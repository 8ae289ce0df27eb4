/* Writes digits in words of eight bytes, for number_format and decimal_format. Up to seven bytes after the bytes that a
 * function returns may be overwritten.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_NUMBER_WRITE_DIGITS_H
#define PSCAN_NUMBER_WRITE_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "number/powers.h"
#include "types.h"

/* The texts 0000 .. 9999. */
extern const char put_quads[10000][4];

/* Returns the text of the eight digits of value < 10^8, the first digit in the least significant byte. */
static inline uint64_t put_digits8(uint32_t value)
{
	uint32_t upper;
	uint32_t lower;
	memcpy(&upper, put_quads[value / 10000], sizeof upper);
	memcpy(&lower, put_quads[value % 10000], sizeof lower);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	upper = __builtin_bswap32(upper);
	lower = __builtin_bswap32(lower);
#endif
	return upper | (uint64_t)lower << 32;
}

static inline void put_word(char *out, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	memcpy(out, &word, sizeof word);
}

/* Writes value < 10^8 without leading zeros. Returns the bytes written. */
static inline size_t put_short(char *out, uint32_t value)
{
	const uint64_t digits = put_digits8(value);
	/* The lowest bit that differs from '0' tells the leading zeros. The last digit stays in any case. */
	const unsigned zeros =
		(unsigned)__builtin_ctzll((digits & UINT64_C(0x0f0f0f0f0f0f0f0f)) | UINT64_C(1) << 56) / 8;
	put_word(out, digits >> 8 * zeros);
	return 8 - zeros;
}

/* Writes a value without leading zeros. Returns the bytes written. */
static inline size_t put_u64(char *out, uint64_t value)
{
	const uint64_t split = 100000000;
	const uint64_t upper = value / split;
	if (upper == 0)
		return put_short(out, (uint32_t)value);
	const uint64_t top = upper / split;
	size_t size = 0;
	if (top == 0) {
		size = put_short(out, (uint32_t)upper);
	} else {
		size = put_short(out, (uint32_t)top);
		put_word(out + size, put_digits8((uint32_t)(upper - top * split)));
		size += 8;
	}
	put_word(out + size, put_digits8((uint32_t)(value - upper * split)));
	return size + 8;
}

/* Writes value < 10^width as `width` digits (1 .. 18) with leading zeros. */
static inline void put_fixed(char *out, uint64_t value, unsigned width)
{
	const uint64_t split = 100000000;
	if (width > 16) {
		const uint64_t top = value / (split * split);
		put_word(out, put_digits8((uint32_t)top) >> 8 * (24 - width));
		out += width - 16;
		value -= top * (split * split);
		width = 16;
	}
	if (width > 8) {
		const uint64_t upper = value / split;
		put_word(out, put_digits8((uint32_t)upper) >> 8 * (16 - width));
		out += width - 8;
		value -= upper * split;
		width = 8;
	}
	put_word(out, put_digits8((uint32_t)value) >> 8 * (8 - width));
}

/* Division by 10^scale as a multiplication (Granlund, Montgomery 1994): 2^(64 + shift) / 10^scale, rounded up. */
struct reciprocal {
	uint64_t factor;
	unsigned shift;
};
extern const struct reciprocal put_reciprocals[19]; /* Entry k is for 10^k, k = 1 .. 18. */

/* Returns value / 10^scale, rounded down, for scale 1 .. 18 and value <= 2^63. */
static inline uint64_t put_divide(uint64_t value, unsigned scale)
{
	return mul_high_u64(value, put_reciprocals[scale].factor) >> put_reciprocals[scale].shift;
}

/* Writes value <= 2^63 with a point before its last `scale` digits (1 .. 18) and at least one digit before the point.
 * Returns the bytes written. */
static inline size_t put_point(char *out, uint64_t value, unsigned scale)
{
	const uint64_t integer = put_divide(value, scale);
	const size_t size = put_u64(out, integer);
	out[size] = '.';
	put_fixed(out + size + 1, value - integer * power_of_ten_u64[scale], scale);
	return size + 1 + scale;
}

#endif
