/* Reading floats against the C library: glibc's strtod and strtof round correctly at any length, and long double holds
 * the middle between two doubles exactly.
 *
 * Usage: number_test [VALUES [SEED]]: VALUES random values for each promise. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number_check.h"

static const struct type *const f32_type = &type_table[TYPE_F32];
static const struct type *const f64_type = &type_table[TYPE_F64];

/* The start of a text that may be thousands of bytes long, for a message. */
static const char *shortened(const char *text)
{
	static char start[80];
	(void)snprintf(start, sizeof start, "%.60s%s", text, strlen(text) > 60 ? "..." : "");
	return start;
}

/* What the C library makes of a literal, told as number_parse should: a finite one that rounds to infinity is out of
 * range. */
static void expect_f64_as_library(const char *text)
{
	union value got = {.f64 = 42.0};
	const double want = strtod(text, NULL);
	const enum number_result result = parse(text, f64_type, &got);
	if (isinf(want))
		EXPECT(result == NUMBER_RANGE, "f64 %s: result %d, not out of range", shortened(text), (int)result);
	else
		EXPECT(result == NUMBER_OK && f64_bits(got.f64) == f64_bits(want), "f64 %s: %a, not %a (result %d)",
		       shortened(text), got.f64, want, (int)result);
}

static void expect_f32_as_library(const char *text)
{
	union value got = {.f32 = 42.0F};
	const float want = strtof(text, NULL);
	const enum number_result result = parse(text, f32_type, &got);
	if (isinf(want))
		EXPECT(result == NUMBER_RANGE, "f32 %s: result %d, not out of range", shortened(text), (int)result);
	else
		EXPECT(result == NUMBER_OK && f32_bits(got.f32) == f32_bits(want), "f32 %s: %a, not %a (result %d)",
		       shortened(text), (double)got.f32, (double)want, (int)result);
}

static void expect_as_library(const char *text)
{
	expect_f64_as_library(text);
	expect_f32_as_library(text);
}

/* The grammar. */

static void test_accepted_forms(void)
{
	static const struct {
		const char *text;
		double value;
	} forms[] = {
		{"0", 0.0},       {"5", 5.0},         {"+5", 5.0},        {"-5", -5.0},        {"007", 7.0},
		{".5", 0.5},      {"5.", 5.0},        {"-.5", -0.5},      {"+5.", 5.0},        {"1.25", 1.25},
		{"1e3", 1000.0},  {"1E3", 1000.0},    {"1e+3", 1000.0},   {"25e-2", 0.25},     {"1.e2", 100.0},
		{".25e2", 25.0},  {"-2.5E-1", -0.25}, {"1e0003", 1000.0}, {"0e999999", 0.0},   {"00.50", 0.5},
		{"-0.0e5", -0.0}, {"+1.5e+00", 1.5},  {"1e-99999", 0.0},  {"-1e-99999", -0.0},
	};
	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		union value v = {.f64 = (double)NAN};
		union value w = {.f32 = (float)NAN};
		EXPECT(parse(forms[i].text, f64_type, &v) == NUMBER_OK && f64_bits(v.f64) == f64_bits(forms[i].value),
		       "f64 \"%s\": %a", forms[i].text, v.f64);
		EXPECT(parse(forms[i].text, f32_type, &w) == NUMBER_OK &&
			       f32_bits(w.f32) == f32_bits((float)forms[i].value),
		       "f32 \"%s\": %a", forms[i].text, (double)w.f32);
	}
	check_promise("every form of the grammar is read, as f64 and as f32");
}

static void test_refused_forms(void)
{
	static const char list[] =
		"|+|-|.|+.|-.|e5|.e5|1e|1e+|1e-|1.e|5e|e|E|1e5.5|1e5e5|1e5x|1e+-5|1e 5|1.2.3|1..2|1-|1+1|--5|+-5"
		"|-+5|+ 5|- 5|1 | 1|1\t|1\n|1\r|1_000|1,5|1'000|0x10|0x|0x1p3|0b1|1d5|1f|1L|$1|1%|(5)|#|i|n|-i|+n"
		"|in|na|infi|infinit|infx|inf.|-inf-|infinitynan|nanx|nannan|nan(1)|\xd9\xa3|\xe2\x88\x92|\xef\xbb\xbf";
	static const char with_nul[] = {'1', '\0', '2'};
	const char *token = NULL;
	size_t size;
	while (next_token(list, &token, &size)) {
		expect_invalid(f64_type, token, size);
		expect_invalid(f32_type, token, size);
	}
	expect_invalid(f64_type, with_nul, 2);
	expect_invalid(f64_type, with_nul, 3);
	expect_invalid(f64_type, with_nul + 1, 2);
	check_promise("what the grammar lacks is no float, and the value is left alone");
}

