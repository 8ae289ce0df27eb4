/* The steps of expressions (language/expression.h) on single numbers, in plain arithmetic: integers in 128 bits, and
 * f32 in doubles, whose second rounding changes no result. */
#ifndef PSCAN_TESTS_UNIT_EVALUATE_ORACLE_H
#define PSCAN_TESTS_UNIT_EVALUATE_ORACLE_H

#include <math.h>

#include "language/expression.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

static inline wide whole_of(const struct type *t, const union value *v)
{
	switch (t->id) {
	case TYPE_I8:
		return v->i8;
	case TYPE_U8:
		return v->u8;
	case TYPE_I16:
		return v->i16;
	case TYPE_U16:
		return v->u16;
	case TYPE_I32:
		return v->i32;
	case TYPE_U32:
		return v->u32;
	case TYPE_I64:
		return v->i64;
	case TYPE_U64:
		return v->u64;
	case TYPE_F32:
	case TYPE_F64:
	case TYPE_I128:
	case TYPE_COUNT:
		break;
	}
	return 0;
}

/* The lowest bits of x. */
static inline union value integer(const struct type *t, uwide x)
{
	union value v = {0};
	if (t->size == 1)
		v.u8 = (uint8_t)x;
	else if (t->size == 2)
		v.u16 = (uint16_t)x;
	else if (t->size == 4)
		v.u32 = (uint32_t)x;
	else
		v.u64 = (uint64_t)x;
	return v;
}

static inline union value truth(bool is_true)
{
	return (union value){.i32 = is_true};
}

static inline double float_of(const struct type *t, const union value *v)
{
	return t->id == TYPE_F32 ? (double)v->f32 : v->f64;
}

static inline union value floating(const struct type *t, double x)
{
	return t->id == TYPE_F32 ? (union value){.f32 = (float)x} : (union value){.f64 = x};
}

static inline wide least_of(const struct type *t)
{
	return t->kind == KIND_SIGNED ? -((wide)1 << (8 * t->size - 1)) : 0;
}

static inline wide greatest_of(const struct type *t)
{
	return ((wide)1 << (8 * t->size - (t->kind == KIND_SIGNED))) - 1;
}

/* x without its fraction, digit by digit of its binary form. */
static inline double truncated(double x)
{
	if (!(fabs(x) < 0x1p53))
		return x;
	return copysign((double)(uint64_t)fabs(x), x);
}

/* What one element becomes. */
struct expected {
	union value value;
	bool bad;
};

static inline struct expected convert_one(const struct type *from, const struct type *t, const union value *a)
{
	struct expected e = {.bad = false};
	if (from->kind != KIND_FLOAT && t->kind != KIND_FLOAT) {
		e.value = integer(t, (uwide)whole_of(from, a));
	} else if (from->kind != KIND_FLOAT) {
		/* Doubles do not have all these integers, which must be rounded once. */
		const wide x = whole_of(from, a);
		e.value = t->id == TYPE_F32 ? (union value){.f32 = (float)x} : (union value){.f64 = (double)x};
	} else if (t->kind == KIND_FLOAT) {
		e.value = floating(t, float_of(from, a));
	} else {
		const double x = truncated(float_of(from, a));
		e.bad = !(fabs(x) <= 0x1p64) || (wide)x < least_of(t) || (wide)x > greatest_of(t);
		e.value = integer(t, e.bad ? 0 : (uwide)(wide)x);
	}
	return e;
}

static inline struct expected integer_one(enum step_code code, const struct type *t, const union value v[3])
{
	const unsigned bits = 8 * (unsigned)t->size;
	const wide a = whole_of(t, &v[0]);
	const wide b = whole_of(t, &v[1]);
	const unsigned shift = (unsigned)b & (bits - 1);
	switch ((int)code) {
	case STEP_MINUS:
		return (struct expected){integer(t, (uwide)-a), false};
	case STEP_NOT:
		return (struct expected){integer(t, (uwide)(-a - 1)), false};
	case STEP_ADD:
		return (struct expected){integer(t, (uwide)(a + b)), false};
	case STEP_SUBTRACT:
		return (struct expected){integer(t, (uwide)(a - b)), false};
	case STEP_MULTIPLY:
		return (struct expected){integer(t, (uwide)a * (uwide)b), false};
	case STEP_DIVIDE:
		if (b == 0 || a / b > greatest_of(t))
			return (struct expected){.bad = true};
		return (struct expected){integer(t, (uwide)(a / b)), false};
	case STEP_REMAINDER:
		if (b == 0)
			return (struct expected){.bad = true};
		return (struct expected){integer(t, (uwide)(a % b)), false};
	case STEP_AND:
		return (struct expected){integer(t, (uwide)a & (uwide)b), false};
	case STEP_OR:
		return (struct expected){integer(t, (uwide)a | (uwide)b), false};
	case STEP_XOR:
		return (struct expected){integer(t, (uwide)a ^ (uwide)b), false};
	case STEP_SHIFT_LEFT:
		return (struct expected){integer(t, (uwide)a << shift), false};
	case STEP_SHIFT_RIGHT: {
		const wide unit = (wide)1 << shift;
		return (struct expected){integer(t, (uwide)(a >= 0 ? a / unit : -((-a + unit - 1) / unit))), false};
	}
	case STEP_EQUAL:
		return (struct expected){truth(a == b), false};
	case STEP_NOT_EQUAL:
		return (struct expected){truth(a != b), false};
	case STEP_LESS:
		return (struct expected){truth(a < b), false};
	case STEP_LESS_EQUAL:
		return (struct expected){truth(a <= b), false};
	case STEP_ABS:
		return (struct expected){integer(t, (uwide)(a < 0 ? -a : a)), false};
	case STEP_MIN:
		return (struct expected){v[b < a], false};
	case STEP_MAX:
		return (struct expected){v[a < b], false};
	default:
		return (struct expected){.bad = true};
	}
}

