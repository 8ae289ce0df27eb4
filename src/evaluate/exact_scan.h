/* Scans exact decimals by an expression of a (earlier) and b (later), one after the other: while all results are exact,
 * an associative expression gives the same ones in any order. */
#ifndef PSCAN_EVALUATE_EXACT_SCAN_H
#define PSCAN_EVALUATE_EXACT_SCAN_H

#include "evaluate/evaluate_exact.h"

/* The memory for evaluating an expression. Only one thread at a time may use it. */
struct exact_scan;

/* combine: an exact expression, whose inputs are a and b. It must outlive what is made. NULL after a message if memory
 * is missing. The caller frees it with exact_scan_free. */
struct exact_scan *exact_scan_new(const struct expression *combine);
/* NULL: does nothing. */
void exact_scan_free(struct exact_scan *s);

/* The state between two elements, which is also the result of the earlier one. */
struct exact_state {
	bool is_begun; /* There was an element, or a seed. */
	unsigned char scale; /* The scale of the mantissa, like the next one only if is_begun. */
	int128 mantissa;
};

/* Combines the column's elements from `first` on, `count` of them, into *state. Stops before an element that is a
 * float, or whose result is not exact. Returns the number of elements taken; writes their results, i128, to out and
 * their scales to scales. A result 0 has no sign. */
size_t exact_scan_push(struct exact_scan *s, struct exact_state *state, const struct exact_column *in, size_t first,
		       size_t count, union value *out, unsigned char *scales);

#endif
