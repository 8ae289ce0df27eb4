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

#include "number/type.h"

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

enum number_result {
	NUMBER_OK,
	NUMBER_INVALID, /* The token is not a number, or not an integer for an integer type. */
	NUMBER_RANGE, /* An integer is out of the type's range, or a finite number rounds to infinity. */
	NUMBER_MEMORY, /* Memory is missing for a token of very many digits. A message was printed. */
};

enum number_kind { NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN };

/* The parts of a token. The pointers point into the token. */
struct number_parts {
	enum number_kind kind;
	bool negative;
	const char *integer; /* The digits before the point. */
	size_t integer_digits;
	const char *fraction; /* The digits after the point. */
	size_t fraction_digits;
	int64_t exponent; /* As written, limited to -2^40 .. 2^40. */
};

/* Splits a token of `size` bytes by the grammar of `number`. False if it is not a number; *parts is then undefined. */
bool number_split(const char *token, size_t size, struct number_parts *parts);

/* Sets *value to the number of a token of `size` bytes, in type t (not i128). Floats are correctly rounded in one step;
 * very small ones become denormals or 0. *value is changed only if NUMBER_OK is returned. */
enum number_result number_parse(const char *token, size_t size, const struct type *t, union value *value);

#endif
