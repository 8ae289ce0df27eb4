/* Floats by Schubfach (Giulietti 2020, "The Schubfach way to render doubles"): one multiplication by 128 bits of a power of
 * ten for the value and for both ends of the interval that rounds to it; among the decimals inside with the fewest digits,
 * the nearest. Both formats use the same code with their own widths. */
#include <string.h>

#include "number.h"
#include "powers.h"
#include "types.h"

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
				  "25262728293031323334353637383940414243444546474849"
				  "50515253545556575859606162636465666768697071727374"
				  "75767778798081828384858687888990919293949596979899";

size_t number_format_u64(char *out, uint64_t value)
{
	char buffer[20];
	size_t at = sizeof buffer;
	while (value >= 100) {
		at -= 2;
		memcpy(buffer + at, digit_pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (value >= 10) {
		at -= 2;
		memcpy(buffer + at, digit_pairs + 2 * value, 2);
	} else {
		buffer[--at] = (char)('0' + value);
	}
	memcpy(out, buffer + at, sizeof buffer - at);
	return sizeof buffer - at;
}

size_t number_format_i64(char *out, int64_t value)
{
	if (value >= 0)
		return number_format_u64(out, (uint64_t)value);
	out[0] = '-';
	return 1 + number_format_u64(out + 1, 0 - (uint64_t)value);
}

/* digits * 10^power. */
struct decimal_float {
	uint64_t digits;
	int power;
};

/* The upper 64 bits of the 192-bit product of power and factor, the last one set if any bit below is. */
static uint64_t round_to_odd(struct power power, uint64_t factor)
{
	const uint64_t carry = mul_high_u64(power.lo, factor);
	const uint64_t middle = power.hi * factor + carry;
	const uint64_t high = mul_high_u64(power.hi, factor) + (middle < carry ? 1 : 0);
	return high | (middle > 1 ? 1 : 0);
}

/* The shortest decimal that rounds to c * 2^q, where the values next to it are 2^q away (2^(q-1) below, if closer_below). */
static struct decimal_float schubfach(uint64_t c, int q, bool closer_below)
{
	const bool even = (c & 1) == 0;
	/* floor(log10(2^q)), or of 3/4 * 2^q */
	const int k = (q * 1262611 - (closer_below ? 524031 : 0)) >> 22;
	const int h = q + floor_log2_power_of_ten(-k) + 1;
	struct power g = power_of_ten(-k);
	if (-k < 0 || -k > POWER_EXACT) { /* rounded up */
		g.lo++;
		if (g.lo == 0)
			g.hi++;
	}
	/* The value and its interval in quarters of 10^k; ends belong to it if c is even. */
	const uint64_t below = round_to_odd(g, (4 * c - (closer_below ? 1 : 2)) << h);
	const uint64_t value = round_to_odd(g, (4 * c) << h);
	const uint64_t above = round_to_odd(g, (4 * c + 2) << h);
	const uint64_t lower = below + (even ? 0 : 1);
	const uint64_t upper = above - (even ? 0 : 1);
	const uint64_t s = value / 4;
	if (s >= 10) { /* one digit less? */
		const uint64_t tens = s / 10;
		const bool down = lower <= 40 * tens;
		const bool up = 40 * tens + 40 <= upper;
		if (down != up)
			return (struct decimal_float){tens + up, k + 1};
	}
	const bool down = lower <= 4 * s;
	const bool up = 4 * s + 4 <= upper;
	if (down != up)
		return (struct decimal_float){s + up, k};
	const uint64_t half = 4 * s + 2;
	return (struct decimal_float){s + (value > half || (value == half && (s & 1) != 0)), k};
}

static size_t put_zeros(char *out, size_t count)
{
	memset(out, '0', count);
	return count;
}

/* Positional for 1e-7 <= x < 1e21, else scientific. d.digits has no trailing zeros. */
static size_t lay_out(char *out, struct decimal_float d)
{
	char digits[20];
	const size_t count = number_format_u64(digits, d.digits);
	const int point = (int)count + d.power; /* the point stands behind so many digits */
	size_t o = 0;
	if (point > 21 || point < -6) {
		out[o++] = digits[0];
		if (count > 1) {
			out[o++] = '.';
			memcpy(out + o, digits + 1, count - 1);
			o += count - 1;
		}
		const int exponent = point - 1;
		const unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
		out[o++] = 'e';
		out[o++] = exponent < 0 ? '-' : '+';
		if (magnitude < 10)
			out[o++] = '0';
		return o + number_format_u64(out + o, magnitude);
	}
	if (point <= 0) {
		out[o++] = '0';
		out[o++] = '.';
		o += put_zeros(out + o, (size_t)-point);
		memcpy(out + o, digits, count);
		return o + count;
	}
	if ((size_t)point >= count) {
		memcpy(out, digits, count);
		return count + put_zeros(out + count, (size_t)point - count);
	}
	memcpy(out, digits, (size_t)point);
	out[point] = '.';
	memcpy(out + point + 1, digits + point, count - (size_t)point);
	return count + 1;
}

/* A finite, positive value from its fields; bits explicit significand bits. */
static size_t format_finite(char *out, uint64_t fraction, int exponent, int bits, int bias)
{
	const bool normal = exponent != 0;
	const uint64_t c = normal ? fraction | UINT64_C(1) << bits : fraction;
	const int q = (normal ? exponent : 1) - bias - bits;
	/* Integers below 2^53 (2^24) are their own shortest form. */
	if (normal && q <= 0 && -q <= bits && (c & ((UINT64_C(1) << -q) - 1)) == 0)
		return number_format_u64(out, c >> -q);
	struct decimal_float d = schubfach(c, q, fraction == 0 && exponent > 1);
	while (d.digits % 10 == 0) {
		d.digits /= 10;
		d.power++;
	}
	return lay_out(out, d);
}

static size_t format_float(char *out, uint64_t magnitude, bool negative, int bits, int bias)
{
	const int exponent = (int)(magnitude >> bits);
	const uint64_t fraction = magnitude & ((UINT64_C(1) << bits) - 1);
	if (exponent == 2 * bias + 1 && fraction != 0) {
		memcpy(out, "nan", 3);
		return 3;
	}
	size_t o = 0;
	if (negative)
		out[o++] = '-';
	if (exponent == 2 * bias + 1) {
		memcpy(out + o, "inf", 3);
		return o + 3;
	}
	if (magnitude == 0) {
		out[o] = '0';
		return o + 1;
	}
	return o + format_finite(out + o, fraction, exponent, bits, bias);
}

size_t number_format_f32(char *out, float value)
{
	const uint32_t bits = f32_bits(value);
	return format_float(out, bits & 0x7fffffffu, bits >> 31 != 0, 23, 127);
}

size_t number_format_f64(char *out, double value)
{
	const uint64_t bits = f64_bits(value);
	return format_float(out, bits & 0x7fffffffffffffffu, bits >> 63 != 0, 52, 1023);
}

size_t number_format(char *out, const struct type *t, const union value *value)
{
	switch (t->id) {
	case TYPE_I8:
		return number_format_i64(out, value->i8);
	case TYPE_I16:
		return number_format_i64(out, value->i16);
	case TYPE_I32:
		return number_format_i64(out, value->i32);
	case TYPE_I64:
		return number_format_i64(out, value->i64);
	case TYPE_U8:
		return number_format_u64(out, value->u8);
	case TYPE_U16:
		return number_format_u64(out, value->u16);
	case TYPE_U32:
		return number_format_u64(out, value->u32);
	case TYPE_U64:
		return number_format_u64(out, value->u64);
	case TYPE_F32:
		return number_format_f32(out, value->f32);
	case TYPE_F64:
		return number_format_f64(out, value->f64);
	case TYPE_I128: /* formatted by decimal.c, with its scale */
	case TYPE_COUNT:
		break;
	}
	return 0;
}
