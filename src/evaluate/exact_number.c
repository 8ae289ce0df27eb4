/* Does the steps for one element. A step whose result is not exact gives a float without a value, and so does a step
 * that needs such an operand. If the expression's value is such a float, all steps are done again with doubles. */
#include "evaluate/exact_number.h"

#include <math.h>

#include "number/powers.h"

static const struct exact_number not_exact = {.own = OWN_SCALE_FLOAT};

static unsigned scale_of(const struct exact_number *x)
{
	return x->own & OWN_SCALE_MASK;
}

static bool is_float(const struct exact_number *x)
{
	return (x->own & OWN_SCALE_FLOAT) != 0;
}

/* Whether the sign of x is minus: of 0, too. */
static bool has_minus(const struct exact_number *x)
{
	return x->mantissa < 0 || (x->own & OWN_SCALE_NEGATIVE_ZERO) != 0;
}

/* A decimal. is_negative: a 0 is -0. */
static struct exact_number decimal_of(int128 mantissa, unsigned scale, bool is_negative)
{
	const unsigned flag = mantissa == 0 && is_negative ? OWN_SCALE_NEGATIVE_ZERO : 0;
	return (struct exact_number){.mantissa = mantissa, .own = (unsigned char)(scale | flag)};
}

static struct exact_number truth_of(bool truth)
{
	return decimal_of(truth ? 1 : 0, 0, false);
}

/* -a, without the sign of a 0; false if it does not fit. */
static bool negate(int128 a, int128 *negated)
{
	return !__builtin_sub_overflow((int128)0, a, negated);
}

/* Sets *sum to a * factor + b, or if it subtracts to a * factor - b. False if that does not fit. */
static bool multiply_and_add(int128 a, int128 factor, int128 b, bool subtracts, int128 *sum)
{
	if (!__builtin_mul_overflow(a, factor, sum))
		return !(subtracts ? __builtin_sub_overflow(*sum, b, sum) : __builtin_add_overflow(*sum, b, sum));
	/* The product alone does not fit, so the sum has the sign of a. Of b as many times the factor as its rest then
	 * has this sign, too, are added before the product is made: no step is farther from 0 than the sum. */
	int128 times = subtracts ? -(b / factor) : b / factor;
	int128 rest = subtracts ? -(b % factor) : b % factor;
	if (a < 0 && rest > 0) {
		rest -= factor;
		times++;
	} else if (a > 0 && rest < 0) {
		rest += factor;
		times--;
	}
	return !__builtin_add_overflow(a, times, &a) && !__builtin_mul_overflow(a, factor, sum) &&
	       !__builtin_add_overflow(*sum, rest, sum);
}

/* a + b, or a - b. */
static struct exact_number add(const struct exact_number *a, const struct exact_number *b, bool subtracts)
{
	const unsigned scale = scale_of(a) > scale_of(b) ? scale_of(a) : scale_of(b);
	const int128 a_factor = power_of_ten_u64[scale - scale_of(a)];
	const int128 b_factor = power_of_ten_u64[scale - scale_of(b)];
	const bool is_negative = has_minus(a) && has_minus(b) != subtracts;
	int128 x = b->mantissa;
	int128 sum;
	if (scale_of(a) == scale_of(b))
		return (subtracts ? __builtin_sub_overflow(a->mantissa, b->mantissa, &sum)
				  : __builtin_add_overflow(a->mantissa, b->mantissa, &sum))
			       ? not_exact
			       : decimal_of(sum, scale, is_negative);
	/* (Ten times the least integer is not near a number that fits.) */
	const bool fits = a_factor != 1 ? multiply_and_add(a->mantissa, a_factor, b->mantissa, subtracts, &sum)
					: (!subtracts || negate(x, &x)) &&
						  multiply_and_add(x, b_factor, a->mantissa, false, &sum);
	return fits ? decimal_of(sum, scale, is_negative) : not_exact;
}

/* Divides one of two integers by a prime number. False if that divides neither. */
static bool divide_one(int128 *a, int128 *b, int prime)
{
	int128 *const one = *a % prime == 0 ? a : b;
	const bool divides = *one % prime == 0;
	*one = divides ? *one / prime : *one;
	return divides;
}

