/* The operators over exact decimals of different scales.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_SCAN_DECIMAL_COMBINE_H
#define PSCAN_SCAN_DECIMAL_COMBINE_H

#include <stdbool.h>

#include "number/decimal.h"
#include "scan/row.h"

/* The mantissa m (type t, i64 or i128) at scale, combined with d, both first brought to the greater of the scales: the
 * exact result as an i128 at that scale. present is false if there is no m: the result is d itself. False if it does
 * not fit 128 bits. */
bool decimal_combine(enum operator_id op, bool present, const union value *m, const struct type *t, unsigned scale,
		     const struct decimal *d, union value *result);

#endif
