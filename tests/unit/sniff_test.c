/* What the first block of an input is taken for, in cases at the edge: magics that are cut off, UTF-16 pairs, and how
 * large a part of a block must be unlike float32. tests/cli/format.bats tests everything else about it. */
#include "text/sniff.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

#define BYTES(text) (const unsigned char *)(text), sizeof(text) - 1

static void test_magics(void)
{
	static const char *const tails[] = {"ustar\00000", "ustar  \0"};
	for (size_t k = 0; k < 2; k++) {
		unsigned char block[265] = "numbers";
		memcpy(block + 257, tails[k], 8);
		EXPECT(sniff_foreign(block, 265) != NULL, "tar %zu", k);
		EXPECT(sniff_foreign(block, 264) == NULL, "tar %zu without its last byte", k);
		block[256] = 1;
		EXPECT(sniff_foreign(block + 1, 264) == NULL, "tar %zu a byte too early", k);
	}
	for (unsigned level = 0; level < 256; level++) {
		unsigned char block[] = "BZh?1AY&SY\xff";
		block[3] = (unsigned char)level;
		EXPECT((sniff_foreign(block, 11) != NULL) == (level >= '1' && level <= '9'), "bzip2 of level %u",
		       level);
	}
	EXPECT(sniff_foreign(BYTES("BZh9\x17rE8P\x90")) != NULL, "bzip2 of nothing");
	EXPECT(sniff_foreign(BYTES("BZh9\x17rE8P")) == NULL, "bzip2 of nothing, cut");
	EXPECT(sniff_foreign(BYTES("PAR1\x15")) != NULL && sniff_foreign(BYTES("PAR1 15\n")) == NULL, "Parquet");
	EXPECT(sniff_foreign(BYTES("SQLite format 3\0")) != NULL && sniff_foreign(BYTES("SQLite format 3\n")) == NULL,
	       "SQLite");
	check_promise("a magic counts whole and in its place, and where the block is no text");
}

static void test_utf16(void)
{
	EXPECT(sniff_wide_text(BYTES("\377\3761\0"), true) != NULL, "marked");
	EXPECT(sniff_wide_text(BYTES("\376\377\0001"), true) != NULL, "marked, big-endian");
	EXPECT(sniff_wide_text(BYTES("\377\376a\0"), true) == NULL, "without a digit");
	EXPECT(sniff_wide_text(BYTES("\377\3761\0\0\0"), true) == NULL, "with a NUL");
	EXPECT(sniff_wide_text(BYTES("\377\3761\0\75\330\0\336"), true) != NULL, "with a pair");
	EXPECT(sniff_wide_text(BYTES("\377\3761\0\75\330"), true) != NULL, "with a pair that is cut");
	EXPECT(sniff_wide_text(BYTES("\377\3761\0\75\3301\0"), true) == NULL, "with half a pair");
	EXPECT(sniff_wide_text(BYTES("\377\3761\0\0\336"), true) == NULL, "with the other half");
	EXPECT(sniff_wide_text(BYTES("1\0\n\0"), true) == NULL && sniff_wide_text(BYTES("1\0\n\0"), false) != NULL,
	       "no mark");
	EXPECT(sniff_wide_text(BYTES("\0001\0\n"), false) != NULL, "no mark, big-endian");
	EXPECT(sniff_wide_text(BYTES("1\0\n"), false) == NULL && sniff_wide_text(BYTES("\0001\n"), false) == NULL,
	       "a number with a NUL");
	EXPECT(sniff_wide_text(BYTES("1\0\xe9\0"), false) == NULL, "no mark and beyond ASCII");
	EXPECT(sniff_wide_text(BYTES("1\0\n\0002"), false) != NULL, "a unit that is cut");
	EXPECT(sniff_wide_text(BYTES("1"), false) == NULL && sniff_wide_text(NULL, 0, false) == NULL,
	       "hardly anything");
	check_promise("UTF-16 is well-formed text with a digit in it");
}

static void test_float32(void)
{
	float values[10];
	for (size_t strange = 0; strange <= 10; strange++) {
		for (size_t i = 0; i < 10; i++)
			values[i] = i < strange ? 1e-16f : i % 2 == 0 ? 0.0f : -2e-15f;
		EXPECT(sniff_is_unlike_f32((const unsigned char *)values, sizeof values) == (strange > 5),
		       "%zu of 10 are too small", strange);
	}
	unsigned char bytes[100];
	for (size_t printable = 0; printable <= 100; printable++) {
		/* 0x40 and 0xc0 begin and end numbers like 2 and -2. */
		memset(bytes, 0xc0, sizeof bytes);
		memset(bytes, 0x40, printable);
		EXPECT(sniff_is_unlike_f32(bytes, sizeof bytes) == (printable > 90), "%zu%% are printable", printable);
	}
	const uint32_t nans[] = {0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000, 0xffffffff, 0x7f800001};
	EXPECT(!sniff_is_unlike_f32((const unsigned char *)nans, 16), "usual NaNs and infinities");
	EXPECT(sniff_is_unlike_f32((const unsigned char *)(nans + 4), 8), "other NaNs");
	EXPECT(!sniff_is_unlike_f32(NULL, 0), "nothing");
	check_promise("a block is unlike float32 if more than half of its magnitudes or nine tenths of its bytes are");
}

