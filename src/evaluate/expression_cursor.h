/* A cursor of kernels/cursor.h whose states are numbers that an expression combines, element by element. A cursor has
 * the layout that a compiler gives struct GRID(cursor), with Blelloch's tree and states of 1, 2, 4 or 8 bytes. */
#ifndef PSCAN_EVALUATE_EXPRESSION_CURSOR_H
#define PSCAN_EVALUATE_EXPRESSION_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "evaluate/evaluate.h"
#include "rows/row_code.h"

/* The nodes of a cursor: node[k] is the total of 2^k runs. */
#define CURSOR_NODES 8
#define GRID_RUNS (GRID_TILE / GRID_RUN)
#define NUMBER_SIZE_MAX sizeof(uint64_t)
_Static_assert(GRID_RUNS <= EVALUATE_LENGTH, "an evaluation takes an element of each run");

/* How states are combined. Functions that combine return whether all combinations had a value. */
struct combination {
	struct evaluator *evaluator;
	size_t size; /* Bytes of a state. */
	size_t width; /* Numbers of a state: 1, or one of each of many scans that do the same. */
	/* Elements come in reverse order: each is combined before those that were taken in already. */
	bool is_mirrored;
};

/* Returns the combination of an evaluator's expression. */
static inline struct combination combination_of(struct evaluator *evaluator, bool is_mirrored)
{
	const size_t size = evaluator_expression(evaluator)->type->size;
	return (struct combination){evaluator, size, 1, is_mirrored};
}

/* Combines states taken[i] and next[i] for `count` i, at most EVALUATE_LENGTH numbers. Returns the first i without a
 * value, or SIZE_MAX. */
static inline size_t combine_all(const struct combination *c, const void *taken, const void *next, size_t count,
				 void *out)
{
	const void *const inputs[2] = {c->is_mirrored ? next : taken, c->is_mirrored ? taken : next};
	return count > 0 ? evaluate(c->evaluator, inputs, count * c->width, out) : SIZE_MAX;
}

/* combine_all, if only whether there is a value matters. */
static inline bool combine(const struct combination *c, const void *taken, const void *next, size_t count, void *out)
{
	return combine_all(c, taken, next, count, out) == SIZE_MAX;
}

static inline void cursor_put_head(unsigned char *cursor, struct cursor_head head)
{
	memcpy(cursor, &head, sizeof head);
}

/* Where the states of a cursor are, in bytes from its beginning. */
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

/* The run of its tile that a cursor is in, and the place in it of the next element. */
static inline unsigned cursor_run(struct cursor_head head)
{
	return (unsigned)(head.count % GRID_TILE) / GRID_RUN;
}
static inline unsigned cursor_place(struct cursor_head head)
{
	return (unsigned)(head.count % GRID_RUN);
}

/* Returns the place of the highest bit of x, which is not 0. */
unsigned cursor_highest_bit(unsigned x);

/* cursor_begin_run, cursor_end_run and cursor_fold of kernels/cursor.h. The cursor is before the first element of a run
 * or after the last one. If a combination has no value, no member but base and nodes has changed. */
bool cursor_begin_run(const struct combination *c, unsigned char *cursor);
bool cursor_end_run(const struct combination *c, unsigned char *cursor);
bool cursor_fold_total(const struct combination *c, unsigned char *cursor, const void *total);

/* Pushes the next `count` elements, which do not go over the run's end, and writes their results; `out` may be `in`.
 * Returns the first element that needs a combination without a value, or SIZE_MAX. */
size_t cursor_push_run(const struct combination *c, unsigned char *cursor, const unsigned char *in, size_t count,
		       unsigned char *out);

/* Pushes the next `count` elements one after the other. Returns what cursor_push_run does. */
size_t cursor_push_runs(const struct combination *c, unsigned char *cursor, const unsigned char *in, size_t count,
			unsigned char *out);

#endif
