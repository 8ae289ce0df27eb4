/* Finds the least and the greatest of numbers of any type. */
#ifndef PSCAN_PLOT_EXTREMES_H
#define PSCAN_PLOT_EXTREMES_H

#include <stddef.h>

#include "number/type.h"
#include "plot/curve.h"

/* Returns the least and the greatest of `count` numbers that lie `step` bytes apart, without those that are not finite.
 * Integers of more than 53 bits are rounded to doubles. */
struct range extremes(const struct type *type, const void *numbers, size_t step, size_t count);
/* Converts `count` numbers that lie `step` bytes apart to doubles, divides them by `divisor` and writes them to to[0],
 * to[stride], and so on. A number that is not finite becomes NaN. */
void finite_doubles(const struct type *type, const void *numbers, size_t step, size_t count, double divisor, double *to,
		    size_t stride);

#endif
