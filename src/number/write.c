/* Floats are written by Schubfach (Giulietti 2020, "The Schubfach way to render doubles"). The value and both ends of
 * the interval that rounds to it are each multiplied by 128 bits of a power of ten. Of the decimals inside the interval
 * with the fewest digits, the nearest is written. f32 and f64 use one code with their own widths. */
#include <string.h>

#include "number/decimal.h"
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

/* A power of ten that scales c * 2^q to quarters of 10^k: (4 * c << h) * g / 2^128. */
struct scaling {
	int k, h;
	struct power g;
};

/* closer_below: 10^k is at most 3/4 * 2^q instead of 2^q. */
static inline struct scaling scaling_of(int q, bool closer_below)
{
	/* floor(log10(2^q)), or of 3/4 * 2^q */
	const int k = (q * 1262611 - (closer_below ? 524031 : 0)) >> 22;
	struct scaling s = {.k = k, .h = q + floor_log2_power_of_ten(-k) + 1, .g = power_of_ten(-k)};
	if (-k < 0 || -k > POWER_EXACT)
		s.g.lo++; /* Rounds up. The increment never carries. */
	return s;
}

/* Returns the upper 128 bits of the 192-bit product of power and factor. */
static inline uint128 multiply(struct power power, uint64_t factor)
{
	return (uint128)power.hi * factor + mul_high_u64(power.lo, factor);
}

/* Returns the upper 64 bits of a product. Their last bit is also set if any lower bit of the product is. */
static inline uint64_t round_to_odd(uint128 product)
{
	return (uint64_t)(product >> 64) | ((uint64_t)product > 1 ? 1 : 0);
}

/* Returns the nearest of a number of quarters, rounded to odd: the even one of two that are as near. */
static inline uint64_t round_quarters(uint64_t value)
{
	return (value + 1 + (value / 4 & 1)) / 4;
}

/* Returns the shortest decimal that rounds to c * 2^q, perhaps with a zero after its digits. The neighbouring values
 * must be 2^q away; closer_below: the lower one is 2^(q-1) away. */
static __attribute__((noinline)) struct decimal_float schubfach(uint64_t c, int q, bool closer_below)
{
	const struct scaling by = scaling_of(q, closer_below);
	const uint64_t odd = c & 1;
	/* The value and its interval's ends, in quarters of 10^k. The ends belong to the interval if c is even. */
	const uint64_t value = round_to_odd(multiply(by.g, (4 * c) << by.h));
	const uint64_t lower = round_to_odd(multiply(by.g, (4 * c - (closer_below ? 1 : 2)) << by.h)) + odd;
	const uint64_t upper = round_to_odd(multiply(by.g, (4 * c + 2) << by.h)) - odd;
	const uint64_t s = value / 4;
	/* One digit is dropped if just one of the two neighbouring multiples of ten is inside. */
	const uint64_t tens = s / 10;
	const bool tens_up = 40 * tens + 40 <= upper;
	if (s >= 10 && (lower <= 40 * tens) != tens_up)
		return (struct decimal_float){10 * (tens + tens_up), by.k};
	const bool down = lower <= 4 * s;
	const bool up = 4 * s + 4 <= upper;
	return (struct decimal_float){down != up ? s + up : round_quarters(value), by.k};
}

/* schubfach(c, q, false) for c of at least 10, most often by one product. */
static inline struct decimal_float schubfach_quick(uint64_t c, int q)
{
	const struct scaling by = scaling_of(q, false);
	const uint128 product = multiply(by.g, (4 * c) << by.h);
	/* In quarters, without their fractions: the value, half of its interval, and the way to the next multiple of
	 * ten, down and up. */
	const uint64_t value = (uint64_t)(product >> 64);
	const uint64_t half = by.g.hi >> (63 - by.h);
	const uint64_t tens = value / 40;
	const uint64_t down = value - 40 * tens;
	const uint64_t up = 40 - down;
	/* The fractions count if a multiple is near an end of the interval, or if the value may have none: */
	if (down == half || up - half <= 1 || (uint64_t)product <= 1)
		return schubfach(c, q, false);
	/* This is unpredictable, so the code has no branch. (The interval is less wide than ten, and at least one: one
	 * multiple of ten at most is inside, and the nearest decimal is.) */
	const bool tens_up = up < half;
	const bool shorter = (down < half) | tens_up;
	const uint64_t nearest = round_quarters(value | 1);
	return (struct decimal_float){nearest + (10 * (tens + tens_up) - nearest) * shorter, by.k};
}

/* Returns the number of decimal digits of a value above 0. */
static inline int count_digits(uint64_t value)
{
	const int estimate = ((64 - __builtin_clzll(value)) * 1233) >> 12; /* floor(bits * log10(2)) */
	return estimate + (value >= power_of_ten_u64[estimate]);
}

/* Digits of the longest shortest form of an f64. */
#define DIGITS_MAX 17

/* The digits of a decimal, with zeros after them up to DIGITS_MAX. */
struct float_digits {
	char first;
	uint64_t middle, last; /* Eight digits each (put_digits8). */
	unsigned count; /* Digits without the zeros at the end. */
};

/* Returns how many of eight digits are left without the zeros at their end. */
static inline unsigned count_significant(uint64_t digits8)
{
	const uint64_t values = digits8 & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return values == 0 ? 0 : 1 + (63 - (unsigned)__builtin_clzll(values)) / 8;
}

