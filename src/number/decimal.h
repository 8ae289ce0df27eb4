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

/* The most digits after the point of an exact decimal. */
#define DECIMAL_SCALE_MAX 18

/* An element's own scale is a number 0 .. DECIMAL_SCALE_MAX, combined with these flags. */
enum own_scale {
	OWN_SCALE_MASK = 31, /* The mask of the number. */
	OWN_SCALE_NEGATIVE_ZERO = 64, /* The element is -0, which matters if it becomes a float. */
	OWN_SCALE_FLOAT = 128, /* The element is not an exact decimal; it is stored as an f64. */
};

/* A token read as a decimal. */
struct decimal {
	bool is_float; /* inf, nan, or more than DECIMAL_SCALE_MAX decimals. The other fields are then unused. */
	bool negative;
	unsigned scale; /* Digits after the point, less the exponent: 0 .. DECIMAL_SCALE_MAX. */
	uint128 magnitude; /* The mantissa's. Not set if huge. */
	bool huge; /* The mantissa has more than 128 bits. */
};

/* The element whose number of decimals a result is written with. */
enum written {
	WRITTEN_NONE, /* No element's: all results have the common scale. */
	WRITTEN_OWN, /* The element at the result's place. */
	WRITTEN_BEFORE, /* The element before the result's place. */
	WRITTEN_FIRST, /* The first element of the scan. */
	WRITTEN_EARLIEST, /* The earliest element that equals the result. */
};

/* Reads a token of `size` bytes into *d. False, with *d unchanged, if the token is not a number (number_split). */
bool decimal_parse(const char *token, size_t size, struct decimal *d);

/* Sets *value to the mantissa at `scale` (d->scale to DECIMAL_SCALE_MAX) in type t, i64 or i128. d->is_float must be
 * false. Returns false and leaves *value alone if the mantissa does not fit. */
bool decimal_mantissa(const struct decimal *d, unsigned scale, const struct type *t, union value *value);

/* Returns a mantissa of type t, i64 or i128, as an integer. */
static inline int128 decimal_value(const union value *m, const struct type *t)
{
	return t->id == TYPE_I64 ? m->i64 : (int128)((uint128)m->i128.hi << 64 | m->i128.lo);
}

/* Returns an integer as a mantissa of 128 bits. */
static inline union value decimal_wide(int128 m)
{
	return (union value){.i128 = {.lo = (uint64_t)m, .hi = (uint64_t)((uint128)m >> 64)}};
}

/* Whether two mantissas at their scales are equal numbers. */
bool decimal_is_same(int128 a, unsigned a_scale, int128 b, unsigned b_scale);

/* Whether an i128 fits i64. */
bool decimal_fits_i64(const union value *m);

/* Bytes of room that a formatted decimal needs. (Its text is at most a sign, 39 digits, a point and a newline.)
 * Functions that format may overwrite this room after the bytes that they return. */
#define DECIMAL_TEXT_MAX 48
/* Writes a mantissa of type t, i64 or i128, with `scale` digits after the point. Returns the bytes written. */
size_t decimal_format(char *out, const union value *m, const struct type *t, unsigned scale);

/* Writes `count` mantissas of type t (aligned for t), `step` bytes apart, each followed by a newline. Needs room for
 * count * DECIMAL_TEXT_MAX bytes. Returns the bytes written. */
size_t decimal_format_lines(char *out, const struct type *t, unsigned scale, const void *mantissas, size_t step,
			    size_t count);
/* Writes `count` mantissas of type t (aligned for t), `step` bytes apart, each with the byte `lead` before it, and sets
 * texts[i] to the place of mantissa i's text in `out`. Equal neighbours share one text. Needs room for
 * count * DECIMAL_TEXT_MAX bytes. */
void decimal_format_texts(char *out, char lead, const struct type *t, unsigned scale, const void *mantissas,
			  size_t step, size_t count, struct number_text *texts);

/* Reduces *m in place from `scale` to a smaller scale, at which the mantissa must still be an integer. */
void decimal_reduce(union value *m, const struct type *t, unsigned scale, unsigned smaller);

/* Returns m * 10^-scale, rounded to the nearest double. */
double decimal_to_f64(const union value *m, const struct type *t, unsigned scale);
/* Returns an element with its own scale (enum own_scale), rounded to the nearest double. *m: an f64, or a mantissa of
 * type t at `scale`. */
double decimal_own_to_f64(const union value *m, const struct type *t, unsigned scale, unsigned own);

#endif
