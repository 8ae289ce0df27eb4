/* Evaluates exact expressions for one element, with mantissas of 128 bits. Any thread may call these functions. */
#ifndef PSCAN_EVALUATE_EXACT_NUMBER_H
#define PSCAN_EVALUATE_EXACT_NUMBER_H

#include "language/expression.h"
#include "evaluate/evaluate_exact.h"

/* A decimal, a float, or a truth (the decimal 1 or 0). */
struct exact_number {
	int128 mantissa; /* At the scale of `own`. Not set if it is a float. */
	double f64; /* Set if it is a float. */
	unsigned char own; /* enum own_scale */
};

/* Copies a number member by member: processors wait if bytes are read together that were just written apart. (An
 * expression takes 0.8 of the time.) */
static inline void exact_number_put(struct exact_number *to, struct exact_number from)
{
	to->mantissa = from.mantissa;
	to->f64 = from.f64;
	to->own = from.own;
}

/* Returns element i of a column. */
struct exact_number exact_number_at(const struct exact_column *k, size_t i);
/* Returns a constant of an exact expression as a number. */
struct exact_number exact_number_of(const struct expression_constant *c);

/* Returns the value of one element (see evaluate_exact). slots: e->slot_count numbers, of which those of the inputs
 * that are used and of the constants are set; the others are overwritten. floats: e->slot_count doubles for temporary
 * use. */
struct exact_number exact_number_evaluate(const struct expression *e, struct exact_number *slots, double *floats);

/* An expression with the memory for evaluating it. Only one thread at a time may use an evaluator. */
struct exact_evaluator {
	const struct expression *expression; /* Borrowed. */
	double *floats; /* Memory for exact_number_evaluate, in the same block as the struct. */
	/* The slots of exact_number_evaluate. slots[j], for each input j that is used, is set by the caller. */
	struct exact_number slots[];
};

/* Makes an evaluator of an exact expression, which is borrowed. The caller frees the evaluator with memory_free. NULL
 * after a message if memory is missing. */
struct exact_evaluator *exact_evaluator_new(const struct expression *e);
/* Returns the expression's value for the inputs in v->slots, which do not change. */
struct exact_number exact_evaluator_run(struct exact_evaluator *v);

#endif
