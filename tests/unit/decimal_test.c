/* Exact decimals against arithmetic done digit by digit on decimal strings, which knows neither widths nor scales, and
 * against the compiler's 128-bit integers.
 *
 * Usage: decimal_test [VALUES [SEED]]: VALUES random values for each promise. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decimal_check.h"

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
		{"1", {.magnitude = 1}},
		{"+7", {.magnitude = 7}},
		{"-12", {.negative = true, .magnitude = 12}},
		{"1.50", {.scale = 2, .magnitude = 150}},
		{".5", {.scale = 1, .magnitude = 5}},
		{"5.", {.magnitude = 5}},
		{"-0.00", {.negative = true, .scale = 2}},
		{"007.10", {.scale = 2, .magnitude = 710}},
		{"0.000000000000000001", {.scale = 18, .magnitude = 1}},
		{"1e3", {.magnitude = 1000}},
		{"1E-3", {.scale = 3, .magnitude = 1}},
		{"-2.5e+10", {.negative = true, .magnitude = 25000000000}},
		{"1.50e1", {.scale = 1, .magnitude = 150}},
		{"0e0", {.magnitude = 0}},
		{"0e-99", {.scale = 18}},
		{"0e99999999999999999999", {.magnitude = 0}},
		{"1000e-20", {.scale = 18, .magnitude = 10}},
		{"0.0000000000000000000", {.scale = 18}},
		{"12.0e-18", {.scale = 18, .magnitude = 12}},
		{"34028236692093846346337460743176821145e1", {.magnitude = (u128)-6}},
		{"18446744073709551615", {.magnitude = UINT64_MAX}},
		{"18446744073709551616", {.magnitude = (u128)1 << 64}},
		{"340282366920938463463374607431768211455", {.magnitude = (u128)-1}},
		{"3402823669209384634633746074317682114.55", {.scale = 2, .magnitude = (u128)-1}},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct decimal d = {.is_float = true};
		const struct decimal *w = &cases[i].want;
		EXPECT(parse_decimal(cases[i].text, &d) && !d.is_float && d.negative == w->negative &&
			       d.scale == w->scale && !d.huge && d.magnitude == w->magnitude,
		       "%s: scale %u, mantissa %016" PRIx64 "%016" PRIx64, cases[i].text, d.scale,
		       (uint64_t)(d.magnitude >> 64), (uint64_t)d.magnitude);
	}
	check_promise("a token is its digits as an integer, and the number of those behind the point");
}

static void test_parse_huge(void)
{
	static const char list[] = "6277101735386680763835789423207666416102355444464034512896"
				   "|-340282366920938463463374607431768211456"
				   "|34028236692093846346337460743176821145.6"
				   "|-1e39|34028236692093846346337460743176821146e1|0.01e400|1e99999999999999999999"
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
	EXPECT(parse_decimal(zeros, &d) && !d.huge && !d.is_float && d.magnitude == 125 && d.scale == 1,
	       "5000 zeros in front");
	memset(zeros, '9', 5000);
	EXPECT(parse_decimal(zeros, &d) && d.huge && d.scale == 1, "5000 nines in front");
	EXPECT(parse_decimal("340282366920938463463374607431768211455", &d) && !d.huge && d.magnitude == (u128)-1,
	       "2^128 - 1");
	check_promise("a mantissa of more than 128 bits is huge; leading zeros do not count");
}

static void test_parse_floats(void)
{
	static const char floats[] =
		"1e-19|12.5e-18|-25E-99999999999999999999|inf|-Infinity|nan|NAN|1.0000000000000000001";
	static const char invalid[] = "|.|-|+.|1e|1.2.3|0x10|--1|1,5|1_0|abc|1 | 1|in|nan1";
	const char *token = NULL;
	size_t size;
	struct decimal d;
	while (next_token(floats, &token, &size))
		EXPECT(decimal_parse(token, size, &d) && d.is_float, "%.*s is taken for exact", (int)size, token);
	token = NULL;
	while (next_token(invalid, &token, &size))
		EXPECT(!decimal_parse(token, size, &d), "\"%.*s\" is taken for a number", (int)size, token);
	check_promise("inf, nan and what is no multiple of 1e-18 are floats; what is no number is refused");
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
	read_arguments(argc, argv);
	test_parse();
	test_parse_huge();
	test_parse_floats();
	test_mantissa_bounds();
	test_mantissa_random();
	test_fits_i64();
	return check_done();
}
