/* Each step is a few loops over a vector, which compilers turn into vector instructions. Overflow is found for the
 * whole vector. Own scales are computed by loops over bytes. The signs of zeros are computed only if a vector may have
 * -0. */
#include "evaluate/exact_vector.h"

#include <string.h>

#include "number/powers.h"

/* A function that is compiled twice, as a part of the code with AVX2 and of the code without it. */
#define EVERY_LEVEL static inline __attribute__((always_inline))

/* A step's operands and the memory for its result. */
struct operation {
	const struct exact_vector *a, *b, *c; /* Those that the step lacks are a. */
	size_t count;
	bool has_avx2; /* The code is compiled for AVX2. */
	int64_t *aligned; /* Memory for one operand at a greater scale. */
	unsigned char *truths; /* Memory for truths. */
	int64_t *numbers; /* The result's. */
	unsigned char *own; /* The result's. */
};

/* All ones if x is negative, otherwise 0. */
EVERY_LEVEL uint64_t sign_of(int64_t x)
{
	return 0 - ((uint64_t)x >> 63);
}

EVERY_LEVEL uint64_t magnitude_of(int64_t x)
{
	return ((uint64_t)x ^ sign_of(x)) - sign_of(x);
}

/* The own scale without flags. */
EVERY_LEVEL unsigned char own_of(unsigned char own)
{
	return own & OWN_SCALE_MASK;
}

EVERY_LEVEL unsigned char greater_own(unsigned char a, unsigned char b)
{
	return own_of(a) > own_of(b) ? own_of(a) : own_of(b);
}

/* Whether all numbers fit in 32 bits. */
EVERY_LEVEL bool fit_32_bits(const int64_t *numbers, size_t count)
{
	uint64_t bits = 0;
	for (size_t i = 0; i < count; i++)
		bits |= (uint64_t)numbers[i] + (UINT64_C(1) << 31);
	return bits >> 32 == 0;
}

/* Multiplies numbers of any size. False if a product does not fit. */
static bool multiply_any(const int64_t *restrict a, const int64_t *restrict b, size_t count, int64_t *restrict out)
{
	bool overflows = false;
	for (size_t i = 0; i < count; i++)
		overflows |= __builtin_mul_overflow(a[i], b[i], &out[i]);
	return !overflows;
}

/* Multiplies numbers. False if a product does not fit. AVX2 has an instruction for factors of 32 bits, with which this
 * loop is 1.7 times as fast. */
EVERY_LEVEL bool multiply_numbers(const int64_t *restrict a, const int64_t *restrict b, size_t count, bool has_avx2,
				  int64_t *restrict out)
{
	if (!has_avx2 || !fit_32_bits(a, count) || !fit_32_bits(b, count))
		return multiply_any(a, b, count, out);
	for (size_t i = 0; i < count; i++)
		out[i] = (int64_t)(int32_t)a[i] * (int32_t)b[i];
	return true;
}

/* Multiplies numbers of any size by a factor. False if a product does not fit. */
static bool multiply_any_by(const int64_t *restrict in, int64_t factor, size_t count, int64_t *restrict out)
{
	bool overflows = false;
	for (size_t i = 0; i < count; i++)
		overflows |= __builtin_mul_overflow(in[i], factor, &out[i]);
	return !overflows;
}

/* Multiplies numbers by a factor, as multiply_numbers does. */
EVERY_LEVEL bool multiply_by(const int64_t *restrict in, int64_t factor, size_t count, bool has_avx2,
			     int64_t *restrict out)
{
	if (!has_avx2 || factor > INT32_MAX || !fit_32_bits(in, count))
		return multiply_any_by(in, factor, count, out);
	for (size_t i = 0; i < count; i++)
		out[i] = (int64_t)(int32_t)in[i] * (int32_t)factor;
	return true;
}

