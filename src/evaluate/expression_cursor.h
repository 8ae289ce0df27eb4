/* What the files of the scan of an expression (expression_scan.h) share. A cursor has the layout that a compiler gives
 * struct GRID(cursor), with Blelloch's tree and states of 1, 2, 4 or 8 bytes. */
#ifndef PSCAN_EVALUATE_EXPRESSION_CURSOR_H
#define PSCAN_EVALUATE_EXPRESSION_CURSOR_H

#include "evaluate/expression_scan.h"
#include "rows/row_code.h"

/* The nodes of a cursor: node[k] is the total of 2^k runs. */
#define CURSOR_NODES 8
/* Runs of a tile. */
#define GRID_RUNS (GRID_TILE / GRID_RUN)
/* The most bytes of a number. */
#define NUMBER_SIZE_MAX sizeof(uint64_t)
_Static_assert(GRID_RUNS <= EVALUATE_LENGTH, "an evaluation takes an element of each run");

/* Bytes from one column of a tile to the next: column j has element j of each run. Not a power of two: a cache could
 * not hold many columns that are a power of two apart. */
#define COLUMN_STEP (GRID_RUNS * NUMBER_SIZE_MAX + 64)

/* Sets state out[i] to the combination of states taken[i] and next[i], for `count` i: at most EVALUATE_LENGTH numbers.
 * `out` may be `taken` or `next`. Returns the index of the first number without a value (state i's are those from
 * i * width on), or SIZE_MAX. All numbers are written; those without a value are undefined. */
static inline size_t combine_all(const struct combination *c, const void *taken, const void *next, size_t count,
				 void *out)
{
	const void *const inputs[2] = {c->is_mirrored ? next : taken, c->is_mirrored ? taken : next};
	return count > 0 ? evaluate(c->evaluator, inputs, count * c->width, out) : SIZE_MAX;
}

/* combine_all that returns true if all combinations have a value, and false if one has none. */
static inline bool combine(const struct combination *c, const void *taken, const void *next, size_t count, void *out)
{
	return combine_all(c, taken, next, count, out) == SIZE_MAX;
}

/* Writes the head of a cursor. */
static inline void cursor_put_head(unsigned char *cursor, struct cursor_head head)
{
	memcpy(cursor, &head, sizeof head);
}

/* Bytes from a cursor's beginning to its carry, base, local_prefix and node[k], if a state has `size` bytes. */
#define CURSOR_CARRY sizeof(struct cursor_head)
static inline size_t cursor_base(size_t size)
{
	return CURSOR_CARRY + size;
}
static inline size_t cursor_local_prefix(size_t size)
{
	return CURSOR_CARRY + 2 * size;
}
static inline size_t cursor_node(size_t size, unsigned k)
{
	return CURSOR_CARRY + (3 + k) * size;
}

/* The next element of a cursor: the number of its run in the tile, and its place in the run, both from 0. */
static inline unsigned cursor_run(struct cursor_head head)
{
	return (unsigned)(head.count % GRID_TILE) / GRID_RUN;
}
static inline unsigned cursor_place(struct cursor_head head)
{
	return (unsigned)(head.count % GRID_RUN);
}

/* Returns the place, from 0, of the highest bit of x that is 1. x must not be 0. */
unsigned cursor_highest_bit(unsigned x);

/* cursor_begin_run and cursor_end_run of kernels/cursor.h. They return false if a combination has no value.
 *
 * cursor_begin_run: the cursor is before the first element of a run. Sets has_base and base; base is undefined on
 * false. */
bool cursor_begin_run(const struct combination *c, unsigned char *cursor);
/* The cursor is after the last element of a run. Combines the run into the nodes, and a whole tile into the carry. On
 * false the nodes are undefined, and the carry is as before. */
bool cursor_end_run(const struct combination *c, unsigned char *cursor);

/* Pushes the next `count` elements (at least 1), which must all belong to the cursor's present run, and writes their
 * results. `out` may be `in`. Returns the index of the first element that needs a combination without a value, or
 * SIZE_MAX. After such an element the cursor is useless, and the results from that element on are undefined. */
size_t cursor_push_run(const struct combination *c, unsigned char *cursor, const unsigned char *in, size_t count,
		       unsigned char *out);

/* Returns how many bytes of a combination's memory expression_scan_push_all uses. */
size_t expression_push_memory_size(void);

#endif
