/* The message for a result, or an element's conversion, that does not fit the accumulator's type. */
#ifndef PSCAN_SCAN_MISFIT_MESSAGE_H
#define PSCAN_SCAN_MISFIT_MESSAGE_H

#include <stdbool.h>

#include "base/problem.h"
#include "scan/row.h"

/* Returns a fatal problem (STATUS_DATA) for an element whose conversion or result does not fit, or, with a program, has
 * no value. It prints nothing. element: its numbers, of type row->in. file_name: the problem borrows it. is_text: the
 * message may suggest exact decimals. *must becomes true if the conversion does not fit: this is an error even if no
 * result needs the element. It becomes false if only the result does not fit. */
struct problem misfit_describe(const struct row *row, const void *element, const char *file_name, bool is_text,
			       bool *must);

#endif
