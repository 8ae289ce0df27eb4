/* Plain loops for one operator (rows_facts.inc): its rows strictly left to right, columns, and short segments. */
#include "base/layout.h"
#include "rows/rows_facts.inc"

#define INPUTS OP_INPUTS
#define EMITS_INPUTS OP_EMITS_INPUTS
#define CONVERT(x) (x)
#define FITS(x) 1
#include "names.h"
/* As tile.h has them. */
#define NUMBER(n) in[n]
#define RESULT(i) out[i]
#define LOAD(i) LIFT_FROM(NUMBER, i)
#define STORE(i, s) RESULT(i) = EMIT_FROM(NUMBER, i, s)

#define ROW_TYPES (PLAIN_TYPES | CHECKED_TYPES)
#define ROW_TEMPLATE "rows/rows_sequential.inc"
#include "rows/rows_each_type.inc"

/* Columns, of the operators that have vector code. */
#define COLUMN_TYPES ((OP_ANY_ORDER) | (OP_IN_ORDER))
#define COLUMN_CHECKED_TYPES (COLUMN_TYPES & CHECKED_TYPES)
#define HILLIS_STEELE 0
#define SHAPE_GPU 0
#define GLOBAL
#define NODES
#define CHECK_OVERFLOW CHECKED
#define VARIANT_TYPES CODE_TYPES(COLUMN_TYPES)
#define VARIANT_CHECKED_TYPES COLUMN_CHECKED_TYPES
#define VARIANT_EXCLUSIVE 0
#define VARIANT_TEMPLATE "rows/rows_columns.inc"
#include "rows/rows_each_variant.inc"
#define VARIANT_TYPES PLAIN_TYPES
#define VARIANT_CHECKED_TYPES CHECKED_TYPES
#define VARIANT_EXCLUSIVE OP_EMITS_INPUTS
#define VARIANT_TEMPLATE "rows/rows_loops.inc"
#include "rows/rows_each_variant.inc"

#define AS_MEMBER(S, member) {#member, sizeof #member - 1, 0, KIND_OF(((S *)0)->member), offsetof(S, member)},
#define AS_MEMBER_ALONE(S) {"value", 5, 0, KIND_OF(*(S *)0), 0},
#define AS_BYTES(S, member) +sizeof(((S *)0)->member)
#define AS_BYTES_ALONE(S) +sizeof(S)
/* Whether the bytes of the members, with a gap at the end, are all that the struct has. */
#define ALL_LISTED(MEMBERS, S) (sizeof(S) - (0 MEMBERS(AS_BYTES, S)) < _Alignof(S))
#define KIND_OF(x)                  \
	_Generic((x), i8            \
		 : MEMBER_I8, u8    \
		 : MEMBER_U8, i16   \
		 : MEMBER_I16, u16  \
		 : MEMBER_U16, i32  \
		 : MEMBER_I32, u32  \
		 : MEMBER_U32, i64  \
		 : MEMBER_I64, u64  \
		 : MEMBER_U64, f32  \
		 : MEMBER_F32, f64  \
		 : MEMBER_F64, i128 \
		 : MEMBER_I128)
#define ROW_TYPES OP_TYPES
#define ROW_TEMPLATE "rows/rows_layout.inc"
#include "rows/rows_each_type.inc"
#define LISTED(members_of, S)                                                                                  \
	{                                                                                                      \
		.members = members_of, .count = sizeof(members_of) / sizeof(members_of)[0], .size = sizeof(S), \
		.alignment = _Alignof(S)                                                                       \
	}

#define SEQUENTIAL_CODE(P, S, variant)                                                                                 \
	{                                                                                                              \
		.state_size = sizeof(NAME(state, S)), .cursor_size = sizeof(struct NAME(sequential_cursor, S)),        \
		.fold = NAME(sequential_fold, S), .seed = NAME(sequential_seed, S),                                    \
		.state = NAME(sequential_state, S), .emit = NAME(row_emit, S), .restart = NAME(sequential_restart, S), \
		.push = PASTE2(NAME(sequential_push, P), variant)                                                      \
	}

const struct operator_loops PASTE2(operator_loops_, OP) = {
	.sequential =
		{
#define CODE_OF SEQUENTIAL_CODE
#define VARIANT_OF
#include "rows/rows_variants.inc"
		},
#if (OP_ANY_ORDER) & TYPES_INTEGER
	.sequential[0][TYPE_I64].push_each = PASTE2(NAME(sequential_push_each, PLAIN(i64)), _plain),
#if OP_OVERFLOWS
	.sequential[ROW_CHECKED][TYPE_I64].push_each = PASTE2(NAME(sequential_push_each, i64), _checked),
#endif
#endif
#if COLUMN_TYPES
	.columns =
		{
			[0] =
				{
#define ROW_TYPES COLUMN_TYPES
#define CODE(T) PASTE2(NAME(row_push_records, PLAIN(T)), _plain)
#include "rows/rows_table.inc"
				},
#if COLUMN_CHECKED_TYPES
			[1] =
				{
#define ROW_TYPES COLUMN_CHECKED_TYPES
#define CODE(T) PASTE2(NAME(row_push_records, T), _checked)
#include "rows/rows_table.inc"
				},
#endif
		},
#endif
	.segments =
		{
			[0] =
				{
#define ROW_TYPES ALL_PLAIN_TYPES
#define CODE(T) PASTE2(NAME(short_segments, PLAIN(T)), _plain)
#include "rows/rows_table.inc"
				},
#if CHECKED_TYPES
			[1] =
				{
#define ROW_TYPES CHECKED_TYPES
#define CODE(T) PASTE2(NAME(short_segments, T), _checked)
#include "rows/rows_table.inc"
				},
#endif
		},
	.states =
		{
#define ROW_TYPES OP_TYPES
#define CODE(T) LISTED(NAME(state_members, T), NAME(state, T))
#include "rows/rows_table.inc"
		},
#ifdef OP_CARRY_MEMBERS_f32
	.carries =
		{
#define ROW_TYPES TYPES_FLOAT
#define CODE(T) LISTED(NAME(carry_members, T), NAME(carry, T))
#include "rows/rows_table.inc"
		},
#endif
};
