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
	TYPE_I128, /* For mantissas of exact decimals only. Users cannot name this type. */
	TYPE_COUNT,
};

enum type_kind { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT };

struct type {
	const char *name; /* pscan's name, which kernels/types.h also uses. */
	const char *numpy_name; /* numpy's long name, or NULL. */
	const char *opencl_name; /* OpenCL C's name, or NULL. */
	enum type_id id;
	enum type_kind kind;
	size_t size; /* In bytes. */
};

extern const struct type type_table[TYPE_COUNT];

/* One number of any type, in the machine's byte order. */
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
		uint64_t lo, hi; /* Two's complement, as in kernels/types.h. */
	} i128;
};

/* Returns the type that `size` bytes of text name, or NULL if they name none (i128 is not accepted). A name is pscan's
 * (i32) or numpy's (int32), perhaps with a byte order: one of < > = | before a numpy name, or le or be after a name.
 * numpy's short names (i4) need the byte order before them. *ordered becomes true if the name says little or big endian
 * (= and | do not), *swapped if it does and the machine has the other order. Both are left alone if NULL is
 * returned. */
const struct type *type_parse(const char *text, size_t size, bool *ordered, bool *swapped);

/* A type that was named, perhaps with a byte order. */
struct named_type {
	const struct type *type; /* NULL: the name is no type's; the rest is then undefined. */
	bool ordered, swapped; /* As type_parse sets them. */
};
/* Reads the types of a text IN or IN:ACC into *in and *acc; *acc becomes *in if there is no ACC. False if one of them
 * is no type. */
bool type_parse_pair(const char *text, struct named_type *in, struct named_type *acc);

/* Writes numpy's short name of a type (not i128), with its byte order: <f4, >i8, |u1. swapped: the order is not the
 * machine's. */
#define TYPE_CODE_SIZE 4
void type_format_code(char out[TYPE_CODE_SIZE], const struct type *t, bool swapped);

/* Returns i64 for i8 to i32, u64 for u8 to u32, and t itself for any other type. */
const struct type *type_long(const struct type *t);

/* Returns u8 for i8, u16 for i16, u32 for i32, u64 for i64, and t itself for any other type. */
const struct type *type_unsigned(const struct type *t);

/* Returns a number of an integer type t (not i128) as 64 bits of two's complement. */
uint64_t type_integer(const struct type *t, const union value *value);
/* Sets *value, a number of an integer type t (not i128), to the lowest bits of `bits`. */
void type_put_integer(const struct type *t, uint64_t bits, union value *value);

#endif
