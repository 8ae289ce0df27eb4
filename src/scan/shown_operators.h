/* The built-in operators as texts of programs, one for each accumulator that users can name;
 * build/shown_operators.c is generated from kernels/library/. */
#ifndef PSCAN_SCAN_SHOWN_OPERATORS_H
#define PSCAN_SCAN_SHOWN_OPERATORS_H

#include "scan/row.h"

/* NULL where the operator does not have the accumulator. A program's results have the operator's bits, where integers
 * wrap. A result that is absent is NaN. The number after an operator's name is the macro A, which the text uses and
 * does not define. */
extern const char *const shown_operators[OPERATOR_ID_COUNT][TYPE_COUNT];

#endif