static inline double function_one(enum step_code code, const struct type *t, double a, double b, double c)
{
	const bool is_single = t->id == TYPE_F32;
	const double whole = truncated(a);
	switch ((int)code) {
	case STEP_FLOOR:
		return whole > a ? whole - 1 : whole;
	case STEP_CEIL:
		return whole < a ? copysign(whole + 1, a) : whole;
	case STEP_TRUNC:
		return whole;
	case STEP_ROUND:
		return fabs(a) < 0x1p53 && fabs(a) - fabs(whole) >= 0.5 ? copysign(fabs(whole) + 1, a) : whole;
	case STEP_SQRT:
		return sqrt(a);
	case STEP_FMA:
		return is_single ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
#define LIBRARY_1(CODE, g) \
	case STEP_##CODE:  \
		return is_single ? (double)g##f((float)a) : g(a);
#define LIBRARY_2(CODE, g) \
	case STEP_##CODE:  \
		return is_single ? (double)g##f((float)a, (float)b) : g(a, b);
		LIBRARY_1(EXP, exp)
		LIBRARY_1(LOG, log)
		LIBRARY_1(LOG2, log2)
		LIBRARY_1(LOG10, log10)
		LIBRARY_2(POW, pow)
		LIBRARY_1(SIN, sin)
		LIBRARY_1(COS, cos)
		LIBRARY_1(TAN, tan)
		LIBRARY_2(ATAN2, atan2)
		LIBRARY_2(HYPOT, hypot)
	default:
		return 0;
	}
}

static inline struct expected float_one(enum step_code code, const struct type *t, const union value v[3])
{
	const double a = float_of(t, &v[0]);
	const double b = float_of(t, &v[1]);
	switch ((int)code) {
	case STEP_MINUS:
		return (struct expected){floating(t, copysign(a, signbit(a) ? 1 : -1)), false};
	case STEP_ADD:
		return (struct expected){floating(t, a + b), false};
	case STEP_SUBTRACT:
		return (struct expected){floating(t, a - b), false};
	case STEP_MULTIPLY:
		return (struct expected){floating(t, a * b), false};
	case STEP_DIVIDE:
		return (struct expected){floating(t, a / b), false};
	case STEP_EQUAL:
		return (struct expected){truth(a == b), false};
	case STEP_NOT_EQUAL:
		return (struct expected){truth(!(a == b)), false};
	case STEP_LESS:
		return (struct expected){truth(a < b), false};
	case STEP_LESS_EQUAL:
		return (struct expected){truth(a <= b), false};
	case STEP_IS_NAN:
		return (struct expected){truth(!(a <= 0) && !(a >= 0)), false};
	case STEP_ABS:
		return (struct expected){floating(t, copysign(a, 1)), false};
	case STEP_MIN:
		return (struct expected){v[b < a], false};
	case STEP_MAX:
		return (struct expected){v[a < b], false};
	default:
		return (struct expected){floating(t, function_one(code, t, a, b, float_of(t, &v[2]))), false};
	}
}

static inline struct expected one(const struct step *s, const union value v[3])
{
	const enum step_code code = (enum step_code)s->code;
	const struct type *t = &type_table[s->type];
	if (code == STEP_CONVERT)
		return convert_one(&type_table[s->from], t, &v[0]);
	if (code == STEP_CHOOSE)
		return (struct expected){v[0].i32 == 1 ? v[1] : v[2], false};
	return t->kind == KIND_FLOAT ? float_one(code, t, v) : integer_one(code, t, v);
}

static inline bool gives_truth(enum step_code code)
{
	return code >= STEP_EQUAL && code <= STEP_IS_NAN;
}

/* Whether a step of this code has operands of type t. */
static inline bool step_has(enum step_code code, const struct type *t)
{
	const bool is_of_integers = code == STEP_NOT || (code >= STEP_REMAINDER && code <= STEP_SHIFT_RIGHT);
	const bool is_of_floats = code == STEP_IS_NAN || code >= STEP_FLOOR;
	return t->kind == KIND_FLOAT ? !is_of_integers : !is_of_floats;
}

static inline size_t operands_of(enum step_code code)
{
	if (code == STEP_FMA || code == STEP_CHOOSE)
		return 3;
	const bool has_one = code <= STEP_NOT || code == STEP_IS_NAN || code == STEP_ABS ||
			     (code >= STEP_FLOOR && code <= STEP_SQRT) || (code >= STEP_EXP && code <= STEP_LOG10) ||
			     (code >= STEP_SIN && code <= STEP_TAN);
	return has_one ? 1 : 2;
}

#endif
