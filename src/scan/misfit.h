/* A result, or an element's conversion, that does not fit the accumulator's type: what to say about it. */
#ifndef PSCAN_SCAN_MISFIT_H
#define PSCAN_SCAN_MISFIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "scan/row.h"

/* Describes what a checked scan of row found at an element (in row->in). number is the element's in its file, from 1;
 * 0: not to be said. is_text: exact decimals can be had. *must: it is an error even if no result needs the element:
 * there is no such element. Pure. */
struct problem misfit_describe(const struct row *row, const void *element, const char *file_name, uint64_t number,
			       bool is_text, bool *must);

#endif
