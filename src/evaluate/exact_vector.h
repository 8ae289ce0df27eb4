/* Evaluates exact expressions over vectors of decimals that fit in 64 bits. Private to the evaluation of exact
 * expressions.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_EVALUATE_EXACT_VECTOR_H
#define PSCAN_EVALUATE_EXACT_VECTOR_H

#include "language/expression.h"
#include "number/decimal.h"

/* The most elements of a vector. */
#define EXACT_VECTOR_LENGTH 256

/* A vector of decimals that are stored at one scale, or of truths. */
struct exact_vector {
	const int64_t *numbers; /* The mantissas. Unused if these are truths. */
	const unsigned char *own; /* enum own_scale of each decimal, none of them a float. Truths: 1 or 0. */
	unsigned scale; /* The scale of `numbers`, no less than the own scale of any of them. */
	bool is_truth; /* These are truths. */
	bool has_flags; /* Some decimals may have OWN_SCALE_NEGATIVE_ZERO. False: none has it. */
	bool is_constant; /* All decimals are equal. */
};

/* Memory for a vector. */
struct exact_room {
	int64_t numbers[EXACT_VECTOR_LENGTH];
	unsigned char own[EXACT_VECTOR_LENGTH];
};

/* Whether one of `count` own scales has OWN_SCALE_NEGATIVE_ZERO. */
bool exact_vector_has_flags(const unsigned char *own, size_t count);

/* Evaluates the steps of an exact expression for `count` elements, at most EXACT_VECTOR_LENGTH. slots: e->slot_count
 * vectors, of which those of the inputs that are used and of the constants are set; the others become the steps'
 * results. rooms: memory for these results. rooms[0] is for temporary use, and rooms[1 + k] for slot k.
 *
 * has_avx2: the machine has AVX2; this changes nothing but the speed. Returns false if a number does not fit in 64 bits
 * at the scale of its vector, or if this scale would be more than DECIMAL_SCALE_MAX; the slots of steps are then
 * undefined. With count 0 only `scale`, is_truth and has_flags of these slots have a meaning, and the function returns
 * whether all scales are possible. */
bool exact_vector_evaluate(const struct expression *e, struct exact_vector *slots, size_t count,
			   struct exact_room *rooms, bool has_avx2);

#endif