/* Sets *numbers to the mantissas of v at `scale`. False if one does not fit. */
EVERY_LEVEL bool align(const struct operation *o, const struct exact_vector *v, unsigned scale, const int64_t **numbers)
{
	*numbers = v->numbers;
	if (v->scale == scale || o->count == 0)
		return true;
	const int64_t factor = (int64_t)power_of_ten_u64[scale - v->scale];
	*numbers = o->aligned;
	if (!v->is_constant)
		return multiply_by(v->numbers, factor, o->count, o->has_avx2, o->aligned);
	int64_t number;
	if (__builtin_mul_overflow(v->numbers[0], factor, &number))
		return false;
	for (size_t i = 0; i < o->count; i++)
		o->aligned[i] = number;
	return true;
}

/* Sets *x and *y to the mantissas of two vectors at the greater of their scales, which is *scale. */
EVERY_LEVEL bool align_both(const struct operation *o, const struct exact_vector *v, const struct exact_vector *w,
			    const int64_t **x, const int64_t **y, unsigned *scale)
{
	*scale = v->scale > w->scale ? v->scale : w->scale;
	return align(o, v, *scale, x) && align(o, w, *scale, y);
}

EVERY_LEVEL bool has_zero(const int64_t *numbers, size_t count)
{
	unsigned found = 0;
	for (size_t i = 0; i < count; i++)
		found |= numbers[i] == 0;
	return found != 0;
}

EVERY_LEVEL bool has_minus(const struct exact_vector *v, size_t count)
{
	uint64_t bits = 0;
	for (size_t i = 0; i < count; i++)
		bits |= (uint64_t)v->numbers[i];
	return v->has_flags || bits >> 63 != 0;
}

/* 1 if element i has the sign minus: -0 has it, too. */
EVERY_LEVEL unsigned minus_at(const struct exact_vector *v, size_t i)
{
	return (unsigned)((uint64_t)v->numbers[i] >> 63) |
	       (v->own[i] & OWN_SCALE_NEGATIVE_ZERO) / OWN_SCALE_NEGATIVE_ZERO;
}

/* Sets the flag of those zeros of the result whose sign is minus. */
#define FLAG_ZEROS(o, sign)                                                                                  \
	for (size_t i = 0; i < (o)->count; i++) {                                                            \
		const unsigned is_flagged = ((o)->numbers[i] == 0) & (sign);                                 \
		(o)->own[i] = (unsigned char)((o)->own[i] | is_flagged * (unsigned)OWN_SCALE_NEGATIVE_ZERO); \
	}

/* Defines NAME_numbers, a OPERATOR b. False if one overflows: OVERFLOW has then its highest bit. */
#define SUM(NAME, OPERATOR, OVERFLOW)                                                                       \
	EVERY_LEVEL bool NAME##_numbers(const int64_t *restrict a, const int64_t *restrict b, size_t count, \
					int64_t *restrict out)                                              \
	{                                                                                                   \
		uint64_t overflow = 0;                                                                      \
		for (size_t i = 0; i < count; i++) {                                                        \
			const uint64_t x = (uint64_t)a[i];                                                  \
			const uint64_t y = (uint64_t)b[i];                                                  \
			const uint64_t sum = x OPERATOR y;                                                  \
			overflow |= (OVERFLOW);                                                             \
			out[i] = (int64_t)sum;                                                              \
		}                                                                                           \
		return overflow >> 63 == 0;                                                                 \
	}
SUM(add, +, (sum ^ x) & (sum ^ y))
SUM(subtract, -, (x ^ y) & (x ^ sum))

/* The own scales of a + b and a - b. */
EVERY_LEVEL void greater_owns(const unsigned char *restrict a, const unsigned char *restrict b, size_t count,
			      unsigned char *restrict out)
{
	for (size_t i = 0; i < count; i++)
		out[i] = greater_own(a[i], b[i]);
}

EVERY_LEVEL void add_owns(const unsigned char *restrict a, const unsigned char *restrict b, size_t count,
			  unsigned char *restrict out)
{
	for (size_t i = 0; i < count; i++)
		out[i] = (unsigned char)(own_of(a[i]) + own_of(b[i]));
}

