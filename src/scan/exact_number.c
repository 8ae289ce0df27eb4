/* Does the steps for one element. A step whose result is not exact gives a float without a value, and so does a step
 * that needs such an operand. If the expression's value is such a float, all steps are done again with doubles. */
#include "scan/exact_number.h"

#include <math.h>

#include "number/powers.h"

/* An integer of 256 bits. */
struct integer256 {
	bool is_negative;
	uint64_t words[4]; /* The magnitude, from the least significant word. */
};

static const struct exact_number not_exact = {.own = OWN_SCALE_FLOAT};

static uint128 magnitude_of(int128 m)
{
	return m < 0 ? 0 - (uint128)m : (uint128)m;
}

static struct integer256 multiply_wide(int128 a, int128 b)
{
	const uint128 x = magnitude_of(a);
	const uint128 y = magnitude_of(b);
	const uint64_t left[2] = {(uint64_t)x, (uint64_t)(x >> 64)};
	const uint64_t right[2] = {(uint64_t)y, (uint64_t)(y >> 64)};
	struct integer256 product = {.is_negative = (a < 0) != (b < 0)};
	for (size_t i = 0; i < 2; i++) {
		uint64_t carry = 0;
		for (size_t j = 0; j < 2; j++) {
			const uint128 sum = (uint128)left[i] * right[j] + product.words[i + j] + carry;
			product.words[i + j] = (uint64_t)sum;
			carry = (uint64_t)(sum >> 64);
		}
		product.words[i + 2] = carry;
	}
	return product;
}

/* Divides the magnitude by 10. Returns the remainder. */
static unsigned divide_by_ten(struct integer256 *x)
{
	uint64_t rest = 0;
	for (size_t i = 4; i-- > 0;) {
		const uint128 part = (uint128)rest << 64 | x->words[i];
		x->words[i] = (uint64_t)(part / 10);
		rest = (uint64_t)(part % 10);
	}
	return (unsigned)rest;
}

/* Sets *m to x if it fits. */
static bool narrow(const struct integer256 *x, int128 *m)
{
	const uint128 magnitude = (uint128)x->words[1] << 64 | x->words[0];
	const uint128 limit = ((uint128)1 << 127) - (x->is_negative ? 0 : 1);
	if ((x->words[2] | x->words[3]) != 0 || magnitude > limit)
		return false;
	*m = (int128)(x->is_negative ? 0 - magnitude : magnitude);
	return true;
}

/* Adds an i128 to x, whose magnitude is less than 2^192. */
static void add_wide(struct integer256 *x, int128 addend)
{
	uint64_t words[4]; /* The sum in two's complement. */
	const uint64_t flip = x->is_negative ? UINT64_MAX : 0;
	const uint64_t extension = addend < 0 ? UINT64_MAX : 0;
	const uint64_t addends[4] = {(uint64_t)addend, (uint64_t)((uint128)addend >> 64), extension, extension};
	uint64_t carry = x->is_negative ? 1 : 0;
	for (size_t i = 0; i < 4; i++) {
		const uint128 sum = (uint128)(x->words[i] ^ flip) + addends[i] + carry;
		words[i] = (uint64_t)sum;
		carry = (uint64_t)(sum >> 64);
	}
	x->is_negative = words[3] >> 63 != 0;
	carry = x->is_negative ? 1 : 0;
	for (size_t i = 0; i < 4; i++) {
		const uint128 sum = (uint128)(x->is_negative ? ~words[i] : words[i]) + carry;
		x->words[i] = (uint64_t)sum;
		carry = (uint64_t)(sum >> 64);
	}
}

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

/* a + b, or a - b. */
static struct exact_number add(const struct exact_number *a, const struct exact_number *b, bool subtracts)
{
	const unsigned scale = scale_of(a) > scale_of(b) ? scale_of(a) : scale_of(b);
	const int128 a_factor = power_of_ten_u64[scale - scale_of(a)];
	const int128 b_factor = power_of_ten_u64[scale - scale_of(b)];
	const bool is_negative = has_minus(a) && has_minus(b) != subtracts;
	int128 x;
	int128 y;
	int128 sum;
	if (scale_of(a) == scale_of(b) && !(subtracts ? __builtin_sub_overflow(a->mantissa, b->mantissa, &sum)
						      : __builtin_add_overflow(a->mantissa, b->mantissa, &sum)))
		return decimal_of(sum, scale, is_negative);
	if (!__builtin_mul_overflow(a->mantissa, a_factor, &x) && !__builtin_mul_overflow(b->mantissa, b_factor, &y) &&
	    !(subtracts ? __builtin_sub_overflow(x, y, &sum) : __builtin_add_overflow(x, y, &sum)))
		return decimal_of(sum, scale, is_negative);
	/* One of the factors is 1, so only the other operand can be wider than 128 bits. */
	const bool a_is_wide = a_factor != 1;
	struct integer256 wide =
		a_is_wide ? multiply_wide(a->mantissa, a_factor) : multiply_wide(b->mantissa, b_factor);
	if (a_is_wide && subtracts) {
		/* a - b is -(b - a), and b is the one that can be added. */
		wide.is_negative = !wide.is_negative;
		add_wide(&wide, b->mantissa);
		wide.is_negative = !wide.is_negative;
	} else {
		wide.is_negative = wide.is_negative != subtracts;
		add_wide(&wide, a_is_wide ? b->mantissa : a->mantissa);
	}
	return narrow(&wide, &sum) ? decimal_of(sum, scale, is_negative) : not_exact;
}

static struct exact_number multiply(const struct exact_number *a, const struct exact_number *b)
{
	const bool is_negative = has_minus(a) != has_minus(b);
	unsigned scale = scale_of(a) + scale_of(b);
	int128 m;
	if (scale <= DECIMAL_SCALE_MAX)
		return __builtin_mul_overflow(a->mantissa, b->mantissa, &m) ? not_exact
									    : decimal_of(m, scale, is_negative);
	struct integer256 wide = multiply_wide(a->mantissa, b->mantissa);
	for (; scale > DECIMAL_SCALE_MAX; scale--) {
		if (divide_by_ten(&wide) != 0)
			return not_exact;
	}
	return narrow(&wide, &m) ? decimal_of(m, scale, is_negative) : not_exact;
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
