/* Evaluates exact expressions (language/expression.h) over columns of exact decimals. */
#ifndef PSCAN_EVALUATE_EVALUATE_EXACT_H
#define PSCAN_EVALUATE_EVALUATE_EXACT_H

#include "base/status.h"
#include "language/expression.h"

/* A column of decimals that were read each at its own scale, as text/decode.h stores them (struct column). */
struct exact_column {
	/* If is_narrow: an i64 at `scale`. Otherwise 16 bytes each: an i128 at the number's own scale, or, with
	 * OWN_SCALE_FLOAT in `scales`, an f64 in the first 8 bytes. */
	unsigned char *numbers;
	size_t step; /* Bytes from one number to the next: 8 if is_narrow, otherwise 16. */
	unsigned char *scales; /* The own scale of each number (enum own_scale). */
	bool is_narrow; /* All numbers are exact and stored as i64 at `scale`, which is no less than any own scale. */
	unsigned scale; /* Only if is_narrow. */
};

/* Writes the values of `count` elements to *out. out->numbers has room for `count` i128, and out->scales for `count`
 * bytes; out->step, is_narrow and scale are set. inputs[j]: input j, if the expression uses it; its numbers have the
 * alignment of an i64. One of the inputs may have the memory of *out, or be *out itself. The values do not depend on
 * the widths of the inputs' columns, or on how many elements a call has. memory: for temporary use by one thread at a
 * time, all zero before its first use. The caller frees it with bytes_free. STATUS_SYSTEM after a message if memory is
 * missing; *out is then unchanged.
 *
 * The own scale of a value is the one that a person would write. A sum or a difference has the greater own scale of its
 * operands. A product has the sum of both, but at most DECIMAL_SCALE_MAX. The results of floor, ceil, trunc and round
 * have 0. Other values have the own scale of the operand that was chosen. A 0 has the sign that IEEE 754 gives to the
 * operation with exact operands; if this sign is minus, the own scale has OWN_SCALE_NEGATIVE_ZERO.
 *
 * A value is exact if the results of all steps that it needs fit an i128 at their own scale, and no operand that it
 * needs is a float. (It does not need what &&, || and ?: leave out.) Otherwise the value is the f64 that all steps give
 * when they are done with doubles; its own scale is OWN_SCALE_FLOAT. */
enum status evaluate_exact(const struct expression *e, const struct exact_column *inputs, size_t count,
			   struct bytes *memory, struct exact_column *out) MUST_CHECK;

#endif
