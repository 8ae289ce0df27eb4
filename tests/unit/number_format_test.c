/* Floats are written as text. The C library decides whether a text reads back, and gives the nearest decimal of n
 * digits ("%.*e"). The layout of the digits is defined here a second time.
 *
 * Usage: number_format_test [VALUES [SEED]]: VALUES random values for each promise. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/powers.h"

#include "number_check.h"

/* digits * 10^(exponent - (their number - 1)), laid out: positional for 1e-7 <= x < 1e21, else d.ddde+NN. */
static void lay_out(char *out, const char *digits, int exponent)
{
	const int count = (int)strlen(digits);
	if (exponent >= 21 || exponent < -7)
		(void)sprintf(out, "%c%s%se%c%02d", digits[0], count > 1 ? "." : "", digits + 1,
			      exponent < 0 ? '-' : '+', abs(exponent));
	else if (exponent < 0)
		(void)sprintf(out, "0.%.*s%s", -exponent - 1, "000000", digits);
	else if (exponent + 1 >= count)
		(void)sprintf(out, "%s%.*s", digits, exponent + 1 - count, "00000000000000000000");
	else
		(void)sprintf(out, "%.*s.%s", exponent + 1, digits, digits + exponent + 1);
}

/* A float of either type, with what the C library knows about it. */
struct subject {
	bool is_f32;
	double x; /* positive, finite */
};

static bool reads_back(const struct subject *s, const char *text)
{
	return s->is_f32 ? (double)strtof(text, NULL) == s->x : strtod(text, NULL) == s->x;
}

/* A decimal of n digits that reads back: the nearest to x, or if that one does not (next to a power of two the values
 * below are closer), one of its neighbours. Writes its digits and exponent. False if there is none. */
static bool decimal_of(const struct subject *s, int n, char digits[20], int *exponent)
{
	char text[64];
	char candidate[64];
	(void)snprintf(text, sizeof text, "%.*e", n - 1, s->x);
	*exponent = atoi(strchr(text, 'e') + 1);
	digits[0] = text[0];
	memcpy(digits + 1, text + 2, (size_t)n - 1);
	digits[n] = '\0';
	if (reads_back(s, text))
		return true;
	const uint64_t nearest = strtoull(digits, NULL, 10);
	for (int step = -1; step <= 1; step += 2) {
		(void)snprintf(candidate, sizeof candidate, "%" PRIu64 "e%d", nearest + (uint64_t)step,
			       *exponent - (n - 1));
		if (reads_back(s, candidate)) {
			(void)snprintf(digits, 20, "%" PRIu64, nearest + (uint64_t)step);
			*exponent += (int)strlen(digits) - n;
			return true;
		}
	}
	return false;
}

/* The significant digits of a formatted number, without zeros at either end. */
static int digits_in(const char *text)
{
	int count = 0;
	int zeros = 0;
	for (const char *p = text; *p != '\0' && *p != 'e'; p++) {
		if (*p == '.' || *p == '-' || (*p == '0' && count == 0))
			continue;
		zeros = *p == '0' ? zeros + 1 : 0;
		count++;
	}
	return count - zeros;
}

static void expect_shortest(const struct subject *s, const char *text)
{
	char digits[20];
	char want[64] = "";
	int exponent;
	const char *name = s->is_f32 ? "f32" : "f64";
	const int n = digits_in(text);
	EXPECT(reads_back(s, text), "%s %a: \"%s\" reads back as another number", name, s->x, text);
	EXPECT(n >= 1 && n <= (s->is_f32 ? 9 : 17), "%s %a: \"%s\" has %d digits", name, s->x, text, n);
	if (n < 1 || n > 17)
		return;
	if (decimal_of(s, n, digits, &exponent))
		lay_out(want, digits, exponent);
	EXPECT(strcmp(text, want) == 0, "%s %a: \"%s\", not \"%s\"", name, s->x, text, want);
	EXPECT(n == 1 || !decimal_of(s, n - 1, digits, &exponent), "%s %a: \"%s\", but %s * 10^%d reads back too", name,
	       s->x, text, digits, exponent - (n - 2));
}

static void expect_shortest_f64(double x)
{
	char text[NUMBER_TEXT_MAX + 1];
	char negated[NUMBER_TEXT_MAX + 1];
	const struct subject s = {.x = fabs(x)};
	const size_t size = number_format_f64(text, s.x);
	text[size] = '\0';
	EXPECT(size < NUMBER_TEXT_MAX, "f64 %a: %zu bytes", x, size);
	expect_shortest(&s, text);
	negated[number_format_f64(negated, -s.x)] = '\0';
	EXPECT(negated[0] == '-' && strcmp(negated + 1, text) == 0, "f64 %a: \"%s\"", -s.x, negated);
}

