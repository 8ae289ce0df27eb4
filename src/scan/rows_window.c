/* Windows of every row. The overflow check is that of exact decimals: results of narrower integers are found to fit where they
 * are made of exact ones (window.c). */
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
#define CHECK_OVERFLOW CHECKED
#define EXCLUSIVE 0
/* Whether combine is exactly associative, so that the grid's order gives the same bits as any other. */
#define IS_ANY_ORDER (((OP_ANY_ORDER) & (FACT(FACT_FLOAT, FACTS(ACC)) ? TYPES_FLOAT : TYPES_INTEGER)) != 0)

#define CHECKED 0
#define VARIANT _mirrored
#define ROW_TYPES OP_TYPES
#define ROW_TEMPLATE "scan/rows_suffixes.inc"
#include "scan/operators.inc"
#undef VARIANT
#undef ROW_TEMPLATE
#define ROW_TEMPLATE "scan/rows_window.inc"
#define VARIANT _plain
#include "scan/operators.inc"
#undef CHECKED
#undef VARIANT
#undef ROW_TYPES
#define CHECKED 1
#define VARIANT _checked
#define ROW_TYPES (OVERFLOW_TYPES & TYPES_WIDE)
#include "scan/operators.inc"
#undef CHECKED
#undef ROW_TYPES

#define OPERATORS_AS_CODES
#define CODE_(op, T, variant)                                                                                          \
	{                                                                                                              \
		.state_size = sizeof(state_##op##_##T), .prefix_size = sizeof(struct cursor_##op##_##T##variant),      \
		.push = window_push_##op##_##T##variant, .state = window_state_##op##_##T##variant,                    \
		.prefix = window_prefix_##op##_##T##variant, .restart = window_restart_##op##_##T##variant             \
	}
#define CODE__(op, T, variant) CODE_(op, T, variant)
const struct window_code host_rows_window[2][OPERATOR_ID_COUNT][TYPE_COUNT] = {
	{
#define CODE(T) CODE__(OP, T, _plain)
#define ROW_TYPES OP_TYPES
#include "scan/operators.inc"
#undef CODE
#undef ROW_TYPES
	},
	{
#define CODE(T) CODE__(OP, T, _checked)
#define ROW_TYPES (OVERFLOW_TYPES & TYPES_WIDE)
#include "scan/operators.inc"
	},
};
