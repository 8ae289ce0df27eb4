/* Vectors for the host's fast rows, in the vector extensions that gcc and clang share. The width is that of the
 * instruction set which the file is compiled for.
 *
 * A group of lanes is a power of two of them; "spread" copies the last lane of every even group to all lanes of the odd
 * group after it, the step of a prefix scan in registers (Sklansky 1960).
 */
#ifndef PSCAN_SCAN_VECTOR_H
#define PSCAN_SCAN_VECTOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "types.h"

#include "vector_operators.h"

#if defined __AVX512F__ && defined __AVX512BW__ && defined __AVX512DQ__ && defined __AVX512VL__
#define VECTOR_BYTES 64
#elif defined __AVX2__
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

/* Operators of bits need no instruction by its name. Compilers take as long for all the names as for such a row. */
#if OP_BITWISE
#define NAMED_BYTES 16
#else
#define NAMED_BYTES VECTOR_BYTES
#endif
#if NAMED_BYTES > 16
#include <immintrin.h>
#endif

/* A short loop over vectors: without it they would stay in memory. Clang unrolls by itself. */
#if defined __GNUC__ && !defined __clang__
#define UNROLLED _Pragma("GCC unroll 16")
#else
#define UNROLLED
#endif

/* LANES_n(F, a): the list F(0, a), .. F(n-1, a). */
#define LANES_2_(F, l, a) F((l), a), F((l) + 1, a)
#define LANES_4_(F, l, a) LANES_2_(F, (l), a), LANES_2_(F, (l) + 2, a)
#define LANES_8_(F, l, a) LANES_4_(F, (l), a), LANES_4_(F, (l) + 4, a)
#define LANES_16_(F, l, a) LANES_8_(F, (l), a), LANES_8_(F, (l) + 8, a)
#define LANES_32_(F, l, a) LANES_16_(F, (l), a), LANES_16_(F, (l) + 16, a)
#define LANES_64_(F, l, a) LANES_32_(F, (l), a), LANES_32_(F, (l) + 32, a)
#define LANES_2(F, a) LANES_2_(F, 0, a)
#define LANES_4(F, a) LANES_4_(F, 0, a)
#define LANES_8(F, a) LANES_8_(F, 0, a)
#define LANES_16(F, a) LANES_16_(F, 0, a)
#define LANES_32(F, a) LANES_32_(F, 0, a)
#define LANES_64(F, a) LANES_64_(F, 0, a)
/* LANES_OF_s: as many as a vector has lanes of s bytes. */
#if VECTOR_BYTES == 64
#define LANES_OF_1 LANES_64
#define LANES_OF_2 LANES_32
#define LANES_OF_4 LANES_16
#define LANES_OF_8 LANES_8
#elif VECTOR_BYTES == 32
#define LANES_OF_1 LANES_32
#define LANES_OF_2 LANES_16
#define LANES_OF_4 LANES_8
#define LANES_OF_8 LANES_4
#else
#define LANES_OF_1 LANES_16
#define LANES_OF_2 LANES_8
#define LANES_OF_4 LANES_4
#define LANES_OF_8 LANES_2
#endif

#define LAST_LANE(l, lanes) ((lanes)-1)
#define LAST_OF_GROUP(l, group) ((l) | ((group)-1))
#define SPREAD_LANE(l, group) (((l) & (group)) != 0 ? ((l) & ~(2 * (group)-1)) + (group)-1 : (l))

