/* A float goes down three roads, each correctly rounded where it is taken:
 *   1. at most 19 digits that make an exact double and a power of ten that is one: a single division or multiplication
 *      (Clinger 1990, "How to read floating point numbers accurately");
 *   2. 64 bits of significand times 128 bits of power (Lemire 2021, "Number parsing at a gigabyte per second"; the
 *      algorithm is Eisel's); with more than 19 digits, twice, with the significand below and above;
 *   3. the C library, for what those leave undecided. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"
#include "powers.h"
#include "types.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether text is word, which is in lower case, in any case. */
static bool is_word(const char *text, size_t size, const char *word)
{
	if (size != strlen(word))
		return false;
	for (size_t i = 0; i < size; i++) {
		if ((text[i] | 0x20) != word[i])
			return false;
	}
	return true;
}

static bool split_word(const char *text, size_t size, struct number_parts *parts)
{
	parts->kind = is_word(text, size, "nan") ? NUMBER_NAN : NUMBER_INFINITE;
	return parts->kind == NUMBER_NAN || is_word(text, size, "inf") || is_word(text, size, "infinity");
}

/* [+-] digits up to the end. */
static bool split_exponent(const char *p, const char *end, struct number_parts *parts)
{
	const int64_t limit = INT64_C(1) << 40;
	bool negative = false;
	if (p < end && (*p == '+' || *p == '-'))
		negative = *p++ == '-';
	if (p == end)
		return false;
	for (; p < end; p++) {
		if (!is_digit(*p))
			return false;
		parts->exponent = parts->exponent * 10 + (*p - '0');
		if (parts->exponent > limit)
			parts->exponent = limit;
	}
	if (negative)
		parts->exponent = -parts->exponent;
	parts->has_exponent = true;
	return true;
}

