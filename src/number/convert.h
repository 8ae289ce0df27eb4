/* Converts arrays of numbers from one type to another, on the host. */
#ifndef PSCAN_NUMBER_CONVERT_H
#define PSCAN_NUMBER_CONVERT_H

#include <stddef.h>

#include "number/type.h"

/* Converts `count` elements, which are aligned for their types. An integer becomes an integer modulo 2^n or the nearest
 * float. A float becomes the nearest float, or an integer by truncation (0 if it is out of range or NaN). Returns the
 * index of the first element that does not fit: an integer whose value changes in an integer type, or a float that is
 * out of range or NaN for an integer type. SIZE_MAX if all fit. Every element is converted in any case. */
typedef size_t convert_function(const void *in, size_t count, void *out);

/* Returns the function that converts `in` to `acc`, or NULL if they are one type. Neither may be i128. */
convert_function *convert_find(const struct type *in, const struct type *acc);

/* Writes to `text` the condition under which an element x of type `in` fits type `acc`: an expression of C and OpenCL C
 * with x and macros of kernels/types.h, for the FITS(x) of kernels/tile.h. If all elements fit, it is 1. `text` has
 * room for `size` bytes with the NUL; 160 are enough. Neither type may be i128. */
void convert_fits_text(const struct type *in, const struct type *acc, char *text, size_t size);

#endif
