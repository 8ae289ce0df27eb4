/* Vectors for the host's fast rows, in the vector extensions that gcc and clang share. A vector has VECTOR_BYTES bytes:
 * as many as a vector of the instruction set for which the file is compiled.
 *
 * The elements of a vector are divided into groups, whose size is a power of two. "Spread" copies the last element of
 * every even group to all elements of the odd group after it: the step of a prefix scan in registers (Sklansky 1960).
 *
 * The includer defines OP_BITWISE: 1 if it needs none of the instructions that are named below, or 0.
 */
#ifndef PSCAN_ROWS_VECTOR_H
#define PSCAN_ROWS_VECTOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "types.h"

#if defined __AVX512F__ && defined __AVX512BW__ && defined __AVX512DQ__ && defined __AVX512VL__
#define VECTOR_BYTES 64
#elif defined __AVX2__
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

/* Bytes of the vectors whose instructions are called by name (by immintrin.h). 16: none are. Operators on bits do not
 * need them, and that header takes long to compile. */
#if OP_BITWISE
#define NAMED_BYTES 16
#else
#define NAMED_BYTES VECTOR_BYTES
#endif
#if NAMED_BYTES > 16
#include <immintrin.h>
#endif

/* For short loops over vectors. Without it gcc keeps the vectors in memory. Clang unrolls by itself. */
#if defined __GNUC__ && !defined __clang__
#define UNROLLED _Pragma("GCC unroll 16")
#define UNROLLED_4 _Pragma("GCC unroll 4")
#else
#define UNROLLED
#define UNROLLED_4
#endif

/* LIST_n(F, a): the list F(0, a), .. F(n-1, a). */
#define LIST_2_(F, l, a) F((l), a), F((l) + 1, a)
#define LIST_4_(F, l, a) LIST_2_(F, (l), a), LIST_2_(F, (l) + 2, a)
#define LIST_8_(F, l, a) LIST_4_(F, (l), a), LIST_4_(F, (l) + 4, a)
#define LIST_16_(F, l, a) LIST_8_(F, (l), a), LIST_8_(F, (l) + 8, a)
#define LIST_32_(F, l, a) LIST_16_(F, (l), a), LIST_16_(F, (l) + 16, a)
#define LIST_64_(F, l, a) LIST_32_(F, (l), a), LIST_32_(F, (l) + 32, a)
#define LIST_2(F, a) LIST_2_(F, 0, a)
#define LIST_4(F, a) LIST_4_(F, 0, a)
#define LIST_8(F, a) LIST_8_(F, 0, a)
#define LIST_16(F, a) LIST_16_(F, 0, a)
#define LIST_32(F, a) LIST_32_(F, 0, a)
#define LIST_64(F, a) LIST_64_(F, 0, a)
/* LIST_OF_n(F, a): such a list with as many entries as a vector has elements of n bits. */
#if VECTOR_BYTES == 64
#define LIST_OF_8 LIST_64
#define LIST_OF_16 LIST_32
#define LIST_OF_32 LIST_16
#define LIST_OF_64 LIST_8
#elif VECTOR_BYTES == 32
#define LIST_OF_8 LIST_32
#define LIST_OF_16 LIST_16
#define LIST_OF_32 LIST_8
#define LIST_OF_64 LIST_4
#else
#define LIST_OF_8 LIST_16
#define LIST_OF_16 LIST_8
#define LIST_OF_32 LIST_4
#define LIST_OF_64 LIST_2
#endif
/* How many elements of `bits` bits, and of 64 bits, a vector has. */
#define VECTOR_ELEMS(bits) (8 * VECTOR_BYTES / (bits))
#define VECTOR_WORDS VECTOR_ELEMS(64)

/* A vector whose element l, of n bits, is element F(l, a) of x and y: those of x have the numbers from 0 on, those of y
 * follow. The macros after it can be F. */