/* Whether values are taken for what word says, or for nothing. */
static bool is_taken(const void *values, size_t size, const char *word)
{
	const char *type = sniff_type(values, size, size);
	if (type != NULL && type[0] == 'i')
		type = "integers";
	return word == NULL ? type == NULL : type != NULL && strcmp(type, word) == 0;
}

static void test_others(void)
{
	int64_t integers[100] = {0};
	for (size_t small = 0; small <= 100; small++) {
		for (size_t i = 0; i < 100; i++)
			integers[i] = i < small ? (int64_t)i + 1 : 0;
		EXPECT(is_taken(integers, sizeof integers, small > 12 ? "integers" : NULL), "%zu%% are no zeros",
		       small);
		for (size_t i = small; i < 100; i++)
			integers[i] = 1 << 30;
		EXPECT(is_taken(integers, sizeof integers, small > 50 ? "integers" : NULL), "%zu%% are small", small);
	}
	static const struct {
		int64_t value;
		bool is;
	} cases[] = {
		{(1 << 23) - 1, true},
		{1 << 23, false},
		{(INT64_C(1) << 32) - 1, false},
		{INT64_C(1) << 32, true},
		{(INT64_C(1) << 53) - 1, true},
		{INT64_C(1) << 53, false},
		{-1, true},
		{1 - (INT64_C(1) << 53), true},
		{-(INT64_C(1) << 53), false},
		{0, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		EXPECT(is_taken(&cases[i].value, 8, cases[i].is ? "integers" : NULL), "case %zu", i);
	EXPECT(is_taken(NULL, 0, NULL) && is_taken(integers, 3, NULL), "nothing");
	double floats[100];
	for (size_t i = 0; i < 100; i++)
		floats[i] = (double)(i + 1) / 100;
	EXPECT(is_taken(floats, sizeof floats, "float64"), "hundredths");
	floats[7] = 1e16;
	EXPECT(is_taken(floats, sizeof floats, "float64"), "one is unusual");
	for (size_t i = 0; i < 7; i++)
		floats[i] = 1e16;
	EXPECT(is_taken(floats, sizeof floats, NULL), "eight are unusual");
	check_promise("integers and float64 are told where float32 would be subnormal, or of all magnitudes and signs, "
		      "in one half");
}

/* As pairs of float32 most of these are pairs of a zero and a usual number. */
static void test_whole_floats(void)
{
	static const struct {
		double values[4];
		const char *word;
	} cases[] = {
		{{1, 2, 3, 4}, "float64"},
		{{0, 0, 0, -1}, "float64"},
		{{0.25, 0.5, 0.75, 1}, "float64"},
		{{0.1, 0.1, 0.1, 0.1}, "float64"},
		{{1, NAN, INFINITY, -INFINITY}, "float64"},
		{{0x1p21 + 1, 0x1p21 + 2, 0x1p21 + 3, 0x1p21 + 4}, "float64"},
		{{1.7e12, 1.7e12 + 1, 1.7e12 + 2, 1.7e12 + 3}, "float64"}, /* milliseconds since 1970 */
		{{0, 0, 0, 0}, NULL},
		{{-0.0, 0, -0.0, 0}, NULL},
		{{0.125, 0.5, 0.75, 1}, NULL}, /* float32: 0, 1.5, ... */
		{{0x1p-7, 0x1p-7, 0x1p-7, 0}, NULL}, /* float32: 0, 1, 0, 1, 0, 1, 0, 0 */
		{{1e16, 1e16, 1e16, 1e16}, NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		EXPECT(is_taken(cases[i].values, sizeof cases[i].values, cases[i].word), "case %zu", i);
	const float pairs[] = {0, 3, 5, 7, 9, 11, 13, 15};
	EXPECT(is_taken(pairs, sizeof pairs, NULL), "one zero of float32");
	const float ages[] = {33, 60, 34, 61, 35, 62, 36, 63};
	EXPECT(is_taken(ages, sizeof ages, NULL), "float32 that are whole numbers, too");
	double mixed[5] = {1, 2, 3, 4, 0.3};
	EXPECT(is_taken(mixed, sizeof mixed, NULL), "one in five has more digits");
	mixed[3] = 0.7; /* Its low half is unusual. */
	EXPECT(is_taken(mixed, sizeof mixed, "float64"), "and one is unusual");
	double many[16];
	for (size_t i = 0; i < 16; i++)
		many[i] = 0x1p-7 * (double)(i + 1);
	EXPECT(is_taken(many, sizeof many, "float64") && is_taken(many, 15 * sizeof *many, NULL), "sixteen with zeros");
	check_promise("float64 with few digits is told from float32 with zeros");
}

static void test_sizes(void)
{
	const int32_t words[] = {1, 2, 3, 4};
	EXPECT(strcmp(sniff_type((const unsigned char *)words, 12, 12), "int32") == 0, "three of 32 bits");
	EXPECT(sniff_type((const unsigned char *)words, 14, 14) == NULL, "half a number is left over");
	EXPECT(strcmp(sniff_type((const unsigned char *)words, 16, 20), "int32") == 0, "five, of which four are seen");
	const double floats[] = {1, 2};
	EXPECT(sniff_type((const unsigned char *)floats, 16, 20) == NULL, "two and a half");
	check_promise("a type is suggested only if its size divides the input's");
}

int main(void)
{
	test_magics();
	test_utf16();
	test_float32();
	test_others();
	test_whole_floats();
	test_sizes();
	return check_done();
}
