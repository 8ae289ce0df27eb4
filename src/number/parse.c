/* The first 19 digits of a float go to decimal_to_binary.c. If there are more digits, the truncated significand and the
 * next greater one are both converted; if they give one result, it is right. Everything else goes to the C library.
 * read_text.c is the fast way for common numbers in running text. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "number/decimal_to_binary.h"
#include "number/parse.h"
#include "types.h"

/* Whether text equals word, which is in lower case, ignoring case. */
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

/* Reads [+-] digits up to the end into parts->exponent. False if there is anything else. */
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

/* Reads digits of a base up to the end into *magnitude. *over becomes true if the number is above UINT64_MAX;
 * *magnitude is then meaningless. False if there are no digits, or anything else. */
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
	type_put_integer(t, bits, value);
	return NUMBER_OK;
}

/* The first 19 significant digits of a token, and the power of ten of the last of these digits. */
struct significand {
	uint64_t digits;
	int64_t power;
	bool more; /* More digits follow, and not all of them are zero. */
};

static void append_digits(struct significand *s, int *taken, const char *digits, size_t count, bool fraction)
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
	append_digits(&s, &taken, parts->integer, parts->integer_digits, false);
	append_digits(&s, &taken, parts->fraction, parts->fraction_digits, true);
	return s;
}

/* Sets *bits to the C library's result, without the sign. NUMBER_MEMORY after a message if memory is missing. */
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
	if (f == &float_format_f32)
		*bits = f32_bits(strtof(copy, NULL)) & 0x7fffffffu;
	else
		*bits = f64_bits(strtod(copy, NULL)) & 0x7fffffffffffffffu;
	if (copy != small)
		memory_free(copy);
	return NUMBER_OK;
}

static enum number_result finite_bits(const char *token, size_t size, const struct number_parts *parts,
				      const struct float_format *f, uint64_t *bits)
{
	const struct significand s = significand_of(parts);
	*bits = number_float_bits(f, s.digits, s.power);
	if (!s.more || number_float_bits(f, s.digits + 1, s.power) == *bits)
		return NUMBER_OK;
	return parse_by_library(token, size, f, bits);
}

static enum number_result parse_float(const char *token, size_t size, const struct type *t, union value *value)
{
	const struct float_format *f = t->id == TYPE_F32 ? &float_format_f32 : &float_format_f64;
	const uint64_t infinity = float_infinity(f);
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
