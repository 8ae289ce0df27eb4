/* Exact decimals against arithmetic done digit by digit on decimal strings, which knows neither widths nor scales, and
 * against the compiler's 128-bit integers.
 *
 * Usage: decimal_test [VALUES [SEED]]: so many random values for each promise. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decimal_check.h"
#include "scan/decimal_combine.h"

static bool big_fits(const struct big *b, const struct type *t)
{
	unsigned scale;
	const struct big greatest = big_from_text(
		t->id == TYPE_I64 ? "9223372036854775807" : "170141183460469231731687303715884105727", &scale);
	const struct big least = big_from_text(
		t->id == TYPE_I64 ? "-9223372036854775808" : "-170141183460469231731687303715884105728", &scale);
	return big_compare(b, &least) >= 0 && big_compare(b, &greatest) <= 0;
}

/* A token with 1 to digits_max digits, at most scale_max behind the point. */
static void random_token(char *out, unsigned digits_max, unsigned scale_max)
{
	const unsigned digits = 1 + random_below(digits_max);
	const unsigned scale = random_below((scale_max < digits ? scale_max : digits) + 1);
	const unsigned sign = random_below(4);
	if (sign < 2)
		*out++ = sign == 0 ? '-' : '+';
	for (unsigned i = 0; i < digits; i++) {
		if (i == digits - scale && scale > 0)
			*out++ = '.';
		*out++ = (char)('0' + random_below(10));
	}
	*out = '\0';
}

static bool parse_decimal(const char *text, struct decimal *d)
{
	const size_t size = strlen(text);
	char *token = malloc(size > 0 ? size : 1);
	if (token == NULL)
		return false;
	memcpy(token, text, size);
	const bool good = decimal_parse(token, size, d);
	free(token);
	return good;
}

static void test_parse(void)
{
	static const struct {
		const char *text;
		struct decimal want;
	} cases[] = {
		{"0", {0}},
		{"1", {.lo = 1}},
		{"+7", {.lo = 7}},
		{"-12", {.negative = true, .lo = 12}},
		{"1.50", {.scale = 2, .lo = 150}},
		{".5", {.scale = 1, .lo = 5}},
		{"5.", {.lo = 5}},
		{"-0.00", {.negative = true, .scale = 2}},
		{"007.10", {.scale = 2, .lo = 710}},
		{"0.000000000000000001", {.scale = 18, .lo = 1}},
		{"18446744073709551615", {.lo = UINT64_MAX}},
		{"18446744073709551616", {.hi = 1}},
		{"340282366920938463463374607431768211455", {.hi = UINT64_MAX, .lo = UINT64_MAX}},
		{"3402823669209384634633746074317682114.55", {.scale = 2, .hi = UINT64_MAX, .lo = UINT64_MAX}},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct decimal d = {.is_float = true};
		const struct decimal *w = &cases[i].want;
		EXPECT(parse_decimal(cases[i].text, &d) && !d.is_float && d.negative == w->negative &&
			       d.scale == w->scale && !d.huge && d.hi == w->hi && d.lo == w->lo,
		       "%s: scale %u, mantissa %016" PRIx64 "%016" PRIx64, cases[i].text, d.scale, d.hi, d.lo);
	}
	check_promise("a token is its digits as an integer, and the number of those behind the point");
}

static void test_parse_huge(void)
{
	static const char list[] = "6277101735386680763835789423207666416102355444464034512896"
				   "|-6277101735386680763835789423207666416102355444464034512896"
				   "|627710173538668076383578942320766641610235544446403451289.6"
				   "|1000000000000000000000000000000000000000000000000000000000000000";
	static char zeros[6000];
	const char *token = NULL;
	size_t size;
	struct decimal d;
	while (next_token(list, &token, &size))
		EXPECT(decimal_parse(token, size, &d) && d.huge && !d.is_float && d.negative == (token[0] == '-'),
		       "%.*s", (int)size, token);
	memset(zeros, '0', 5000);
	(void)strcpy(zeros + 5000, "12.5");
	EXPECT(parse_decimal(zeros, &d) && !d.huge && !d.is_float && d.hi == 0 && d.lo == 125 && d.scale == 1,
	       "5000 zeros in front");
	memset(zeros, '9', 5000);
	EXPECT(parse_decimal(zeros, &d) && d.huge && d.scale == 1, "5000 nines in front");
	EXPECT(parse_decimal("6277101735386680763835789423207666416102355444464034512895", &d) && !d.huge &&
		       d.top == UINT64_MAX && d.hi == UINT64_MAX && d.lo == UINT64_MAX,
	       "2^192 - 1");
	EXPECT(parse_decimal("340282366920938463463374607431768211456", &d) && !d.huge && d.top == 1 && d.hi == 0 &&
		       d.lo == 0,
	       "2^128");
	check_promise("a mantissa of more than 192 bits is huge; leading zeros do not count");
}

