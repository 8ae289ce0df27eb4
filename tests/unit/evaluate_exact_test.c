/* Exact expressions against arithmetic done digit by digit (big.h) and, for what is not exact, the C library's doubles.
 *
 * Usage: evaluate_exact_test [EXPRESSIONS [SEED]]: EXPRESSIONS random expressions for each kind of columns. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "decimal_check.h"
#include "scan/evaluate_exact.h"

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

/* --- The oracle ---------------------------------------------------------------------------------------------- */

static const struct plain no_number = {.is_float = true};

static struct plain plain_of(const char *text)
{
	struct plain x = {.minus = text[0] == '-'};
	x.m = big_from_text(text, &x.scale);
	return x;
}

static struct plain plain_truth(bool truth)
{
	return plain_of(truth ? "1" : "0");
}

static struct plain plain_signed(struct big m, unsigned scale, bool minus_if_zero)
{
	return (struct plain){.m = m, .scale = scale, .minus = m.count > 0 ? m.negative : minus_if_zero};
}

/* Drops digits of the fraction. *rest: whether one of them is not 0. *half: whether they are at least a half. */
static struct big drop_digits(const struct big *m, unsigned digits, bool *rest, bool *half)
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

static bool is_in_128_bits(const struct big *m)
{
	unsigned scale;
	const struct big least = big_from_text("-170141183460469231731687303715884105728", &scale);
	const struct big most = big_from_text("170141183460469231731687303715884105727", &scale);
	return big_compare(m, &least) >= 0 && big_compare(m, &most) <= 0;
}

/* The exact number with at most 18 decimals. */
static struct plain plain_fitted(struct plain x)
{
	bool rest = false;
	bool half;
	if (x.scale > DECIMAL_SCALE_MAX) {
		x.m = drop_digits(&x.m, x.scale - DECIMAL_SCALE_MAX, &rest, &half);
		x.scale = DECIMAL_SCALE_MAX;
	}
	return rest || !is_in_128_bits(&x.m) ? no_number : x;
}

static int plain_compare(const struct plain *a, const struct plain *b)
{
	const unsigned scale = a->scale > b->scale ? a->scale : b->scale;
	const struct big x = big_shift(&a->m, scale - a->scale);
	const struct big y = big_shift(&b->m, scale - b->scale);
	return big_compare(&x, &y);
}

static struct plain plain_add(const struct plain *a, const struct plain *b, bool subtracts)
{
	const unsigned scale = a->scale > b->scale ? a->scale : b->scale;
	const struct big x = big_shift(&a->m, scale - a->scale);
	struct big y = big_shift(&b->m, scale - b->scale);
	if (subtracts && y.count > 0)
		y.negative = !y.negative;
	const bool b_minus = b->minus != subtracts;
	return plain_fitted(plain_signed(big_add(&x, &y), scale, a->minus && b_minus));
}

static struct plain plain_integer(unsigned code, const struct plain *a)
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

static struct plain plain_step(const struct step *s, const struct plain *slots)
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

static double plain_f64(const struct plain *x)
{
	char text[BIG_TEXT_SIZE];
	if (x->is_float)
		return x->f64;
	const double magnitude = fabs(strtod(big_text(&x->m, x->scale, text), NULL));
	return x->minus ? -magnitude : magnitude;
}

static double f64_step(const struct step *s, const double *slots)
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

/* --- Expressions and columns --------------------------------------------------------------------------------- */

/* An expression with its parts, and the values of its constants. */
struct made {
	struct expression e;
	struct step steps[STEPS_MAX];
	struct expression_constant constants[CONSTANTS];
	bool used[INPUTS];
	struct plain constant_values[CONSTANTS];
};

static union value mantissa_of(const struct big *m)
{
	u128 bits = 0;
	for (int i = m->count; i-- > 0;)
		bits = bits * 10 + (unsigned char)m->digits[i];
	return value_of(m->negative ? 0 - bits : bits, i128_type);
}

static void make_constant(struct made *x, size_t k, const char *text, bool is_truth)
{
	const struct plain value = plain_of(text);
	x->constant_values[k] = value;
	x->constants[k] = (struct expression_constant){.type = is_truth ? TYPE_I32 : TYPE_I128, .scale = value.scale};
	if (is_truth)
		x->constants[k].value.i32 = value.m.count > 0;
	else
		x->constants[k].value = mantissa_of(&value.m);
}

static void make_begin(struct made *x)
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