static struct exact_number multiply(const struct exact_number *a, const struct exact_number *b)
{
	const bool is_negative = has_minus(a) != has_minus(b);
	unsigned scale = scale_of(a) + scale_of(b);
	int128 x = a->mantissa;
	int128 y = b->mantissa;
	int128 m;
	/* The product must be a multiple of ten for each decimal that is too many. */
	for (; scale > DECIMAL_SCALE_MAX; scale--) {
		if (!divide_one(&x, &y, 2) || !divide_one(&x, &y, 5))
			return not_exact;
	}
	return __builtin_mul_overflow(x, y, &m) ? not_exact : decimal_of(m, scale, is_negative);
}

/* -1, 0 or 1: whether a is less than, equal to or greater than b. */
static int compare(const struct exact_number *a, const struct exact_number *b)
{
	const unsigned scale = scale_of(a) > scale_of(b) ? scale_of(a) : scale_of(b);
	int128 x;
	int128 y;
	/* A product that does not fit is farther from 0 than the other number, which has been multiplied by 1. */
	if (__builtin_mul_overflow(a->mantissa, (int128)power_of_ten_u64[scale - scale_of(a)], &x))
		return a->mantissa < 0 ? -1 : 1;
	if (__builtin_mul_overflow(b->mantissa, (int128)power_of_ten_u64[scale - scale_of(b)], &y))
		return b->mantissa < 0 ? 1 : -1;
	return x < y ? -1 : x > y ? 1 : 0;
}

static struct exact_number to_integer(enum step_code code, const struct exact_number *a)
{
	const int128 one = power_of_ten_u64[scale_of(a)];
	int128 m = a->mantissa / one;
	const int128 rest = a->mantissa % one;
	if (code == STEP_FLOOR && rest < 0)
		m--;
	else if (code == STEP_CEIL && rest > 0)
		m++;
	else if (code == STEP_ROUND && rest != 0 && rest >= one / 2)
		m++;
	else if (code == STEP_ROUND && rest != 0 && -rest >= one / 2)
		m--;
	return decimal_of(m, 0, has_minus(a));
}

/* A step with operands that are exact. b is a if the step has one operand. */
static struct exact_number do_exact(enum step_code code, const struct exact_number *a, const struct exact_number *b)
{
	int128 m;
	switch ((int)code) {
	case STEP_MINUS:
		return negate(a->mantissa, &m) ? decimal_of(m, scale_of(a), !has_minus(a)) : not_exact;
	case STEP_ABS:
		if (a->mantissa >= 0)
			return decimal_of(a->mantissa, scale_of(a), false);
		return negate(a->mantissa, &m) ? decimal_of(m, scale_of(a), false) : not_exact;
	case STEP_ADD:
		return add(a, b, false);
	case STEP_SUBTRACT:
		return add(a, b, true);
	case STEP_MULTIPLY:
		return multiply(a, b);
	case STEP_NOT_EQUAL:
		return truth_of(compare(a, b) != 0);
	case STEP_EQUAL:
		return truth_of(compare(a, b) == 0);
	case STEP_LESS:
		return truth_of(compare(a, b) < 0);
	case STEP_LESS_EQUAL:
		return truth_of(compare(a, b) <= 0);
	case STEP_MIN:
		return compare(b, a) < 0 ? *b : *a;
	case STEP_MAX:
		return compare(a, b) < 0 ? *b : *a;
	default:
		return to_integer(code, a);
	}
}

/* A step. What &&, || and ?: leave out need not be exact. */
static struct exact_number do_step(const struct step *s, const struct exact_number *slots)
{
	const struct exact_number *a = &slots[s->in[0]];
	const struct exact_number *b = s->in[1] != SLOT_NONE ? &slots[s->in[1]] : a;
	if (is_float(a))
		return *a;
	if (s->code == STEP_CHOOSE)
		return a->mantissa != 0 ? *b : slots[s->in[2]];
	if (s->code == STEP_AND || s->code == STEP_OR)
		return (a->mantissa != 0) == (s->code == STEP_OR) ? *a : *b;
	if (is_float(b))
		return not_exact;
	return do_exact((enum step_code)s->code, a, b);
}

