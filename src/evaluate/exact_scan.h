/* Scans exact decimals by an expression of a (the earlier state) and b (the later one), one element after the other.
 * There is no grid: as long as all results are exact, an associative expression gives equal results in any order. */
#ifndef PSCAN_EVALUATE_EXACT_SCAN_H
#define PSCAN_EVALUATE_EXACT_SCAN_H

#include "evaluate/evaluate_exact.h"

/* The memory for evaluating an expression. Only one thread at a time may use an exact_scan. */
struct exact_scan;

/* Makes an exact_scan. combine: an exact expression, whose inputs are a and b; borrowed. The caller frees the
 * exact_scan with exact_scan_free. NULL after a message if memory is missing. */
struct exact_scan *exact_scan_new(const struct expression *combine);
/* Frees an exact_scan. NULL: does nothing. */
void exact_scan_free(struct exact_scan *s);

/* The state between two elements, which is also the last result. All zero before the first element. */
struct exact_state {
	bool is_begun; /* There was an element or a seed. */
	unsigned char scale; /* The mantissa's scale. Set only if is_begun, like `mantissa`. */
	int128 mantissa;
};

/* Combines `count` elements of the column, from element `first` on, into *state. Stops before an element that is a
 * float, or whose result is not exact. Returns the number of elements taken; *state is then the state after the last of
 * them. Writes the result of element first + i, an i128, to out[i] and its scale to scales[i]. A result 0 has no
 * sign. */
size_t exact_scan_push(struct exact_scan *s, struct exact_state *state, const struct exact_column *in, size_t first,
		       size_t count, union value *out, unsigned char *scales);

#endif
