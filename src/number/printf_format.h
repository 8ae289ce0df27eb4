/* Results written as a printf-style format says (-F FMT).
 *
 *     format     = { text | %% } conversion { text | %% }
 *     conversion = % {-|+|space|#|0} [width] [.precision] (f|F|e|E|g|G|d|i)
 *
 * The result of printf in the C locale, of values that printf could not be given too:
 *   f, F  integers and exact decimals as they are, rounded to precision digits half to even, never by way of a float; floats
 *         exactly as printf (correctly rounded);
 *   e, g  floats as printf; integers and decimals as they are, rounded half to even, up to 18 digits; if more are to be
 *         shown, by way of long double;
 *   d, i  integers; also decimals and finite floats, rounded as %.0f would be. Precision: at least so many digits.
 * nan has no sign.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_NUMBER_PRINTF_FORMAT_H
#define PSCAN_NUMBER_PRINTF_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "number/type.h"

/* Neither width nor precision is more; nor the bytes of a format. */
#define NUMBER_SPEC_MAX 1000

/* A format taken apart. Set by number_spec_parse and not changed afterwards. */
struct number_spec {
	char text[NUMBER_SPEC_MAX]; /* what stands before the conversion, then what stands after it, %% made % */
	size_t before_size, after_size;
	bool left, plus, space, alternative, zero; /* the flags */
	char conversion; /* f, e, g or d */
	bool upper; /* F, E, G */
	bool has_precision;
	size_t width, precision; /* precision 6 if none is given, but 1 for d */
};

/* False, *spec undefined, if the format is none such: *reason, static text, says why, to be put after "FMT: ". */
bool number_spec_parse(const char *format, struct number_spec *spec, const char **reason);

/* Whether it is %d or %i, for which a result should have no fraction. */
bool number_spec_is_integer(const struct number_spec *spec);

/* No result of any type takes more bytes. number_spec_write needs room for so many. */
size_t number_spec_size_max(const struct number_spec *spec);

/* Writes the value of type t: of i64 and i128 a mantissa with scale digits after the point (0 .. DECIMAL_SCALE_MAX),
 * of all others scale does not count. No newline, no NUL. Returns the bytes written. */
size_t number_spec_write(char *out, const struct number_spec *spec, const struct type *t, unsigned scale,
			 const union value *value);

#endif
