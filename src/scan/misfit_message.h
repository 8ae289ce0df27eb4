/* The message for a result, or an element's conversion, that does not fit the accumulator's type. */
#ifndef PSCAN_SCAN_MISFIT_MESSAGE_H
#define PSCAN_SCAN_MISFIT_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "scan/row.h"

/* Describes what a checked scan of the row found at an element, whose numbers are of type row->in. number: the
 * element's number in its file, from 1; 0: it is not shown. is_text: the message may suggest exact decimals. *must
 * becomes true if the element itself does not fit, which is an error even if no result needs the element. Pure. */
struct problem misfit_describe(const struct row *row, const void *element, const char *file_name, uint64_t number,
			       bool is_text, bool *must);

#endif