static void expect_shortest_f32(float x)
{
	char text[NUMBER_TEXT_MAX + 1];
	char negated[NUMBER_TEXT_MAX + 1];
	const struct subject s = {.is_f32 = true, .x = (double)fabsf(x)};
	const size_t size = number_format_f32(text, fabsf(x));
	text[size] = '\0';
	EXPECT(size < NUMBER_TEXT_MAX, "f32 %a: %zu bytes", s.x, size);
	expect_shortest(&s, text);
	negated[number_format_f32(negated, -fabsf(x))] = '\0';
	EXPECT(negated[0] == '-' && strcmp(negated + 1, text) == 0, "f32 %a: \"%s\"", -s.x, negated);
}

static void test_format_layout(void)
{
	static const struct {
		double x;
		const char *text;
	} cases[] = {
		{0.0, "0"},
		{-0.0, "-0"},
		{1.0, "1"},
		{-1.0, "-1"},
		{3.0, "3"},
		{100.0, "100"},
		{0.1, "0.1"},
		{0.5, "0.5"},
		{-2.5, "-2.5"},
		{123.456, "123.456"},
		{1e20, "100000000000000000000"},
		{1e21, "1e+21"},
		{1e22, "1e+22"},
		{-1e21, "-1e+21"},
		{999999999999999868928.0, "999999999999999900000"},
		{1000000000000000131072.0, "1.0000000000000001e+21"},
		{1234567890123456789012.0, "1.2345678901234568e+21"},
		{123456789012345678901.0, "123456789012345680000"},
		{9007199254740993.0, "9007199254740992"},
		{9007199254740991.0, "9007199254740991"},
		{1e-6, "0.000001"},
		{1e-7, "0.0000001"},
		{1.5e-7, "0.00000015"},
		{9.999999999999998e-8, "9.999999999999998e-08"},
		{1e-8, "1e-08"},
		{-1e-8, "-1e-08"},
		{1.2e-10, "1.2e-10"},
		{5e-324, "5e-324"},
		{1.7976931348623157e308, "1.7976931348623157e+308"},
		{2.2250738585072014e-308, "2.2250738585072014e-308"},
		{1e100, "1e+100"},
		{1.5e100, "1.5e+100"},
		{0.3, "0.3"},
		{0.1 + 0.2, "0.30000000000000004"},
		{(double)INFINITY, "inf"},
		{-(double)INFINITY, "-inf"},
		{(double)NAN, "nan"},
		{1e15, "1000000000000000"},
		{5e15, "5000000000000000"},
		{1e16, "10000000000000000"},
		{1.0 / 3, "0.3333333333333333"},
	};
	static const struct {
		float x;
		const char *text;
	} cases32[] = {
		{0.0F, "0"},
		{-0.0F, "-0"},
		{1.0F, "1"},
		{0.1F, "0.1"},
		{16777216.0F, "16777216"},
		{33554432.0F, "33554432"},
		{1e10F, "10000000000"},
		{1e20F, "100000000000000000000"},
		{1e21F, "1e+21"},
		{1e-7F, "0.0000001"},
		{9.9999994e-8F, "9.9999994e-08"},
		{3.4028235e38F, "3.4028235e+38"},
		{1e-45F, "1e-45"},
		{1.1754944e-38F, "1.1754944e-38"},
		{0.3F, "0.3"},
		{123456789.0F, "123456790"},
		{(float)INFINITY, "inf"},
		{-(float)INFINITY, "-inf"},
		{(float)NAN, "nan"},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const union value v = {.f64 = cases[i].x};
		expect_text(&type_table[TYPE_F64], &v, cases[i].text);
	}
	for (size_t i = 0; i < COUNT_OF(cases32); i++) {
		const union value v = {.f32 = cases32[i].x};
		expect_text(&type_table[TYPE_F32], &v, cases32[i].text);
	}
	const union value negative_nan = {.f64 = f64_from_bits(UINT64_C(0xfff8000000000123))};
	expect_text(&type_table[TYPE_F64], &negative_nan, "nan");
	check_promise("floats are laid out as promised: no needless point, positional from 1e-7 to 1e21, -0, inf, nan");
}