#define VECTOR_SHUFFLE(x, y, n, F, a) VECTOR_SHUFFLE_(x, y, n, F, a)
#define VECTOR_SHUFFLE_(x, y, n, F, a) __builtin_shufflevector(x, y, LIST_OF_##n(F, a))
#define ZERO_ELEM(l, a) 0
#define LAST_ELEM(l, elements) ((elements)-1)
#define MIRRORED_ELEM(l, elements) ((elements)-1 - (l))
#define LAST_OF_GROUP(l, group) ((l) | ((group)-1))
#define SPREAD_ELEM(l, group) (((l) & (group)) != 0 ? ((l) & ~(2 * (group)-1)) + (group)-1 : (l))

/* Defines, for a type T of n bits, the type vector_T of a vector of T, and three functions. vector_load_T reads a
 * vector from memory, vector_store_T writes one; neither needs alignment beyond T's. vector_splat_T returns a vector
 * whose elements are all x. (memcpy itself may become a call where _FORTIFY_SOURCE checks sizes.) */
#define VECTOR_TYPE(T, n)                                                \
	typedef T vector_##T __attribute__((vector_size(VECTOR_BYTES))); \
	static inline vector_##T vector_load_##T(const T *from)          \
	{                                                                \
		vector_##T v;                                            \
		__builtin_memcpy(&v, from, sizeof v);                    \
		return v;                                                \
	}                                                                \
	static inline void vector_store_##T(T *to, vector_##T v)         \
	{                                                                \
		__builtin_memcpy(to, &v, sizeof v);                      \
	}                                                                \
	static inline vector_##T vector_splat_##T(T x)                   \
	{                                                                \
		const vector_##T v = {x};                                \
		return VECTOR_SHUFFLE(v, v, n, ZERO_ELEM, 0);            \
	}

VECTOR_TYPE(i8, 8)
VECTOR_TYPE(u8, 8)
VECTOR_TYPE(i16, 16)
VECTOR_TYPE(u16, 16)
VECTOR_TYPE(i32, 32)
VECTOR_TYPE(u32, 32)
VECTOR_TYPE(i64, 64)
VECTOR_TYPE(u64, 64)
VECTOR_TYPE(f32, 32)
VECTOR_TYPE(f64, 64)

/* Operators' combine of vectors a (earlier) and b (later), element by element. COMBINE_OP(a, b) is the combination; a
 * and b are vectors of floats or of unsigned integers. For max and min the vectors keep their own type, signed or
 * unsigned: TAKES_LATER_OP(a, b) has all ones in the elements where the combination is b, and 0 where it is a. If
 * HAS_INSTRUCTION(bits) is 1, VECTOR_INSTRUCTION(OP, T, a, b) is the combination of integers by the instruction for it,
 * which compilers do not reliably make of TAKES_LATER_OP. */
#define COMBINE_sum(a, b) ((a) + (b))
#define COMBINE_and(a, b) ((a) & (b))
#define COMBINE_or(a, b) ((a) | (b))
#define COMBINE_xor(a, b) ((a) ^ (b))
#define TAKES_LATER_max(a, b) ((a) < (b))
#define TAKES_LATER_min(a, b) ((a) > (b))
#if NAMED_BYTES == 64
#define VECTOR_INSTRUCTION(OP, T, a, b) PASTE4(_mm512_, OP, _ep, T)((__m512i)(a), (__m512i)(b))
#define HAS_INSTRUCTION(bits) 1
#elif NAMED_BYTES == 32
#define VECTOR_INSTRUCTION(OP, T, a, b) PASTE4(_mm256_, OP, _ep, T)((__m256i)(a), (__m256i)(b))
#define HAS_INSTRUCTION(bits) ((bits) < 64)
#else
#define HAS_INSTRUCTION(bits) 0
#endif

