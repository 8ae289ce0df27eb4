/* Shortest round-trip formatting of numbers, always in the C locale.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_NUMBER_WRITE_H
#define PSCAN_NUMBER_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "number/type.h"

/* No formatted number (with its sign, and a newline or what else stands beside it) is longer. All that format need
 * room for so many bytes at out, and may write over those after the bytes that they return. */
#define NUMBER_TEXT_MAX 64

/* Writes the value's text: integers in decimal, floats as the shortest decimal that reads back to the same value,
 * nearest to it; positional for 0 and 1e-7 <= |x| < 1e21, else d.ddde+NN; inf, -inf, nan. Returns the bytes written. */
size_t number_format(char *out, const struct type *t, const union value *value);

/* The pieces of number_format for callers that know the type. */
size_t number_format_u64(char *out, uint64_t value);
size_t number_format_i64(char *out, int64_t value);
size_t number_format_f32(char *out, float value);
size_t number_format_f64(char *out, double value);

/* One after another, each with a newline after it; count of type t at values, aligned for it. Room for count *
 * NUMBER_TEXT_MAX bytes. */
size_t number_format_lines(char *out, const struct type *t, const void *values, size_t count);

/* Where the text of a number is. */
struct number_text {
	uint32_t at;
	uint32_t size;
};

/* The same with lead before each in the newline's place: texts[i] is where value i stands from out on. Equal
 * neighbours, as a running maximum has them, stand there once. */
void number_format_texts(char *out, char lead, const struct type *t, const void *values, size_t count,
			 struct number_text *texts);

#endif
