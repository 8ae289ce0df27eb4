/* The grid's scan of a combine that is an expression of a and b. Input 0 of the expression is a, the earlier one, and
 * input 1 is b. Elements, states and results are numbers of the expression's type. The bits are those of kernels/tile.h
 * and kernels/cursor.h, and cursors have the layout that a compiler gives struct GRID(cursor) with such states and
 * Blelloch's tree, so a device can go on with them. The runs of a tile are independent, so step j of all runs is one
 * evaluation of 256 elements.
 *
 * An element is bad if a combination that is needed to take it in has no value (evaluate.h): one of its
 * result, or, after the last element of a run, one of the run and those before it. What is written for the first bad
 * element and from there on is undefined, and so is a cursor from there on. Functions return the index of the first bad
 * element, or SIZE_MAX.
 *
 * combine: an evaluator that expression_combine_new (evaluate/expression_window.h) has made. */
#ifndef PSCAN_EVALUATE_EXPRESSION_SCAN_H
#define PSCAN_EVALUATE_EXPRESSION_SCAN_H

#include "evaluate/evaluate.h"

/* Bytes of a cursor of numbers of `size` bytes: a head, and 11 states. It is aligned for uint64_t. */
#define EXPRESSION_CURSOR_SIZE(size) ((16 + 11 * (size) + 7) / 8 * 8)
#define EXPRESSION_CURSOR_SIZE_MAX EXPRESSION_CURSOR_SIZE(8)

/* Sets *total to the total of a tile of `count` elements (at least 1). Returns whether all combinations have a value.
 * If not, the total is undefined, and expression_scan_push finds the first bad element, if there is one. */
bool expression_scan_total(struct evaluator *combine, const void *in, size_t count, void *total);

/* Combines the totals of the next `count` tiles into a cursor that is at a tile's edge. Sets prefixes[k] to the
 * carry-in of tile k, and *first_has_carry to whether tile 0 has one (else prefixes[0] is not set). Returns the first
 * tile after which the carry has no value, or SIZE_MAX. The cursor and the prefixes after that tile are undefined. */
size_t expression_scan_fold(struct evaluator *combine, void *cursor, const void *totals, size_t count, void *prefixes,
			    bool *first_has_carry);

/* Begins a cursor, whose bytes must all be zero, with a seed. state: the seed's state. */
void expression_scan_seed(struct evaluator *combine, void *cursor, const void *state);

/* Pushes the next `count` elements into the cursor and writes their inclusive results. `out` may be `in`. Whole tiles
 * are read once. With a cursor that begins with a tile's carry-in, or is all zero, these are the tile's results. */
size_t expression_scan_push(struct evaluator *combine, void *cursor, const void *in, size_t count, void *out);

/* expression_scan_push for many cursors, of cursor_size bytes each (a multiple of 8), that lie one after the other:
 * cursor j takes the elements from ends[j - 1] (0 for the first one) to before ends[j]. bad[j]: the first bad element
 * of cursor j, counted from its own first one, or UINT32_MAX. Cursors advance together, so that an evaluation has many
 * elements. `out` may be `in`. */
void expression_scan_push_all(struct evaluator *combine, void *cursors, size_t cursor_size, size_t cursor_count,
			      const uint32_t *ends, const void *in, void *out, uint32_t *bad);
/* Returns how many bytes of its evaluator's memory (evaluator_memory) expression_scan_push_all uses. */
size_t expression_lanes_memory_size(void);

/* Sets *state to the state after all elements so far. There must be an element or a seed. */
void expression_scan_state(struct evaluator *combine, const void *cursor, void *state);

#endif
