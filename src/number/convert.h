/* Converts arrays of numbers from one type to another, on the host. */
#ifndef PSCAN_NUMBER_CONVERT_H
#define PSCAN_NUMBER_CONVERT_H

#include <stddef.h>

#include "number/type.h"

/* Converts `count` elements. An integer becomes an integer modulo 2^n or the nearest float. A float becomes the nearest
 * float, or an integer by truncation (0 if it is out of range or NaN). Returns the index of the first element that does
 * not fit: an integer whose value changes in an integer type, or a float that is out of range or NaN for an integer
 * type. SIZE_MAX if all fit. Every element is converted in any case. */
typedef size_t convert_function(const void *in, size_t count, void *out);

/* Returns the function that converts `in` to `acc`, or NULL if they are one type. Neither may be i128. */
convert_function *convert_find(const struct type *in, const struct type *acc);

/* Writes the condition under which x fits this conversion to `text`, which has `size` bytes (160 are enough). It is an
 * expression of C and OpenCL C, the FITS(x) of kernels/tile.h. */
void convert_fits_text(const struct type *in, const struct type *acc, char *text, size_t size);

#endif
