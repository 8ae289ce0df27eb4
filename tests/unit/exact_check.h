/* Expressions and columns for the test of exact expressions, made by hand or at random, and their oracle: arithmetic
 * that is done digit by digit (big.h) and, for what is not exact, in the C library's doubles. */
#ifndef PSCAN_TESTS_EXACT_CHECK_H
#define PSCAN_TESTS_EXACT_CHECK_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decimal_check.h"
#include "evaluate/evaluate_exact.h"

#define INPUTS 3
#define CONSTANTS 4
#define SLOTS (INPUTS + CONSTANTS + 5)
#define STEPS_MAX 9
#define COUNT_MAX 1000

/* A number of the oracle: an integer of any size and a scale, or a float. A truth is 1 or 0. */
struct plain {
	struct big m;
	unsigned scale;
	bool minus; /* The sign of a 0, too. */
	bool is_float;
	double f64; /* Only of inputs. */
};

static const struct plain no_number = {.is_float = true};

static inline struct plain plain_of(const char *text)
{
	struct plain x = {.minus = text[0] == '-'};
	x.m = big_from_text(text, &x.scale);
	return x;
}

static inline struct plain plain_truth(bool truth)
{
	return plain_of(truth ? "1" : "0");
}

static inline struct plain plain_signed(struct big m, unsigned scale, bool minus_if_zero)
{
	return (struct plain){.m = m, .scale = scale, .minus = m.count > 0 ? m.negative : minus_if_zero};
}

/* Drops digits of the fraction. *rest: whether one of them is not 0. *half: whether they are at least a half. */
static inline struct big drop_digits(const struct big *m, unsigned digits, bool *rest, bool *half)
{
	struct big r = {.negative = m->negative};
	*rest = false;
	for (int i = 0; i < (int)digits && i < m->count; i++)
		*rest = *rest || m->digits[i] != 0;
	*half = digits > 0 && big_digit(m, (int)digits - 1) >= 5;
	for (int i = (int)digits; i < m->count; i++)
		r.digits[r.count++] = m->digits[i];
	big_trim(&r);
	return r;
}

static inline bool is_in_128_bits(const struct big *m)
{
	unsigned scale;
	const struct big least = big_from_text("-170141183460469231731687303715884105728", &scale);
	const struct big most = big_from_text("170141183460469231731687303715884105727", &scale);
	return big_compare(m, &least) >= 0 && big_compare(m, &most) <= 0;
}

/* The exact number with at most 18 decimals. */
static inline struct plain plain_fitted(struct plain x)
{
	bool rest = false;
	bool half;
	if (x.scale > DECIMAL_SCALE_MAX) {
		x.m = drop_digits(&x.m, x.scale - DECIMAL_SCALE_MAX, &rest, &half);
		x.scale = DECIMAL_SCALE_MAX;
	}
	return rest || !is_in_128_bits(&x.m) ? no_number : x;
}

static inline int plain_compare(const struct plain *a, const struct plain *b)
{
	const unsigned scale = a->scale > b->scale ? a->scale : b->scale;
	const struct big x = big_shift(&a->m, scale - a->scale);
	const struct big y = big_shift(&b->m, scale - b->scale);
	return big_compare(&x, &y);
}

static inline struct plain plain_add(const struct plain *a, const struct plain *b, bool subtracts)
{
	const unsigned scale = a->scale > b->scale ? a->scale : b->scale;
	const struct big x = big_shift(&a->m, scale - a->scale);
	struct big y = big_shift(&b->m, scale - b->scale);
	if (subtracts && y.count > 0)
		y.negative = !y.negative;
	const bool b_minus = b->minus != subtracts;
	return plain_fitted(plain_signed(big_add(&x, &y), scale, a->minus && b_minus));
}

static inline struct plain plain_integer(unsigned code, const struct plain *a)
{
	bool rest;
	bool half;
	unsigned scale;
	struct big r = drop_digits(&a->m, a->scale, &rest, &half);
	const struct big one = big_from_text(a->minus ? "-1" : "1", &scale);
	if ((code == STEP_FLOOR && rest && a->minus) || (code == STEP_CEIL && rest && !a->minus) ||
	    (code == STEP_ROUND && half))
		r = big_add(&r, &one);
	return plain_fitted(plain_signed(r, 0, a->minus));
}

