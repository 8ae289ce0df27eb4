/* Finds NaNs in arrays. */
#ifndef PSCAN_NUMBER_NAN_H
#define PSCAN_NUMBER_NAN_H

#include "number/type.h"

/* Returns the index of the first NaN among `count` numbers of type t (aligned for t), or count if there is none.
 * Pure. */
size_t nan_find(const struct type *t, const void *numbers, size_t count);

#endif
