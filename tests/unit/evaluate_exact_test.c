/* Exact expressions against the arithmetic of exact_check.h.
 *
 * Usage: evaluate_exact_test [EXPRESSIONS [SEED]]: EXPRESSIONS random expressions for each kind of columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exact_check.h"

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
					 struct bytes *memory)
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

/* The level of instruction sets (host_rows_may_use). */
static const char *level;

static void set_level(const char *name)
{
	level = name;
	if (setenv("PSCAN_CPU", name, 1) != 0)
		abort();
}

/* Compares all values of an expression. Returns whether the result was narrow. */
static bool expect_values(const struct made *x, size_t count, bool in_place, struct bytes *memory)
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
	struct bytes memory = {0};
	static struct made x;
	unsigned long narrow = 0;
	for (unsigned long n = 0; n < expressions; n++) {
		const size_t count = n % 7 == 0 ? counts[n / 7 % COUNT_OF(counts)] : 1 + random_below(40);
		set_level(n % 2 == 0 ? "baseline" : "v4");
		make_random(&x, random_below(random_below(3) == 0 ? STEPS_MAX + 1 : 4));
		for (size_t j = 0; j < INPUTS; j++)
			fill(&columns[j], random_below(4) > 0 ? kind : (enum kind)random_below(kind + 1), count);
		narrow += expect_values(&x, count, random_below(2) == 0, &memory);
		for (size_t j = 0; j < INPUTS; j++)
			drop(&columns[j]);
	}
	EXPECT(expressions < 100 || (narrow > expressions / 20 && narrow < expressions), "%lu are narrow", narrow);
	bytes_free(&memory);
	check_promise("%s", promise);
}

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
	{STEP_SUBTRACT, "0.2", "17014118346046923173168730371588410573", "-17014118346046923173168730371588410572.8",
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
	struct bytes memory = {0};
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
	bytes_free(&memory);
	check_promise("%s: a step of numbers has the value, the scale and the sign that one writes by hand", level);
}

/* `0 < a ? a : b * b`, in columns of 600 whose element `at` of a is not above 0. */
static bool choose_square(const char *b, size_t at, struct bytes *memory)
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
	put_value(&columns[0], 7, 5, 1);
	put_value(&columns[0], 500, 3, 0);
	if (at < count)
		put_value(&columns[0], at, -1, 2);
	const bool is_narrow = expect_values(&x, count, false, memory);
	drop(&columns[0]);
	drop(&columns[1]);
	return is_narrow;
}

static void test_widths(void)
{
	struct bytes memory = {0};
	EXPECT(choose_square("3000000.5", 300, &memory), "a square that fits");
	EXPECT(choose_square("9000000000", COUNT_MAX, &memory), "a square that does not fit, and is left out");
	EXPECT(!choose_square("9000000000", 0, &memory), "a square that does not fit, at the beginning");
	EXPECT(!choose_square("9000000000", 300, &memory), "a square that does not fit, in the middle");
	EXPECT(!choose_square("9000000000", 599, &memory), "a square that does not fit, at the end");
	EXPECT(!choose_square("0.00000000001", 300, &memory), "a square of 22 decimals");
	EXPECT(!choose_square("90000000000000000000", 300, &memory), "a square of more than 128 bits");
	bytes_free(&memory);
	check_promise(
		"%s: a column is narrow as long as its values fit in 64 bits, and what is left out does not matter",
		level);
}

/* `a < b && c * c == 0 ? a : b`, or with || instead of &&. */
static void expect_left_out(unsigned code, const char *a, bool is_float, struct bytes *memory)
{
	static struct made x;
	enum { to = INPUTS + CONSTANTS };
	make_begin(&x);
	make_constant(&x, 0, "0", false);
	make_step(&x, STEP_LESS, TYPE_I128, to, 0, 1, SLOT_NONE);
	make_step(&x, STEP_MULTIPLY, TYPE_I128, to + 1, 2, 2, SLOT_NONE);
	make_step(&x, STEP_EQUAL, TYPE_I128, to + 2, to + 1, INPUTS, SLOT_NONE);
	make_step(&x, code, TYPE_I32, to + 3, to, to + 2, SLOT_NONE);
	make_step(&x, STEP_CHOOSE, TYPE_I128, to + 1, to + 3, 0, 1);
	set_column(&columns[0], a, 2, true);
	set_column(&columns[1], "5", 2, true);
	set_column(&columns[2], "0.0000000001", 2, true);
	(void)expect_values(&x, 2, false, memory);
	const struct plain value = plain_value(&x, columns, 0);
	EXPECT(value.is_float == is_float, "step %u, %s", code, a);
	for (size_t j = 0; j < INPUTS; j++)
		drop(&columns[j]);
}