static void make_step(struct made *x, unsigned code, unsigned type, unsigned to, unsigned a, unsigned b, unsigned c)
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
static unsigned random_slot(const int *kinds, int kind)
{
	unsigned slot;
	do
		slot = random_below(SLOTS);
	while (kinds[slot] != kind);
	return slot;
}

enum { EMPTY, DECIMAL, TRUTH };

/* A random expression of `steps` steps, in which slots are used again. */
static void make_random(struct made *x, size_t steps)
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

static s128 power_of(unsigned exponent)
{
	s128 p = 1;
	while (exponent-- > 0)
		p *= 10;
	return p;
}

/* A mantissa between -limit - 1 and limit: often 0, a power of ten, or near the limits. */
static s128 random_mantissa(s128 limit)
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

static void put_value(struct column_made *c, size_t i, s128 m, unsigned scale)
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

static void put_float(struct column_made *c, size_t i)
{
	static const double special[] = {-0.0, HUGE_VAL, -HUGE_VAL, 1e-30, 1e300, 0.5};
	const double x = random_below(4) == 0 ? (double)NAN : special[random_below(COUNT_OF(special))];
	c->values[i] = (struct plain){.is_float = true, .f64 = x};
	c->k.scales[i] = OWN_SCALE_FLOAT;
	memset(c->k.numbers + i * c->k.step, 0, c->k.step);
	memcpy(c->k.numbers + i * c->k.step, &x, sizeof x);
}

static void *room_for(size_t size)
{
	void *room = malloc(size > 0 ? size : 1);
	if (room == NULL)
		abort();
	return room;
}

static void fill(struct column_made *c, enum kind kind, size_t count)
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
		if (limit > 999 && (kind == SMALL || (is_calm && random_below(200) > 0)))
			limit = 999;
		if (kind == MIXED && random_below(is_calm ? 200 : 4) == 0)
			put_float(c, i);
		else
			put_value(c, i, random_mantissa(limit), scale);
	}
}

static void drop(struct column_made *c)
{
	free(c->k.numbers);
	free(c->k.scales);
}

/* --- The comparison ------------------------------------------------------------------------------------------ */

/* The value of element i. */
static struct plain plain_value(const struct made *x, const struct column_made *columns, size_t i)
{
	static struct plain slots[SLOTS];
	double floats[SLOTS] = {0};
	for (size_t j = 0; j < INPUTS + CONSTANTS; j++) {
		slots[j] = j >= INPUTS ? x->constant_values[j - INPUTS] : x->used[j] ? columns[j].values[i] : no_number;
		floats[j] = plain_f64(&slots[j]);
	}
	for (size_t j = 0; j < x->e.step_count; j++) {
		slots[x->steps[j].to] = plain_step(&x->steps[j], slots);
		floats[x->steps[j].to] = f64_step(&x->steps[j], floats);
	}
	struct plain value = slots[x->e.result];
	value.f64 = floats[x->e.result];
	return value;
}