/* vector_min_i32 and vector_max_i32 return the lesser and the greater of two numbers, element by element. */
#if NAMED_BYTES > 16
#define VECTOR_EXTREME(OP, a, b, takes_a) (vector_i32) VECTOR_INSTRUCTION(OP, i32, a, b)
#else
#define VECTOR_EXTREME(OP, a, b, takes_a) ((a) & (vector_i32)(takes_a)) | ((b) & ~(vector_i32)(takes_a))
#endif
static inline vector_i32 vector_min_i32(vector_i32 a, vector_i32 b)
{
	return VECTOR_EXTREME(min, a, b, a < b);
}

static inline vector_i32 vector_max_i32(vector_i32 a, vector_i32 b)
{
	return VECTOR_EXTREME(max, a, b, a > b);
}

/* NOTHING_OP(T) stands for an absent element, of the type T that is combined: combining it with a value gives that
 * value (a NaN perhaps with other bits). For max and min T is an integer. */
#define NOTHING_sum(T) ((T)-0.0f)
#define NOTHING_max(T) LEAST_INTEGER(T)
#define NOTHING_min(T) ((T)~LEAST_INTEGER(T))
#define NOTHING_and(T) ((T) ~(T)0)
#define NOTHING_or(T) ((T)0)
#define NOTHING_xor(T) ((T)0)
#define LEAST_INTEGER(T) ((T)-1 > (T)0 ? (T)0 : (T)((u64)1 << (8u * sizeof(T) - 1u)))

/* vector_word_lasts_8 and vector_word_lasts_16 return x with the last element, of 8 or 16 bits, of every word of 64
 * bits copied to all elements of that word. */
static inline vector_u64 vector_word_lasts_8(vector_u64 x)
{
#if VECTOR_BYTES == 16 && defined __SSE2__ && !defined __SSSE3__
	x >>= 56;
	x |= x << 8;
	x |= x << 16;
	return x | x << 32;
#else
	return (vector_u64)VECTOR_SHUFFLE((vector_u8)x, (vector_u8)x, 8, LAST_OF_GROUP, 8);
#endif
}
#define vector_word_lasts_16(x) ((vector_u64)VECTOR_SHUFFLE((vector_u16)(x), (vector_u16)(x), 16, LAST_OF_GROUP, 4))

/* x with its words of 64 bits moved by one: word i is word i - 1 of x. Word 0 is word 0 of `first`. */
#define WORD_BEFORE(l, words) ((l) == 0 ? (words) : (l)-1)
#define VECTOR_WORDS_BEFORE(x, first) VECTOR_SHUFFLE(x, first, 64, WORD_BEFORE, VECTOR_WORDS)

/* A vector whose elements, of n bits, are all the last element of x. */
#define VECTOR_LAST(x, n) VECTOR_SHUFFLE(x, x, n, LAST_ELEM, VECTOR_ELEMS(n))

/* vector_mirror_n returns the elements of x, of n bits, in the opposite order. */
#define VECTOR_MIRROR(n)                                                        \
	static inline vector_u##n vector_mirror_##n(vector_u##n x)              \
	{                                                                       \
		return VECTOR_SHUFFLE(x, x, n, MIRRORED_ELEM, VECTOR_ELEMS(n)); \
	}
VECTOR_MIRROR(64)
VECTOR_MIRROR(32)
VECTOR_MIRROR(16)
#if VECTOR_BYTES == 16 && defined __SSE2__ && !defined __SSSE3__
static inline vector_u8 vector_mirror_8(vector_u8 x)
{
	const vector_u16 pairs = vector_mirror_16((vector_u16)x);
	return (vector_u8)(pairs >> 8 | pairs << 8);
}
#else
VECTOR_MIRROR(8)
#endif

