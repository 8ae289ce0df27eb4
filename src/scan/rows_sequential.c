/* The rows strictly left to right, the naive loop. */
#include "scan/rows.h"

#include <string.h>

#include "scan/algebra.h"

#include "names.h"

#include "scan/rows_plain.inc"

#define ROW_TEMPLATE "scan/rows_sequential.inc"
#define ROW_TYPES OP_TYPES
#include "scan/operators.inc"

#define OPERATORS_AS_CODES
#define CODE_(op, T, checked, ...)                                                                                  \
	{                                                                                                           \
		.state_size = sizeof(state_##op##_##T), .cursor_size = sizeof(struct sequential_cursor_##op##_##T), \
		.fold = sequential_fold_##op##_##T, .seed = sequential_seed_##op##_##T,                             \
		.state = sequential_state_##op##_##T, .emit = row_emit_##op##_##T,                                  \
		.restart = sequential_restart_##op##_##T, .push = sequential_push##checked##_##op##_##T,            \
		__VA_ARGS__                                                                                         \
	}
#define CODE__(op, T, checked) CODE_(op, T, checked, )
#define EACH_(op, T, checked) CODE_(op, T, checked, .push_each = sequential_push_each##checked##_##op##_##T)
#define EACH__(op, T, checked) EACH_(op, T, checked)
const struct row_code host_rows_sequential[ROW_VARIANTS][OPERATOR_ID_COUNT][TYPE_COUNT] = {
	{
#define CODE(T) EACH__(OP, T, )
#include "scan/operators.inc"
#undef CODE
#undef ROW_TYPES
	},
	{
#define CODE(T) EACH__(OP, T, _checked)
#define ROW_TYPES OVERFLOW_TYPES
#include "scan/operators.inc"
#undef CODE
#undef ROW_TYPES
	},
	{
#define CODE(T) CODE__(OP, T, _exclusive)
#define ROW_TYPES (OP_EMITS_INPUTS ? OP_TYPES : TYPES_NONE)
#include "scan/operators.inc"
#undef CODE
#undef ROW_TYPES
	},
	{
#define CODE(T) CODE__(OP, T, _exclusive_checked)
#define ROW_TYPES (OP_EMITS_INPUTS ? OVERFLOW_TYPES : TYPES_NONE)
#include "scan/operators.inc"
	},
};