bool number_split(const char *token, size_t size, struct number_parts *parts)
{
	const char *p = token;
	const char *end = token + size;
	*parts = (struct number_parts){.kind = NUMBER_FINITE};
	if (p < end && (*p == '+' || *p == '-'))
		parts->negative = *p++ == '-';
	parts->integer = p;
	while (p < end && is_digit(*p))
		p++;
	parts->integer_digits = (size_t)(p - parts->integer);
	parts->fraction = p;
	if (p < end && *p == '.') {
		parts->fraction = ++p;
		while (p < end && is_digit(*p))
			p++;
		parts->fraction_digits = (size_t)(p - parts->fraction);
		if (parts->integer_digits + parts->fraction_digits == 0)
			return false;
	} else if (parts->integer_digits == 0) {
		return split_word(p, (size_t)(end - p), parts);
	}
	if (p == end)
		return true;
	return (*p == 'e' || *p == 'E') && split_exponent(p + 1, end, parts);
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	const char lower = (char)(c | 0x20);
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The digits of a base up to the end; *magnitude is held to UINT64_MAX with *over true. */
static bool parse_digits(const char *p, const char *end, unsigned base, uint64_t *magnitude, bool *over)
{
	if (p == end)
		return false;
	*magnitude = 0;
	*over = false;
	for (; p < end; p++) {
		const int digit = base == 16 ? hex_digit(*p) : is_digit(*p) ? *p - '0' : -1;
		if (digit < 0)
			return false;
		if (*magnitude > (UINT64_MAX - (uint64_t)digit) / base)
			*over = true;
		*magnitude = *magnitude * base + (uint64_t)digit;
	}
	return true;
}

static enum number_result parse_integer(const char *token, size_t size, const struct type *t, union value *value)
{
	const char *p = token;
	const char *end = token + size;
	bool negative = false;
	uint64_t magnitude;
	bool over;
	if (p < end && (*p == '+' || *p == '-'))
		negative = *p++ == '-';
	const bool hex = end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x';
	if (!parse_digits(hex ? p + 2 : p, end, hex ? 16 : 10, &magnitude, &over))
		return NUMBER_INVALID;
	const bool is_signed = t->kind == KIND_SIGNED;
	const uint64_t greatest = UINT64_MAX >> (64 - 8 * t->size + (is_signed ? 1 : 0));
	const uint64_t limit = !negative ? greatest : is_signed ? greatest + 1 : 0;
	if (over || magnitude > limit)
		return NUMBER_RANGE;
	const uint64_t bits = negative ? 0 - magnitude : magnitude;
	switch (t->size) {
	case 1:
		value->u8 = (uint8_t)bits;
		break;
	case 2:
		value->u16 = (uint16_t)bits;
		break;
	case 4:
		value->u32 = (uint32_t)bits;
		break;
	default:
		value->u64 = bits;
		break;
	}
	return NUMBER_OK;
}

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

static const struct float_format format_f32 = {23, 127, 0xff, -65, 38, -17, 10, UINT64_C(1) << 24, 10};
static const struct float_format format_f64 = {52, 1023, 0x7ff, -342, 308, -4, 23, UINT64_C(1) << 53, 22};

/* The bits of w * 10^q, correctly rounded, or false if 128 bits of 10^q do not decide it. w > 0. */
static bool eisel_lemire(const struct float_format *f, uint64_t w, int64_t q, uint64_t *bits)
{
	if (q < f->least_power) {
		*bits = 0;
		return true;
	}
	if (q > f->greatest_power) {
		*bits = (uint64_t)f->infinite_exponent << f->significand_bits;
		return true;
	}
	const int shift = __builtin_clzll(w);
	struct power power = power_of_ten((int)q);
	if (q < 0 && q >= -27)
		power.lo++; /* 1 / 5^27 and above are to be rounded up, never a carry */
	w <<= shift;
	/* The upper 128 bits of w * power; the lower product only where it can reach the bits that matter. */
	uint64_t high = mul_high_u64(w, power.hi);
	uint64_t low = w * power.hi;
	const uint64_t undecided = UINT64_MAX >> (f->significand_bits + 3);
	if ((high & undecided) == undecided) {
		const uint64_t more = mul_high_u64(w, power.lo);
		low += more;
		if (low < more)
			high++;
		if (low == UINT64_MAX && (q < -27 || q > POWER_EXACT))
			return false;
	}
	/* One bit more than the significand has, for rounding. */
	const int top = (int)(high >> 63);
	const int drop = top + 64 - f->significand_bits - 3;
	uint64_t m = high >> drop;
	int exponent = floor_log2_power_of_ten((int)q) + 63 + top - shift + f->exponent_bias;
	if (exponent <= 0) { /* denormal */
		if (1 - exponent >= 64) {
			*bits = 0;
			return true;
		}
		m >>= 1 - exponent;
		m += m & 1;
		m >>= 1;
		*bits = m; /* a carry into the exponent makes the least normal number */
		return true;
	}
	/* Exactly half way: to even, so the odd bit that would round up goes. */
	if (low <= 1 && q >= f->least_half && q <= f->greatest_half && (m & 3) == 1 && m << drop == high)
		m &= ~UINT64_C(1);
	m += m & 1;
	m >>= 1;
	if (m >= UINT64_C(2) << f->significand_bits) {
		m = UINT64_C(1) << f->significand_bits;
		exponent++;
	}
	if (exponent >= f->infinite_exponent)
		*bits = (uint64_t)f->infinite_exponent << f->significand_bits;
	else
		*bits = (m & ((UINT64_C(1) << f->significand_bits) - 1)) | (uint64_t)exponent << f->significand_bits;
	return true;
}

/* The first 19 significant digits of a token as a number, and the power of ten of the last of them. */
struct significand {
	uint64_t digits;
	int64_t power;
	bool more; /* further digits follow that are not all zero */
};

static void take_digits(struct significand *s, int *taken, const char *digits, size_t count, bool fraction)
{
	for (size_t i = 0; i < count; i++) {
		const unsigned digit = (unsigned)(digits[i] - '0');
		if (*taken < 19) {
			s->digits = s->digits * 10 + digit;
			*taken += s->digits != 0;
			s->power -= fraction;
		} else {
			s->more |= digit != 0;
			s->power += !fraction;
		}
	}
}

static struct significand significand_of(const struct number_parts *parts)
{
	struct significand s = {.power = parts->exponent};
	int taken = 0;
	take_digits(&s, &taken, parts->integer, parts->integer_digits, false);
	take_digits(&s, &taken, parts->fraction, parts->fraction_digits, true);
	return s;
}

/* The C library's answer, as bits without the sign. */
static enum number_result parse_by_library(const char *token, size_t size, const struct float_format *f, uint64_t *bits)
{
	char small[128];
	char *copy = small;
	if (size >= sizeof small) {
		copy = memory_new(size + 1);
		if (copy == NULL)
			return NUMBER_MEMORY;
	}
	memcpy(copy, token, size);
	copy[size] = '\0';
	if (f == &format_f32)
		*bits = f32_bits(strtof(copy, NULL)) & 0x7fffffffu;
	else
		*bits = f64_bits(strtod(copy, NULL)) & 0x7fffffffffffffffu;
	if (copy != small)
		memory_free(copy);
	return NUMBER_OK;
}

static bool clinger(const struct float_format *f, const struct significand *s, uint64_t *bits)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
					1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	if (s->more || s->digits > f->exact_significand || s->power > f->exact_power || s->power < -f->exact_power)
		return false;
	const double power = powers[s->power < 0 ? -s->power : s->power];
	if (f == &format_f32) {
		const float w = (float)s->digits;
		*bits = f32_bits(s->power < 0 ? w / (float)power : w * (float)power);
	} else {
		const double w = (double)s->digits;
		*bits = f64_bits(s->power < 0 ? w / power : w * power);
	}
	return true;
}

