/* Numbers read out of running text, where a token ends found in the same pass: the fast road of decoding.
 *
 * All number_scan_* and decimal_scan read the number that begins at p. True: *value is it, and *token_end points at the
 * first byte after it. The caller looks whether that byte may stand after a number (or token_end is end); if not, the
 * token is something else ("0x1f", "1.2.3", "12abc", "1e5" for an integer or a decimal). False, or a byte that may not
 * stand there: this road does not take the token; nothing is said about it, and nothing was written. Find its end and
 * ask number_parse, or decimal_parse and decimal_mantissa, which decide. False is meant to be rare: inf, nan, very many
 * digits, what is out of range.
 *
 * p < end. NUMBER_SCAN_SLACK bytes after end must be readable; what they are does not matter. A caller that cannot
 * promise that passes an end so many bytes earlier and takes the tokens that begin or end after it by number_parse.
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

/* A number of at most 15 bytes taken apart without a branch on its length. */
struct number_token {
	bool negative;
	const char *integer; /* the digits before the point */
	unsigned integer_digits; /* 1 .. 15 */
	unsigned fraction_digits; /* 0 if there is no point, else after it */
	const char *token_end;
};

/* False: it is none such. */
static inline bool number_token_take(const char *p, const char *end, struct number_token *token)
{
	const struct digits_shape shape = digits_look(p);
	const unsigned sign = (unsigned)(*p == '-') | (unsigned)(*p == '+');
	const unsigned stops = ~(shape.digits | shape.points | sign); /* the bits from 16 on are set */
	const unsigned stop = (unsigned)__builtin_ctz(stops);
	const unsigned points = shape.points & ~stops & (stops - 1); /* those before stop */
	if (stop > 15 || (points & (points - 1)) != 0 || (ptrdiff_t)stop > end - p)
		return false;
	const unsigned point = points != 0 ? (unsigned)__builtin_ctz(points) : stop;
	token->negative = *p == '-';
	token->integer = p + sign;
	token->integer_digits = point - sign;
	token->fraction_digits = points != 0 ? stop - point - 1 : 0;
	token->token_end = p + stop;
	/* Not ".5" and not "5."; a sign alone is none either. */
	return point > sign && stop != point + 1;
}

/* The value of 1 to 15 digits at p. */
static inline uint64_t number_token_integer(const char *p, unsigned count)
{
	if (count <= 8)
		return digits_value(p, count);
	return digits_value8(digits_load(p)) * power_of_ten_u64[count - 8] + digits_value(p + 8, count - 8);
}

/* What is longer than a number_token: the same contract, out of line. */
bool decimal_scan_long(const char *p, const char *end, unsigned scale, int64_t *mantissa, const char **token_end);
bool number_scan_long_integer(const char *p, const char *end, bool *negative, uint64_t *magnitude,
			      const char **token_end);
bool number_scan_long_f32(const char *p, const char *end, float *value, const char **token_end);
bool number_scan_long_f64(const char *p, const char *end, double *value, const char **token_end);

/* An exact decimal without exponent as its mantissa at scale (0 .. DECIMAL_SCALE_MAX). False also for more digits
 * after the point than scale, and for a mantissa past 64 bits. */
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

/* A decimal integer of either sign below 2^64. */
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

/* The double nearest to a token's digits with the point gone, divided by a power of ten: both exact, so the quotient is
 * rounded once (Clinger 1990). False if the digits are no exact double. */
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

/* Correctly rounded. */
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

/* Correctly rounded, once: the double's own rounding can only matter where it lies half way between two floats. */
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

/* A number of type t (never i128). */
bool number_scan(const char *p, const char *end, const struct type *t, union value *value, const char **token_end);

/* A token of size bytes, whatever comes after it: *value or *mantissa is it, or false as above. NUMBER_TOKEN_BEFORE
 * bytes before p and NUMBER_TOKEN_AFTER from p on must be readable. */
#define NUMBER_TOKEN_BEFORE 17
#define NUMBER_TOKEN_AFTER 32
bool number_scan_token(const char *p, size_t size, const struct type *t, union value *value);
bool decimal_scan_token(const char *p, size_t size, unsigned scale, int64_t *mantissa);
/* The same at the token's own scale, at most DECIMAL_SCALE_MAX. False for a negative zero, too. */
bool decimal_scan_own(const char *p, size_t size, unsigned *scale, int64_t *mantissa);

/* What number_scan_run and decimal_scan_run took. */
struct number_run {
	size_t count; /* elements written */
	uint64_t lines; /* newlines passed */
	const char *next; /* where it stopped: after the white space byte that ends the last token taken */
};

/* Reads numbers of type t (never i128), each with exactly one white space byte after it, into values, until limit of
 * them are read, end is reached, or something else comes: two such bytes, a token that is not on the fast road, one
 * that nothing ends. That is for the caller to take, who may then call again after it. */
struct number_run number_scan_run(const char *p, const char *end, const struct type *t, void *values, size_t limit);

/* The same for decimal_scan. The digits after each one's point go to scales, unless that is NULL. */
struct number_run decimal_scan_run(const char *p, const char *end, unsigned scale, int64_t *mantissas,
				   unsigned char *scales, size_t limit);

#endif