static inline struct plain plain_step(const struct step *s, const struct plain *slots)
{
	const struct plain *a = &slots[s->in[0]];
	const struct plain *b = s->in[1] == SLOT_NONE ? a : &slots[s->in[1]];
	struct plain x = *a;
	if (a->is_float)
		return no_number;
	if (s->code == STEP_CHOOSE)
		return a->m.count > 0 ? *b : slots[s->in[2]];
	if (s->code == STEP_AND)
		return a->m.count > 0 ? *b : *a;
	if (s->code == STEP_OR)
		return a->m.count > 0 ? *a : *b;
	if (b->is_float)
		return no_number;
	switch ((int)s->code) {
	case STEP_MINUS:
		x.m.negative = x.m.count > 0 && !x.m.negative;
		x.minus = !x.minus;
		return plain_fitted(x);
	case STEP_ABS:
		x.m.negative = x.minus = false;
		return plain_fitted(x);
	case STEP_ADD:
		return plain_add(a, b, false);
	case STEP_SUBTRACT:
		return plain_add(a, b, true);
	case STEP_MULTIPLY:
		return plain_fitted(
			plain_signed(big_multiply(&a->m, &b->m), a->scale + b->scale, a->minus != b->minus));
	case STEP_EQUAL:
		return plain_truth(plain_compare(a, b) == 0);
	case STEP_NOT_EQUAL:
		return plain_truth(plain_compare(a, b) != 0);
	case STEP_LESS:
		return plain_truth(plain_compare(a, b) < 0);
	case STEP_LESS_EQUAL:
		return plain_truth(plain_compare(a, b) <= 0);
	case STEP_MIN:
		return plain_compare(b, a) < 0 ? *b : *a;
	case STEP_MAX:
		return plain_compare(a, b) < 0 ? *b : *a;
	default:
		return plain_integer(s->code, a);
	}
}

static inline double plain_f64(const struct plain *x)
{
	char text[BIG_TEXT_SIZE];
	if (x->is_float)
		return x->f64;
	const double magnitude = fabs(strtod(big_text(&x->m, x->scale, text), NULL));
	return x->minus ? -magnitude : magnitude;
}