static void test_special_values(void)
{
	static const struct {
		const char *text;
		uint64_t f64;
		uint32_t f32;
	} forms[] = {
		{"inf", UINT64_C(0x7ff0000000000000), 0x7f800000},
		{"+INF", UINT64_C(0x7ff0000000000000), 0x7f800000},
		{"-Inf", UINT64_C(0xfff0000000000000), 0xff800000},
		{"infinity", UINT64_C(0x7ff0000000000000), 0x7f800000},
		{"-InFiNiTy", UINT64_C(0xfff0000000000000), 0xff800000},
		{"nan", UINT64_C(0x7ff8000000000000), 0x7fc00000},
		{"NaN", UINT64_C(0x7ff8000000000000), 0x7fc00000},
		{"+NAN", UINT64_C(0x7ff8000000000000), 0x7fc00000},
		{"-nan", UINT64_C(0x7ff8000000000000), 0x7fc00000},
		{"-0", UINT64_C(0x8000000000000000), 0x80000000},
		{"0", 0, 0},
	};
	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		union value v = {.f64 = 42.0};
		union value w = {.f32 = 42.0F};
		EXPECT(parse(forms[i].text, f64_type, &v) == NUMBER_OK && f64_bits(v.f64) == forms[i].f64,
		       "f64 \"%s\": %016" PRIx64, forms[i].text, f64_bits(v.f64));
		EXPECT(parse(forms[i].text, f32_type, &w) == NUMBER_OK && f32_bits(w.f32) == forms[i].f32,
		       "f32 \"%s\": %08" PRIx32, forms[i].text, f32_bits(w.f32));
	}
	check_promise("inf, infinity and nan are read in any case, and every nan is the one quiet NaN");
}

static void test_size(void)
{
	union value v;
	static const char digits[] = "123456789";
	for (size_t size = 1; size < sizeof digits; size++) {
		char copy[sizeof digits] = {0};
		memcpy(copy, digits, size);
		EXPECT(number_parse(digits, size, f64_type, &v) == NUMBER_OK && v.f64 == strtod(copy, NULL),
		       "f64 of %zu bytes", size);
		EXPECT(number_parse(digits, size, &type_table[TYPE_I32], &v) == NUMBER_OK &&
			       v.i32 == (int32_t)strtol(copy, NULL, 10),
		       "i32 of %zu bytes", size);
	}
	check_promise("a token ends at its size, whatever follows");
}

static void test_parse_bit_patterns(void)
{
	char text[64];
	for (unsigned long i = 0; i < random_values; i++) {
		(void)snprintf(text, sizeof text, "%.17g", random_f64());
		expect_as_library(text);
		(void)snprintf(text, sizeof text, "%.9g", (double)random_f32());
		expect_as_library(text);
	}
	check_promise("random bit patterns with all their digits are read as strtod and strtof do");
}

/* A literal of 1 to 40 digits with the point anywhere and an exponent or none. */
static void random_literal(char *out)
{
	const unsigned digits = 1 + random_below(random_below(4) == 0 ? 40 : 20);
	const unsigned point = random_below(digits + 1);
	if (random_below(2) != 0)
		*out++ = '-';
	for (unsigned i = 0; i < digits; i++) {
		if (i == point)
			*out++ = '.';
		*out++ = (char)('0' + random_below(10));
	}
	if (random_below(4) != 0)
		(void)sprintf(out, "e%d",
			      (int)random_below(random_below(2) != 0 ? 80 : 720) - (random_below(2) != 0 ? 40 : 360));
	else
		*out = '\0';
}

static void test_parse_literals(void)
{
	char text[64];
	for (unsigned long i = 0; i < random_values; i++) {
		random_literal(text);
		expect_as_library(text);
	}
	check_promise("random literals of 1 to 40 digits are read as strtod and strtof do");
}