/* Loads, stores and lanes of one type of S bytes. */
#define VECTOR_TYPE(T, S)                                                         \
	typedef T vector_##T __attribute__((vector_size(VECTOR_BYTES)));          \
	static inline vector_##T vector_load_##T(const T *from)                   \
	{                                                                         \
		vector_##T v;                                                     \
		memcpy(&v, from, sizeof v);                                       \
		return v;                                                         \
	}                                                                         \
	static inline void vector_store_##T(T *to, vector_##T v)                  \
	{                                                                         \
		memcpy(to, &v, sizeof v);                                         \
	}                                                                         \
	static inline vector_##T vector_splat_##T(T x)                            \
	{                                                                         \
		const vector_##T v = {x};                                         \
		return __builtin_shufflevector(v, v, LANES_OF_##S(ZERO_LANE, 0)); \
	}
#define ZERO_LANE(l, a) 0

VECTOR_TYPE(i8, 1)
VECTOR_TYPE(u8, 1)
VECTOR_TYPE(i16, 2)
VECTOR_TYPE(u16, 2)
VECTOR_TYPE(i32, 4)
VECTOR_TYPE(u32, 4)
VECTOR_TYPE(i64, 8)
VECTOR_TYPE(u64, 8)
VECTOR_TYPE(f32, 4)
VECTOR_TYPE(f64, 8)

/* Operators lane by lane. Compilers do not reliably see a maximum in masks: where there is an instruction
 * it is named. */
#define VECTOR_CHOOSE(T, OP, COMPARE)                                          \
	static inline vector_##T vector_##OP##_##T(vector_##T a, vector_##T b) \
	{                                                                      \
		const vector_##T mask = (vector_##T)(a COMPARE b);             \
		return (b & mask) | (a & ~mask);                               \
	}
#if NAMED_BYTES == 64
#define VECTOR_INSTRUCTION(T, OP)                                               \
	static inline vector_##T vector_##OP##_##T(vector_##T a, vector_##T b)  \
	{                                                                       \
		return (vector_##T)_mm512_##OP##_ep##T((__m512i)a, (__m512i)b); \
	}
#elif NAMED_BYTES == 32
#define VECTOR_INSTRUCTION(T, OP)                                               \
	static inline vector_##T vector_##OP##_##T(vector_##T a, vector_##T b)  \
	{                                                                       \
		return (vector_##T)_mm256_##OP##_ep##T((__m256i)a, (__m256i)b); \
	}
#else
#define VECTOR_INSTRUCTION(T, OP) VECTOR_##OP(T)
#endif
#define VECTOR_max(T) VECTOR_CHOOSE(T, max, <)
#define VECTOR_min(T) VECTOR_CHOOSE(T, min, >)
#if NAMED_BYTES == 64
#define VECTOR_INSTRUCTION_64 VECTOR_INSTRUCTION
#else
#define VECTOR_INSTRUCTION_64(T, OP) VECTOR_##OP(T)
#endif
VECTOR_INSTRUCTION(i8, max)
VECTOR_INSTRUCTION(u8, max)
VECTOR_INSTRUCTION(i16, max)
VECTOR_INSTRUCTION(u16, max)
VECTOR_INSTRUCTION(i32, max)
VECTOR_INSTRUCTION(u32, max)
VECTOR_INSTRUCTION_64(i64, max)
VECTOR_INSTRUCTION_64(u64, max)
VECTOR_INSTRUCTION(i8, min)
VECTOR_INSTRUCTION(u8, min)
VECTOR_INSTRUCTION(i16, min)
VECTOR_INSTRUCTION(u16, min)
VECTOR_INSTRUCTION(i32, min)
VECTOR_INSTRUCTION(u32, min)
VECTOR_INSTRUCTION_64(i64, min)
VECTOR_INSTRUCTION_64(u64, min)

#define VECTOR_OPERATORS(T, U)                                                \
	static inline vector_##T vector_sum_##T(vector_##T a, vector_##T b)   \
	{                                                                     \
		return (vector_##T)COMBINE_sum((vector_##U)a, (vector_##U)b); \
	}                                                                     \
	static inline vector_##T vector_and_##T(vector_##T a, vector_##T b)   \
	{                                                                     \
		return COMBINE_and(a, b);                                     \
	}                                                                     \
	static inline vector_##T vector_or_##T(vector_##T a, vector_##T b)    \
	{                                                                     \
		return COMBINE_or(a, b);                                      \
	}                                                                     \
	static inline vector_##T vector_xor_##T(vector_##T a, vector_##T b)   \
	{                                                                     \
		return COMBINE_xor(a, b);                                     \
	}

VECTOR_OPERATORS(i8, u8)
VECTOR_OPERATORS(u8, u8)
VECTOR_OPERATORS(i16, u16)
VECTOR_OPERATORS(u16, u16)
VECTOR_OPERATORS(i32, u32)
VECTOR_OPERATORS(u32, u32)
VECTOR_OPERATORS(i64, u64)
VECTOR_OPERATORS(u64, u64)

/* The last lane of every 64-bit word in all lanes of that word. */
static inline vector_u64 vector_word_lasts_1(vector_u64 x)
{
#if VECTOR_BYTES == 16 && defined __SSE2__ && !defined __SSSE3__
	x >>= 56;
	x |= x << 8;
	x |= x << 16;
	return x | x << 32;
#else
	const vector_u8 v = (vector_u8)x;
	return (vector_u64)__builtin_shufflevector(v, v, LANES_OF_1(LAST_OF_GROUP, 8));
#endif
}

static inline vector_u64 vector_word_lasts_2(vector_u64 x)
{
	const vector_u16 v = (vector_u16)x;
	return (vector_u64)__builtin_shufflevector(v, v, LANES_OF_2(LAST_OF_GROUP, 4));
}

/* The word before, in word 0 the second argument's. */
#define WORD_BEFORE(l, words) ((l) == 0 ? (words) : (l)-1)
#define VECTOR_WORDS (VECTOR_BYTES / 8)
static inline vector_u64 vector_words_before(vector_u64 x, vector_u64 first)
{
	return __builtin_shufflevector(x, first, LANES_OF_8(WORD_BEFORE, VECTOR_WORDS));
}

static inline vector_u64 vector_last_8(vector_u64 x)
{
	return __builtin_shufflevector(x, x, LANES_OF_8(LAST_LANE, VECTOR_WORDS));
}

static inline vector_u32 vector_last_4(vector_u32 x)
{
	return __builtin_shufflevector(x, x, LANES_OF_4(LAST_LANE, 2 * VECTOR_WORDS));
}

/* The lanes in the opposite order. */
#define MIRRORED_LANE(l, lanes) ((lanes)-1 - (l))
static inline vector_u16 vector_mirror_2(vector_u16 x)
{
	return __builtin_shufflevector(x, x, LANES_OF_2(MIRRORED_LANE, 4 * VECTOR_WORDS));
}

static inline vector_u8 vector_mirror_1(vector_u8 x)
{
#if VECTOR_BYTES == 16 && defined __SSE2__ && !defined __SSSE3__
	const vector_u16 pairs = vector_mirror_2((vector_u16)x);
	return (vector_u8)(pairs >> 8 | pairs << 8);
#else
	return __builtin_shufflevector(x, x, LANES_OF_1(MIRRORED_LANE, 8 * VECTOR_WORDS));
#endif
}

static inline vector_u32 vector_mirror_4(vector_u32 x)
{
	return __builtin_shufflevector(x, x, LANES_OF_4(MIRRORED_LANE, 2 * VECTOR_WORDS));
}

static inline vector_u64 vector_mirror_8(vector_u64 x)
{
	return __builtin_shufflevector(x, x, LANES_OF_8(MIRRORED_LANE, VECTOR_WORDS));
}

#define VECTOR_SPREAD(x, s, group) __builtin_shufflevector(x, x, LANES_OF_##s(SPREAD_LANE, group))
/* All ones in the lanes that spread fills, zero in those that it leaves alone. */
#define SPREAD_MASK_LANE(l, group) (((l) & (group)) != 0 ? -1 : 0)
#define VECTOR_SPREAD_MASK_4(group) ((vector_u32)(vector_i32){LANES_OF_4(SPREAD_MASK_LANE, group)})
#define VECTOR_SPREAD_MASK_8(group) ((vector_u64)(vector_i64){LANES_OF_8(SPREAD_MASK_LANE, group)})

/* Transposition of floats in the 128-bit parts of vectors: 4 rows of f32, 2 of f64. Its own inverse. */
#define UNPACK_LOW_LANE(l, lanes) (((l) & ~3) + (((l)&3) >> 1) + ((l)&1) * (lanes))
#define UNPACK_HIGH_LANE(l, lanes) (UNPACK_LOW_LANE(l, lanes) + 2)
#define PAIR_LOW_LANE(l, lanes) (((l) & ~3) + ((l)&1) + (((l)&2) >> 1) * (lanes))
#define PAIR_HIGH_LANE(l, lanes) (PAIR_LOW_LANE(l, lanes) + 2)
#define EVEN_LANE(l, lanes) (((l) & ~1) + ((l)&1) * (lanes))
#define ODD_LANE(l, lanes) (EVEN_LANE(l, lanes) + 1)

static inline void vector_transpose_f32(vector_f32 v[4])
{
	const vector_f32 a = __builtin_shufflevector(v[0], v[1], LANES_OF_4(UNPACK_LOW_LANE, 2 * VECTOR_WORDS));
	const vector_f32 b = __builtin_shufflevector(v[0], v[1], LANES_OF_4(UNPACK_HIGH_LANE, 2 * VECTOR_WORDS));
	const vector_f32 c = __builtin_shufflevector(v[2], v[3], LANES_OF_4(UNPACK_LOW_LANE, 2 * VECTOR_WORDS));
	const vector_f32 d = __builtin_shufflevector(v[2], v[3], LANES_OF_4(UNPACK_HIGH_LANE, 2 * VECTOR_WORDS));
	v[0] = __builtin_shufflevector(a, c, LANES_OF_4(PAIR_LOW_LANE, 2 * VECTOR_WORDS));
	v[1] = __builtin_shufflevector(a, c, LANES_OF_4(PAIR_HIGH_LANE, 2 * VECTOR_WORDS));
	v[2] = __builtin_shufflevector(b, d, LANES_OF_4(PAIR_LOW_LANE, 2 * VECTOR_WORDS));
	v[3] = __builtin_shufflevector(b, d, LANES_OF_4(PAIR_HIGH_LANE, 2 * VECTOR_WORDS));
}

static inline void vector_transpose_f64(vector_f64 v[2])
{
	const vector_f64 a = v[0];
	v[0] = __builtin_shufflevector(a, v[1], LANES_OF_8(EVEN_LANE, VECTOR_WORDS));
	v[1] = __builtin_shufflevector(a, v[1], LANES_OF_8(ODD_LANE, VECTOR_WORDS));
}

/* Vectors from 16-byte parts stride bytes apart, and back. Gcc would build them in memory. */
#if VECTOR_BYTES == 16
static inline vector_u64 vector_gather(const void *from, size_t stride)
{
	vector_u64 v;
	memcpy(&v, from, sizeof v);
	(void)stride;
	return v;
}

static inline void vector_scatter(void *to, size_t stride, vector_u64 v)
{
	memcpy(to, &v, sizeof v);
	(void)stride;
}
#elif NAMED_BYTES > 16
static inline __m128i vector_part_load(const unsigned char *from)
{
	__m128i part;
	memcpy(&part, from, sizeof part);
	return part;
}

static inline void vector_part_store(unsigned char *to, __m128i part)
{
	memcpy(to, &part, sizeof part);
}

static inline vector_u64 vector_gather(const void *from, size_t stride)
{
	const unsigned char *row = from;
#if VECTOR_BYTES == 32
	const __m256i v = _mm256_castsi128_si256(vector_part_load(row));
	return (vector_u64)_mm256_inserti128_si256(v, vector_part_load(row + stride), 1);
#else
	__m512i v = _mm512_castsi128_si512(vector_part_load(row));
	v = _mm512_inserti64x2(v, vector_part_load(row + stride), 1);
	v = _mm512_inserti64x2(v, vector_part_load(row + 2 * stride), 2);
	return (vector_u64)_mm512_inserti64x2(v, vector_part_load(row + 3 * stride), 3);
#endif
}

static inline void vector_scatter(void *to, size_t stride, vector_u64 v)
{
	unsigned char *row = to;
#if VECTOR_BYTES == 32
	vector_part_store(row, _mm256_castsi256_si128((__m256i)v));
	vector_part_store(row + stride, _mm256_extracti128_si256((__m256i)v, 1));
#else
	vector_part_store(row, _mm512_castsi512_si128((__m512i)v));
	vector_part_store(row + stride, _mm512_extracti64x2_epi64((__m512i)v, 1));
	vector_part_store(row + 2 * stride, _mm512_extracti64x2_epi64((__m512i)v, 2));
	vector_part_store(row + 3 * stride, _mm512_extracti64x2_epi64((__m512i)v, 3));
#endif
}
#endif

static inline int vector_has_bits(vector_u64 x)
{
	u64 bits = 0;
	for (size_t l = 0; l < VECTOR_WORDS; l++)
		bits |= x[l];
	return bits != 0;
}

#endif