static void test_parse_floats(void)
{
	static const char floats[] =
		"1e3|1E-3|0e0|-2.5e+10|inf|-Infinity|nan|NAN|0.0000000000000000000|1.0000000000000000001";
	static const char invalid[] = "|.|-|+.|1e|1.2.3|0x10|--1|1,5|1_0|abc|1 | 1|in|nan1";
	const char *token = NULL;
	size_t size;
	struct decimal d;
	while (next_token(floats, &token, &size))
		EXPECT(decimal_parse(token, size, &d) && d.is_float, "%.*s is taken for exact", (int)size, token);
	token = NULL;
	while (next_token(invalid, &token, &size))
		EXPECT(!decimal_parse(token, size, &d), "\"%.*s\" is taken for a number", (int)size, token);
	check_promise("exponents, inf, nan and more than 18 digits behind the point are floats; what is no number is "
		      "refused");
}

static void expect_mantissa(const char *text, unsigned scale, const struct type *t)
{
	struct decimal d;
	unsigned own;
	char want_text[BIG_TEXT_SIZE];
	const struct big digits = big_from_text(text, &own);
	if (own > scale || !parse_decimal(text, &d)) {
		EXPECT(own > scale, "%s is no number", text);
		return;
	}
	const struct big want = big_shift(&digits, scale - own);
	union value v = value_of(42, t);
	const bool fits = decimal_mantissa(&d, scale, t, &v);
	(void)big_text(&want, 0, want_text);
	EXPECT(fits == big_fits(&want, t), "%s at scale %u as %s: %s", text, scale, t->name,
	       fits ? "fits" : "does not fit");
	const struct big got = big_from_value(&v, t);
	if (fits)
		EXPECT(big_compare(&got, &want) == 0, "%s at scale %u as %s: not %s", text, scale, t->name, want_text);
	else
		EXPECT(bits_of(&v, t) == 42, "%s at scale %u as %s: the value was touched", text, scale, t->name);
}

static void test_mantissa_bounds(void)
{
	static const char list[] =
		"9223372036854775807|9223372036854775808|-9223372036854775808|-9223372036854775809|922337203685477580.7"
		"|-92233720368547758.08|922337203685477580|-922337203685477581|170141183460469231731687303715884105727|"
		"-0.0"
		"|170141183460469231731687303715884105728|-170141183460469231731687303715884105728|0"
		"|-170141183460469231731687303715884105729|1701411834604692317316873037158841057.27|"
		"170141183460469231732"
		"|-170141183460469231731.687303715884105728|170141183460469231731.687303715884105728|"
		"170141183460469231731";
	const char *token = NULL;
	size_t size;
	while (next_token(list, &token, &size)) {
		char text[64];
		(void)snprintf(text, sizeof text, "%.*s", (int)size, token);
		for (unsigned scale = 0; scale <= DECIMAL_SCALE_MAX; scale++) {
			expect_mantissa(text, scale, i64_type);
			expect_mantissa(text, scale, i128_type);
		}
	}
	check_promise("a mantissa fits 64 or 128 bits up to the last value, at every scale");
}

static void test_mantissa_random(void)
{
	char text[80];
	for (unsigned long i = 0; i < random_values; i++) {
		random_token(text, 45, DECIMAL_SCALE_MAX);
		const unsigned scale = random_below(DECIMAL_SCALE_MAX + 1);
		expect_mantissa(text, scale, random_below(2) != 0 ? i64_type : i128_type);
	}
	check_promise("random tokens give the mantissa that their digits are");
}

struct operands {
	enum operator_id op;
	const struct type *t;
	union value m;
	unsigned scale;
	char token[80];
};

/* The exact result at the greater scale. */
static struct big exact_result(const struct operands *o, unsigned *scale)
{
	unsigned own;
	const struct big digits = big_from_text(o->token, &own);
	const struct big mantissa = big_from_value(&o->m, o->t);
	*scale = own > o->scale ? own : o->scale;
	const struct big a = big_shift(&mantissa, *scale - o->scale);
	const struct big b = big_shift(&digits, *scale - own);
	if (o->op == OPERATOR_SUM)
		return big_add(&a, &b);
	if (o->op == OPERATOR_PROD)
		return big_multiply(&a, &b);
	return (big_compare(&a, &b) < 0) == (o->op == OPERATOR_MAX) ? b : a;
}

