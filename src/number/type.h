/* The types of elements, accumulators and results. */
#ifndef PSCAN_NUMBER_TYPE_H
#define PSCAN_NUMBER_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type_id {
	TYPE_I8,
	TYPE_U8,
	TYPE_I16,
	TYPE_U16,
	TYPE_I32,
	TYPE_U32,
	TYPE_I64,
	TYPE_U64,
	TYPE_F32,
	TYPE_F64,
	TYPE_I128, /* mantissas of exact decimals only: no name a user could give */
	TYPE_COUNT,
};

enum type_kind { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT };

struct type {
	const char *name; /* pscan's, also its name in kernels/types.h */
	const char *numpy_name; /* numpy's long name, or NULL */
	enum type_id id;
	enum type_kind kind;
	size_t size; /* bytes */
};

extern const struct type type_table[TYPE_COUNT];

/* The bytes of one value of any type, in the machine's order. */
union value {
	int8_t i8;
	uint8_t u8;
	int16_t i16;
	uint16_t u16;
	int32_t i32;
	uint32_t u32;
	int64_t i64;
	uint64_t u64;
	float f32;
	double f64;
	struct {
		uint64_t lo, hi; /* two's complement, as kernels/types.h has it */
	} i128;
};

/* Understands i32, int32, i4 with a byte order: prefix < > = | or suffix le be. size bytes of text.
 * *swapped becomes true if the order named is not the machine's; *ordered if one was named. NULL if it is no type. */
const struct type *type_parse(const char *text, size_t size, bool *ordered, bool *swapped);

/* numpy's short name of a type (never i128), with its byte order: <f4, >i8, |u1. */
#define TYPE_CODE_SIZE 4
void type_format_code(char out[TYPE_CODE_SIZE], const struct type *t, bool swapped);

/* The type with its sign and 64 bits of a narrower integer; of any other the type itself. */
const struct type *type_long(const struct type *t);

/* The lowest bits as a value of an integer type (never i128). */
void type_put_integer(const struct type *t, uint64_t bits, union value *value);

#endif