/* Splits a number of at most DIGITS_MAX digits, of which it has `count`. */
static inline struct float_digits split_digits(uint64_t digits, int count)
{
	const uint64_t split = 100000000;
	const uint64_t all = digits * power_of_ten_u64[DIGITS_MAX - count];
	const uint64_t upper = all / split;
	const uint64_t first = upper / split;
	struct float_digits d = {.first = (char)('0' + first),
				 .middle = put_digits8((uint32_t)(upper - first * split)),
				 .last = put_digits8((uint32_t)(all - upper * split))};
	const unsigned of_last = count_significant(d.last);
	d.count = of_last > 0 ? DIGITS_MAX - 8 + of_last : 1 + count_significant(d.middle);
	return d;
}

/* Writes all DIGITS_MAX digits. */
static inline void put_digits(char *out, const struct float_digits *d)
{
	out[0] = d->first;
	put_word(out + 1, d->middle);
	put_word(out + 9, d->last);
}

/* Returns the first seven of eight digits with a point after `before` digits (0 .. 7). */
static inline uint64_t with_point(uint64_t digits8, unsigned before)
{
	const uint64_t in_place = digits8 & ((UINT64_C(1) << 8 * before) - 1);
	return in_place | (uint64_t)'.' << 8 * before | (digits8 ^ in_place) << 8;
}

/* Writes all digits with a point after the first `before` ones (1 .. DIGITS_MAX - 1). (The point goes in before the
 * digits are stored: a load of bytes that were just stored in parts would wait.) */
static inline void put_digits_around_point(char *out, const struct float_digits *d, unsigned before)
{
	const bool is_early = before <= 8;
	out[0] = d->first;
	put_word(out + 1, is_early ? with_point(d->middle, before - 1) : d->middle);
	put_word(out + 9, is_early ? d->last << 8 | d->middle >> 56 : with_point(d->last, before - 9));
	out[17] = (char)(d->last >> 56);
}

/* Writes e+NN. */
static __attribute__((noinline)) size_t put_exponent(char *out, int exponent)
{
	const unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
	out[0] = 'e';
	out[1] = exponent < 0 ? '-' : '+';
	if (magnitude >= 100)
		return 2 + put_u64(out + 2, magnitude);
	put_fixed(out + 2, magnitude, 2);
	return 4;
}

/* Writes a decimal of `digits` digits, positional for 1e-7 <= x < 1e21, otherwise scientific. */
static inline __attribute__((always_inline)) size_t lay_out(char *out, struct decimal_float decimal, int digits)
{
	const int point = digits + decimal.power; /* Number of digits before the point. */
	const struct float_digits d = split_digits(decimal.digits, digits);
	const bool is_scientific = point > 21 || point < -6;
	const unsigned before = is_scientific ? 1 : (unsigned)point;
	size_t size = d.count + 1;
	if (before - 1 < d.count - 1) {
		put_digits_around_point(out, &d, before);
	} else if (point <= 0 && !is_scientific) {
		memcpy(out, "0.000000", 8);
		put_digits(out + 2 - point, &d);
		size += (size_t)(1 - point);
	} else {
		put_digits(out, &d);
		memcpy(out + DIGITS_MAX, "00000000", 8);
		size = before;
	}
	return is_scientific ? size + put_exponent(out + size, point - 1) : size;
}

/* Writes 0, inf, nan or a subnormal number. bits: the number of stored significand bits. */
static __attribute__((noinline)) size_t format_rare(char *out, uint64_t magnitude, bool negative, int bits, int bias)
{
	const uint64_t infinity = (2 * (uint64_t)bias + 1) << bits;
	size_t o = 0;
	if (magnitude > infinity) {
		memcpy(out, "nan", 3);
		return 3;
	}
	if (negative)
		out[o++] = '-';
	if (magnitude == infinity) {
		memcpy(out + o, "inf", 3);
		return o + 3;
	}
	if (magnitude == 0) {
		out[o] = '0';
		return o + 1;
	}
	const struct decimal_float d = schubfach(magnitude, 1 - bias - bits, false);
	return o + lay_out(out + o, d, count_digits(d.digits));
}

/* (bits and bias are known where it is inlined.) */
static inline __attribute__((always_inline)) size_t format_float(char *out, uint64_t magnitude, bool negative, int bits,
								 int bias)
{
	const int exponent = (int)(magnitude >> bits);
	const uint64_t c = (magnitude & ((UINT64_C(1) << bits) - 1)) | UINT64_C(1) << bits;
	const int q = exponent - bias - bits;
	const bool is_power = c == UINT64_C(1) << bits;
	if (exponent == 0 || exponent == 2 * bias + 1)
		return format_rare(out, magnitude, negative, bits, bias);
	out[0] = '-';
	/* The digits of an integer below 2^53 (f32: 2^24) are its shortest form. */
	if (-q >= 0 && -q <= bits && (c & ((UINT64_C(1) << -q) - 1)) == 0)
		return negative + put_u64(out + negative, c >> -q);
	const struct decimal_float d = is_power ? schubfach(c, q, exponent > 1) : schubfach_quick(c, q);
	/* (Those of an f64 are at least 2^52.) */
	const int digits = bits == 52 ? 16 + (d.digits >= power_of_ten_u64[16]) : count_digits(d.digits);
	return negative + lay_out(out + negative, d, digits);
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
