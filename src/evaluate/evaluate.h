/* Evaluates compiled expressions (language/expression.h), but not exact ones, over vectors of elements, step by step.
 * The vectors of intermediate results stay in the first-level cache. */
#ifndef PSCAN_EVALUATE_EVALUATE_H
#define PSCAN_EVALUATE_EVALUATE_H

#include "language/expression.h"

/* The most elements of a call of evaluate. */
#define EVALUATE_LENGTH 256

/* An expression with the memory for its intermediate results. Only one thread at a time may use an evaluator. */
struct evaluator;

/* Makes an evaluator of an expression that is not exact. The expression is borrowed. The caller frees the evaluator
 * with evaluator_free. NULL after a message if memory is missing. */
struct evaluator *evaluator_new(const struct expression *e);
/* Frees an evaluator. NULL: does nothing. */
void evaluator_free(struct evaluator *v);
/* Returns the expression of an evaluator. */
const struct expression *evaluator_expression(const struct evaluator *v);

/* Writes the values of `count` elements (at most EVALUATE_LENGTH) to `out`, one after the other in the expression's
 * type. inputs[j]: `count` numbers of input j, one after the other, in the type of that input; NULL if the expression
 * does not use it. `out` may be one of the inputs, but must not overlap them otherwise. Inputs and `out` are aligned
 * for their types. Returns the index of the first bad element, which is one without a value, or SIZE_MAX. All elements
 * are written. What is written for a bad element is undefined, and so are the bits of a NaN. */
size_t evaluate(struct evaluator *v, const void *const *inputs, size_t count, void *out);
/* Replaces every NaN among `count` numbers of type t by the NaN that pscan writes (kernels/types.h). The numbers are
 * aligned for t. Does nothing if t is not a float. */
void evaluate_nans(const struct type *t, void *numbers, size_t count);

#endif
