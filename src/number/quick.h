/* Numbers of few digits and their values in each type. Internal to read_text.c and read_notation.c. */
#ifndef PSCAN_NUMBER_QUICK_H
#define PSCAN_NUMBER_QUICK_H

#include "number/decimal_to_binary.h"
#include "number/powers.h"
#include "number/read_digits.h"
#include "number/type.h"
#include "types.h"

/* A number of the form [+-]digits[.digits], with at most 19 digits. */
struct quick {
	bool negative;
	unsigned count, fraction; /* The number of digits, and of digits after the point. */
	uint64_t value; /* The value of all digits without the point. */
	const char *stop; /* The end of the number in the text. */
};

/* Returns the magnitude with its sign. */
static inline int64_t signed_value(uint64_t magnitude, bool negative)
{
	return (int64_t)((magnitude ^ (0 - (uint64_t)negative)) + negative);
}

/* Sets *value to an integer, whose q->fraction is 0. False if it does not fit; *value is then undefined. */
static inline bool i64_of(const struct quick *q, int64_t *value)
{
	*value = signed_value(q->value, q->negative);
	return q->value <= (uint64_t)INT64_MAX + q->negative;
}

/* Sets *value to an integer, whose q->fraction is 0. False if it has a minus sign; *value is then undefined. */
static inline bool u64_of(const struct quick *q, uint64_t *value)
{
	*value = q->value;
	return !q->negative;
}

/* Sets *value to the number, correctly rounded. Always true. */
static inline bool f64_of(const struct quick *q, double *value)
{
	uint64_t bits;
	if (q->value <= UINT64_C(1) << 53)
		bits = f64_bits((double)(int64_t)q->value / power_of_ten_f64[q->fraction]);
	else
		bits = number_float_bits(&float_format_f64, q->value, -(int64_t)q->fraction);
	*value = f64_from_bits(bits | (uint64_t)q->negative << 63);
	return true;
}

/* f64_of for an f32. */
static inline bool f32_of(const struct quick *q, float *value)
{
	uint64_t bits;
	const double quotient = (double)(int64_t)q->value / power_of_ten_f64[q->fraction];
	if (q->value <= UINT64_C(1) << 53 && (f64_bits(quotient) & 0x1fffffff) != 0x10000000)
		bits = f32_bits((float)quotient);
	else
		bits = number_float_bits(&float_format_f32, q->value, -(int64_t)q->fraction);
	*value = f32_from_bits((uint32_t)bits | (uint32_t)q->negative << 31);
	return true;
}

/* Whether an integer type t holds a value of 64 bits. */
static inline bool holds(const struct type *t, uint64_t bits)
{
	const unsigned shift = 64 - 8 * (unsigned)t->size;
	return t->kind == KIND_SIGNED ? (uint64_t)((int64_t)(bits << shift) >> shift) == bits
				      : bits << shift >> shift == bits;
}

/* Sets *value to an integer of 64 bits, which is signed if t is. False if it does not fit t. */
static inline bool put_fitting(const struct type *t, uint64_t bits, union value *value)
{
	if (!holds(t, bits))
		return false;
	type_put_integer(t, bits, value);
	return true;
}

/* Sets *value to the number in type t (not i128). False, with *value unchanged, if the number does not fit t, or if its
 * rounding is not decided (f64_of). For an integer type q->fraction must be 0. */
static inline bool quick_convert(const struct quick *q, const struct type *t, union value *value)
{
	uint64_t bits = 0;
	int64_t integer = 0;
	if (t->id == TYPE_F32)
		return f32_of(q, &value->f32);
	if (t->id == TYPE_F64)
		return f64_of(q, &value->f64);
	if (t->kind == KIND_SIGNED)
		return i64_of(q, &integer) && put_fitting(t, (uint64_t)integer, value);
	return u64_of(q, &bits) && put_fitting(t, bits, value);
}

/* Sets *scale to the digits after the point, and *mantissa. False if the number has more than 18 digits, which fit 64
 * bits and DECIMAL_SCALE_MAX, and for a negative zero, whose sign would be lost. */
static inline bool quick_is_decimal(const struct quick *q, unsigned *scale, int64_t *mantissa)
{
	if (q->count > 18 || (q->value == 0 && q->negative))
		return false;
	*scale = q->fraction;
	*mantissa = signed_value(q->value, q->negative);
	return true;
}

#endif
