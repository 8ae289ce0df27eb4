/* Formats numbers as the shortest text that reads back to the same number, always in the C locale.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_NUMBER_WRITE_H
#define PSCAN_NUMBER_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "number/type.h"

/* Bytes of room that a formatted number needs, with its sign and one byte before or after it. Functions that format may
 * overwrite this room after the bytes that they return. */
#define NUMBER_TEXT_MAX 64

/* Writes a number of type t (not i128) and returns the bytes written. An integer is written in decimal. A float is
 * written as the shortest decimal that reads back to it; of several such decimals, the nearest. Floats x are positional
 * for 0 and 1e-7 <= |x| < 1e21, otherwise d.ddde+NN; also inf, -inf and nan. */
size_t number_format(char *out, const struct type *t, const union value *value);

/* number_format for callers that know the type. */
size_t number_format_u64(char *out, uint64_t value);
size_t number_format_i64(char *out, int64_t value);
size_t number_format_f32(char *out, float value);
size_t number_format_f64(char *out, double value);

/* Writes `count` numbers of type t (not i128), `step` bytes apart, each followed by a newline. Needs room for count *
 * NUMBER_TEXT_MAX bytes. Returns the bytes written. */
size_t number_format_lines(char *out, const struct type *t, const void *values, size_t step, size_t count);

/* The place of a number's text in a buffer. */
struct number_text {
	uint32_t at; /* Bytes from the buffer's beginning. */
	uint32_t size; /* Bytes of the text. */
};

/* Writes `count` numbers of type t (not i128), `step` bytes apart, each with the byte `lead` before it, and sets
 * texts[i] to the place of number i's text in `out`. Equal neighbours, as in a running maximum, share one text. Needs
 * room for count * NUMBER_TEXT_MAX bytes. */
void number_format_texts(char *out, char lead, const struct type *t, const void *values, size_t step, size_t count,
			 struct number_text *texts);

#endif