EVERY_LEVEL bool add_or_subtract(const struct operation *o, bool subtracts, struct exact_vector *result)
{
	const int64_t *x;
	const int64_t *y;
	if (!align_both(o, o->a, o->b, &x, &y, &result->scale) ||
	    !(subtracts ? subtract_numbers(x, y, o->count, o->numbers) : add_numbers(x, y, o->count, o->numbers)))
		return false;
	greater_owns(o->a->own, o->b->own, o->count, o->own);
	/* Only -0 + -0 and -0 - 0 are -0. */
	result->has_flags = o->a->has_flags;
	if (o->a->has_flags)
		FLAG_ZEROS(o, (o->a->own[i] & OWN_SCALE_NEGATIVE_ZERO) / OWN_SCALE_NEGATIVE_ZERO &
				      (minus_at(o->b, i) ^ (unsigned)subtracts))
	return true;
}

EVERY_LEVEL bool multiply(const struct operation *o, struct exact_vector *result)
{
	result->scale = o->a->scale + o->b->scale;
	if (result->scale > DECIMAL_SCALE_MAX ||
	    !multiply_numbers(o->a->numbers, o->b->numbers, o->count, o->has_avx2, o->numbers))
		return false;
	add_owns(o->a->own, o->b->own, o->count, o->own);
	result->has_flags = (has_minus(o->a, o->count) || has_minus(o->b, o->count)) && has_zero(o->numbers, o->count);
	if (result->has_flags)
		FLAG_ZEROS(o, minus_at(o->a, i) ^ minus_at(o->b, i))
	return true;
}

EVERY_LEVEL bool negate(const struct operation *o, struct exact_vector *result)
{
	static const int64_t zeros[EXACT_VECTOR_LENGTH];
	result->scale = o->a->scale;
	if (!subtract_numbers(zeros, o->a->numbers, o->count, o->numbers))
		return false;
	result->has_flags = has_zero(o->numbers, o->count);
	add_owns(o->a->own, (const unsigned char *)zeros, o->count, o->own);
	if (result->has_flags)
		FLAG_ZEROS(o, minus_at(o->a, i) ^ 1u)
	return true;
}

EVERY_LEVEL bool make_absolute(const struct operation *o, struct exact_vector *result)
{
	uint64_t overflow = 0;
	result->scale = o->a->scale;
	for (size_t i = 0; i < o->count; i++) {
		const uint64_t magnitude = magnitude_of(o->a->numbers[i]);
		overflow |= magnitude;
		o->numbers[i] = (int64_t)magnitude;
		o->own[i] = own_of(o->a->own[i]);
	}
	return overflow >> 63 == 0;
}

/* Comparisons of numbers and of truths. */
#define COMPARISON(NAME, T, OPERATOR)                                                       \
	EVERY_LEVEL void NAME##_##T(const T *restrict a, const T *restrict b, size_t count, \
				    unsigned char *restrict out)                            \
	{                                                                                   \
		for (size_t i = 0; i < count; i++)                                          \
			out[i] = a[i] OPERATOR b[i];                                        \
	}
#define COMPARISONS(NAME, OPERATOR)         \
	COMPARISON(NAME, int64_t, OPERATOR) \
	COMPARISON(NAME, uint8_t, OPERATOR)
COMPARISONS(equal, ==)
COMPARISONS(unequal, !=)
COMPARISONS(less, <)
COMPARISONS(less_equal, <=)
COMPARISON(both, uint8_t, &)
COMPARISON(either, uint8_t, |)

#define COMPARE(NAME)                                                            \
	(o->a->is_truth ? NAME##_uint8_t(o->a->own, o->b->own, o->count, o->own) \
			: NAME##_int64_t(x, y, o->count, o->own))
EVERY_LEVEL bool compare(const struct operation *o, enum step_code code)
{
	unsigned scale;
	const int64_t *x = NULL;
	const int64_t *y = NULL;
	if (!o->a->is_truth && !align_both(o, o->a, o->b, &x, &y, &scale))
		return false;
	if (code == STEP_EQUAL)
		COMPARE(equal);
	else if (code == STEP_LESS)
		COMPARE(less);
	else if (code == STEP_LESS_EQUAL)
		COMPARE(less_equal);
	else
		COMPARE(unequal);
	return true;
}

EVERY_LEVEL void choose_numbers(const unsigned char *restrict truths, const int64_t *restrict b,
				const int64_t *restrict c, size_t count, int64_t *restrict out)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t mask = 0 - (uint64_t)truths[i];
		out[i] = (int64_t)(((uint64_t)b[i] & mask) | ((uint64_t)c[i] & ~mask));
	}
}

