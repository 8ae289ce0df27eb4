/* The rows strictly left to right, the naive loop. */
#include "scan/rows.h"

#include <string.h>

#include "types.h"

#include "operators.h"

#define PASTE4_(a, b, c, d) a##b##c##d
#define PASTE4(a, b, c, d) PASTE4_(a, b, c, d)
#define ROW(name) PASTE4(name##_, OP, _, ACC)

static void totals_of_nothing(const void *in, size_t count, void *totals)
{
	(void)in;
	(void)count;
	(void)totals;
}

#define ROW_TEMPLATE "scan/rows_sequential.inc"
#define ROW_TYPES (TYPES_INTEGER + TYPES_WIDE)
#define OVERFLOWS 1
#define OP sum
#include "scan/rows_each_type.inc"
#undef OP
#define OP prod
#include "scan/rows_each_type.inc"
#undef OP
#undef OVERFLOWS
#define OVERFLOWS 0
#define OP and
#include "scan/rows_each_type.inc"
#undef OP
#define OP or
#include "scan/rows_each_type.inc"
#undef OP
#define OP xor
#include "scan/rows_each_type.inc"
#undef OP
#undef ROW_TYPES
#define ROW_TYPES TYPES_FLOAT
#define OP sum
#include "scan/rows_each_type.inc"
#undef OP
#define OP prod
#include "scan/rows_each_type.inc"
#undef OP
#undef ROW_TYPES
#define ROW_TYPES (TYPES_INTEGER + TYPES_WIDE + TYPES_FLOAT)
#define OP max
#include "scan/rows_each_type.inc"
#undef OP
#define OP min
#include "scan/rows_each_type.inc"
#undef OP

#define CODE_(op, T, RESULTS)                                                                                          \
	{sizeof(state_##op##_##T), totals_of_nothing, RESULTS##_##op##_##T, sequential_fold_##op##_##T, row_seed_##op##_##T}
#define CODE(op, T) CODE_(op, T, sequential_results)
#define CHECKED_CODE(op, T) CODE_(op, T, sequential_results_checked)
#define INTEGERS(CODE, op)                                                                                             \
	[TYPE_I8] = CODE(op, i8), [TYPE_U8] = CODE(op, u8), [TYPE_I16] = CODE(op, i16), [TYPE_U16] = CODE(op, u16),    \
	[TYPE_I32] = CODE(op, i32), [TYPE_U32] = CODE(op, u32), [TYPE_I64] = CODE(op, i64),                            \
	[TYPE_U64] = CODE(op, u64), [TYPE_I128] = CODE(op, i128)
#define FLOATS(op) [TYPE_F32] = CODE(op, f32), [TYPE_F64] = CODE(op, f64)

const struct row_code host_rows_sequential[2][OPERATOR_COUNT][TYPE_COUNT] = {
	{
		[OPERATOR_SUM] = {INTEGERS(CODE, sum), FLOATS(sum)},
		[OPERATOR_PROD] = {INTEGERS(CODE, prod), FLOATS(prod)},
		[OPERATOR_MAX] = {INTEGERS(CODE, max), FLOATS(max)},
		[OPERATOR_MIN] = {INTEGERS(CODE, min), FLOATS(min)},
		[OPERATOR_AND] = {INTEGERS(CODE, and)},
		[OPERATOR_OR] = {INTEGERS(CODE, or)},
		[OPERATOR_XOR] = {INTEGERS(CODE, xor)},
	},
	{
		[OPERATOR_SUM] = {INTEGERS(CHECKED_CODE, sum)},
		[OPERATOR_PROD] = {INTEGERS(CHECKED_CODE, prod)},
	},
};
