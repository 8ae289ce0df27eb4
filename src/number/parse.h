/* Numbers as text: the grammar and parsing, always in the C locale.
 *
 *     number  = [+-] ( digits [. digits?] | . digits ) [ (e|E) [+-] digits ] | [+-] ( inf | infinity | nan )
 *     integer = [+-] digits | [+-] 0x hexdigits          (integer types only)
 *
 * Pure functions; any thread. */
#ifndef PSCAN_NUMBER_PARSE_H
#define PSCAN_NUMBER_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "number/type.h"

enum number_result {
	NUMBER_OK,
	NUMBER_INVALID, /* not a number, or not an integer for an integer type */
	/* a number that the type cannot hold: an integer past it, a finite literal that rounds to infinity */
	NUMBER_RANGE,
	NUMBER_MEMORY, /* no memory for a token of very many digits; a message was printed */
};

enum number_kind { NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN };

/* A token taken apart. Pointers into the token. */
struct number_parts {
	enum number_kind kind;
	bool negative;
	const char *integer; /* the digits before the point */
	size_t integer_digits;
	const char *fraction; /* the digits after it */
	size_t fraction_digits;
	int64_t exponent; /* as written, held to +-2^40 */
};

/* False if the size bytes are no number. */
bool number_split(const char *token, size_t size, struct number_parts *parts);

/* The value of size bytes in type t (never i128). Floats are correctly rounded, f32 in one rounding; too small ones
 * become denormals or 0. *value is untouched unless NUMBER_OK. */
enum number_result number_parse(const char *token, size_t size, const struct type *t, union value *value);

#endif