/* A step with doubles. Truths are 1 and 0. */
static double do_float(const struct step *s, const double *floats)
{
	const double a = floats[s->in[0]];
	const double b = s->in[1] != SLOT_NONE ? floats[s->in[1]] : 0.0;
	switch ((int)s->code) {
	case STEP_MINUS:
		return -a;
	case STEP_ABS:
		return fabs(a);
	case STEP_ADD:
		return a + b;
	case STEP_SUBTRACT:
		return a - b;
	case STEP_MULTIPLY:
		return a * b;
	case STEP_AND:
		return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
	case STEP_OR:
		return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
	case STEP_NOT_EQUAL:
		return a != b ? 1.0 : 0.0;
	case STEP_EQUAL:
		return a == b ? 1.0 : 0.0;
	case STEP_LESS:
		return a < b ? 1.0 : 0.0;
	case STEP_LESS_EQUAL:
		return a <= b ? 1.0 : 0.0;
	case STEP_CHOOSE:
		return a != 0.0 ? b : floats[s->in[2]];
	case STEP_MIN:
		return b < a ? b : a;
	case STEP_MAX:
		return a < b ? b : a;
	case STEP_FLOOR:
		return floor(a);
	case STEP_CEIL:
		return ceil(a);
	case STEP_TRUNC:
		return trunc(a);
	default:
		return round(a);
	}
}

static double to_f64(const struct exact_number *x)
{
	union value m = decimal_wide(x->mantissa);
	if (is_float(x))
		m.f64 = x->f64;
	return decimal_own_to_f64(&m, &type_table[TYPE_I128], scale_of(x), x->own);
}

struct exact_number exact_number_at(const struct exact_column *k, size_t i)
{
	struct exact_number x = {.own = k->scales[i]};
	union value v = {.i64 = 0};
	memcpy(&v, k->numbers + i * k->step, k->step);
	if (k->is_narrow && k->scale == scale_of(&x))
		x.mantissa = v.i64;
	else if (k->is_narrow)
		x.mantissa = v.i64 / (int64_t)power_of_ten_u64[k->scale - scale_of(&x)];
	else if (is_float(&x))
		x.f64 = v.f64;
	else
		x.mantissa = decimal_value(&v, &type_table[TYPE_I128]);
	return x;
}

struct exact_number exact_number_of(const struct expression_constant *c)
{
	if (c->type != TYPE_I128)
		return truth_of(c->value.i32 != 0);
	return decimal_of(decimal_value(&c->value, &type_table[TYPE_I128]), c->scale, false);
}

struct exact_number exact_number_evaluate(const struct expression *e, struct exact_number *slots, double *floats)
{
	for (size_t i = 0; i < e->step_count; i++)
		exact_number_put(&slots[e->steps[i].to], do_step(&e->steps[i], slots));
	struct exact_number result = slots[e->result];
	if (!is_float(&result))
		return result;
	for (size_t j = 0; j < e->input_count + e->constant_count; j++) {
		if (j >= e->input_count || e->used[j])
			floats[j] = to_f64(&slots[j]);
	}
	for (size_t i = 0; i < e->step_count; i++)
		floats[e->steps[i].to] = do_float(&e->steps[i], floats);
	result.f64 = floats[e->result];
	return result;
}

struct exact_evaluator *exact_evaluator_new(const struct expression *e)
{
	const size_t slots = e->slot_count;
	struct exact_evaluator *v = memory_new(sizeof *v + slots * (sizeof v->slots[0] + sizeof *v->floats));
	if (v == NULL)
		return NULL;
	v->expression = e;
	v->floats = (double *)(void *)(v->slots + slots);
	for (size_t k = 0; k < e->constant_count; k++)
		v->slots[e->input_count + k] = exact_number_of(&e->constants[k]);
	return v;
}

struct exact_number exact_evaluator_run(struct exact_evaluator *v)
{
	return exact_number_evaluate(v->expression, v->slots, v->floats);
}