static void expect_combined(const struct operands *o)
{
	char before[BIG_TEXT_SIZE];
	char want_text[BIG_TEXT_SIZE];
	unsigned scale;
	struct decimal d;
	union value got = {0};
	const struct big mantissa = big_from_value(&o->m, o->t);
	const struct big want = exact_result(o, &scale);
	if (!parse_decimal(o->token, &d)) {
		EXPECT(false, "%s is no number", o->token);
		return;
	}
	const bool fits = decimal_combine(o->op, true, &o->m, o->t, o->scale, &d, &got);
	const struct big result = big_from_value(&got, i128_type);
	EXPECT(fits == big_fits(&want, i128_type) && (!fits || big_compare(&result, &want) == 0),
	       "%s %s %s: %s, exactly %s", big_text(&mantissa, o->scale, before), operator_table[o->op].name, o->token,
	       fits ? "another result" : "does not fit", big_text(&want, scale, want_text));
}

static void test_combine_random(void)
{
	static const enum operator_id operators[] = {OPERATOR_SUM, OPERATOR_MAX, OPERATOR_MIN};
	for (unsigned long i = 0; i < random_values; i++) {
		struct operands o = {.op = operators[random_below(3)],
				     .t = random_below(2) != 0 ? i64_type : i128_type};
		o.m = random_value(o.t);
		o.scale = random_below(DECIMAL_SCALE_MAX + 1);
		random_token(o.token, random_below(2) != 0 ? 20 : 42, DECIMAL_SCALE_MAX);
		expect_combined(&o);
	}
	check_promise("random sums, maxima and minima are exact, and refused only past 128 bits");
}

static void test_combine_close(void)
{
	/* Tokens that bring the result to the last values that fit, and one past them. */
	static const s128 targets[] = {0, 1, -1};
	const s128 greatest = (s128)(~(u128)0 >> 1);
	for (unsigned long i = 0; i < random_values / 4; i++) {
		struct operands o = {.op = OPERATOR_SUM, .t = i128_type, .scale = random_below(DECIMAL_SCALE_MAX + 1)};
		char text[BIG_TEXT_SIZE];
		o.m = random_value(i128_type);
		const union value edge = value_of((u128)(random_below(2) != 0 ? greatest : -greatest - 1) +
							  (u128)targets[random_below(3)],
						  i128_type);
		struct big m = big_from_value(&o.m, o.t);
		const struct big target = big_from_value(&edge, i128_type);
		if (m.negative != target.negative)
			continue; /* so the token has fewer than 128 bits */
		m.negative = !m.negative && m.count > 0;
		const struct big token = big_add(&target, &m);
		(void)snprintf(o.token, sizeof o.token, "%.79s", big_text(&token, o.scale, text));
		expect_combined(&o);
	}
	check_promise("sums at the edge of 128 bits fit or not, to the last value");
}

/* Places a decimal point in digits. */
static void with_point(char *out, size_t size, const char *digits, unsigned scale)
{
	const int before = (int)(strlen(digits) - scale);
	(void)snprintf(out, size, "%.*s%s%s", before, digits, scale > 0 ? "." : "", digits + before);
}

static void test_combine_huge_sum(void)
{
	/* The mantissa has up to 127 bits, at the token's scale up to 187; so a token of more than 128 bits can cancel
	 * it. */
	static const struct {
		int64_t m; /* times 10^16 */
		const char *digits;
		unsigned scale;
	} cases[] = {
		{-40000, "400000000000000000000000000000000000001", 18}, /* 4e20 + 1e-18 */
		{-99999, "999990000000000000000000000000000000000", 18},
		{-40000, "400000000000000000000000000000000000000", 18},
		{-4000000, "40000000000000000000000000000000000000123", 18},
		{-4000000, "4000000000000000000000000000000000000001", 17},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		for (int sign = 0; sign < 2; sign++) {
			const s128 m = (s128)cases[i].m * 10000000000000000;
			struct operands o = {.op = OPERATOR_SUM, .t = i128_type, .scale = 0};
			o.m = value_of((u128)(sign == 0 ? m : -m), i128_type);
			o.token[0] = sign == 0 ? '+' : '-';
			with_point(o.token + 1, sizeof o.token - 1, cases[i].digits, cases[i].scale);
			expect_combined(&o);
		}
	}
	check_promise("a sum that fits is exact even if the token alone has more than 128 bits");
}

static void test_combine_huge_extremes(void)
{
	char digits[64];
	for (unsigned long i = 0; i < random_values / 4; i++) {
		struct operands o = {.op = random_below(2) != 0 ? OPERATOR_MAX : OPERATOR_MIN, .t = i128_type};
		const unsigned count = 39 + random_below(20);
		o.m = random_value(o.t);
		o.scale = random_below(DECIMAL_SCALE_MAX + 1);
		for (unsigned j = 0; j < count; j++)
			digits[j] = (char)('1' + random_below(9));
		digits[count] = '\0';
		o.token[0] = random_below(2) != 0 ? '-' : '+';
		with_point(o.token + 1, sizeof o.token - 1, digits, random_below(DECIMAL_SCALE_MAX + 1));
		expect_combined(&o);
	}
	check_promise("max and min with a token past 128 bits are exact where the other one is the result");
}

