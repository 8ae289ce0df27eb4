/* Writes results in a printf-style format (-F FMT).
 *
 *     format     = { text | %% } conversion { text | %% }
 *     conversion = % {-|+|space|#|0} [width] [.precision] (f|F|e|E|g|G|d|i)
 *
 * The text is what printf writes in the C locale. Values of types that printf does not have are written alike:
 *   f, F  Floats exactly as printf does (correctly rounded). Integers and exact decimals from their exact value, never
 *         through a float, rounded half to even to `precision` digits after the point.
 *   e, g  Floats as printf does. Integers and decimals from their exact value, rounded half to even, if at most 18
 *         digits are shown; otherwise through long double.
 *   d, i  Integers. Decimals and finite floats are rounded as %.0f rounds. The precision is the least number of digits.
 * nan has no sign.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_NUMBER_PRINTF_FORMAT_H
#define PSCAN_NUMBER_PRINTF_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "number/type.h"

/* The most that a width, a precision, and the bytes of a format may be. */
#define NUMBER_SPEC_MAX 1000

/* A parsed format. Set by number_spec_parse and not changed afterwards. */
struct number_spec {
	char text[NUMBER_SPEC_MAX]; /* The text before the conversion, then the text after it. %% is stored as %. */
	size_t before_size, after_size; /* Bytes of these two texts. */
	bool left, plus, space, alternative, zero; /* The flags. */
	char conversion; /* f, e, g or d. */
	bool upper; /* The conversion was F, E or G. */
	bool has_precision; /* The format gives a precision. */
	size_t width, precision; /* A format without a precision gets 6, or 1 for d. */
};

/* Parses a format into *spec. If the format is invalid, returns false, leaves *spec undefined and sets *reason to a
 * static text that fits after "FMT: ". */
bool number_spec_parse(const char *format, struct number_spec *spec, const char **reason);

/* Whether the conversion is d or i, which shows no fraction. */
bool number_spec_is_integer(const struct number_spec *spec);

/* Returns the bytes of room that number_spec_write needs for a value of any type. */
size_t number_spec_size_max(const struct number_spec *spec);

/* Writes a value of type t to out, without a newline or NUL; out must have room for number_spec_size_max bytes. For i64
 * and i128 the value is a mantissa with `scale` digits after the point (0 .. DECIMAL_SCALE_MAX); for other types scale
 * is not used. Returns the bytes written. */
size_t number_spec_write(char *out, const struct number_spec *spec, const struct type *t, unsigned scale,
			 const union value *value);

#endif