static inline double f64_step(const struct step *s, const double *slots)
{
	const double a = slots[s->in[0]];
	const double b = s->in[1] == SLOT_NONE ? 0.0 : slots[s->in[1]];
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
		return a != 0.0 && b != 0.0;
	case STEP_OR:
		return a != 0.0 || b != 0.0;
	case STEP_EQUAL:
		return a == b;
	case STEP_NOT_EQUAL:
		return a != b;
	case STEP_LESS:
		return a < b;
	case STEP_LESS_EQUAL:
		return a <= b;
	case STEP_CHOOSE:
		return a != 0.0 ? b : slots[s->in[2]];
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

/* An expression with its parts, and the values of its constants. */
struct made {
	struct expression e;
	struct step steps[STEPS_MAX];
	struct expression_constant constants[CONSTANTS];
	bool used[INPUTS];
	struct plain constant_values[CONSTANTS];
};

static inline union value mantissa_of(const struct big *m)
{
	u128 bits = 0;
	for (int i = m->count; i-- > 0;)
		bits = bits * 10 + (unsigned char)m->digits[i];
	return value_of(m->negative ? 0 - bits : bits, i128_type);
}

static inline void make_constant(struct made *x, size_t k, const char *text, bool is_truth)
{
	const struct plain value = plain_of(text);
	x->constant_values[k] = value;
	x->constants[k] = (struct expression_constant){.type = is_truth ? TYPE_I32 : TYPE_I128, .scale = value.scale};
	if (is_truth)
		x->constants[k].value.i32 = value.m.count > 0;
	else
		x->constants[k].value = mantissa_of(&value.m);
}

static inline void make_begin(struct made *x)
{
	static const char *const texts[] = {"0",
					    "1",
					    "0.5",
					    "100",
					    "0.000000000000000001",
					    "-3.25",
					    "0.19",
					    "9223372036854775807",
					    "9223372036854775808",
					    "170141183460469231731687303715884105727"};
	*x = (struct made){.e = {.input_count = INPUTS,
				 .constant_count = CONSTANTS,
				 .slot_count = SLOTS,
				 .type = i128_type,
				 .is_exact = true,
				 .constants = x->constants,
				 .steps = x->steps,
				 .used = x->used}};
	make_constant(x, 0, texts[random_below(random_below(4) == 0 ? COUNT_OF(texts) : 7)], false);
	make_constant(x, 1, texts[random_below(2)], false);
	make_constant(x, 2, "0", true);
	make_constant(x, 3, "1", true);
}

static inline void make_step(struct made *x, unsigned code, unsigned type, unsigned to, unsigned a, unsigned b,
			     unsigned c)
{
	x->steps[x->e.step_count++] = (struct step){.code = (uint8_t)code,
						    .type = (uint8_t)type,
						    .to = (uint16_t)to,
						    .in = {(uint16_t)a, (uint16_t)b, (uint16_t)c},
						    .mask = SLOT_NONE};
	x->e.result = (uint16_t)to;
	const unsigned in[] = {a, b, c};
	for (size_t i = 0; i < COUNT_OF(in); i++) {
		if (in[i] < INPUTS)
			x->used[in[i]] = true;
	}
}

/* A random slot with a truth, or a decimal. */
static inline unsigned random_slot(const int *kinds, int kind)
{
	unsigned slot;
	do
		slot = random_below(SLOTS);
	while (kinds[slot] != kind);
	return slot;
}

enum { EMPTY, DECIMAL, TRUTH };

/* A random expression of `steps` steps, in which slots are used again. */
static inline void make_random(struct made *x, size_t steps)
{
	static const unsigned char of_one[] = {STEP_MINUS, STEP_ABS, STEP_FLOOR, STEP_CEIL, STEP_TRUNC, STEP_ROUND};
	static const unsigned char of_two[] = {STEP_ADD, STEP_SUBTRACT, STEP_MULTIPLY, STEP_MIN, STEP_MAX};
	static const unsigned char comparisons[] = {STEP_EQUAL, STEP_NOT_EQUAL, STEP_LESS, STEP_LESS_EQUAL};
	static const unsigned char of_truths[] = {STEP_AND, STEP_OR, STEP_EQUAL, STEP_NOT_EQUAL};
	int kinds[SLOTS] = {DECIMAL, DECIMAL, DECIMAL, DECIMAL, DECIMAL, TRUTH, TRUTH};
	make_begin(x);
	x->e.result = (uint16_t)random_below(INPUTS);
	x->used[x->e.result] = steps == 0;
	while (x->e.step_count < steps) {
		const bool is_last = x->e.step_count + 1 == steps;
		const unsigned what = random_below(is_last ? 8 : 12);
		const int in = what == 11 || what == 10 ? TRUTH : DECIMAL;
		const int out = what >= 8 ? TRUTH : DECIMAL;
		const bool chooses = what == 6 || what == 7 || (what == 10 && random_below(2) == 0);
		unsigned a = random_slot(kinds, chooses ? TRUTH : in);
		unsigned b = what < 2 ? SLOT_NONE : random_slot(kinds, in);
		unsigned c = chooses ? random_slot(kinds, in) : SLOT_NONE;
		/* What was just computed is used. */
		if (x->e.step_count > 0 && random_below(3) > 0 && kinds[x->e.result] == (chooses ? TRUTH : in))
			a = x->e.result;
		else if (x->e.step_count > 0 && b != SLOT_NONE && kinds[x->e.result] == in)
			b = x->e.result;
		const unsigned code = chooses     ? STEP_CHOOSE
				      : what < 2  ? of_one[random_below(sizeof of_one)]
				      : what < 6  ? of_two[random_below(sizeof of_two)]
				      : what < 10 ? comparisons[random_below(sizeof comparisons)]
						  : of_truths[random_below(sizeof of_truths)];
		unsigned to;
		do
			to = INPUTS + CONSTANTS + random_below(SLOTS - INPUTS - CONSTANTS);
		while (to == a || to == b || to == c);
		make_step(x, code, in == TRUTH ? TYPE_I32 : TYPE_I128, to, a, b, c);
		kinds[to] = out;
	}
}

/* A column with its values. */
struct column_made {
	struct exact_column k;
	struct plain values[COUNT_MAX];
};

enum kind {
	SMALL, /* Narrow; some million at a scale of at most 3. */
	NARROW, /* Narrow; anything. */
	WIDE, /* Anything exact. */
	MIXED, /* Floats, too. */
	KINDS
};

static inline s128 power_of(unsigned exponent)
{
	s128 p = 1;
	while (exponent-- > 0)
		p *= 10;
	return p;
}

/* A mantissa between -limit - 1 and limit: often 0, a power of ten, or near the limits. */
static inline s128 random_mantissa(s128 limit)
{
	const unsigned what = random_below(8);
	const s128 near = (s128)random_below(3);
	s128 m = (s128)((u128)random_value(i128_type).i128.lo);
	if (what == 0)
		return random_below(2) == 0 ? 0 : -1;
	if (what == 1)
		return random_below(2) == 0 ? limit - near : -limit - 1 + near;
	if (what == 2)
		m = power_of(random_below(38));
	else if (what < 6)
		m = random_below(1000);
	else
		m = (s128)bits_of(&(union value){.i128 = {.lo = random_u64(), .hi = random_u64()}}, i128_type) >>
		    random_below(127);
	while (m > limit || m < -limit - 1)
		m /= 10;
	return random_below(2) == 0 || m < -limit ? m : -m;
}

static inline void put_value(struct column_made *c, size_t i, s128 m, unsigned scale)
{
	const bool is_flagged = m == 0 && random_below(4) == 0;
	const union value wide = value_of((u128)m, i128_type);
	c->values[i] = plain_signed(big_from_value(&wide, i128_type), scale, is_flagged);
	c->k.scales[i] = (unsigned char)(scale | (is_flagged ? OWN_SCALE_NEGATIVE_ZERO : 0));
	if (c->k.is_narrow) {
		const int64_t narrow = (int64_t)(m * power_of(c->k.scale - scale));
		memcpy(c->k.numbers + i * sizeof narrow, &narrow, sizeof narrow);
	} else {
		memcpy(c->k.numbers + i * sizeof wide.i128, &wide, sizeof wide.i128);
	}
}

static inline void put_float(struct column_made *c, size_t i)
{
	static const double special[] = {-0.0, HUGE_VAL, -HUGE_VAL, 1e-30, 1e300, 0.5};
	const double x = random_below(4) == 0 ? (double)NAN : special[random_below(COUNT_OF(special))];
	c->values[i] = (struct plain){.is_float = true, .f64 = x};
	c->k.scales[i] = OWN_SCALE_FLOAT;
	memset(c->k.numbers + i * c->k.step, 0, c->k.step);
	memcpy(c->k.numbers + i * c->k.step, &x, sizeof x);
}

static inline void *room_for(size_t size)
{
	void *room = malloc(size > 0 ? size : 1);
	if (room == NULL)
		abort();
	return room;
}

static inline void fill(struct column_made *c, enum kind kind, size_t count)
{
	c->k.is_narrow = kind <= NARROW;
	c->k.step = c->k.is_narrow ? 8 : 16;
	c->k.scale = random_below(kind == SMALL ? 4 : random_below(2) == 0 ? 7 : DECIMAL_SCALE_MAX + 1);
	c->k.numbers = room_for(count * 16);
	c->k.scales = room_for(count);
	const unsigned scale_max = c->k.is_narrow || random_below(2) == 0 ? c->k.scale : DECIMAL_SCALE_MAX;
	/* Few elements are wide, so that vectors of every kind follow each other. */
	const bool is_calm = random_below(2) == 0;
	for (size_t i = 0; i < count; i++) {
		const unsigned scale = random_below(3) > 0 ? scale_max : random_below(scale_max + 1);
		s128 limit = kind <= NARROW ? INT64_MAX / power_of(c->k.scale - scale) - (scale < c->k.scale)
					    : (s128)(~(u128)0 >> 1);
		if (limit > 999 && (kind == SMALL || (is_calm && random_below(600) > 0)))
			limit = 999;
		if (kind == MIXED && random_below(is_calm ? 600 : 4) == 0)
			put_float(c, i);
		else
			put_value(c, i, random_mantissa(limit), scale);
	}
}

static inline void drop(struct column_made *c)
{
	free(c->k.numbers);
	free(c->k.scales);
}

#endif