/* The middle between a value and the next one, exactly, and a hair to either side. */
static void expect_middle_f64(double x)
{
	static char text[1600];
	const double ulp = x - nextafter(x, -1.0); /* the one below: above the greatest there is none */
	const long double middle = (long double)x + (long double)ulp / 2;
	const int size = snprintf(text, sizeof text - 2, "%.1100Lf", middle);
	expect_f64_as_library(text);
	memcpy(text + size, "1", 2);
	expect_f64_as_library(text);
	text[size - 500] = '\0'; /* still hundreds of places, but short of the middle or it */
	expect_f64_as_library(text);
}

static void test_parse_middles(void)
{
	static char text[400];
	for (unsigned long i = 0; i < random_values / 30; i++) {
		const double x = ldexp((double)(random_u64() >> 11), (int)random_below(400) - 300);
		expect_middle_f64(x);
		expect_middle_f64(f64_from_bits(random_u64() >> 12)); /* denormal */
	}
	for (unsigned long i = 0; i < random_values / 4; i++) {
		const float x = fabsf(random_f32());
		const double middle = ((double)x + (double)nextafterf(x, INFINITY)) / 2;
		if (!isfinite(middle))
			continue;
		const int size = snprintf(text, sizeof text - 2, "%.180f", middle);
		expect_f32_as_library(text);
		memcpy(text + size, "1", 2);
		expect_f32_as_library(text);
		(void)snprintf(text, sizeof text, "%.17g", nextafter(middle, 0.0));
		expect_f32_as_library(text);
		(void)snprintf(text, sizeof text, "%.17g", nextafter(middle, (double)INFINITY));
		expect_f32_as_library(text);
	}
	check_promise("the exact middle between two values goes to the even one, a hair off it to the nearer");
}

/* Writes a literal of an integer and a power of ten that is exactly the middle between two values with so many bits: an
 * odd number of bits + 1 bits times a power of two. */
static void random_middle(char *out, size_t size, unsigned bits, int power)
{
	const uint64_t least = UINT64_C(1) << bits;
	uint64_t fives = 1;
	for (int i = 0; i < abs(power); i++)
		fives *= 5;
	uint64_t w = least + random_u64() % least;
	if (power < 0)
		w = (w | 1) * fives;
	else
		w = (least / fives + random_u64() % (least / fives + 1)) | 1;
	while (random_below(2) != 0 && w < UINT64_C(1) << 62)
		w *= 2;
	(void)snprintf(out, size, "%" PRIu64 "e%d", w, power);
}

static void test_parse_short_middles(void)
{
	char text[64];
	for (unsigned long i = 0; i < random_values; i++) {
		random_middle(text, sizeof text, 53, (int)random_below(28) - 4);
		expect_f64_as_library(text);
		random_middle(text, sizeof text, 24, (int)random_below(28) - 17);
		expect_f32_as_library(text);
	}
	check_promise("short literals at or near the middle between two values are read as the C library does");
}

static void test_parse_one_rounding(void)
{
	/* The double next to each is exactly between two floats: rounded twice, it goes the wrong way. */
	static const struct {
		const char *text;
		uint32_t bits;
	} cases[] = {
		{"1.00000005960464477550", 0x3f800001}, /* 1 + 2^-24 and a little */
		{"1.00000017881393421514957253748434595763683319091796875", 0x3f800001}, /* below 1 + 3 * 2^-24 */
		{"1.00000017881393432617187500", 0x3f800002}, /* 1 + 3 * 2^-24: to even */
		{"1.00000017881393432617187499", 0x3f800001},
		{"16777217.000000000000001", 0x4b800001},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		union value v = {.f32 = 42.0F};
		EXPECT(parse(cases[i].text, f32_type, &v) == NUMBER_OK && f32_bits(v.f32) == cases[i].bits,
		       "%s: %08" PRIx32 ", not %08" PRIx32, cases[i].text, f32_bits(v.f32), cases[i].bits);
	}
	check_promise("f32 is read with one rounding, not through f64");
}

