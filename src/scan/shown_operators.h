/* The built-in operators as texts of programs, one for each accumulator that users can name;
 * build/shown_operators.c is generated from kernels/library/. */
#ifndef PSCAN_SCAN_SHOWN_OPERATORS_H
#define PSCAN_SCAN_SHOWN_OPERATORS_H

#include "scan/row.h"

/* The text of a program, in OpenCL C, for each operator and accumulator type. NULL: the operator cannot have this
 * accumulator, or cannot be shown. The program's results have the bits of the built-in operator's with --overflow=wrap,
 * but are NaN where those are absent. The number after an operator's name (ema:0.1) is the macro A, which the program
 * uses but does not define. */
extern const char *const shown_operators[OPERATOR_ID_COUNT][TYPE_COUNT];

#endif
