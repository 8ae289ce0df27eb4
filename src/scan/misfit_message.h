/* The message for a result, or an element's conversion, that does not fit the accumulator's type. */
#ifndef PSCAN_SCAN_MISFIT_MESSAGE_H
#define PSCAN_SCAN_MISFIT_MESSAGE_H

#include <stdbool.h>

#include "base/problem.h"
#include "scan/row.h"

/* Returns the fatal problem (STATUS_DATA) for an element at which a checked scan has found that something does not fit.
 * It prints nothing. element: one element, its numbers of type row->in. file_name: borrowed by the problem. is_text:
 * the message may suggest exact decimals. *must becomes whether the element itself does not fit, which is an error even
 * if no result needs the element; otherwise its result does not fit. Pure. */
struct problem misfit_describe(const struct row *row, const void *element, const char *file_name, bool is_text,
			       bool *must);

#endif
