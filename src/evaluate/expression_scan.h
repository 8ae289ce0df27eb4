/* The grid's scan of a combine that is an expression of a and b. Input 0 of the expression is a, the earlier state, and
 * input 1 is b. Elements, states and results are numbers of the expression's type. The bits are those of kernels/tile.h
 * and kernels/cursor.h, and cursors have the layout that a compiler gives struct GRID(cursor) with such states and
 * Blelloch's tree, so a device can go on with them. The runs of a tile are independent, so step j of all runs is one
 * evaluation of 256 elements.
 *
 * An element is bad if a combination that it needs has no value (evaluate.h). It needs those of its result. The last
 * element of a run also needs those of the run with the runs before it. The results from the first bad element on are
 * undefined, and the cursor must not be used any more. Functions that return the index of an element return that of the
 * first bad element, or SIZE_MAX.
 *
 * combine: an evaluator that expression_combine_new (evaluate/expression_window.h) has made. */
#ifndef PSCAN_EVALUATE_EXPRESSION_SCAN_H
#define PSCAN_EVALUATE_EXPRESSION_SCAN_H

#include "evaluate/evaluate.h"

/* Bytes of a cursor whose states have `size` bytes: a head and 11 states, rounded up to whole uint64_t. */
#define EXPRESSION_CURSOR_SIZE(size) ((16 + 11 * (size) + 7) / 8 * 8)
#define EXPRESSION_CURSOR_SIZE_MAX EXPRESSION_CURSOR_SIZE(8)

/* Sets *total to the total of a tile of `count` (1 to GRID_TILE) elements. Returns whether all combinations have a
 * value. If not, the total is undefined, and expression_scan_push finds the first bad element, if there is one. */
bool expression_scan_total(struct evaluator *combine, const void *in, size_t count, void *total);

/* Combines the totals of the next `count` tiles into a cursor that is at a tile's edge. Only the scan's last tile may
 * be partial. Sets prefixes[k] to the carry-in of tile k. *first_has_carry becomes whether tile 0 has a carry-in; if
 * not, prefixes[0] is not set. Returns the index of the first tile after which the carry has no value, or SIZE_MAX.
 * After such a tile the cursor and the later prefixes are undefined. */
size_t expression_scan_fold(struct evaluator *combine, void *cursor, const void *totals, size_t count, void *prefixes,
			    bool *first_has_carry);

/* Begins a cursor whose bytes are all zero with a seed. state: the seed, as a state. */
void expression_scan_seed(struct evaluator *combine, void *cursor, const void *state);

/* Pushes the next `count` elements into the cursor and writes their inclusive results. `out` may be `in`. (With a
 * cursor that has only the carry-in of a tile, as a seed, the results are those of this tile.) Returns the index of the
 * first bad element, or SIZE_MAX. */
size_t expression_scan_push(struct evaluator *combine, void *cursor, const void *in, size_t count, void *out);

/* expression_scan_push for cursor_count cursors, which lie cursor_size bytes (a multiple of 8) apart. Cursor j takes
 * the elements from ends[j - 1] (0 for cursor 0) to before ends[j]. bad[j] becomes the index of cursor j's first bad
 * element, counted from its own first one, or UINT32_MAX. The other cursors go on. `out` may be
 * `in`. Cursors advance together, so that an evaluation has many elements. */
void expression_scan_push_all(struct evaluator *combine, void *cursors, size_t cursor_size, size_t cursor_count,
			      const uint32_t *ends, const void *in, void *out, uint32_t *bad);
/* Returns how many bytes of its evaluator's memory (evaluator_memory) expression_scan_push_all uses. */
size_t expression_lanes_memory_size(void);

/* Sets *state to the state after all elements so far. The cursor must have had an element or a seed. */
void expression_scan_state(struct evaluator *combine, const void *cursor, void *state);

#endif
