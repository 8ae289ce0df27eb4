/* Keeps SIDE_BY_SIDE pairs of extremes, number i going to pair i % SIDE_BY_SIDE, which lets compilers vectorise the
 * loop. */
#include "plot/curve.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "number/decimal.h"

#define SIDE_BY_SIDE 16

/* FIRST_LEAST is a value that no number exceeds, FIRST_GREATEST one that no number is below. Comparisons with a NaN are
 * false, so NaNs are ignored. */
#define DEFINE_EXTREMES(ID, T, name, FIRST_LEAST, FIRST_GREATEST)                                                    \
	static inline void widen_##name(const unsigned char *from, size_t step, size_t count, T *least, T *greatest) \
	{                                                                                                            \
		for (size_t i = 0; i < count; i++) {                                                                 \
			T x;                                                                                         \
			memcpy(&x, from + i * step, sizeof x);                                                       \
			least[i] = x < least[i] ? x : least[i];                                                      \
			greatest[i] = x > greatest[i] ? x : greatest[i];                                             \
		}                                                                                                    \
	}                                                                                                            \
	static inline struct range of_##name(const unsigned char *from, size_t step, size_t count)                   \
	{                                                                                                            \
		T least[SIDE_BY_SIDE];                                                                               \
		T greatest[SIDE_BY_SIDE];                                                                            \
		struct range r = range_gap;                                                                          \
		for (size_t i = 0; i < SIDE_BY_SIDE; i++) {                                                          \
			least[i] = (FIRST_LEAST);                                                                    \
			greatest[i] = (FIRST_GREATEST);                                                              \
		}                                                                                                    \
		for (; count >= SIDE_BY_SIDE; count -= SIDE_BY_SIDE, from += SIDE_BY_SIDE * step)                    \
			widen_##name(from, step, SIDE_BY_SIDE, least, greatest);                                     \
		widen_##name(from, step, count, least, greatest);                                                    \
		for (size_t i = 0; i < SIDE_BY_SIDE; i++) {                                                          \
			if (greatest[i] < least[i])                                                                  \
				continue; /* No number went here. */                                                 \
			r.least = fmin(r.least, (double)least[i]);                                                   \
			r.greatest = fmax(r.greatest, (double)greatest[i]);                                          \
		}                                                                                                    \
		return r;                                                                                            \
	}                                                                                                            \
	static struct range extremes_##name(const unsigned char *from, size_t step, size_t count)                    \
	{                                                                                                            \
		/* A constant step makes the loop faster. */                                                         \
		return step == sizeof(T) ? of_##name(from, sizeof(T), count) : of_##name(from, step, count);         \
	}

#define INT128_GREATEST ((int128)((~(uint128)0) >> 1))

/* Each type with its name, and the values that no number is above or below. */
#define EACH_TYPE(ONE)                               \
	ONE(I8, int8_t, i8, INT8_MAX, INT8_MIN)      \
	ONE(U8, uint8_t, u8, UINT8_MAX, 0)           \
	ONE(I16, int16_t, i16, INT16_MAX, INT16_MIN) \
	ONE(U16, uint16_t, u16, UINT16_MAX, 0)       \
	ONE(I32, int32_t, i32, INT32_MAX, INT32_MIN) \
	ONE(U32, uint32_t, u32, UINT32_MAX, 0)       \
	ONE(I64, int64_t, i64, INT64_MAX, INT64_MIN) \
	ONE(U64, uint64_t, u64, UINT64_MAX, 0)       \
	ONE(F32, float, f32, INFINITY, -INFINITY)    \
	ONE(F64, double, f64, HUGE_VAL, -HUGE_VAL)   \
	ONE(I128, int128, i128, INT128_GREATEST, -INT128_GREATEST - 1)

EACH_TYPE(DEFINE_EXTREMES)

#define DEFINE_DOUBLES(ID, T, name, FIRST_LEAST, FIRST_GREATEST)                                                     \
	static void doubles_##name(const unsigned char *from, size_t step, size_t count, double divisor, double *to, \
				   size_t stride)                                                                    \
	{                                                                                                            \
		for (size_t i = 0; i < count; i++) {                                                                 \
			T x;                                                                                         \
			memcpy(&x, from + i * step, sizeof x);                                                       \
			const double number = (double)x;                                                             \
			to[i * stride] = isfinite(number) ? number / divisor : (double)NAN;                          \
		}                                                                                                    \
	}

#define DOUBLES_OF(ID, T, name, FIRST_LEAST, FIRST_GREATEST) [TYPE_##ID] = doubles_##name,

EACH_TYPE(DEFINE_DOUBLES)

void finite_doubles(const struct type *type, const void *numbers, size_t step, size_t count, double divisor, double *to,
		    size_t stride)
{
	static void (*const of_type[TYPE_COUNT])(const unsigned char *from, size_t step, size_t count, double divisor,
						 double *to, size_t stride) = {EACH_TYPE(DOUBLES_OF)};
	of_type[type->id](numbers, step, count, divisor, to, stride);
}

#define EXTREMES_OF(ID, T, name, FIRST_LEAST, FIRST_GREATEST) [TYPE_##ID] = extremes_##name,

struct range extremes(const struct type *type, const void *numbers, size_t step, size_t count)
{
	static struct range (*const of_type[TYPE_COUNT])(const unsigned char *from, size_t step,
							 size_t count) = {EACH_TYPE(EXTREMES_OF)};
	struct range r = of_type[type->id](numbers, step, count);
	if (!isinf(r.least) && !isinf(r.greatest))
		return r;
	/* Some are infinite. (Comparisons with a NaN change nothing.) */
	r = range_gap;
	for (size_t i = 0; i < count; i++) {
		double x = 0;
		finite_doubles(type, (const unsigned char *)numbers + i * step, step, 1, 1, &x, 1);
		range_add(&r, (struct range){.least = x, .greatest = x});
	}
	return r;
}
