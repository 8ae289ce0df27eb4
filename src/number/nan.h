/* Finds NaNs in arrays. */
#ifndef PSCAN_NUMBER_NAN_H
#define PSCAN_NUMBER_NAN_H

#include <stdbool.h>

#include "number/packed.h"
#include "number/type.h"

/* Returns the index of the first NaN among `count` numbers of type t (aligned for t), or count if there is none.
 * Pure. */
size_t nan_find(const struct type *t, const void *numbers, size_t count);

/* Whether a number of type t, of any alignment, is a NaN. */
bool nan_is(const struct type *t, const void *number);

/* Returns the index of the first among `count` elements, `step` bytes apart, one of whose numbers is a NaN, or count if
 * there is none. If all numbers have one type, they are aligned for it. Pure. */
size_t nan_find_element(const struct packed *element, const unsigned char *elements, size_t step, size_t count);

#endif
