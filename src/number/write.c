/* Floats are written by Schubfach (Giulietti 2020, "The Schubfach way to render doubles"). The value and both ends of
 * the interval that rounds to it are each multiplied by 128 bits of a power of ten. Of the decimals inside the interval
 * with the fewest digits, the nearest is written. f32 and f64 use one code with their own widths. */
#include <string.h>

#include "number/powers.h"
#include "number/write.h"
#include "number/write_digits.h"
#include "types.h"

size_t number_format_u64(char *out, uint64_t value)
{
	return put_u64(out, value);
}

size_t number_format_i64(char *out, int64_t value)
{
	const size_t sign = value < 0;
	out[0] = '-';
	return sign + put_u64(out + sign, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* digits * 10^power. */
struct decimal_float {
	uint64_t digits;
	int power;
};

/* Returns the upper 64 bits of the 192-bit product of power and factor. Their last bit is also set if any lower bit of
 * the product is. */
static inline uint64_t round_to_odd(struct power power, uint64_t factor)
{
	const uint64_t carry = mul_high_u64(power.lo, factor);
	const uint64_t middle = power.hi * factor + carry;
	const uint64_t high = mul_high_u64(power.hi, factor) + (middle < carry ? 1 : 0);
	return high | (middle > 1 ? 1 : 0);
}

/* Returns the shortest decimal that rounds to c * 2^q. The neighbouring values must be 2^q away; closer_below: the
 * lower one is 2^(q-1) away. */
static inline struct decimal_float schubfach(uint64_t c, int q, bool closer_below)
{
	const bool even = (c & 1) == 0;
	/* floor(log10(2^q)), or of 3/4 * 2^q */
	const int k = (q * 1262611 - (closer_below ? 524031 : 0)) >> 22;
	const int h = q + floor_log2_power_of_ten(-k) + 1;
	struct power g = power_of_ten(-k);
	if (-k < 0 || -k > POWER_EXACT)
		g.lo++; /* Rounds up. The increment never carries. */
	/* The value and its interval's ends, in quarters of 10^k. The ends belong to the interval if c is even. */
	const uint64_t below = round_to_odd(g, (4 * c - (closer_below ? 1 : 2)) << h);
	const uint64_t value = round_to_odd(g, (4 * c) << h);
	const uint64_t above = round_to_odd(g, (4 * c + 2) << h);
	const uint64_t lower = below + (even ? 0 : 1);
	const uint64_t upper = above - (even ? 0 : 1);
	const uint64_t s = value / 4;
	/* One digit is dropped if just one of the two neighbouring multiples of ten is inside. This is unpredictable,
	 * so the code has no branch. */
	const uint64_t tens = s / 10;
	const bool tens_down = lower <= 40 * tens;
	const bool tens_up = 40 * tens + 40 <= upper;
	const bool shorter = s >= 10 && tens_down != tens_up;
	const bool down = lower <= 4 * s;
	const bool up = 4 * s + 4 <= upper;
	const uint64_t half = 4 * s + 2;
	const bool nearer = value > half - (s & 1); /* the even one of two that are as near */
	const uint64_t digits = s + (down != up ? up : nearer);
	return (struct decimal_float){shorter ? tens + tens_up : digits, k + shorter};
}

/* Removes trailing zeros, several at once, as a short decimal has up to 16 of them. */
static inline struct decimal_float without_zeros(struct decimal_float d)
{
	if (d.digits % 10 != 0)
		return d;
	if (d.digits % 100000000 == 0) {
		d.digits /= 100000000;
		d.power += 8;
	}
	if (d.digits % 10000 == 0) {
		d.digits /= 10000;
		d.power += 4;
	}
	if (d.digits % 100 == 0) {
		d.digits /= 100;
		d.power += 2;
	}
	if (d.digits % 10 == 0) {
		d.digits /= 10;
		d.power += 1;
	}
	return d;
}

/* Returns the number of decimal digits of a value above 0. */
static int count_digits(uint64_t value)
{
	const int estimate = ((64 - __builtin_clzll(value)) * 1233) >> 12; /* floor(bits * log10(2)) */
	return estimate + (value >= power_of_ten_u64[estimate]);
}

/* Writes digits in the form d.ddde+NN. */
static size_t lay_out_scientific(char *out, uint64_t digits, int count, int exponent)
{
	size_t o = count > 1 ? put_point(out, digits, (unsigned)(count - 1)) : put_u64(out, digits);
	const unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
	out[o++] = 'e';
	out[o++] = exponent < 0 ? '-' : '+';
	if (magnitude >= 100)
		return o + put_u64(out + o, magnitude);
	put_fixed(out + o, magnitude, 2);
	return o + 2;
}

/* Writes a decimal, positional for 1e-7 <= x < 1e21, otherwise scientific. d.digits has no trailing zeros and at most
 * 17 digits. */
static inline size_t lay_out(char *out, struct decimal_float d)
{
	const int count = count_digits(d.digits);
	const int point = count + d.power; /* Number of digits before the point. */
	if (d.power < 0 && point > 0)
		return put_point(out, d.digits, (unsigned)-d.power);
	if (point > 21 || point < -6)
		return lay_out_scientific(out, d.digits, count, point - 1);
	if (point <= 0) {
		memcpy(out, "0.000000", 8);
		return (size_t)(2 - point) + put_u64(out + 2 - point, d.digits);
	}
	const size_t size = put_u64(out, d.digits);
	memset(out + size, '0', 24);
	return size + (size_t)d.power;
}

/* Writes a finite, positive value from its fields. `bits` is the number of stored significand bits. */
static inline size_t format_finite(char *out, uint64_t fraction, int exponent, int bits, int bias)
{
	const bool normal = exponent != 0;
	const uint64_t c = normal ? fraction | UINT64_C(1) << bits : fraction;
	const int q = (normal ? exponent : 1) - bias - bits;
	/* The digits of an integer below 2^53 (f32: 2^24) are its shortest form. */
	if (normal && q <= 0 && -q <= bits && (c & ((UINT64_C(1) << -q) - 1)) == 0)
		return put_u64(out, c >> -q);
	return lay_out(out, without_zeros(schubfach(c, q, fraction == 0 && exponent > 1)));
}

static inline size_t format_float(char *out, uint64_t magnitude, bool negative, int bits, int bias)
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

/* Each type with its member of union value and the suffix of its function. decimal.c formats i128, with a scale. */
#define EACH_TYPE(CASE)     \
	CASE(I8, i8, i64)   \
	CASE(I16, i16, i64) \
	CASE(I32, i32, i64) \
	CASE(I64, i64, i64) \
	CASE(U8, u8, u64)   \
	CASE(U16, u16, u64) \
	CASE(U32, u32, u64) \
	CASE(U64, u64, u64) \
	CASE(F32, f32, f32) \
	CASE(F64, f64, f64) \
	case TYPE_I128:     \
	case TYPE_COUNT:    \
		break;

#define FORMAT_ONE(ID, type, put) \
	case TYPE_##ID:           \
		return number_format_##put(out, value->type);

size_t number_format(char *out, const struct type *t, const union value *value)
{
	switch (t->id) {
		EACH_TYPE(FORMAT_ONE)
	}
	return 0;
}

#define FORMAT_LINES(ID, type, put)                              \
	case TYPE_##ID:                                          \
		for (size_t i = 0; i < count; i++, at += step) { \
			type v;                                  \
			memcpy(&v, at, sizeof v);                \
			p += number_format_##put(p, v);          \
			*p++ = '\n';                             \
		}                                                \
		break;

size_t number_format_lines(char *out, const struct type *t, const void *values, size_t step, size_t count)
{
	const char *at = values;
	char *p = out;
	switch (t->id) {
		EACH_TYPE(FORMAT_LINES)
	}
	return (size_t)(p - out);
}

/* Compares bytes: -0 differs from 0, and equal NaNs are equal. */
static inline bool is_same(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

#define FORMAT_TEXTS(ID, type, put)                                          \
	case TYPE_##ID:                                                      \
		for (size_t i = 0; i < count; i++, at += step) {             \
			type v;                                              \
			memcpy(&v, at, sizeof v);                            \
			if (i > 0 && is_same(&v, at - step, sizeof v)) {     \
				texts[i] = texts[i - 1];                     \
				continue;                                    \
			}                                                    \
			*p++ = lead;                                         \
			texts[i].at = (uint32_t)(p - out);                   \
			texts[i].size = (uint32_t)number_format_##put(p, v); \
			p += texts[i].size;                                  \
		}                                                            \
		break;

void number_format_texts(char *out, char lead, const struct type *t, const void *values, size_t step, size_t count,
			 struct number_text *texts)
{
	const char *at = values;
	char *p = out;
	switch (t->id) {
		EACH_TYPE(FORMAT_TEXTS)
	}
}
