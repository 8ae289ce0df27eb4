/* Evaluates exact expressions for one element, with mantissas of 128 bits, and scans exact decimals by them. Any thread
 * may call these functions. */
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

/* The state of a scan between two elements, which is also the last result. All zero before the first element. */
struct exact_state {
	bool is_begun; /* There was an element or a seed. */
	unsigned char scale; /* The mantissa's scale. Set only if is_begun, like `mantissa`. */
	int128 mantissa;
};

/* Combines `count` elements of the column, from element `first` on, into *state, one after the other. (There is no
 * grid: as long as all results are exact, an associative expression gives equal results in any order.) combine: its
 * inputs are a, the earlier state, and b, the later one. Stops before an element that is a float, or whose result is
 * not exact. Returns the number of elements taken; *state is then the state after the last of them. Writes the result
 * of element first + i, an i128, to out[i] and its scale to scales[i]. A result 0 has no sign. */
size_t exact_scan_push(struct exact_evaluator *combine, struct exact_state *state, const struct exact_column *in,
		       size_t first, size_t count, union value *out, unsigned char *scales);

#endif
