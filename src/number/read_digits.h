/* Digits in words: eight or sixteen bytes of text are looked at, and eight digits turned into their value, at once.
 *
 * Pure functions; any thread. They read 8 or 16 bytes from p, whatever these are. */
#ifndef PSCAN_NUMBER_READ_DIGITS_H
#define PSCAN_NUMBER_READ_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Eight bytes; the one at p is the least significant. */
static inline uint64_t digits_load(const char *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* The top bit of every byte that is no digit. */
static inline uint64_t digits_foreign(uint64_t word)
{
	const uint64_t digits = word ^ UINT64_C(0x3030303030303030); /* a digit's value, in all others 10 and above */
	return (((digits & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x7676767676767676)) | digits) &
	       UINT64_C(0x8080808080808080);
}

/* The value of eight digits; bytes of 0 count as zeros. Pairs, then fours, then all, each step one multiplication. */
static inline uint64_t digits_value8(uint64_t word)
{
	word = (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) * (1 + (10 << 8)) >> 8;
	word = (word & UINT64_C(0x00ff00ff00ff00ff)) * (1 + (100 << 16)) >> 16;
	return (word & UINT64_C(0x0000ffff0000ffff)) * (1 + (UINT64_C(10000) << 32)) >> 32;
}

/* The value of the first count digits at p, 1 <= count <= 8. */
static inline uint64_t digits_value(const char *p, unsigned count)
{
	return digits_value8(digits_load(p) << 8 * (8 - count));
}

/* What the sixteen bytes at p are: bit i stands for p[i]. */
struct digits_shape {
	unsigned digits, points;
	unsigned spaces; /* and control bytes, perhaps also bytes from 128 on; nothing else */
};

#ifdef __SSE2__
static inline struct digits_shape digits_look(const char *p)
{
	__m128i bytes;
	memcpy(&bytes, p, sizeof bytes);
	/* '0'..'9' become the greatest ten signed bytes. */
	const __m128i moved = _mm_add_epi8(bytes, _mm_set1_epi8(0x7f - '9'));
	const __m128i digits = _mm_cmpgt_epi8(moved, _mm_set1_epi8(0x7f - 10));
	const __m128i points = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('.'));
	/* The top bit of those below '!'. */
	const __m128i spaces = _mm_sub_epi8(bytes, _mm_set1_epi8('!'));
	return (struct digits_shape){(unsigned)_mm_movemask_epi8(digits), (unsigned)_mm_movemask_epi8(points),
				     (unsigned)_mm_movemask_epi8(spaces)};
}
#else
/* One bit for each byte's top bit: the product gathers them in its top byte. */
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

/* Sixteen masks of sixteen bytes each, in a row of bytes to be read from anywhere: from byte n on, the last n of the
 * sixteen are 15, the digits' own bits. */
extern const char digits_last[32];

/* The value of the count digits (1 .. 16) that end before stop; the fraction last of them stand after a point (0 ..
 * count) if there is one. The 17 bytes before stop are read. */
#ifdef __SSE2__
static inline uint64_t digits_value16(const char *stop, unsigned count, bool point, unsigned fraction)
{
	__m128i digits;
	__m128i earlier;
	__m128i after;
	__m128i all;
	memcpy(&digits, stop - 16, sizeof digits);
	memcpy(&all, digits_last + count, sizeof all);
	if (point) { /* those before it move one place to the right */
		memcpy(&earlier, stop - 17, sizeof earlier);
		memcpy(&after, digits_last + fraction, sizeof after);
		digits = _mm_or_si128(_mm_and_si128(after, digits), _mm_andnot_si128(after, earlier));
	}
	digits = _mm_and_si128(digits, all);
	/* Pairs, fours, then both halves: 16 bits hold the first of a pair below the second. */
	const __m128i tens = _mm_mullo_epi16(_mm_and_si128(digits, _mm_set1_epi16(15)), _mm_set1_epi16(10));
	const __m128i pairs = _mm_add_epi16(tens, _mm_srli_epi16(digits, 8));
	const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
	const __m128i halves = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
	const uint64_t both = (uint64_t)_mm_cvtsi128_si64(halves);
	return (both & UINT32_MAX) * 100000000 + (both >> 32);
}
#else
static inline uint64_t digits_value16(const char *stop, unsigned count, bool point, unsigned fraction)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < 16; i += 8) {
		uint64_t digits = digits_load(stop - 16 + i);
		if (point) { /* those before it move one place to the right */
			const uint64_t after = digits_load(digits_last + fraction + i);
			digits = (digits & after) | (digits_load(stop - 17 + i) & ~after);
		}
		value = value * 100000000 + digits_value8(digits & digits_load(digits_last + count + i));
	}
	return value;
}
#endif

#endif