EVERY_LEVEL void choose_bytes(const unsigned char *restrict truths, const unsigned char *restrict b,
			      const unsigned char *restrict c, size_t count, unsigned char *restrict out)
{
	for (size_t i = 0; i < count; i++) {
		const unsigned char mask = (unsigned char)(0 - truths[i]);
		out[i] = (unsigned char)((b[i] & mask) | (c[i] & ~mask));
	}
}

/* truths ? v : w */
EVERY_LEVEL bool choose(const struct operation *o, const unsigned char *truths, const struct exact_vector *v,
			const struct exact_vector *w, struct exact_vector *result)
{
	const int64_t *x;
	const int64_t *y;
	choose_bytes(truths, v->own, w->own, o->count, o->own);
	result->is_truth = v->is_truth;
	result->has_flags = v->has_flags || w->has_flags;
	if (v->is_truth)
		return true;
	if (!align_both(o, v, w, &x, &y, &result->scale))
		return false;
	choose_numbers(truths, x, y, o->count, o->numbers);
	return true;
}

EVERY_LEVEL bool choose_extreme(const struct operation *o, bool greatest, struct exact_vector *result)
{
	unsigned scale;
	const int64_t *x;
	const int64_t *y;
	if (!align_both(o, o->a, o->b, &x, &y, &scale))
		return false;
	if (greatest)
		less_int64_t(x, y, o->count, o->truths);
	else
		less_int64_t(y, x, o->count, o->truths);
	return choose(o, o->truths, o->b, o->a, result);
}

/* Sets quotients to |a| / one, without the fraction. */
static void divide_any(const int64_t *restrict a, int64_t one, size_t count, int64_t *restrict quotients)
{
	for (size_t i = 0; i < count; i++)
		quotients[i] = (int64_t)(magnitude_of(a[i]) / (uint64_t)one);
}

/* Sets quotients to |a| / one without the fraction, or to one more. `one` is at least 10. */
EVERY_LEVEL void divide(const int64_t *restrict a, int64_t one, size_t count, int64_t *restrict quotients)
{
	/* A number below 2^51 plus this has the number in the lowest bits of the double; and this double's bits. */
	const double place = 0x1.8p52;
	const uint64_t place_bits = UINT64_C(0x4338000000000000);
	const double factor = 1.0 / (double)one;
	uint64_t bits = 0;
	for (size_t i = 0; i < count; i++)
		bits |= magnitude_of(a[i]);
	if (bits >> 51 != 0) {
		divide_any(a, one, count, quotients);
		return;
	}
	/* This is three times as fast as divisions. The product is less than 2^48 and wrong by less than 0.1; it is
	 * then rounded to the nearest integer. */
	for (size_t i = 0; i < count; i++) {
		union {
			uint64_t bits;
			double f64;
		} x = {.bits = magnitude_of(a[i]) + place_bits};
		x.f64 = (x.f64 - place) * factor + place;
		quotients[i] = (int64_t)(x.bits - place_bits);
	}
}

/* Sets quotients to the integers that the step makes of a / one. They must be what divide has set them to. */
EVERY_LEVEL void correct_quotients(enum step_code code, const int64_t *restrict a, int64_t one, size_t count,
				   int64_t *restrict quotients)
{
	/* The least fraction, in units of 1 / one, for which the magnitude is rounded up: of negative numbers, and of
	 * others. */
	const int64_t of_negative = code == STEP_ROUND ? one / 2 : code == STEP_FLOOR ? 1 : INT64_MAX;
	const int64_t of_others = code == STEP_ROUND ? one / 2 : code == STEP_CEIL ? 1 : INT64_MAX;
	for (size_t i = 0; i < count; i++) {
		const uint64_t sign = sign_of(a[i]);
		const uint64_t estimate = (uint64_t)quotients[i];
		const int64_t difference = (int64_t)(magnitude_of(a[i]) - estimate * (uint64_t)one);
		const uint64_t is_above = sign_of(difference);
		const int64_t fraction = difference + (int64_t)((uint64_t)one & is_above);
		const uint64_t more = fraction >= (sign != 0 ? of_negative : of_others);
		quotients[i] = (int64_t)(((estimate + is_above + more) ^ sign) - sign);
	}
}

