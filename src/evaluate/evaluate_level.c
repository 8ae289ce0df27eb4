/* The loops of the evaluator for one level of instruction sets, LEVEL: baseline, v3 or v4. */
#include "evaluate/evaluate_loops.h"

#include <math.h>
#include <string.h>

#include "types.h"
#include "row_types.h"

#ifndef LEVEL
#define LEVEL baseline
#endif

/* For loops whose elements are independent, although `to` may be one of the operands. */
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined __GNUC__
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* Slots have numbers of any type, one after the other. */
typedef i32 IN_ANY_MEMORY any_i32;
typedef u32 IN_ANY_MEMORY any_u32;
typedef i64 IN_ANY_MEMORY any_i64;
typedef u64 IN_ANY_MEMORY any_u64;
typedef f32 IN_ANY_MEMORY any_f32;
typedef f64 IN_ANY_MEMORY any_f64;

/* The loop NAME_T. Element i of its results, of type R, is the expression E of a[i], b[i] and c[i], of type T. */
#define STEP_LOOP(NAME, T, R, E) STEP_LOOP_OF(NAME, T, any_##T, any_##R, INDEPENDENT, E)
/* STEP_LOOP without the request for vectors, which compilers do not have for these. */
#define SCALAR_LOOP(NAME, T, R, E) STEP_LOOP_OF(NAME, T, any_##T, any_##R, , E)
#define STEP_LOOP_OF(NAME, T, A, R, PRAGMA, E)                         \
	static void NAME##_##T(const struct operands *o, size_t count) \
	{                                                              \
		const A *const a = o->in[0];                           \
		const any_##T *const b = o->in[1];                     \
		const any_##T *const c = o->in[2];                     \
		R *const to = o->to;                                   \
		(void)b;                                               \
		(void)c;                                               \
		PRAGMA                                                 \
		for (size_t i = 0; i < count; i++)                     \
			to[i] = (E);                                   \
	}

#include "evaluate/evaluate_integers.inc"

#include "evaluate/evaluate_constants.inc"

#include "evaluate/evaluate_floats.inc"

#define INTEGER_TABLE(B)                                                                               \
	{                                                                                              \
		[TYPE_I32] = B##_u32, [TYPE_U32] = B##_u32, [TYPE_I64] = B##_u64, [TYPE_U64] = B##_u64 \
	}
#define SIGNED_TABLE(B)                                                                                \
	{                                                                                              \
		[TYPE_I32] = B##_i32, [TYPE_U32] = B##_u32, [TYPE_I64] = B##_i64, [TYPE_U64] = B##_u64 \
	}
#define UNSIGNED_TABLE(B)                                  \
	{                                                  \
		[TYPE_U32] = B##_u32, [TYPE_U64] = B##_u64 \
	}
#define FLOAT_TABLE(B)                                     \
	{                                                  \
		[TYPE_F32] = B##_f32, [TYPE_F64] = B##_f64 \
	}
/* Integers without regard to their sign, and floats. */
#define BITS_TABLE(B)                                                                                   \
	{                                                                                               \
		[TYPE_I32] = B##_u32, [TYPE_U32] = B##_u32, [TYPE_I64] = B##_u64, [TYPE_U64] = B##_u64, \
		[TYPE_F32] = B##_f32, [TYPE_F64] = B##_f64                                              \
	}
#define FULL_TABLE(B)                                                                                   \
	{                                                                                               \
		[TYPE_I32] = B##_i32, [TYPE_U32] = B##_u32, [TYPE_I64] = B##_i64, [TYPE_U64] = B##_u64, \
		[TYPE_F32] = B##_f32, [TYPE_F64] = B##_f64                                              \
	}

#define CONVERT_TABLE(B, S)                                                                                        \
	{                                                                                                          \
		[TYPE_I32] = B##_i32##S, [TYPE_U32] = B##_u32##S, [TYPE_I64] = B##_i64##S, [TYPE_U64] = B##_u64##S \
	}

#define choose_f32 choose_u32
#define choose_f64 choose_u64

const struct evaluate_loops PASTE2(evaluate_loops_, LEVEL) = {
	.steps =
		{
			[STEP_CONVERT] = CONVERT_TABLE(convert_to, _f64),
			[STEP_MINUS] = BITS_TABLE(minus),
			[STEP_NOT] = INTEGER_TABLE(not ),
			[STEP_ADD] = BITS_TABLE(add),
			[STEP_SUBTRACT] = BITS_TABLE(subtract),
			[STEP_MULTIPLY] = BITS_TABLE(multiply),
			[STEP_DIVIDE] = FULL_TABLE(divide),
			[STEP_REMAINDER] = SIGNED_TABLE(remainder),
			[STEP_AND] = INTEGER_TABLE(and),
			[STEP_OR] = INTEGER_TABLE(or),
			[STEP_XOR] = INTEGER_TABLE(xor),
			[STEP_SHIFT_LEFT] = INTEGER_TABLE(shift_left),
			[STEP_SHIFT_RIGHT] = SIGNED_TABLE(shift_right),
			[STEP_EQUAL] = BITS_TABLE(equal),
			[STEP_NOT_EQUAL] = BITS_TABLE(not_equal),
			[STEP_LESS] = FULL_TABLE(less),
			[STEP_LESS_EQUAL] = FULL_TABLE(less_equal),
			[STEP_IS_NAN] = FLOAT_TABLE(is_nan),
			[STEP_CHOOSE] = BITS_TABLE(choose),
			[STEP_ABS] = FULL_TABLE(abs),
			[STEP_MIN] = FULL_TABLE(min),
			[STEP_MAX] = FULL_TABLE(max),
			[STEP_FLOOR] = FLOAT_TABLE(floor),
			[STEP_CEIL] = FLOAT_TABLE(ceil),
			[STEP_TRUNC] = FLOAT_TABLE(trunc),
			[STEP_ROUND] = FLOAT_TABLE(round),
			[STEP_SQRT] = FLOAT_TABLE(sqrt),
			[STEP_FMA] = FLOAT_TABLE(fma),
		},
	.by_constant = {SIGNED_TABLE(divide_by), SIGNED_TABLE(remainder_by)},
	.by_power = {UNSIGNED_TABLE(divide_by_power), UNSIGNED_TABLE(remainder_by_power)},
	.checks =
		{
			[STEP_CONVERT] = CONVERT_TABLE(convert_check, ),
			[STEP_DIVIDE] = SIGNED_TABLE(divide_check),
			[STEP_REMAINDER] = INTEGER_TABLE(divide_check),
		},
	.low_half = low_half_u64,
	.u64_to_f64 = to_f64_u64,
	.write_nans = FLOAT_TABLE(write_nans),
};
