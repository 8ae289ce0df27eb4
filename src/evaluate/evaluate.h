/* Evaluates compiled expressions (language/expression.h) over vectors of elements, step by step. The vectors of
 * intermediate results stay in the first-level cache. */
#ifndef PSCAN_EVALUATE_EVALUATE_H
#define PSCAN_EVALUATE_EVALUATE_H

#include "language/expression.h"

/* The most elements of a call. */
#define EVALUATE_LENGTH 256

/* An expression with the memory for its intermediate results. Only one thread at a time may use it. */
struct evaluator;

/* Makes an evaluator of an expression that is not exact. The expression is borrowed. NULL after a message if memory is
 * missing. The caller frees it with evaluator_free. */
struct evaluator *evaluator_new(const struct expression *e);
/* evaluator_new with `size` bytes of memory for functions that evaluate with it (evaluator_memory). */
struct evaluator *evaluator_new_with(const struct expression *e, size_t size);
/* Returns the evaluator's memory for temporary use, of which it must have `size` bytes: what was written there before
 * may have been overwritten. Aligned to MEMORY_ALIGNMENT (base/memory.h). */
void *evaluator_memory(struct evaluator *v, size_t size);
/* Frees an evaluator. NULL: does nothing. */
void evaluator_free(struct evaluator *v);
/* The expression of an evaluator. */
const struct expression *evaluator_expression(const struct evaluator *v);

/* Writes the values of `count` elements (at most EVALUATE_LENGTH) to `out`, one after the other in the expression's
 * type. inputs[j]: `count` numbers of input j, one after the other; NULL if the expression does not use it. `out` may
 * be one of the inputs, but must not overlap them otherwise. Inputs and `out` are aligned for their types. Returns
 * the index of the first bad element, which has no value, or SIZE_MAX. What is written for bad elements is not defined,
 * and neither are the bits of a NaN. */
size_t evaluate(struct evaluator *v, const void *const *inputs, size_t count, void *out);
/* Makes every NaN among `count` numbers of type t the one that pscan writes (kernels/types.h). */
void evaluate_nans(const struct type *t, void *numbers, size_t count);

#endif
