/* The least and greatest of numbers of any type. */
#ifndef PSCAN_PLOT_EXTREMES_H
#define PSCAN_PLOT_EXTREMES_H

#include <stddef.h>

#include "number/type.h"
#include "plot/curve.h"

/* Of count numbers, step bytes apart, those that are finite; as doubles, to which greater integers are rounded. */
struct range extremes(const struct type *type, const void *numbers, size_t step, size_t count);
/* The numbers themselves as doubles, by a divisor, to places that are stride of them apart: NaN if they are not
 * finite. */
void finite_doubles(const struct type *type, const void *numbers, size_t step, size_t count, double divisor, double *to,
		    size_t stride);

#endif
