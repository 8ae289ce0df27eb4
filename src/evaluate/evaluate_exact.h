/* Evaluates exact expressions (language/expression.h) over columns of exact decimals. */
#ifndef PSCAN_EVALUATE_EVALUATE_EXACT_H
#define PSCAN_EVALUATE_EVALUATE_EXACT_H

#include "base/status.h"
#include "language/expression.h"

/* A column of decimals that were read each at its own scale, as text/decode.h stores them (struct column). */
struct exact_column {
	unsigned char *numbers; /* i64 if is_narrow; otherwise i128, or f64 in the first 8 bytes. */
	size_t step; /* Bytes from one number to the next: 8 if is_narrow, otherwise 16. */
	unsigned char *scales; /* For each number enum own_scale. */
	bool is_narrow; /* All are exact and stored as i64 at `scale`, whatever their own scales. */
	unsigned scale; /* If is_narrow. */
};

/* Writes the values of `count` elements to *out, whose numbers have room for `count` i128 and whose scales have room
 * for `count` bytes; sets out->step, is_narrow and scale. inputs[j]: input j, if the expression uses it; its numbers
 * have the alignment of an i64. *out, or its memory, may be one of the inputs. The values do not depend on the widths
 * of the inputs' columns, or on how many elements a call has. memory: for temporary use by one thread at a time, all
 * zero at the beginning. The caller frees it with bytes_free.
 *
 * The own scale of a value is the one that a person would write: of + and - the greater one of both operands', of *
 * the sum of both, but at most DECIMAL_SCALE_MAX, of floor, ceil, trunc and round 0, and of others that of the operand
 * that was chosen. A 0 has the sign that IEEE 754 gives to the operation with exact operands: if that is minus, it has
 * OWN_SCALE_NEGATIVE_ZERO.
 *
 * A value is exact if the results of all steps that it needs are i128 at their own scale. Otherwise, or if it needs an
 * operand that is a float, it is the f64 that the expression gives if it is evaluated with doubles (own scale
 * OWN_SCALE_FLOAT). It does not need what &&, || and ?: leave out. STATUS_SYSTEM after a message if memory is missing.
 */
enum status evaluate_exact(const struct expression *e, const struct exact_column *inputs, size_t count,
			   struct bytes *memory, struct exact_column *out) MUST_CHECK;

#endif
