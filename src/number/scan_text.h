/* Reads numbers from running text, in the pass that finds where they end: the fast way of decoding.
 *
 * decimal_scan and the number_scan functions with a token_end read the number that begins at p. If they return true,
 * *value (or *mantissa) is the number, and *token_end points at the first byte after it. The caller must check that
 * this byte may follow a number; otherwise the token is something else ("0x1f", "1.2.3", "12abc", or "1e5" for an
 * integer or a decimal). If they return false, the token is not for this fast way and may still be a number: inf, nan,
 * very many digits, out of range. In both cases the caller then finds the token's end and calls number_parse, or
 * decimal_parse and decimal_mantissa, which decide. When false is returned nothing is written.
 *
 * p must be before end. NUMBER_SCAN_SLACK bytes after end must be readable; they may be any bytes. A caller that cannot
 * promise this passes an earlier end and reads the last tokens with number_parse.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_NUMBER_SCAN_TEXT_H
#define PSCAN_NUMBER_SCAN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/powers.h"
#include "number/read_digits.h"
#include "number/type.h"

#define NUMBER_SCAN_SLACK 16

/* The parts of a number of at most 15 bytes, found without a branch on its length. */
struct number_token {
	bool negative;
	const char *integer; /* The digits before the point. */
	unsigned integer_digits; /* 1 .. 15. */
	unsigned fraction_digits; /* Digits after the point. 0: there is no point. */
	const char *token_end;
};

/* Reads [+-]digits or [+-]digits.digits at p. False if the number is longer than 15 bytes or has another form. */
static inline bool number_token_take(const char *p, const char *end, struct number_token *token)
{
	const struct digits_shape shape = digits_look(p);
	const unsigned sign = (unsigned)(*p == '-') | (unsigned)(*p == '+');
	const unsigned stops = ~(shape.digits | shape.points | sign); /* the bits from 16 on are set */
	const unsigned stop = (unsigned)__builtin_ctz(stops);
	const unsigned points = shape.points & ~stops & (stops - 1); /* The points before stop. */
	if (stop > 15 || (points & (points - 1)) != 0 || (ptrdiff_t)stop > end - p)
		return false;
	const unsigned point = points != 0 ? (unsigned)__builtin_ctz(points) : stop;
	token->negative = *p == '-';
	token->integer = p + sign;
	token->integer_digits = point - sign;
	token->fraction_digits = points != 0 ? stop - point - 1 : 0;
	token->token_end = p + stop;
	/* ".5", "5." and a sign alone are not taken. */
	return point > sign && stop != point + 1;
}

/* Returns the value of `count` digits at p, 1 <= count <= 15. */
static inline uint64_t number_token_integer(const char *p, unsigned count)
{
	if (count <= 8)
		return digits_value(p, count);
	return digits_value8(digits_load(p)) * power_of_ten_u64[count - 8] + digits_value(p + 8, count - 8);
}

/* Out-of-line parts of the functions below, with their contracts, for numbers that number_token_take does not take. */
bool decimal_scan_long(const char *p, const char *end, unsigned scale, int64_t *mantissa, const char **token_end);
bool number_scan_long_integer(const char *p, const char *end, bool *negative, uint64_t *magnitude,
			      const char **token_end);
bool number_scan_long_f32(const char *p, const char *end, float *value, const char **token_end);
bool number_scan_long_f64(const char *p, const char *end, double *value, const char **token_end);

/* Reads an exact decimal without an exponent. *mantissa is at `scale` (0 .. DECIMAL_SCALE_MAX). Also returns false if
 * there are more than `scale` digits after the point, or if the mantissa does not fit 64 bits. */
static inline bool decimal_scan(const char *p, const char *end, unsigned scale, int64_t *mantissa,
				const char **token_end)
{
	struct number_token t;
	if (!number_token_take(p, end, &t) || t.integer_digits + scale > 18 || t.fraction_digits > 8 ||
	    (t.fraction_digits != 0 && t.integer_digits > 8))
		return decimal_scan_long(p, end, scale, mantissa, token_end);
	if (t.fraction_digits > scale)
		return false;
	uint64_t m = number_token_integer(t.integer, t.integer_digits) * power_of_ten_u64[scale];
	if (t.fraction_digits != 0)
		m += digits_value(t.integer + t.integer_digits + 1, t.fraction_digits) *
		     power_of_ten_u64[scale - t.fraction_digits];
	*mantissa = (int64_t)(t.negative ? 0 - m : m);
	*token_end = t.token_end;
	return true;
}

/* Reads a decimal integer whose magnitude is below 2^64. */
static inline bool number_scan_integer(const char *p, const char *end, bool *negative, uint64_t *magnitude,
				       const char **token_end)
{
	struct number_token t;
	if (!number_token_take(p, end, &t) || t.fraction_digits != 0)
		return number_scan_long_integer(p, end, negative, magnitude, token_end);
	*magnitude = number_token_integer(t.integer, t.integer_digits);
	*negative = t.negative;
	*token_end = t.token_end;
	return true;
}

