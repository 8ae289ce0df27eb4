/* The grid's scan of a combine that is an expression of a and b. Input 0 of the expression is a, the earlier state, and
 * input 1 is b. Elements, states and results are numbers of the expression's type. The bits are those of kernels/tile.h
 * and kernels/cursor.h, and cursors have the layout that a compiler gives struct GRID(cursor) with such states and
 * Blelloch's tree, so a device can go on with them. The runs of a tile are independent, so step j of all runs is one
 * evaluation of 256 elements.
 *
 * An element is bad if a combination that it needs has no value (evaluate.h). It needs those of its result. The last
 * element of a run also needs those of the run with the runs before it. The results from the first bad element on are
 * undefined, and the cursor must not be used any more. Functions that return the index of an element return that of the
 * first bad element, or SIZE_MAX. */
#ifndef PSCAN_EVALUATE_EXPRESSION_SCAN_H
#define PSCAN_EVALUATE_EXPRESSION_SCAN_H

#include "evaluate/evaluate.h"

/* Bytes of a cursor whose states have `size` bytes: a head and 11 states, rounded up to whole uint64_t. */
#define EXPRESSION_CURSOR_SIZE(size) ((16 + 11 * (size) + 7) / 8 * 8)
#define EXPRESSION_CURSOR_SIZE_MAX EXPRESSION_CURSOR_SIZE(8)

/* How states are combined. Only one thread at a time may use a combination. */
struct combination {
	struct evaluator *evaluator; /* Of an expression of a (input 0, the earlier state) and b. */
	unsigned char *memory; /* For temporary use by functions that take a combination. */
	size_t size; /* Bytes of a state. */
	size_t width; /* Numbers of a state: 1, or one of each of many scans that do the same. */
	/* Elements come in reverse order: the next element is combined as a, and what was taken before it as b. */
	bool is_mirrored;
};

/* Makes the combination by an expression of a and b, which is borrowed. The caller frees it with
 * expression_combine_free. NULL after a message if memory is missing. */
struct combination *expression_combine_new(const struct expression *e);
/* Frees a combination. NULL: does nothing. */
void expression_combine_free(struct combination *c);

/* Sets *total to the total of a tile of `count` (1 to GRID_TILE) elements. Returns whether all combinations have a
 * value. If not, the total is undefined, and expression_scan_push finds the first bad element, if there is one. */
bool expression_scan_total(const struct combination *c, const void *in, size_t count, void *total);

/* Combines the totals of the next `count` tiles into a cursor that is at a tile's edge. Only the scan's last tile may
 * be partial. Sets prefixes[k] to the carry-in of tile k. *first_has_carry becomes whether tile 0 has a carry-in; if
 * not, prefixes[0] is not set. Returns the index of the first tile after which the carry has no value, or SIZE_MAX.
 * After such a tile the cursor and the later prefixes are undefined. */
size_t expression_scan_fold(const struct combination *c, void *cursor, const void *totals, size_t count, void *prefixes,
			    bool *first_has_carry);

/* Adds a tile's total to the carry of a cursor, or a seed, as a state, to a cursor whose bytes are all zero. The caller
 * counts the elements. Returns false if the carry then has no value: the cursor is as before. */
bool expression_scan_add(const struct combination *c, void *cursor, const void *total);

/* Pushes the next `count` elements into the cursor and writes their inclusive results. `out` may be `in`. (With a
 * cursor that has only the carry-in of a tile, as a seed, the results are those of this tile.) Returns the index of the
 * first bad element, or SIZE_MAX. */
size_t expression_scan_push(const struct combination *c, void *cursor, const void *in, size_t count, void *out);

/* expression_scan_push for cursor_count cursors, which lie cursor_size bytes (a multiple of 8) apart. Cursor j takes
 * the elements from ends[j - 1] (0 for cursor 0) to before ends[j]. bad[j] becomes the index of cursor j's first bad
 * element, counted from its own first one, or UINT32_MAX. The other cursors go on. `out` may be
 * `in`. Cursors advance together, so that an evaluation has many elements. */
void expression_scan_push_all(const struct combination *c, void *cursors, size_t cursor_size, size_t cursor_count,
			      const uint32_t *ends, const void *in, void *out, uint32_t *bad);

/* Sets *state to the state after all elements so far. The cursor must have had an element or a seed. */
void expression_scan_state(const struct combination *c, const void *cursor, void *state);

#endif