static void test_format_bit_patterns(void)
{
	for (unsigned long i = 0; i < random_values; i++) {
		expect_shortest_f64(random_f64());
		expect_shortest_f32(random_f32());
	}
	check_promise("random bit patterns are written as the nearest of the shortest decimals that read back");
}

static void test_format_ordinary(void)
{
	for (unsigned long i = 0; i < random_values / 2; i++) {
		const double cents = (double)(random_u64() >> (11 + random_below(50))) / 100;
		const double spread = ldexp((double)(random_u64() >> 11), -(int)random_below(90));
		expect_shortest_f64(cents + 0.01);
		expect_shortest_f64(spread + 1e-9);
		expect_shortest_f32((float)(cents + 0.01));
		expect_shortest_f32((float)(spread + 1e-9));
	}
	check_promise("everyday values (cents, fractions, large integers) are written as the shortest decimals");
}

static void test_format_powers(void)
{
	for (int e = -1074; e <= 1023; e++) {
		const double x = ldexp(1.0, e);
		expect_shortest_f64(x);
		if (e > -1074)
			expect_shortest_f64(nextafter(x, 0.0));
		expect_shortest_f64(nextafter(x, (double)INFINITY));
	}
	for (int e = -149; e <= 127; e++) {
		const float x = ldexpf(1.0F, e);
		expect_shortest_f32(x);
		if (e > -149)
			expect_shortest_f32(nextafterf(x, 0.0F));
		expect_shortest_f32(nextafterf(x, INFINITY));
	}
	for (int e = -323; e <= 308; e++) {
		char text[16];
		(void)snprintf(text, sizeof text, "1e%d", e);
		const double x = strtod(text, NULL);
		expect_shortest_f64(x);
		expect_shortest_f64(nextafter(x, (double)INFINITY));
		if (e > -323)
			expect_shortest_f64(nextafter(x, 0.0));
		if (e < -45 || e > 38)
			continue;
		const float y = strtof(text, NULL);
		expect_shortest_f32(y);
		expect_shortest_f32(nextafterf(y, INFINITY));
		if (e > -45)
			expect_shortest_f32(nextafterf(y, 0.0F));
	}
	check_promise("every power of two and of ten and its neighbours are written as the shortest decimals");
}

static void test_format_denormals(void)
{
	for (unsigned long i = 0; i < random_values / 4; i++) {
		expect_shortest_f64(f64_from_bits((random_u64() >> (12 + random_below(52))) | 1));
		expect_shortest_f32(f32_from_bits(((uint32_t)random_u64() >> (9 + random_below(23))) | 1));
	}
	for (uint32_t i = 1; i <= 300; i++) {
		expect_shortest_f64(f64_from_bits(i));
		expect_shortest_f32(f32_from_bits(i));
		expect_shortest_f64(f64_from_bits(UINT64_C(0x10000000000000) - i));
		expect_shortest_f32(f32_from_bits(0x800000u - i));
	}
	check_promise("denormals are written as the shortest decimals");
}

static void test_round_trip(void)
{
	char text[NUMBER_TEXT_MAX];
	for (unsigned long i = 0; i < random_values * 4; i++) {
		const double x = random_f64();
		const float y = random_f32();
		union value v = {.f64 = 42.0};
		EXPECT(number_parse(text, number_format_f64(text, x), &type_table[TYPE_F64], &v) == NUMBER_OK &&
			       f64_bits(v.f64) == f64_bits(x),
		       "f64 %a comes back as %a", x, v.f64);
		EXPECT(number_parse(text, number_format_f32(text, y), &type_table[TYPE_F32], &v) == NUMBER_OK &&
			       f32_bits(v.f32) == f32_bits(y),
		       "f32 %a comes back as %a", (double)y, (double)v.f32);
	}
	check_promise("what was written is read back with the same bits");
}

/* What lets the formatter round one up without a carry. */
static void test_powers(void)
{
	for (int k = POWER_LEAST; k <= POWER_GREATEST; k++) {
		const struct power power = power_of_ten(k);
		EXPECT(power.hi >> 63 == 1 && power.lo != UINT64_MAX, "10^%d", k);
	}
	check_promise("every power of ten has its first bit, and none ends in 64 ones");
}

int main(int argc, char **argv)
{
	read_arguments(argc, argv);
	test_powers();
	test_format_layout();
	test_format_bit_patterns();
	test_format_ordinary();
	test_format_powers();
	test_format_denormals();
	test_round_trip();
	return check_done();
}