EVERY_LEVEL bool to_integers(const struct operation *o, enum step_code code, struct exact_vector *result)
{
	const int64_t one = (int64_t)power_of_ten_u64[o->a->scale];
	if (one == 1) {
		memcpy(o->numbers, o->a->numbers, o->count * sizeof *o->numbers);
	} else {
		divide(o->a->numbers, one, o->count, o->numbers);
		correct_quotients(code, o->a->numbers, one, o->count, o->numbers);
	}
	memset(o->own, 0, o->count);
	result->has_flags = has_minus(o->a, o->count) && has_zero(o->numbers, o->count);
	if (result->has_flags)
		FLAG_ZEROS(o, minus_at(o->a, i))
	return true;
}

/* A step. Sets *result, but for the places of its numbers. False if a number does not fit. */
EVERY_LEVEL bool do_step(const struct operation *o, enum step_code code, struct exact_vector *result)
{
	switch ((int)code) {
	case STEP_MINUS:
		return negate(o, result);
	case STEP_ABS:
		return make_absolute(o, result);
	case STEP_ADD:
		return add_or_subtract(o, false, result);
	case STEP_SUBTRACT:
		return add_or_subtract(o, true, result);
	case STEP_MULTIPLY:
		return multiply(o, result);
	case STEP_AND:
		both_uint8_t(o->a->own, o->b->own, o->count, o->own);
		return result->is_truth = true;
	case STEP_OR:
		either_uint8_t(o->a->own, o->b->own, o->count, o->own);
		return result->is_truth = true;
	case STEP_EQUAL:
	case STEP_NOT_EQUAL:
	case STEP_LESS:
	case STEP_LESS_EQUAL:
		result->is_truth = true;
		return compare(o, code);
	case STEP_CHOOSE:
		return choose(o, o->a->own, o->b, o->c, result);
	case STEP_MIN:
		return choose_extreme(o, false, result);
	case STEP_MAX:
		return choose_extreme(o, true, result);
	default:
		return to_integers(o, code, result);
	}
}

bool exact_vector_has_flags(const unsigned char *own, size_t count)
{
	unsigned char flags = 0;
	for (size_t i = 0; i < count; i++)
		flags |= own[i];
	return (flags & OWN_SCALE_NEGATIVE_ZERO) != 0;
}

EVERY_LEVEL bool evaluate_steps(const struct expression *e, struct exact_vector *slots, size_t count,
				struct exact_room *rooms, bool has_avx2)
{
	for (size_t i = 0; i < e->step_count; i++) {
		const struct step *s = &e->steps[i];
		struct exact_room *room = &rooms[1 + s->to];
		struct exact_vector result = {.numbers = room->numbers, .own = room->own};
		const struct operation o = {
			.a = &slots[s->in[0]],
			.b = &slots[s->in[s->in[1] != SLOT_NONE ? 1 : 0]],
			.c = &slots[s->in[s->in[2] != SLOT_NONE ? 2 : 0]],
			.count = count,
			.has_avx2 = has_avx2,
			.aligned = rooms->numbers,
			.truths = rooms->own,
			.numbers = room->numbers,
			.own = room->own,
		};
		if (!do_step(&o, (enum step_code)s->code, &result))
			return false;
		slots[s->to] = result;
	}
	return true;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static bool evaluate_with_avx2(const struct expression *e, struct exact_vector *slots,
							       size_t count, struct exact_room *rooms)
{
	return evaluate_steps(e, slots, count, rooms, true);
}
#endif

bool exact_vector_evaluate(const struct expression *e, struct exact_vector *slots, size_t count,
			   struct exact_room *rooms, bool has_avx2)
{
#ifdef __x86_64__
	if (has_avx2)
		return evaluate_with_avx2(e, slots, count, rooms);
#endif
	(void)has_avx2;
	return evaluate_steps(e, slots, count, rooms, false);
}
