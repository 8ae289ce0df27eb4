/* One small loop for every pair of types. The limits of a float's conversion are powers of two
 * (kernels/types.h). */
#include "number/convert.h"

#include <stdio.h>

#include "types.h"

/* A block's check is one flag for all its elements, as wide as they are, which lets compilers vectorise the loops. Only
 * if the flag is set is each element looked at. */
#define BLOCK 1024
#define FLAG_OF_i8 u8
#define FLAG_OF_u8 u8
#define FLAG_OF_i16 u16
#define FLAG_OF_u16 u16
#define FLAG_OF_i32 u32
#define FLAG_OF_u32 u32
#define FLAG_OF_i64 u64
#define FLAG_OF_u64 u64
#define FLAG_OF_f32 u64 /* They are checked as doubles. */
#define FLAG_OF_f64 u64

#define CONVERT_LOOP(IN, ACC, ALWAYS_FITS, FITS_EXPRESSION, CONVERTED)                    \
	static size_t convert_##IN##_##ACC(const void *in, size_t count, void *out)       \
	{                                                                                 \
		const IN *element = in;                                                   \
		ACC *converted = out;                                                     \
		size_t unfit = SIZE_MAX;                                                  \
		for (size_t first = 0; first < count; first += BLOCK) {                   \
			const size_t end = count - first < BLOCK ? count : first + BLOCK; \
			FLAG_OF_##IN misfits = 0;                                         \
			for (size_t i = first; i < end; i++) {                            \
				const IN x = element[i];                                  \
				converted[i] = (CONVERTED);                               \
			}                                                                 \
			for (size_t i = first; !(ALWAYS_FITS) && i < end; i++) {          \
				const IN x = element[i];                                  \
				misfits = (FLAG_OF_##IN)(misfits | !(FITS_EXPRESSION));   \
			}                                                                 \
			for (size_t i = first; misfits && unfit == SIZE_MAX; i++) {       \
				const IN x = element[i];                                  \
				if (!(FITS_EXPRESSION))                                   \
					unfit = i;                                        \
			}                                                                 \
		}                                                                         \
		return unfit;                                                             \
	}
#define IS_UNSIGNED(T) ((T)-1 > (T)0)
/* Whether every value of IN is a value of ACC. */
#define HOLDS_ALL(IN, ACC) \
	(IS_UNSIGNED(IN) == IS_UNSIGNED(ACC) ? sizeof(IN) <= sizeof(ACC) : IS_UNSIGNED(IN) && sizeof(IN) < sizeof(ACC))
#define INTEGER_LOOP(IN, ACC) CONVERT_LOOP(IN, ACC, HOLDS_ALL(IN, ACC), INTEGER_FITS(IN, ACC, x), (ACC)x)
/* FLOAT_FITS of a double, without the call of trunc that processors without SSE4.1 need. LOW - 1 is exact, but for that
 * of i64, above which there is no double below LOW. */
#define DOUBLE_FITS(x, LOW, HIGH) (((LOW) < -0x1p53 ? (x) >= (LOW) : (x) > (LOW)-1) && (x) < (HIGH))
#define TRUNCATE_LOOP(IN, ACC, LOW, HIGH) \
	CONVERT_LOOP(IN, ACC, 0, DOUBLE_FITS((double)x, LOW, HIGH), DOUBLE_FITS((double)x, LOW, HIGH) ? (ACC)x : (ACC)0)
#define NEAREST_LOOP(IN, ACC) CONVERT_LOOP(IN, ACC, 1, ((void)x, 1), (ACC)x)

#define FROM_INTEGER(IN)      \
	INTEGER_LOOP(IN, i8)  \
	INTEGER_LOOP(IN, u8)  \
	INTEGER_LOOP(IN, i16) \
	INTEGER_LOOP(IN, u16) \
	INTEGER_LOOP(IN, i32) \
	INTEGER_LOOP(IN, u32) \
	INTEGER_LOOP(IN, i64) \
	INTEGER_LOOP(IN, u64) \
	NEAREST_LOOP(IN, f32) \
	NEAREST_LOOP(IN, f64)
#define FROM_FLOAT(IN)                          \
	TRUNCATE_LOOP(IN, i8, -0x1p7, 0x1p7)    \
	TRUNCATE_LOOP(IN, u8, 0, 0x1p8)         \
	TRUNCATE_LOOP(IN, i16, -0x1p15, 0x1p15) \
	TRUNCATE_LOOP(IN, u16, 0, 0x1p16)       \
	TRUNCATE_LOOP(IN, i32, -0x1p31, 0x1p31) \
	TRUNCATE_LOOP(IN, u32, 0, 0x1p32)       \
	TRUNCATE_LOOP(IN, i64, -0x1p63, 0x1p63) \
	TRUNCATE_LOOP(IN, u64, 0, 0x1p64)       \
	NEAREST_LOOP(IN, f32)                   \
	NEAREST_LOOP(IN, f64)

FROM_INTEGER(i8)
FROM_INTEGER(u8)
FROM_INTEGER(i16)
FROM_INTEGER(u16)
FROM_INTEGER(i32)
FROM_INTEGER(u32)
FROM_INTEGER(i64)
FROM_INTEGER(u64)
FROM_FLOAT(f32)
FROM_FLOAT(f64)

#define ROW_OF(IN)                                                                                                \
	{                                                                                                         \
		convert_##IN##_i8, convert_##IN##_u8, convert_##IN##_i16, convert_##IN##_u16, convert_##IN##_i32, \
			convert_##IN##_u32, convert_##IN##_i64, convert_##IN##_u64, convert_##IN##_f32,           \
			convert_##IN##_f64                                                                        \
	}

static convert_function *const table[TYPE_I128][TYPE_I128] = {
	[TYPE_I8] = ROW_OF(i8),   [TYPE_U8] = ROW_OF(u8),   [TYPE_I16] = ROW_OF(i16), [TYPE_U16] = ROW_OF(u16),
	[TYPE_I32] = ROW_OF(i32), [TYPE_U32] = ROW_OF(u32), [TYPE_I64] = ROW_OF(i64), [TYPE_U64] = ROW_OF(u64),
	[TYPE_F32] = ROW_OF(f32), [TYPE_F64] = ROW_OF(f64),
};
_Static_assert(TYPE_F64 == 9, "ROW_OF lists the types in the order of enum type_id");

convert_function *convert_find(const struct type *in, const struct type *acc)
{
	return in->id == acc->id ? NULL : table[in->id][acc->id];
}

void convert_fits_text(const struct type *in, const struct type *acc, char *text, size_t size)
{
	const int bits = 8 * (int)acc->size;
	if (in->id == acc->id || acc->kind == KIND_FLOAT)
		(void)snprintf(text, size, "1");
	else if (in->kind != KIND_FLOAT)
		(void)snprintf(text, size, "INTEGER_FITS(%s, %s, x)", in->name, acc->name);
	else if (acc->kind == KIND_SIGNED)
		(void)snprintf(text, size, "FLOAT_FITS(x, -(%s)0x1p%d, (%s)0x1p%d)", in->name, bits - 1, in->name,
			       bits - 1);
	else
		(void)snprintf(text, size, "FLOAT_FITS(x, 0, (%s)0x1p%d)", in->name, bits);
}
