/* Cursors of many columns at once, for the operators that have vector code. */
#include "scan/rows.h"

#include <string.h>

#define HILLIS_STEELE 0
#include "scan/algebra.h"

#define INPUTS OP_INPUTS
#define EMITS_INPUTS OP_EMITS_INPUTS
#define CONVERT(x) (x)
#define FITS(x) 1
#define SHAPE_GPU 0
#define GLOBAL
#define NODES
#define EXCLUSIVE 0
#define CHECK_OVERFLOW CHECKED
#define ROW_TEMPLATE "scan/rows_columns.inc"

/* Without the overflow check and with it: [0] and [1]. */
#define CHECKED 0
#define VARIANT _plain
#define ROW_TYPES (OP_ANY_ORDER + OP_IN_ORDER)
#include "scan/operators.inc"
#undef CHECKED
#undef VARIANT
#undef ROW_TYPES
#define CHECKED 1
#define VARIANT _checked
#define ROW_TYPES (OP_OVERFLOWS ? (OP_ANY_ORDER + OP_IN_ORDER) & ~TYPES_FLOAT : TYPES_NONE)
#include "scan/operators.inc"
#undef CHECKED
#undef ROW_TYPES

#define OPERATORS_AS_CODES
#define CODE_(op, T, variant) row_push_records_##op##_##T##variant
#define CODE__(op, T, variant) CODE_(op, T, variant)
push_records *const host_rows_columns[2][OPERATOR_ID_COUNT][TYPE_COUNT] = {
	{
#define CODE(T) CODE__(OP, T, _plain)
#define ROW_TYPES (OP_ANY_ORDER + OP_IN_ORDER)
#include "scan/operators.inc"
#undef CODE
#undef ROW_TYPES
	},
	{
#define CODE(T) CODE__(OP, T, _checked)
#define ROW_TYPES (OP_OVERFLOWS ? (OP_ANY_ORDER + OP_IN_ORDER) & ~TYPES_FLOAT : TYPES_NONE)
#include "scan/operators.inc"
	},
};
