/* The operators of the table as programs (program.h): the texts of kernels/library/ as a user would write them. */
#ifndef PSCAN_SCAN_LIBRARY_H
#define PSCAN_SCAN_LIBRARY_H

#include "base/memory.h"
#include "base/status.h"
#include "scan/row.h"

/* Appends an operator with an accumulator that it has, one that users can name, as the text of a program whose results
 * have the operator's bits, where integers wrap. A result that is absent is NaN there, so only floats have one.
 * factor: what follows the operator's name (enum parameter). STATUS_SYSTEM after a message. */
enum status library_write(const struct scan_operator *op, const struct type *acc, double factor,
			  struct bytes *text) MUST_CHECK;

#endif