static void test_combine_products(void)
{
	for (unsigned long i = 0; i < random_values; i++) {
		struct operands o = {.op = OPERATOR_PROD, .t = random_below(2) != 0 ? i64_type : i128_type};
		o.m = random_value(o.t);
		if (bits_of(&o.m, o.t) == 0)
			continue;
		random_token(o.token, random_below(4) != 0 ? 20 : 41, 0);
		expect_combined(&o);
	}
	check_promise("random products of integers are exact, and refused only past 128 bits");
}

static void test_combine_zero_products(void)
{
	struct operands o = {.op = OPERATOR_PROD, .t = i64_type, .token = "340282366920938463463374607431768211455"};
	expect_combined(&o);
	(void)strcpy(o.token, "340282366920938463463374607431768211456");
	expect_combined(&o);
	(void)strcpy(o.token, "-99999999999999999999999999999999999999999999999999");
	expect_combined(&o);
	check_promise("a product of 0 is 0, even if the token has more than 128 bits");
}

static void test_combine_bits(void)
{
	static const enum operator_id operators[] = {OPERATOR_AND, OPERATOR_OR, OPERATOR_XOR};
	for (unsigned long i = 0; i < random_values; i++) {
		const enum operator_id op = operators[random_below(3)];
		const struct type *t = random_below(2) != 0 ? i64_type : i128_type;
		char token[BIG_TEXT_SIZE];
		struct decimal d;
		union value got = {0};
		const union value m = random_value(t);
		const union value x = random_value(i128_type);
		const struct big digits = big_from_value(&x, i128_type);
		const u128 a = bits_of(&m, t);
		const u128 b = bits_of(&x, i128_type);
		const u128 want = op == OPERATOR_AND ? a & b : op == OPERATOR_OR ? a | b : a ^ b;
		EXPECT(parse_decimal(big_text(&digits, 0, token), &d) &&
			       decimal_combine(op, true, &m, t, 0, &d, &got) && bits_of(&got, i128_type) == want,
		       "%s %s: wrong bits", operator_table[op].name, token);
	}
	check_promise("and, or and xor of integers are those of two's complement of any width");
}

static void test_combine_first(void)
{
	char text[80];
	for (unsigned long i = 0; i < random_values / 4; i++) {
		unsigned own;
		struct decimal d;
		union value got = {0};
		random_token(text, 42, DECIMAL_SCALE_MAX);
		const struct big digits = big_from_text(text, &own);
		const unsigned scale = random_below(DECIMAL_SCALE_MAX + 1);
		const struct big want = big_shift(&digits, scale > own ? scale - own : 0);
		const bool good = parse_decimal(text, &d);
		const bool fits = good && decimal_combine(OPERATOR_SUM, false, NULL, NULL, scale, &d, &got);
		const struct big result = big_from_value(&got, i128_type);
		EXPECT(good && fits == big_fits(&want, i128_type) && (!fits || big_compare(&result, &want) == 0),
		       "%s at scale %u", text, scale);
	}
	check_promise("with nothing before it the result is the token itself");
}

static void test_fits_i64(void)
{
	static const struct {
		uint64_t hi, lo;
		bool fits;
	} cases[] = {
		{0, 0, true},
		{0, INT64_MAX, true},
		{0, UINT64_C(1) << 63, false},
		{UINT64_MAX, UINT64_MAX, true},
		{UINT64_MAX, UINT64_C(1) << 63, true},
		{UINT64_MAX, INT64_MAX, false},
		{1, 0, false},
		{UINT64_C(1) << 63, 0, false},
		{UINT64_MAX - 1, UINT64_MAX, false},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const union value v = {.i128 = {.lo = cases[i].lo, .hi = cases[i].hi}};
		EXPECT(decimal_fits_i64(&v) == cases[i].fits, "%016" PRIx64 "%016" PRIx64, cases[i].hi, cases[i].lo);
	}
	check_promise("whether a mantissa fits 64 bits is known to the last value");
}

int main(int argc, char **argv)
{
	take_arguments(argc, argv);
	test_parse();
	test_parse_huge();
	test_parse_floats();
	test_mantissa_bounds();
	test_mantissa_random();
	test_combine_random();
	test_combine_close();
	test_combine_huge_sum();
	test_combine_huge_extremes();
	test_combine_products();
	test_combine_zero_products();
	test_combine_bits();
	test_combine_first();
	test_fits_i64();
	return check_done();
}
