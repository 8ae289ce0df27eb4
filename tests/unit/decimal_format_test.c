/* Decimals written as text, against digits found by repeated division.
 *
 * Usage: decimal_format_test [VALUES [SEED]]: VALUES random values for each promise. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decimal_check.h"

static void expect_decimal_text(const union value *m, const struct type *t, unsigned scale)
{
	char want[BIG_TEXT_SIZE];
	char got[DECIMAL_TEXT_MAX + 1];
	const struct big b = big_from_value(m, t);
	(void)big_text(&b, scale, want);
	const size_t size = decimal_format(got, m, t, scale);
	EXPECT(size <= DECIMAL_TEXT_MAX && size == strlen(want) && memcmp(got, want, size) == 0, "\"%.*s\", not \"%s\"",
	       (int)size, got, want);
	const double rounded = decimal_to_f64(m, t, scale);
	EXPECT(rounded == strtod(want, NULL), "%s is %a as a double", want, rounded);
}

static void test_format(void)
{
	static const s128 small[] = {0, 1, -1, 9, 10, -10, 99, 100, 12345, -12345, INT64_MAX, INT64_MIN};
	for (unsigned scale = 0; scale <= DECIMAL_SCALE_MAX; scale++) {
		for (size_t i = 0; i < COUNT_OF(small); i++) {
			const union value narrow = value_of((u128)small[i], i64_type);
			const union value wide = value_of((u128)small[i], i128_type);
			expect_decimal_text(&narrow, i64_type, scale);
			expect_decimal_text(&wide, i128_type, scale);
		}
		for (unsigned bit = 0; bit < 128; bit++) {
			const union value power = value_of((u128)1 << bit, i128_type);
			const union value below = value_of(((u128)1 << bit) - 1, i128_type);
			const union value negative = value_of(0 - ((u128)1 << bit), i128_type);
			expect_decimal_text(&power, i128_type, scale);
			expect_decimal_text(&below, i128_type, scale);
			expect_decimal_text(&negative, i128_type, scale);
		}
		u128 ten = 1;
		for (int digits = 1; digits <= 38; digits++, ten *= 10) {
			const union value power = value_of(ten, i128_type);
			const union value below = value_of(ten - 1, i128_type);
			expect_decimal_text(&power, i128_type, scale);
			expect_decimal_text(&below, i128_type, scale);
		}
	}
	for (unsigned long i = 0; i < random_values; i++) {
		const struct type *t = random_below(2) != 0 ? i64_type : i128_type;
		const union value v = random_value(t);
		expect_decimal_text(&v, t, random_below(DECIMAL_SCALE_MAX + 1));
	}
	check_promise("mantissas are written with their scale, and rounded once as a double");
}

static void test_format_lines(void)
{
	static char got[16 * DECIMAL_TEXT_MAX + 1];
	for (unsigned long i = 0; i < random_values / 16; i++) {
		const struct type *t = random_below(2) != 0 ? i64_type : i128_type;
		const unsigned scale = random_below(DECIMAL_SCALE_MAX + 1);
		_Alignas(16) unsigned char mantissas[16 * 16];
		union value values[16];
		for (size_t j = 0; j < 16; j++) {
			values[j] = random_value(t);
			memcpy(mantissas + j * t->size, &values[j], t->size);
		}
		got[decimal_format_lines(got, t, scale, mantissas, t->size, 16)] = '\0';
		const char *p = got;
		for (size_t j = 0; j < 16; j++) {
			char text[BIG_TEXT_SIZE];
			const struct big b = big_from_value(&values[j], t);
			const size_t size = strlen(big_text(&b, scale, text));
			EXPECT(strncmp(p, text, size) == 0 && p[size] == '\n', "%s at scale %u", text, scale);
			p += strcspn(p, "\n") + 1;
		}
		EXPECT(*p == '\0', "something behind the last line");
	}
	check_promise("lines of decimals are the decimals, each with a newline");
}

int main(int argc, char **argv)
{
	read_arguments(argc, argv);
	test_format();
	test_format_lines();
	return check_done();
}
