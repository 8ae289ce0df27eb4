/* What the first block is taken for, at its edges: magics that are cut, UTF-16's pairs, and how much of a block must
 * look unlike float32. Everything else about it is tests/cli/format.bats's. */
#include "text/sniff.h"

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
	const char *integers = sniff_integers(values, size);
	const char *other = integers != NULL ? "integers" : sniff_other_type(values, size);
	return word == NULL ? other == NULL : other != NULL && strcmp(other, word) == 0;
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
	EXPECT(is_taken(floats, 63 * sizeof *floats, NULL), "too few");
	floats[7] = 1e16;
	EXPECT(is_taken(floats, sizeof floats, NULL), "one is unusual");
	for (size_t i = 0; i < 100; i++)
		floats[i] = (double)(i + 1);
	EXPECT(is_taken(floats, sizeof floats, NULL), "whole numbers, whose low halves are zeros");
	check_promise("integers and float64 are told where float32 would be subnormal, or of all magnitudes and signs, "
		      "in one half");
}

int main(void)
{
	test_magics();
	test_utf16();
	test_float32();
	test_others();
	return check_done();
}