static void test_parse_bounds(void)
{
	/* The least and greatest values, what rounds to them, and what does not any more. */
	static const char list[] =
		"1.7976931348623157e308|1.7976931348623158e308|1.7976931348623159e308|1.8e308|1e309|1e400|"
		"1e99999999999999"
		"|2.2250738585072014e-308|2.2250738585072011e-308|4.9406564584124654e-324|2.47e-324|1e-400|1e-"
		"999999999999"
		"|2.4703282292062327e-324|2.4703282292062328e-324|3.4028234663852886e38|3.4028235677973365e38|3.5e38|"
		"1e39"
		"|3.4028235677973366e38|3.4028235677973367e38|1.1754943508222875e-38|1.1754942807573643e-38|1e-46|1e-"
		"60|7.1e-46"
		"|1.4012984643248171e-45|7.006492321624085e-46|7.006492321624086e-46|0e999999999999999999";
	const char *token = NULL;
	size_t size;
	while (next_token(list, &token, &size)) {
		char text[40];
		(void)snprintf(text, sizeof text, "-%.*s", (int)size, token);
		expect_as_library(text);
		expect_as_library(text + 1);
	}
	expect_middle_f64(DBL_MAX);
	expect_middle_f64(nextafter(DBL_MIN, 0.0));
	expect_middle_f64(0.0);
	check_promise("at the ends of the range a literal is rounded, denormal, 0, or out of range as it should be");
}

static void test_parse_powers(void)
{
	static char text[1300];
	for (int e = -1080; e <= 1030; e++) {
		(void)snprintf(text, sizeof text, "%.1080f", e > 1023 ? 0.0 : ldexp(1.0, e));
		expect_as_library(text);
		(void)snprintf(text, sizeof text, "%.17g", e > 1023 ? 1.0 : ldexp(1.0, e));
		expect_as_library(text);
	}
	for (int e = -360; e <= 320; e++) {
		static const char *const factors[] = {"1", "-1", "9.999999999999999999999", "1.000000000000000000001",
						      "5", "0.1"};
		for (size_t i = 0; i < COUNT_OF(factors); i++) {
			(void)snprintf(text, sizeof text, "%se%d", factors[i], e);
			expect_as_library(text);
		}
	}
	check_promise("every power of two and of ten is read as the C library does");
}

/* Writes count copies of c and returns the place behind them. */
static char *put(char *out, char c, size_t count)
{
	memset(out, c, count);
	return out + count;
}

static void test_parse_long_tokens(void)
{
	static const size_t lengths[] = {19, 20, 21, 100, 800, 5000, 20000};
	/* Their lowest 64 bits are 0, 1 and 3. */
	static const char *const exponents[] = {"18446744073709551616", "-18446744073709551617",
						"+55340232221128654851"};
	static char text[50000];
	for (size_t i = 0; i < COUNT_OF(exponents); i++) {
		(void)sprintf(text, "%de%s", (int)(i % 2), exponents[i]);
		expect_as_library(text);
		text[0] = '7';
		expect_as_library(text);
	}
	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		const size_t n = lengths[i];
		/* 1 with n zeros behind it, taken back by the exponent. */
		char *p = put(put(text, '1', 1), '0', n);
		(void)sprintf(p, "e-%zu", n);
		expect_as_library(text);
		/* n zeros behind the point, taken back by the exponent; leading zeros. */
		p = put(put(put(text, '0', n), '.', 1), '0', n);
		(void)sprintf(p, "12345e%zu", n);
		expect_as_library(text);
		/* All nines: rounds up to a power of ten, or is out of range. */
		*put(text, '9', n) = '\0';
		expect_as_library(text);
		/* One and a half of the last place of 1, decided by the last digit, or the one before it. */
		p = text + sprintf(text, "1.00000000000000011102230246251565404236316680908203125");
		p = put(p, '0', n);
		*p = '\0';
		expect_f64_as_library(text);
		(void)sprintf(p, "1");
		expect_f64_as_library(text);
		(void)sprintf(p, "10");
		expect_f64_as_library(text);
		/* The same for f32. */
		p = text + sprintf(text, "1.000000059604644775390625");
		p = put(p, '0', n);
		*p = '\0';
		expect_f32_as_library(text);
		(void)sprintf(p, "1");
		expect_f32_as_library(text);
		(void)sprintf(p, "10");
		expect_f32_as_library(text);
		/* Random digits. */
		for (size_t j = 0; j < n; j++)
			text[j] = (char)('0' + random_below(10));
		text[n / 2] = '.';
		(void)sprintf(text + n, "e-%zu", n / 2);
		expect_as_library(text);
	}
	check_promise("tokens of thousands of digits are read as strtod and strtof do");
}

int main(int argc, char **argv)
{
	read_arguments(argc, argv);
	test_accepted_forms();
	test_refused_forms();
	test_special_values();
	test_size();
	test_parse_bit_patterns();
	test_parse_literals();
	test_parse_middles();
	test_parse_short_middles();
	test_parse_one_rounding();
	test_parse_bounds();
	test_parse_powers();
	test_parse_long_tokens();
	return check_done();
}
