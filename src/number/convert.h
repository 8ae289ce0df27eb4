/* Elements of one type as values of another, on the host. */
#ifndef PSCAN_NUMBER_CONVERT_H
#define PSCAN_NUMBER_CONVERT_H

#include <stddef.h>

#include "number/type.h"

/* Converts count elements. Integers to integers modulo 2^n, to floats to nearest; floats to integers truncated, 0 if
 * that does not fit. Returns the index of the first element that does not fit exactly that way (an integer that changes
 * its value; a float out of range or NaN), or SIZE_MAX. */
typedef size_t convert_function(const void *in, size_t count, void *out);

/* NULL if the types are the same. Neither is i128. */
convert_function *convert_find(const struct type *in, const struct type *acc);

/* How FITS(x) of kernels/tile.h reads for this conversion: a C expression in x for a kernel's prelude, written to text
 * (size bytes, 160 are enough). */
void convert_fits_text(const struct type *in, const struct type *acc, char *text, size_t size);

#endif
