/* A column is evaluated vector by vector with 64 bits (exact_vector.h), as long as inputs and results fit. The first
 * vector that does not is where the result becomes wide: from the end back to it, elements are then written with 128
 * bits, those of vectors that still fit as before and others one by one (exact_number.h); last, what was written with
 * 64 bits is widened. In this order no element is overwritten before it is read if *out is an input. */
#include "evaluate/evaluate_exact.h"

#include <string.h>

#include "number/powers.h"
#include "evaluate/exact_number.h"
#include "evaluate/exact_vector.h"
#include "rows/level.h"

/* An evaluation, with its parts of the memory. */
struct evaluation {
	const struct expression *e;
	const struct exact_column *inputs;
	struct exact_number *numbers; /* A number for each slot. */
	double *floats; /* A double for each slot. */
	struct exact_vector *vectors; /* A vector for each slot. */
	struct exact_room *rooms; /* rooms[0] is for temporary use, and rooms[1 + k] for slot k. */
	bool has_avx2; /* Vectors are computed with AVX2. */
	bool may_fit; /* All constants fit in 64 bits. */
	bool may_be_narrow; /* All inputs are narrow, too, and the scales of all steps are possible. */
	unsigned scale; /* The scale of a narrow result. Set if may_be_narrow. */
};

/* The values of a vector. */
struct values {
	const int64_t *numbers;
	const unsigned char *own;
	unsigned scale; /* The scale of the numbers. */
};

/* Sets the vector of constant k. False if it does not fit in 64 bits. */
static bool fill_constant(struct evaluation *v, size_t k)
{
	const struct expression_constant *c = &v->e->constants[k];
	const struct exact_number x = exact_number_of(c);
	struct exact_room *room = &v->rooms[1 + v->e->input_count + k];
	for (size_t i = 0; i < EXACT_VECTOR_LENGTH; i++)
		room->numbers[i] = (int64_t)x.mantissa;
	const bool is_truth = c->type != TYPE_I128;
	memset(room->own, is_truth ? (int)x.mantissa : x.own, sizeof room->own);
	v->numbers[v->e->input_count + k] = x;
	v->vectors[v->e->input_count + k] = (struct exact_vector){
		.numbers = room->numbers,
		.own = room->own,
		.scale = is_truth ? 0 : c->scale,
		.is_truth = is_truth,
		.is_constant = true,
	};
	return x.mantissa == room->numbers[0];
}

/* Sets a vector to elements of a wide column, at the greatest of their own scales. False if one of them is a float or
 * does not fit in 64 bits. */
static bool gather(const struct exact_column *k, size_t at, size_t count, struct exact_room *room,
		   struct exact_vector *vector)
{
	const unsigned char *own = k->scales + at;
	unsigned scale = 0;
	bool fits = true;
	for (size_t i = 0; i < count; i++) {
		scale = (own[i] & OWN_SCALE_MASK) > scale ? own[i] & OWN_SCALE_MASK : scale;
		fits &= (own[i] & OWN_SCALE_FLOAT) == 0;
	}
	for (size_t i = 0; i < count && fits; i++) {
		union value m;
		memcpy(&m, k->numbers + (at + i) * k->step, sizeof m);
		const int64_t factor = (int64_t)power_of_ten_u64[scale - (own[i] & OWN_SCALE_MASK)];
		fits = decimal_fits_i64(&m) && !__builtin_mul_overflow((int64_t)m.i128.lo, factor, &room->numbers[i]);
	}
	memcpy(room->own, own, count);
	*vector = (struct exact_vector){.numbers = room->numbers, .own = room->own, .scale = scale};
	return fits;
}

/* Makes vectors of the inputs' elements from `at` on. False if a number does not fit in 64 bits. */
static bool load_inputs(const struct evaluation *v, size_t at, size_t count)
{
	bool fits = true;
	for (size_t j = 0; j < v->e->input_count && fits; j++) {
		const struct exact_column *k = &v->inputs[j];
		struct exact_vector *vector = &v->vectors[j];
		if (!v->e->used[j])
			continue;
		if (k->is_narrow)
			*vector = (struct exact_vector){.numbers = (const int64_t *)(const void *)k->numbers + at,
							.own = k->scales + at,
							.scale = k->scale};
		else
			fits = gather(k, at, count, &v->rooms[1 + j], vector);
		vector->has_flags = exact_vector_has_flags(k->scales + at, count);
	}
	return fits;
}

/* Whether all inputs that are used are narrow. */
static bool are_narrow(const struct evaluation *v)
{
	bool are_narrow = true;
	for (size_t j = 0; j < v->e->input_count; j++)
		are_narrow = are_narrow && (!v->e->used[j] || v->inputs[j].is_narrow);
	return are_narrow;
}

/* Evaluates the vector of the elements from `at` on with 64 bits. False if a number does not fit. */
static bool evaluate_vector(const struct evaluation *v, size_t at, size_t count, struct values *values)
{
	if (!v->may_fit || !load_inputs(v, at, count) ||
	    !exact_vector_evaluate(v->e, v->vectors, count, v->rooms, v->has_avx2))
		return false;
	const struct exact_vector *result = &v->vectors[v->e->result];
	*values = (struct values){.numbers = result->numbers, .own = result->own, .scale = result->scale};
	return true;
}