static enum number_result finite_bits(const char *token, size_t size, const struct number_parts *parts,
				      const struct float_format *f, uint64_t *bits)
{
	const struct significand s = significand_of(parts);
	uint64_t above;
	if (s.digits == 0) {
		*bits = 0;
		return NUMBER_OK;
	}
	if (clinger(f, &s, bits))
		return NUMBER_OK;
	if (eisel_lemire(f, s.digits, s.power, bits)) {
		if (!s.more || (eisel_lemire(f, s.digits + 1, s.power, &above) && above == *bits))
			return NUMBER_OK;
	}
	return parse_by_library(token, size, f, bits);
}

static enum number_result parse_float(const char *token, size_t size, const struct type *t, union value *value)
{
	const struct float_format *f = t->id == TYPE_F32 ? &format_f32 : &format_f64;
	const uint64_t infinity = (uint64_t)f->infinite_exponent << f->significand_bits;
	struct number_parts parts;
	uint64_t bits;
	if (!number_split(token, size, &parts))
		return NUMBER_INVALID;
	if (parts.kind == NUMBER_FINITE) {
		const enum number_result result = finite_bits(token, size, &parts, f, &bits);
		if (result != NUMBER_OK)
			return result;
		if (bits == infinity)
			return NUMBER_RANGE;
	} else {
		bits = infinity;
		if (parts.kind == NUMBER_NAN) {
			bits |= UINT64_C(1) << (f->significand_bits - 1);
			parts.negative = false;
		}
	}
	if (t->id == TYPE_F32)
		value->f32 = f32_from_bits((uint32_t)bits | (parts.negative ? 0x80000000u : 0));
	else
		value->f64 = f64_from_bits(bits | (parts.negative ? UINT64_C(1) << 63 : 0));
	return NUMBER_OK;
}

enum number_result number_parse(const char *token, size_t size, const struct type *t, union value *value)
{
	return t->kind == KIND_FLOAT ? parse_float(token, size, t, value) : parse_integer(token, size, t, value);
}
