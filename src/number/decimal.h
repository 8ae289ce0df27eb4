/* Exact decimals: mantissa * 10^-scale with mantissas of 64 or 128 bits at a common scale.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_NUMBER_DECIMAL_H
#define PSCAN_NUMBER_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/type.h"
#include "number/write.h"

__extension__ typedef unsigned __int128 uint128;
__extension__ typedef __int128 int128;

/* What is no multiple of 10^-18 is not an exact decimal. */
#define DECIMAL_SCALE_MAX 18

/* A token as a decimal. */
struct decimal {
	bool is_float; /* inf, nan or no multiple of 10^-DECIMAL_SCALE_MAX: the rest does not count */
	bool negative;
	unsigned scale; /* digits after the point, less the exponent: 0 .. DECIMAL_SCALE_MAX */
	uint64_t hi, lo; /* the magnitude of the mantissa in 128 bits, if not huge */
	bool huge; /* it has more */
};

/* Which element's own decimals a result has, that is an element as it was written. */
enum written {
	WRITTEN_NONE, /* all have the common scale */
	WRITTEN_OWN, /* the element at the result's place */
	WRITTEN_BEFORE, /* the one before that */
	WRITTEN_FIRST, /* the first of all */
	WRITTEN_EARLIEST, /* the earliest one that is equal to it */
};

/* False if the token is no number. */
bool decimal_parse(const char *token, size_t size, struct decimal *d);

/* The mantissa at scale (at least d's) in type t, i64 or i128. False, *value untouched, if it does not fit. */
bool decimal_mantissa(const struct decimal *d, unsigned scale, const struct type *t, union value *value);

/* The mantissa as an integer; it is of type t, i64 or i128. */
static inline int128 decimal_value(const union value *m, const struct type *t)
{
	return t->id == TYPE_I64 ? m->i64 : (int128)((uint128)m->i128.hi << 64 | m->i128.lo);
}

/* Whether mantissas at these scales are the same number. */
bool decimal_is_same(int128 a, unsigned a_scale, int128 b, unsigned b_scale);

/* Whether an i128 fits i64. */
bool decimal_fits_i64(const union value *m);
/* Makes i64 of count i128, step bytes apart. False: not all of them fit. */
bool decimals_narrow(const unsigned char *wide, size_t step, size_t count, int64_t *narrow);

/* No formatted decimal is longer: sign, 39 digits, point, and a newline. All that format need room for so many bytes at
 * out, and may write over those after the bytes that they return. */
#define DECIMAL_TEXT_MAX 48
/* Writes mantissa m (type t, i64 or i128) with scale digits after the point. Returns the bytes written. */
size_t decimal_format(char *out, const union value *m, const struct type *t, unsigned scale);

/* One after another, each with a newline after it; count of type t at mantissas, aligned for it. Room for
 * count * DECIMAL_TEXT_MAX bytes. */
size_t decimal_format_lines(char *out, const struct type *t, unsigned scale, const void *mantissas, size_t count);
/* As number_format_texts does it. */
void decimal_format_texts(char *out, char lead, const struct type *t, unsigned scale, const void *mantissas,
			  size_t count, struct number_text *texts);

/* The mantissa at a smaller scale, at which it is an integer still; in place. */
void decimal_reduce(union value *m, const struct type *t, unsigned scale, unsigned smaller);

/* m * 10^-scale rounded to nearest. */
double decimal_to_f64(const union value *m, const struct type *t, unsigned scale);

#endif