static bool is_same_f64(double a, double b)
{
	return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

/* Whether element i of a column is a value. */
static bool is_value(const struct exact_column *k, size_t i, const struct plain *want)
{
	union value v = {.i128 = {0}};
	memcpy(&v, k->numbers + i * k->step, k->step);
	const unsigned own = k->scales[i];
	if (want->is_float)
		return own == OWN_SCALE_FLOAT && !k->is_narrow && is_same_f64(v.f64, want->f64);
	const bool is_flagged = want->m.count == 0 && want->minus;
	if (own != (want->scale | (is_flagged ? (unsigned)OWN_SCALE_NEGATIVE_ZERO : 0)))
		return false;
	const struct big got = big_from_value(&v, k->is_narrow ? i64_type : i128_type);
	const struct big expected =
		k->is_narrow && k->scale >= want->scale ? big_shift(&want->m, k->scale - want->scale) : want->m;
	return (!k->is_narrow || k->scale >= want->scale) && big_compare(&got, &expected) == 0;
}

static const char *text_of(const struct made *x)
{
	static char text[512];
	size_t size = 0;
	text[0] = '\0';
	for (size_t i = 0; i < x->e.step_count && size < sizeof text - 32; i++)
		size += (size_t)snprintf(text + size, sizeof text - size, " %d:%d=(%d,%d,%d)", x->steps[i].code,
					 x->steps[i].to, x->steps[i].in[0], (int16_t)x->steps[i].in[1],
					 (int16_t)x->steps[i].in[2]);
	return text;
}

/* Evaluates, into a column of its own or, in_place, into the one of an input. */
static struct exact_column evaluate_made(const struct made *x, struct column_made *columns, size_t count, bool in_place,
					 struct exact_memory *memory)
{
	struct exact_column inputs[INPUTS] = {{0}};
	struct exact_column *out = &(struct exact_column){0};
	for (size_t j = 0; j < INPUTS; j++) {
		if (!x->used[j])
			continue;
		inputs[j] = columns[j].k;
		if (in_place)
			out = &inputs[j];
	}
	if (out->numbers == NULL)
		*out = (struct exact_column){.numbers = room_for(count * 16), .scales = room_for(count)};
	if (evaluate_exact(&x->e, inputs, count, memory, out) != STATUS_OK)
		abort();
	return *out;
}

/* Whether *out belongs to no input. */
static bool is_own_column(const struct exact_column *out, const struct column_made *columns)
{
	for (size_t j = 0; j < INPUTS; j++) {
		if (out->numbers == columns[j].k.numbers)
			return false;
	}
	return true;
}

static struct column_made columns[INPUTS];

/* Compares all values of an expression. Returns whether the result was narrow. */
static bool expect_values(const struct made *x, size_t count, bool in_place, struct exact_memory *memory)
{
	const struct exact_column out = evaluate_made(x, columns, count, in_place, memory);
	EXPECT(out.step == (out.is_narrow ? 8u : 16u) && (!out.is_narrow || out.scale <= DECIMAL_SCALE_MAX),
	       "step %zu, scale %u", out.step, out.scale);
	for (size_t i = 0; i < count; i++) {
		const struct plain want = plain_value(x, columns, i);
		char text[BIG_TEXT_SIZE];
		EXPECT(is_value(&out, i, &want), "element %zu of %zu%s: not %s (scale %u, %g), own %d, narrow %d:%s", i,
		       count, in_place ? " in place" : "",
		       want.is_float ? "float" : big_text(&want.m, want.scale, text), want.scale, want.f64,
		       out.scales[i], out.is_narrow, text_of(x));
	}
	if (is_own_column(&out, columns)) {
		free(out.numbers);
		free(out.scales);
	}
	return out.is_narrow;
}

static void test_random(unsigned long expressions, enum kind kind, const char *promise)
{
	static const size_t counts[] = {0, 1, 255, 256, 257, COUNT_MAX};
	struct exact_memory memory = {0};
	static struct made x;
	unsigned long narrow = 0;
	for (unsigned long n = 0; n < expressions; n++) {
		const size_t count = n % 8 == 0 ? counts[n / 8 % COUNT_OF(counts)] : 1 + random_below(40);
		make_random(&x, random_below(random_below(3) == 0 ? STEPS_MAX + 1 : 4));
		for (size_t j = 0; j < INPUTS; j++)
			fill(&columns[j], random_below(4) > 0 ? kind : (enum kind)random_below(kind + 1), count);
		narrow += expect_values(&x, count, random_below(2) == 0, &memory);
		for (size_t j = 0; j < INPUTS; j++)
			drop(&columns[j]);
	}
	EXPECT(expressions < 100 || (narrow > expressions / 20 && narrow < expressions), "%lu are narrow", narrow);
	exact_memory_free(&memory);
	check_promise("%s", promise);
}

/* --- Known values -------------------------------------------------------------------------------------------- */

/* One step of one or two numbers, as texts. want: a text, -0 with its sign; NULL: the float f64. */
struct known {
	unsigned code;
	const char *a, *b, *want;
	double f64;
};

static const struct known knowns[] = {
	{STEP_ADD, "1.50", "2", "3.50", 0},
	{STEP_ADD, "0", "0.00", "0.00", 0},
	{STEP_ADD, "-0", "-0.0", "-0.0", 0},
	{STEP_ADD, "-0", "0", "0", 0},
	{STEP_ADD, "5", "-5", "0", 0},
	{STEP_ADD, "9223372036854775807", "1", "9223372036854775808", 0},
	{STEP_ADD, "170141183460469231731687303715884105727", "1", NULL, 0x1p127},
	{STEP_ADD, "170141183460469231731687303715884105727", "-1", "170141183460469231731687303715884105726", 0},
	{STEP_ADD, "170141183460469231731687303715884105727", "0.0", NULL, 0x1p127},
	/* 10 times the first one is more than 128 bits, but the sum is not. */
	{STEP_ADD, "17014118346046923173168730371588410573", "-0.9", "17014118346046923173168730371588410572.1", 0},
	{STEP_SUBTRACT, "17014118346046923173168730371588410573", "0.9", "17014118346046923173168730371588410572.1", 0},
	{STEP_SUBTRACT, "-0.8", "17014118346046923173168730371588410572", "-17014118346046923173168730371588410572.8",
	 0},
	{STEP_SUBTRACT, "-0.9", "17014118346046923173168730371588410572", NULL, -0x1p127 / 10},
	{STEP_SUBTRACT, "0.9", "17014118346046923173168730371588410573", "-17014118346046923173168730371588410572.1",
	 0},
	{STEP_SUBTRACT, "0.10", "0.3", "-0.20", 0},
	{STEP_SUBTRACT, "-0", "0", "-0", 0},
	{STEP_SUBTRACT, "0", "0", "0", 0},
	{STEP_SUBTRACT, "-9223372036854775808", "1", "-9223372036854775809", 0},
	{STEP_MULTIPLY, "1.5", "2.50", "3.750", 0},
	{STEP_MULTIPLY, "0", "-5.0", "-0.0", 0},
	{STEP_MULTIPLY, "-0", "-5.0", "0.0", 0},
	{STEP_MULTIPLY, "4294967296", "4294967296", "18446744073709551616", 0},
	{STEP_MULTIPLY, "-9223372036854775808", "-1", "9223372036854775808", 0},
	{STEP_MULTIPLY, "0.0000000010", "0.000000010", "0.000000000000000010", 0},
	{STEP_MULTIPLY, "0.0000000001", "0.0000000001", NULL, 1e-10 * 1e-10},
	{STEP_MULTIPLY, "13043817825332782212", "13043817825332782212", "170141183460469231722567801800623612944", 0},
	{STEP_MULTIPLY, "13043817825332782213", "13043817825332782213", NULL,
	 13043817825332782213.0 * 13043817825332782213.0},
	{STEP_MULTIPLY, "13043817825332782212.0000000000", "1.000000000", "13043817825332782212.000000000000000000", 0},
	{STEP_MINUS, "0", NULL, "-0", 0},
	{STEP_MINUS, "-0.0", NULL, "0.0", 0},
	{STEP_MINUS, "1.25", NULL, "-1.25", 0},
	{STEP_MINUS, "-9223372036854775808", NULL, "9223372036854775808", 0},
	{STEP_MINUS, "-170141183460469231731687303715884105728", NULL, NULL, 0x1p127},
	{STEP_ABS, "-170141183460469231731687303715884105728", NULL, NULL, 0x1p127},
	{STEP_ABS, "-9223372036854775808", NULL, "9223372036854775808", 0},
	{STEP_ABS, "-0.50", NULL, "0.50", 0},
	{STEP_ABS, "-0", NULL, "0", 0},
	{STEP_MIN, "1.0", "1.00", "1.0", 0},
	{STEP_MAX, "1.0", "1.00", "1.0", 0},
	{STEP_MIN, "-0", "0.0", "-0", 0},
	{STEP_MAX, "2.50", "2.6", "2.6", 0},
	{STEP_MIN, "2.50", "2.6", "2.50", 0},
	{STEP_FLOOR, "-0.5", NULL, "-1", 0},
	{STEP_FLOOR, "0.999", NULL, "0", 0},
	{STEP_CEIL, "-0.5", NULL, "-0", 0},
	{STEP_CEIL, "0.01", NULL, "1", 0},
	{STEP_TRUNC, "-2.99", NULL, "-2", 0},
	{STEP_TRUNC, "-0.99", NULL, "-0", 0},
	{STEP_ROUND, "2.5", NULL, "3", 0},
	{STEP_ROUND, "-2.5", NULL, "-3", 0},
	{STEP_ROUND, "2.49", NULL, "2", 0},
	{STEP_ROUND, "-0.4", NULL, "-0", 0},
	{STEP_ROUND, "0.999999999999999999", NULL, "1", 0},
	{STEP_ROUND, "9.223372036854775807", NULL, "9", 0},
	{STEP_ROUND, "7", NULL, "7", 0},
};

static void set_column(struct column_made *c, const char *text, size_t count, bool is_narrow)
{
	const struct plain x = plain_of(text);
	union value m = mantissa_of(&x.m);
	c->k = (struct exact_column){.numbers = room_for(count * 16),
				     .step = is_narrow ? 8 : 16,
				     .scales = room_for(count),
				     .is_narrow = is_narrow,
				     .scale = x.scale};
	for (size_t i = 0; i < count; i++) {
		c->values[i] = x;
		c->k.scales[i] = (unsigned char)(x.scale | (x.m.count == 0 && x.minus ? OWN_SCALE_NEGATIVE_ZERO : 0));
		memcpy(c->k.numbers + i * c->k.step, &m, c->k.step);
	}
}

static bool fits_narrow(const char *text)
{
	const struct plain x = plain_of(text);
	const union value m = mantissa_of(&x.m);
	return decimal_fits_i64(&m);
}

static void test_known(void)
{
	static struct made x;
	struct exact_memory memory = {0};
	for (size_t i = 0; i < COUNT_OF(knowns) * 2; i++) {
		const struct known *k = &knowns[i / 2];
		const bool is_narrow = i % 2 == 0;
		if (is_narrow && !(fits_narrow(k->a) && (k->b == NULL || fits_narrow(k->b))))
			continue;
		make_begin(&x);
		make_step(&x, k->code, TYPE_I128, INPUTS + CONSTANTS, 0, k->b != NULL ? 1 : SLOT_NONE, SLOT_NONE);
		set_column(&columns[0], k->a, 3, is_narrow);
		set_column(&columns[1], k->b != NULL ? k->b : "0", 3, is_narrow);
		const struct exact_column out = evaluate_made(&x, columns, 3, false, &memory);
		struct plain want = k->want != NULL ? plain_of(k->want) : no_number;
		want.f64 = k->f64;
		EXPECT(is_value(&out, 0, &want) && is_value(&out, 2, &want), "step %u of %s and %s, narrow %d: own %d",
		       k->code, k->a, k->b != NULL ? k->b : "nothing", is_narrow, out.scales[0]);
		free(out.numbers);
		free(out.scales);
		drop(&columns[0]);
		drop(&columns[1]);
	}
	exact_memory_free(&memory);
	check_promise("a step of numbers has the value, the scale and the sign that one writes by hand");
}

/* `0 < a ? a : b * b`, in columns of 600 whose element `at` of a is not above 0. */
static bool choose_square(const char *b, size_t at, struct exact_memory *memory)
{
	static struct made x;
	enum { to = INPUTS + CONSTANTS, count = 600 };
	make_begin(&x);
	make_constant(&x, 0, "0", false);
	make_step(&x, STEP_LESS, TYPE_I128, to, INPUTS, 0, SLOT_NONE);
	make_step(&x, STEP_MULTIPLY, TYPE_I128, to + 1, 1, 1, SLOT_NONE);
	make_step(&x, STEP_CHOOSE, TYPE_I128, to + 2, to, 0, to + 1);
	set_column(&columns[0], "1.25", count, true);
	set_column(&columns[1], b, count, fits_narrow(b));
	if (at < count) {
		columns[0].k.is_narrow = true;
		put_value(&columns[0], at, -1, 2);
	}
	const bool is_narrow = expect_values(&x, count, false, memory);
	drop(&columns[0]);
	drop(&columns[1]);
	return is_narrow;
}

static void test_widths(void)
{
	struct exact_memory memory = {0};
	EXPECT(choose_square("3000000.5", 300, &memory), "a square that fits");
	EXPECT(choose_square("9000000000", COUNT_MAX, &memory), "a square that does not fit, and is left out");
	EXPECT(!choose_square("9000000000", 0, &memory), "a square that does not fit, at the beginning");
	EXPECT(!choose_square("9000000000", 300, &memory), "a square that does not fit, in the middle");
	EXPECT(!choose_square("9000000000", 599, &memory), "a square that does not fit, at the end");
	EXPECT(!choose_square("0.00000000001", 300, &memory), "a square of 22 decimals");
	EXPECT(!choose_square("90000000000000000000", 300, &memory), "a square of more than 128 bits");
	exact_memory_free(&memory);
	check_promise("a column is narrow as long as its values fit in 64 bits, and what is left out does not matter");
}

int main(int argc, char **argv)
{
	const unsigned long expressions = argc > 1 ? strtoul(argv[1], NULL, 10) : 400;
	random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : random_state;
	test_known();
	test_widths();
	test_random(expressions, SMALL, "expressions of small numbers have the values of arithmetic on digits");
	test_random(expressions, NARROW, "expressions of numbers of 64 bits have the values of arithmetic on digits");
	test_random(expressions, WIDE, "expressions of numbers of 128 bits have the values of arithmetic on digits");
	test_random(expressions, MIXED,
		    "expressions of decimals and floats have the values of arithmetic on digits or doubles");
	return check_done();
}
