/* Reading and writing integers against the C library.
 *
 * Usage: number_integer_test [VALUES [SEED]]: VALUES random values for each promise. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number_check.h"

struct integer_bounds {
	enum type_id id;
	const char *least, *below; /* below: the nearest text outside */
	const char *greatest, *above;
};
static const struct integer_bounds integer_bounds[] = {
	{TYPE_I8, "-128", "-129", "127", "128"},
	{TYPE_U8, "0", "-1", "255", "256"},
	{TYPE_I16, "-32768", "-32769", "32767", "32768"},
	{TYPE_U16, "0", "-1", "65535", "65536"},
	{TYPE_I32, "-2147483648", "-2147483649", "2147483647", "2147483648"},
	{TYPE_U32, "0", "-1", "4294967295", "4294967296"},
	{TYPE_I64, "-9223372036854775808", "-9223372036854775809", "9223372036854775807", "9223372036854775808"},
	{TYPE_U64, "0", "-1", "18446744073709551615", "18446744073709551616"},
};

static void test_integer_bounds(void)
{
	for (size_t i = 0; i < COUNT_OF(integer_bounds); i++) {
		const struct integer_bounds *b = &integer_bounds[i];
		const struct type *t = &type_table[b->id];
		const char *const inside[] = {b->least, b->greatest};
		const char *const outside[] = {b->below, b->above, "99999999999999999999999",
					       "-99999999999999999999999", "0x10000000000000000"};
		for (size_t j = 0; j < COUNT_OF(inside); j++) {
			union value v = {0};
			EXPECT(parse(inside[j], t, &v) == NUMBER_OK, "%s refuses %s", t->name, inside[j]);
			expect_text(t, &v, inside[j]);
		}
		for (size_t j = 0; j < COUNT_OF(outside); j++) {
			union value v = {.u64 = 42};
			EXPECT(parse(outside[j], t, &v) == NUMBER_RANGE && v.u64 == 42, "%s takes %s", t->name,
			       outside[j]);
		}
	}
	check_promise("integers are read and written up to their type's bounds; past them they are out of range");
}

static void test_integer_forms(void)
{
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {
		{"0", 0},      {"-0", 0},       {"+7", 7},      {"007", 7},
		{"0x10", 16},  {"-0x80", -128}, {"+0x7f", 127}, {"0x000000000000000000001f", 31},
		{"0xaB", 171}, {"0xfF", 255},   {"-12", -12},   {"00000000000000000000000012", 12},
	};
	static const char list[] =
		"|+|-|1.0|1.|.5|1e5|inf|nan|0x|-0x|0xg|x10|0x1.8|1_000|1,000|--1|1 | 1|0x-1|0b1|1u|12a|0x1_0";
	for (size_t i = 0; i < COUNT_OF(good); i++) {
		union value v = {.i64 = 42};
		EXPECT(parse(good[i].text, &type_table[TYPE_I64], &v) == NUMBER_OK && v.i64 == good[i].value,
		       "i64 \"%s\": %" PRId64, good[i].text, v.i64);
	}
	for (size_t i = 0; i < COUNT_OF(integer_bounds); i++) {
		const char *token = NULL;
		size_t size;
		while (next_token(list, &token, &size))
			expect_invalid(&type_table[integer_bounds[i].id], token, size);
	}
	check_promise("integer types take decimal and 0x integers, nothing else");
}

static void test_integer_random(void)
{
	for (unsigned long i = 0; i < random_values; i++) {
		char text[32];
		char got[NUMBER_TEXT_MAX + 1];
		const uint64_t bits = random_u64() >> random_below(64);
		union value v = {0};
		(void)snprintf(text, sizeof text, "%" PRIu64, bits);
		EXPECT(parse(text, &type_table[TYPE_U64], &v) == NUMBER_OK && v.u64 == bits, "u64 %s", text);
		expect_text(&type_table[TYPE_U64], &v, text);
		got[number_format_u64(got, bits)] = '\0';
		EXPECT(strcmp(got, text) == 0, "number_format_u64: \"%s\", not \"%s\"", got, text);
		const int64_t number = (int64_t)(bits >> 1) * (random_below(2) != 0 ? 1 : -1);
		(void)snprintf(text, sizeof text, "%" PRId64, number);
		EXPECT(parse(text, &type_table[TYPE_I64], &v) == NUMBER_OK && v.i64 == number, "i64 %s", text);
		expect_text(&type_table[TYPE_I64], &v, text);
		(void)snprintf(text, sizeof text, "0x%" PRIx64, bits);
		EXPECT(parse(text, &type_table[TYPE_U64], &v) == NUMBER_OK && v.u64 == bits, "u64 %s", text);
		v = (union value){.i32 = (int32_t)(uint32_t)bits};
		(void)snprintf(text, sizeof text, "%" PRId32, v.i32);
		expect_text(&type_table[TYPE_I32], &v, text);
		v = (union value){.i16 = (int16_t)(uint16_t)bits};
		(void)snprintf(text, sizeof text, "%d", (int)v.i16);
		expect_text(&type_table[TYPE_I16], &v, text);
		v = (union value){.i8 = (int8_t)(uint8_t)bits};
		(void)snprintf(text, sizeof text, "%d", (int)v.i8);
		expect_text(&type_table[TYPE_I8], &v, text);
	}
	check_promise("random integers are read and written as the C library does");
}

/* The value's text, of integers by the C library, a newline behind it. */
static size_t print_line(char *out, const struct type *t, const unsigned char *bytes)
{
	union value v = {0};
	memcpy(&v, bytes, t->size);
	if (t->kind == KIND_FLOAT) {
		const size_t size = number_format(out, t, &v);
		out[size] = '\n';
		return size + 1;
	}
	if (t->kind == KIND_UNSIGNED)
		return (size_t)sprintf(out, "%" PRIu64 "\n", v.u64);
	const unsigned shift = 64 - 8 * (unsigned)t->size;
	return (size_t)sprintf(out, "%" PRId64 "\n", (int64_t)(v.u64 << shift) >> shift);
}

static void test_lines(void)
{
	static uint64_t values[64];
	static char got[COUNT_OF(values) * 8 * NUMBER_TEXT_MAX];
	static char want[COUNT_OF(values) * 8 * NUMBER_TEXT_MAX + 256];
	for (unsigned long i = 0; i < random_values / 100; i++) {
		for (size_t j = 0; j < COUNT_OF(values); j++)
			values[j] = random_u64() >> (i % 2 != 0 ? random_below(64) : 0);
		for (int id = 0; id < TYPE_I128; id++) {
			const struct type *t = &type_table[id];
			const size_t count = sizeof values / t->size - i % 3;
			size_t size = 0;
			for (size_t j = 0; j < count; j++)
				size += print_line(want + size, t, (const unsigned char *)values + j * t->size);
			const size_t written = number_format_lines(got, t, values, t->size, count);
			EXPECT(written == size && memcmp(got, want, size) == 0, "%s", t->name);
		}
	}
	check_promise("lines of every type are its numbers, each with a newline");
}

int main(int argc, char **argv)
{
	read_arguments(argc, argv);
	test_integer_bounds();
	test_integer_forms();
	test_integer_random();
	test_lines();
	return check_done();
}