/* Divides the memory and fills the constants. */
static enum status prepare(struct evaluation *v, struct bytes *memory)
{
	const struct expression *e = v->e;
	const size_t slots = e->slot_count;
	const size_t rooms = 1 + slots;
	if (bytes_make(memory, 1,
		       rooms * sizeof *v->rooms +
			       slots * (sizeof *v->numbers + sizeof *v->vectors + sizeof *v->floats)) != STATUS_OK)
		return STATUS_SYSTEM;
	v->rooms = (void *)memory->data;
	v->numbers = (void *)(v->rooms + rooms);
	v->vectors = (void *)(v->numbers + slots);
	v->floats = (void *)(v->vectors + slots);
	v->has_avx2 = level_allowed() >= LEVEL_V3;
	v->may_fit = true;
	for (size_t k = 0; k < e->constant_count; k++)
		v->may_fit &= fill_constant(v, k);
	struct values values;
	v->may_be_narrow = are_narrow(v) && evaluate_vector(v, 0, 0, &values);
	if (v->may_be_narrow)
		v->scale = values.scale;
	return STATUS_OK;
}

/* Returns the value of element i. */
static struct exact_number evaluate_element(const struct evaluation *v, size_t i)
{
	for (size_t j = 0; j < v->e->input_count; j++) {
		if (v->e->used[j])
			v->numbers[j] = exact_number_at(&v->inputs[j], i);
	}
	return exact_number_evaluate(v->e, v->numbers, v->floats);
}

/* Evaluates the elements from `at` on one by one, with 128 bits. False if a value does not fit in 64 bits. */
static bool evaluate_elements(const struct evaluation *v, size_t at, size_t count, struct values *values)
{
	struct exact_room *room = &v->rooms[0];
	for (size_t i = 0; i < count; i++) {
		const struct exact_number x = evaluate_element(v, at + i);
		int128 m;
		if ((x.own & OWN_SCALE_FLOAT) != 0 ||
		    __builtin_mul_overflow(x.mantissa, (int128)power_of_ten_u64[v->scale - (x.own & OWN_SCALE_MASK)],
					   &m) ||
		    m != (int64_t)m)
			return false;
		room->numbers[i] = (int64_t)m;
		room->own[i] = x.own;
	}
	*values = (struct values){.numbers = room->numbers, .own = room->own, .scale = v->scale};
	return true;
}

/* Writes elements with 128 bits. `out` may be values->numbers. */
static void widen(const struct values *values, size_t count, unsigned char *out)
{
	for (size_t i = count; i-- > 0;) {
		const unsigned scale = values->own[i] & OWN_SCALE_MASK;
		int64_t m = values->numbers[i];
		if (scale != values->scale)
			m /= (int64_t)power_of_ten_u64[values->scale - scale];
		const union value wide = decimal_wide(m);
		memcpy(out + i * sizeof wide.i128, &wide, sizeof wide.i128);
	}
}

/* Writes the values of the elements from `at` on with 128 bits. */
static void put_wide(const struct evaluation *v, size_t at, size_t count, const struct exact_column *out)
{
	unsigned char *numbers = out->numbers + at * sizeof(int128);
	struct values values;
	if (evaluate_vector(v, at, count, &values)) {
		widen(&values, count, numbers);
		memmove(out->scales + at, values.own, count);
		return;
	}
	for (size_t i = count; i-- > 0;) {
		const struct exact_number x = evaluate_element(v, at + i);
		union value value = decimal_wide(x.mantissa);
		if ((x.own & OWN_SCALE_FLOAT) != 0)
			value.f64 = x.f64;
		memcpy(numbers + i * sizeof value.i128, &value, sizeof value.i128);
		out->scales[at + i] = x.own;
	}
}

enum status evaluate_exact(const struct expression *e, const struct exact_column *inputs, size_t count,
			   struct bytes *memory, struct exact_column *out)
{
	struct evaluation v = {.e = e, .inputs = inputs};
	if (prepare(&v, memory) != STATUS_OK)
		return STATUS_SYSTEM;
	int64_t *narrow = (void *)out->numbers;
	size_t done = 0;
	while (v.may_be_narrow && done < count) {
		const size_t size = count - done < EXACT_VECTOR_LENGTH ? count - done : EXACT_VECTOR_LENGTH;
		struct values values;
		if (!evaluate_vector(&v, done, size, &values) && !evaluate_elements(&v, done, size, &values))
			break;
		memmove(narrow + done, values.numbers, size * sizeof *narrow);
		memmove(out->scales + done, values.own, size);
		done += size;
	}
	const bool is_narrow = v.may_be_narrow && done == count;
	for (size_t end = count; end > done;) {
		const size_t at = (end - 1) / EXACT_VECTOR_LENGTH * EXACT_VECTOR_LENGTH;
		put_wide(&v, at, end - at, out);
		end = at;
	}
	if (!is_narrow)
		widen(&(struct values){.numbers = narrow, .own = out->scales, .scale = v.scale}, done, out->numbers);
	out->is_narrow = is_narrow;
	out->scale = v.scale;
	out->step = is_narrow ? sizeof *narrow : sizeof(int128);
	return STATUS_OK;
}
