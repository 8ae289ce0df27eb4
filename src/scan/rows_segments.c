/* Segments of up to a run, one after the other: every row as a plain loop. Up to a run no algorithm has a tree, and so it is the same for
 * all of them. */
#include "scan/rows.h"

#include <string.h>

#include "scan/algebra.h"

#include "names.h"

#include "scan/rows_plain.inc"

#define ROW_TEMPLATE "scan/rows_segments.inc"

/* Without the overflow check and with it: [0] and [1]. */
#undef VARIANT
#define CHECKED 0
#define VARIANT _plain
#define ROW_TYPES OP_TYPES
#include "scan/operators.inc"
#undef CHECKED
#undef VARIANT
#undef ROW_TYPES
#define CHECKED 1
#define VARIANT _checked
#define ROW_TYPES OVERFLOW_TYPES
#include "scan/operators.inc"
#undef CHECKED
#undef ROW_TYPES

#define OPERATORS_AS_CODES
#define CODE_(op, T, variant) row_short_segments_##op##_##T##variant
#define CODE__(op, T, variant) CODE_(op, T, variant)
scan_short_segments *const host_rows_segments[2][OPERATOR_ID_COUNT][TYPE_COUNT] = {
	{
#define CODE(T) CODE__(OP, T, _plain)
#define ROW_TYPES OP_TYPES
#include "scan/operators.inc"
#undef CODE
#undef ROW_TYPES
	},
	{
#define CODE(T) CODE__(OP, T, _checked)
#define ROW_TYPES OVERFLOW_TYPES
#include "scan/operators.inc"
	},
};