static void test_left_out(void)
{
	struct bytes memory = {0};
	expect_left_out(STEP_AND, "7", false, &memory);
	expect_left_out(STEP_AND, "3", true, &memory);
	expect_left_out(STEP_OR, "3", false, &memory);
	expect_left_out(STEP_OR, "7", true, &memory);
	bytes_free(&memory);
	check_promise("%s: what && and || leave out need not be exact", level);
}

/* Integers near multiples of 10^scale, and near a half of it, at every scale. */
static void test_integers(void)
{
	static const unsigned char codes[] = {STEP_FLOOR, STEP_CEIL, STEP_TRUNC, STEP_ROUND};
	static struct made x;
	struct bytes memory = {0};
	enum { count = 60 };
	for (unsigned i = 0; i < COUNT_OF(codes) * (DECIMAL_SCALE_MAX + 1) * 2; i++) {
		const unsigned scale = i / 2 % (DECIMAL_SCALE_MAX + 1);
		columns[0].k = (struct exact_column){.numbers = room_for(count * 16),
						     .step = i % 2 == 0 ? 8 : 16,
						     .scales = room_for(count),
						     .is_narrow = i % 2 == 0,
						     .scale = scale};
		for (int j = 0; j < count; j++)
			put_value(&columns[0], (size_t)j, (j / 3 - 10) * (power_of(scale) / 2) + j % 3 - 1, scale);
		make_begin(&x);
		make_constant(&x, 0, "0", false);
		make_step(&x, codes[i / 2 / (DECIMAL_SCALE_MAX + 1)], TYPE_I128, INPUTS + CONSTANTS, 0, SLOT_NONE,
			  SLOT_NONE);
		EXPECT(expect_values(&x, count, false, &memory) == (i % 2 == 0), "scale %u", scale);
		drop(&columns[0]);
	}
	bytes_free(&memory);
	check_promise("%s: floor, ceil, trunc and round are right on both sides of integers and halves at every scale",
		      level);
}

/* Two steps of 0, -0 and -2, one after the other. */
static void test_signs(void)
{
	static const char *const texts[] = {"0", "-0", "-2"};
	static const unsigned char first[] = {STEP_ADD, STEP_SUBTRACT, STEP_MULTIPLY, STEP_MIN,
					      STEP_MAX, STEP_CHOOSE,   STEP_CHOOSE};
	static const unsigned char second[] = {STEP_ADD, STEP_SUBTRACT, STEP_MULTIPLY};
	static struct made x;
	struct bytes memory = {0};
	enum { to = INPUTS + CONSTANTS, of_columns = 27 };
	for (unsigned i = 0; i < of_columns * COUNT_OF(first) * COUNT_OF(second); i++) {
		const unsigned one = i / of_columns % COUNT_OF(first);
		const unsigned code = first[one];
		set_column(&columns[0], texts[i % 3], 1, true);
		set_column(&columns[1], texts[i / 3 % 3], 1, true);
		set_column(&columns[2], texts[i / 9 % 3], 1, true);
		make_begin(&x);
		make_constant(&x, 0, "0", false);
		if (code == STEP_CHOOSE) /* The constants before `to` are 0 and 1. */
			make_step(&x, code, TYPE_I128, to, to - COUNT_OF(first) + one, 0, 1);
		else
			make_step(&x, code, TYPE_I128, to, 0, 1, SLOT_NONE);
		make_step(&x, second[i / of_columns / COUNT_OF(first)], TYPE_I128, to + 1, to, 2, SLOT_NONE);
		EXPECT(expect_values(&x, 1, false, &memory), "%s is wide", text_of(&x));
		for (size_t j = 0; j < INPUTS; j++)
			drop(&columns[j]);
	}
	bytes_free(&memory);
	check_promise("%s: a 0 has the sign that doubles give it, also after another step", level);
}

int main(int argc, char **argv)
{
	const unsigned long expressions = argc > 1 ? strtoul(argv[1], NULL, 10) : 400;
	random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : random_state;
	static const char *const names[] = {"baseline", "v4"};
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		set_level(names[i]);
		test_known();
		test_widths();
		test_left_out();
		test_integers();
		test_signs();
	}
	test_random(expressions, SMALL, "expressions of small numbers have the values of arithmetic on digits");
	test_random(expressions, NARROW, "expressions of numbers of 64 bits have the values of arithmetic on digits");
	test_random(expressions, WIDE, "expressions of numbers of 128 bits have the values of arithmetic on digits");
	test_random(expressions, MIXED,
		    "expressions of decimals and floats have the values of arithmetic on digits or doubles");
	return check_done();
}
