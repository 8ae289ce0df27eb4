/* The operators' texts, kernels/library/, as the host's code: the row of every operator and accumulator (kernels/row_begin.h). */
#ifndef PSCAN_SCAN_ALGEBRA_H
#define PSCAN_SCAN_ALGEBRA_H

#include "types.h"

#include "library/common.h"
#include "row_types.h"
#include "vector_operators.h"

#define ROW_TEMPLATE "scan/rows_operator.inc"
#define ROW_TYPES OP_TYPES
#include "scan/operators.inc"
#undef ROW_TEMPLATE
#undef ROW_TYPES

#endif
