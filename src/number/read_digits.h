/* Reads digits in words: classifies 8 or 16 bytes of text at once, and computes the value of 8 or 16 digits at once.
 *
 * Pure functions; any thread. Functions with a parameter p always read 16 bytes from p on (digits_load 8 bytes). These
 * bytes must be readable, but may be any bytes. */
#ifndef PSCAN_NUMBER_READ_DIGITS_H
#define PSCAN_NUMBER_READ_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Returns the eight bytes at p as a word. The byte at p is the least significant. */
static inline uint64_t digits_load(const char *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* Returns a word whose top bit of each byte is 1 if that byte of `word` is not a digit. All other bits are 0. */
static inline uint64_t digits_foreign(uint64_t word)
{
	const uint64_t digits = word ^ UINT64_C(0x3030303030303030); /* A digit becomes its value, others 10 or more. */
	return (((digits & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x7676767676767676)) | digits) &
	       UINT64_C(0x8080808080808080);
}

/* Returns the value of eight digits, the first one in the least significant byte. Bytes of 0 count as zeros. Each step
 * is one multiplication and combines neighbours: into pairs, into fours, into all eight. */
static inline uint64_t digits_value8(uint64_t word)
{
	word = (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) * (1 + (10 << 8)) >> 8;
	word = (word & UINT64_C(0x00ff00ff00ff00ff)) * (1 + (100 << 16)) >> 16;
	return (word & UINT64_C(0x0000ffff0000ffff)) * (1 + (UINT64_C(10000) << 32)) >> 32;
}

/* The kinds of sixteen bytes at p. Bit i stands for p[i]. */
struct digits_shape {
	unsigned digits, points;
	unsigned spaces; /* Blanks and control bytes. Bytes from 128 on may be among them. */
};

#ifdef __SSE2__
static inline struct digits_shape digits_look(const char *p)
{
	__m128i bytes;
	memcpy(&bytes, p, sizeof bytes);
	/* '0' to '9' become the ten greatest signed bytes. */
	const __m128i moved = _mm_add_epi8(bytes, _mm_set1_epi8(0x7f - '9'));
	const __m128i digits = _mm_cmpgt_epi8(moved, _mm_set1_epi8(0x7f - 10));
	const __m128i points = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('.'));
	/* Bytes below '!' get their top bit set. */
	const __m128i spaces = _mm_sub_epi8(bytes, _mm_set1_epi8('!'));
	return (struct digits_shape){(unsigned)_mm_movemask_epi8(digits), (unsigned)_mm_movemask_epi8(points),
				     (unsigned)_mm_movemask_epi8(spaces)};
}
#else
/* Gathers the top bits of the eight bytes into one byte, the top byte of a product. */
static inline unsigned digits_gather(uint64_t tops)
{
	return (unsigned)((tops >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

static inline unsigned digits_points(uint64_t word)
{
	const uint64_t others = word ^ UINT64_C(0x2e2e2e2e2e2e2e2e);
	const uint64_t low = (others & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x7f7f7f7f7f7f7f7f);
	return digits_gather(~(low | others) & UINT64_C(0x8080808080808080));
}

static inline unsigned digits_spaces(uint64_t word)
{
	const uint64_t low = (word & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x5f5f5f5f5f5f5f5f);
	return digits_gather(~low & UINT64_C(0x8080808080808080));
}

static inline struct digits_shape digits_look(const char *p)
{
	const uint64_t low = digits_load(p);
	const uint64_t high = digits_load(p + 8);
	const unsigned foreign = digits_gather(digits_foreign(low)) | digits_gather(digits_foreign(high)) << 8;
	return (struct digits_shape){foreign ^ 0xffff, digits_points(low) | digits_points(high) << 8,
				     digits_spaces(low) | digits_spaces(high) << 8};
}
#endif

/* Masks for the last n of sixteen digits: of the sixteen bytes from digits_last + n on, the last n are 15 and the
 * others are 0. n may be up to 32; from 16 on all sixteen are 15. */
extern const char digits_last[48];

#ifdef __SSE2__
/* Returns the value of sixteen digits. Bytes of 0 count as zeros, and the upper halves of bytes must be 0. */
static inline uint64_t digits_combine(__m128i digits)
{
	/* Combines digits into pairs, pairs into fours, and fours into halves of eight digits. The first digit of a
	 * pair is the lower byte of its 16 bits. */
	const __m128i tens = _mm_mullo_epi16(_mm_and_si128(digits, _mm_set1_epi16(15)), _mm_set1_epi16(10));
	const __m128i pairs = _mm_add_epi16(tens, _mm_srli_epi16(digits, 8));
	const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
	const __m128i halves = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
	const uint64_t both = (uint64_t)_mm_cvtsi128_si64(halves);
	return (both & UINT32_MAX) * 100000000 + (both >> 32);
}
#endif

/* Returns the value of the `count` digits (1 .. 16) that end before `stop`. point: a point stands among or before the
 * digits, and the last `fraction` digits (0 .. count) are after it. The 17 bytes before `stop` are read. */
#ifdef __SSE2__
static inline uint64_t digits_value16(const char *stop, unsigned count, bool point, unsigned fraction)
{
	__m128i digits;
	__m128i earlier;
	__m128i after;
	__m128i all;
	memcpy(&digits, stop - 16, sizeof digits);
	memcpy(&all, digits_last + count, sizeof all);
	if (point) { /* The digits before the point move one place to the right. */
		memcpy(&earlier, stop - 17, sizeof earlier);
		memcpy(&after, digits_last + fraction, sizeof after);
		digits = _mm_or_si128(_mm_and_si128(after, digits), _mm_andnot_si128(after, earlier));
	}
	return digits_combine(_mm_and_si128(digits, all));
}

/* Returns the bytes of `low` where the mask of the last `count` digits (0 .. 32) is set, and those of `high` before
 * them. */
static inline __m128i digits_join(__m128i high, __m128i low, unsigned count)
{
	__m128i last;
	memcpy(&last, digits_last + count, sizeof last);
	return _mm_or_si128(_mm_and_si128(last, low), _mm_andnot_si128(last, high));
}

/* digits_value16 for a number with thousands marks: the digits before the last `fraction` ones are groups of three (the
 * first group may be shorter), with one byte between two groups. There are at most three such bytes. The 20 bytes
 * before `stop` are read. */
static inline uint64_t digits_value_grouped(const char *stop, unsigned count, bool point, unsigned fraction)
{
	__m128i digits[4]; /* The last digits, and those before one, two and three bytes that are not. */
	__m128i last;
	__m128i all;
	const char *from = stop - 16 - point;
	memcpy(&last, stop - 16, sizeof last);
	memcpy(&digits[0], from, sizeof digits[0]);
	memcpy(&digits[1], from - 1, sizeof digits[1]);
	memcpy(&digits[2], from - 2, sizeof digits[2]);
	memcpy(&digits[3], from - 3, sizeof digits[3]);
	memcpy(&all, digits_last + count, sizeof all);
	digits[2] = digits_join(digits[3], digits[2], fraction + 9);
	digits[1] = digits_join(digits[2], digits[1], fraction + 6);
	digits[0] = digits_join(digits[1], digits[0], fraction + 3);
	return digits_combine(_mm_and_si128(digits_join(digits[0], last, fraction), all));
}

/* Returns a word with bit i set if byte i of the sixteen bytes at p is c. */
static inline unsigned digits_find(const char *p, char c)
{
	__m128i bytes;
	memcpy(&bytes, p, sizeof bytes);
	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
}
#else
static inline uint64_t digits_value16(const char *stop, unsigned count, bool point, unsigned fraction)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < 16; i += 8) {
		uint64_t digits = digits_load(stop - 16 + i);
		if (point) { /* The digits before the point move one place to the right. */
			const uint64_t after = digits_load(digits_last + fraction + i);
			digits = (digits & after) | (digits_load(stop - 17 + i) & ~after);
		}
		value = value * 100000000 + digits_value8(digits & digits_load(digits_last + count + i));
	}
	return value;
}
#endif

#endif