/* x with its elements, of n bits, spread by groups of `group` elements. */
#define VECTOR_SPREAD(x, n, group) VECTOR_SHUFFLE(x, x, n, SPREAD_ELEM, group)
/* A vector of all ones in the elements that VECTOR_SPREAD fills, and 0 in the elements that it leaves alone. */
#define SPREAD_MASK_ELEM(l, group) (((l) & (group)) != 0 ? -1 : 0)
#define VECTOR_SPREAD_MASK(n, group) VECTOR_SPREAD_MASK_(n, group)
#define VECTOR_SPREAD_MASK_(n, group) ((vector_u##n)(vector_i##n){LIST_OF_##n(SPREAD_MASK_ELEM, group)})

/* vector_transpose_f32 and vector_transpose_f64 transpose in place. Parts of 16 bytes at one place of all vectors are a
 * square of elements, which is transposed for itself: 4 vectors of 4 f32 each, or 2 vectors of 2 f64 each. Elements are
 * only moved. A second transposition undoes the first. */
#define UNPACK_LOW_ELEM(l, elements) (((l) & ~3) + (((l)&3) >> 1) + ((l)&1) * (elements))
#define UNPACK_HIGH_ELEM(l, elements) (UNPACK_LOW_ELEM(l, elements) + 2)
#define PAIR_LOW_ELEM(l, elements) (((l) & ~3) + ((l)&1) + (((l)&2) >> 1) * (elements))
#define PAIR_HIGH_ELEM(l, elements) (PAIR_LOW_ELEM(l, elements) + 2)
#define EVEN_ELEM(l, elements) (((l) & ~1) + ((l)&1) * (elements))
#define ODD_ELEM(l, elements) (EVEN_ELEM(l, elements) + 1)

static inline void vector_transpose_f32(vector_f32 v[4])
{
	const vector_f32 a = VECTOR_SHUFFLE(v[0], v[1], 32, UNPACK_LOW_ELEM, VECTOR_ELEMS(32));
	const vector_f32 b = VECTOR_SHUFFLE(v[0], v[1], 32, UNPACK_HIGH_ELEM, VECTOR_ELEMS(32));
	const vector_f32 c = VECTOR_SHUFFLE(v[2], v[3], 32, UNPACK_LOW_ELEM, VECTOR_ELEMS(32));
	const vector_f32 d = VECTOR_SHUFFLE(v[2], v[3], 32, UNPACK_HIGH_ELEM, VECTOR_ELEMS(32));
	v[0] = VECTOR_SHUFFLE(a, c, 32, PAIR_LOW_ELEM, VECTOR_ELEMS(32));
	v[1] = VECTOR_SHUFFLE(a, c, 32, PAIR_HIGH_ELEM, VECTOR_ELEMS(32));
	v[2] = VECTOR_SHUFFLE(b, d, 32, PAIR_LOW_ELEM, VECTOR_ELEMS(32));
	v[3] = VECTOR_SHUFFLE(b, d, 32, PAIR_HIGH_ELEM, VECTOR_ELEMS(32));
}

static inline void vector_transpose_f64(vector_f64 v[2])
{
	const vector_f64 a = v[0];
	v[0] = VECTOR_SHUFFLE(a, v[1], 64, EVEN_ELEM, VECTOR_WORDS);
	v[1] = VECTOR_SHUFFLE(a, v[1], 64, ODD_ELEM, VECTOR_WORDS);
}

/* vector_gather returns a vector made of parts of 16 bytes, which lie `stride` bytes apart in memory, of any alignment.
 * vector_scatter writes the parts of v to such places. Vectors of more than 16 bytes have both only if NAMED_BYTES is
 * more than 16: without named instructions gcc would build the vector in memory. */
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

/* Whether any bit of x is set. */
static inline int vector_has_bits(vector_u64 x)
{
#if NAMED_BYTES == 64
	return _mm512_test_epi64_mask((__m512i)x, (__m512i)x) != 0;
#elif NAMED_BYTES == 32
	return !_mm256_testz_si256((__m256i)x, (__m256i)x);
#else
	u64 bits = 0;
	for (size_t l = 0; l < VECTOR_WORDS; l++)
		bits |= x[l];
	return bits != 0;
#endif
}

#endif