static inline bool number_scan_i64(const char *p, const char *end, int64_t *value, const char **token_end)
{
	bool negative;
	uint64_t magnitude;
	const char *stop;
	if (!number_scan_integer(p, end, &negative, &magnitude, &stop) || magnitude > (uint64_t)INT64_MAX + negative)
		return false;
	*value = (int64_t)(negative ? 0 - magnitude : magnitude);
	*token_end = stop;
	return true;
}

static inline bool number_scan_u64(const char *p, const char *end, uint64_t *value, const char **token_end)
{
	bool negative;
	uint64_t magnitude;
	const char *stop;
	if (!number_scan_integer(p, end, &negative, &magnitude, &stop) || (negative && magnitude != 0))
		return false;
	*value = magnitude;
	*token_end = stop;
	return true;
}

/* Sets *quotient to the double nearest to a token's number. The digits and the power of ten that divides them are exact
 * doubles, so the quotient is rounded only once (Clinger 1990). False if the digits are not an exact double. */
static inline bool number_token_quotient(const struct number_token *t, double *quotient)
{
	uint64_t digits = number_token_integer(t->integer, t->integer_digits);
	if (t->fraction_digits == 0) {
		*quotient = (double)digits;
		return true;
	}
	if (t->fraction_digits > 8 || t->integer_digits > 8)
		return false;
	digits = digits * power_of_ten_u64[t->fraction_digits] +
		 digits_value(t->integer + t->integer_digits + 1, t->fraction_digits);
	*quotient = (double)(int64_t)digits / power_of_ten_f64[t->fraction_digits];
	return digits <= UINT64_C(1) << 53;
}

/* Reads a double, correctly rounded. */
static inline bool number_scan_f64(const char *p, const char *end, double *value, const char **token_end)
{
	struct number_token t;
	double quotient;
	if (!number_token_take(p, end, &t) || (*t.token_end | 0x20) == 'e' || !number_token_quotient(&t, &quotient))
		return number_scan_long_f64(p, end, value, token_end);
	*value = t.negative ? -quotient : quotient;
	*token_end = t.token_end;
	return true;
}

/* Reads a float, correctly rounded. It is rounded from a double, whose own rounding can matter only if the double lies
 * half way between two floats; this case goes to number_scan_long_f32. */
static inline bool number_scan_f32(const char *p, const char *end, float *value, const char **token_end)
{
	struct number_token t;
	double quotient;
	uint64_t bits;
	if (!number_token_take(p, end, &t) || (*t.token_end | 0x20) == 'e' || !number_token_quotient(&t, &quotient))
		return number_scan_long_f32(p, end, value, token_end);
	memcpy(&bits, &quotient, sizeof bits);
	if ((bits & 0x1fffffff) == 0x10000000)
		return number_scan_long_f32(p, end, value, token_end);
	*value = (float)(t.negative ? -quotient : quotient);
	*token_end = t.token_end;
	return true;
}

/* Reads a number of type t (not i128). */
bool number_scan(const char *p, const char *end, const struct type *t, union value *value, const char **token_end);

/* Read a token of `size` bytes at p, whatever follows it: a number of type t (not i128), or a decimal at the scale that
 * it is written with, to which *scale is set (at most DECIMAL_SCALE_MAX). False as above, and for a decimal that is a
 * negative zero. NUMBER_TOKEN_BEFORE bytes before p and NUMBER_TOKEN_AFTER bytes from p on must be readable. */
#define NUMBER_TOKEN_BEFORE 17
#define NUMBER_TOKEN_AFTER 32
bool number_scan_token(const char *p, size_t size, const struct type *t, union value *value);
bool decimal_scan_own(const char *p, size_t size, unsigned *scale, int64_t *mantissa);

/* The numbers that number_scan_run or decimal_scan_run has read. */
struct number_run {
	size_t count; /* Numbers written. */
	const char *next; /* Where reading stopped: after the white space byte that ends the last number. */
};

/* Reads at most `limit` numbers of type t (not i128) into values. Each must be followed by exactly one white space
 * byte. Stops at end or before anything else: a second white space byte, a token that is not for the fast way, or a
 * number that ends at end. The caller must read this itself and may then call again after it. */
struct number_run number_scan_run(const char *p, const char *end, const struct type *t, void *values, size_t limit);

/* Like number_scan_run, for decimals at `scale`. scales[i] becomes the digits after number i's point. Also stops before
 * a negative zero. */
struct number_run decimal_scan_run(const char *p, const char *end, unsigned scale, int64_t *mantissas,
				   unsigned char *scales, size_t limit);

#endif
