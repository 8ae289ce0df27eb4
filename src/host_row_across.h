/* A row whose order counts (float sums and products), vectorised across runs: lane l of a vector is run l of a block of
 * runs, so that every run is still combined left to right, and Blelloch's tree over the runs is the grid's own. Included
 * once for OP and ACC. No include guard, on purpose. The includer defines
 *
 *     QUAD             elements of ACC in 16 bytes
 *     VCOMBINE(a, b)   combine, lane by lane
 *     NOTHING          a value that changes no value it is combined with, except the bits of a NaN
 *
 * Full tiles only; a partial one goes through the grid's own text. Results that are NaN are made canonical afterwards: a
 * NaN stays one to the end of its run (so does what makes one of the prefix), so a look at the last results of the runs
 * finds it.
 */
#define VECTOR PASTE2(vector_, ACC)
#define BLOCK_RUNS (VECTOR_BYTES / (16 / QUAD))
#define SIDE 16
_Static_assert(GRID_RUN == SIDE && GRID_TILE == SIDE * SIDE * SIDE, "a tile is a matrix of 16 times 16 runs of 16");

/* Column j of BLOCK_RUNS rows of 16 values becomes v[j], and back. */
static inline __attribute__((always_inline)) void ROW(columns_load)(const ACC *rows, VECTOR v[SIDE])
{
	for (size_t q = 0; q < SIDE; q += QUAD) {
		for (size_t i = 0; i < QUAD; i++)
			v[q + i] = (VECTOR)vector_gather(rows + SIDE * i + q, QUAD * SIDE * sizeof *rows);
		PASTE2(vector_transpose_, ACC)(v + q);
	}
}

static inline __attribute__((always_inline)) void ROW(columns_store)(ACC *rows, VECTOR v[SIDE])
{
	for (size_t q = 0; q < SIDE; q += QUAD) {
		PASTE2(vector_transpose_, ACC)(v + q);
		for (size_t i = 0; i < QUAD; i++)
			vector_scatter(rows + SIDE * i + q, QUAD * SIDE * sizeof *rows, (vector_u64)v[q + i]);
	}
}

/* The upper four and the lower four levels of the tree, over 16 nodes: of one lane each, or of whole vectors. */
#define TREE_UP(NODE_COMBINE, node)                                                                                    \
	for (size_t d = 1; d < SIDE; d *= 2) {                                                                         \
		for (size_t i = 2 * d - 1; i < SIDE; i += 2 * d)                                                       \
			(node)[i] = NODE_COMBINE((node)[i - d], (node)[i]);                                            \
	}
/* From the prefix of all 16 in the last node. */
#define TREE_DOWN(NODE, NODE_COMBINE, node)                                                                            \
	for (size_t d = SIDE / 2; d > 0; d /= 2) {                                                                     \
		for (size_t i = 2 * d - 1; i < SIDE; i += 2 * d) {                                                     \
			const NODE left = (node)[i - d];                                                               \
			(node)[i - d] = (node)[i];                                                                     \
			(node)[i] = NODE_COMBINE((node)[i], left);                                                     \
		}                                                                                                      \
	}

/* A tile's total from its 256 run totals. Leaves the tree's lower half in columns, its upper half in top. */
static inline ACC ROW(tree_up)(const ACC *run_totals, VECTOR columns[SIDE / BLOCK_RUNS][SIDE], ACC top[SIDE])
{
	for (size_t b = 0; b < SIDE / BLOCK_RUNS; b++) {
		ROW(columns_load)(run_totals + b * BLOCK_RUNS * SIDE, columns[b]);
		TREE_UP(VCOMBINE, columns[b])
		PASTE2(vector_store_, ACC)(top + b * BLOCK_RUNS, columns[b][SIDE - 1]);
	}
	TREE_UP(ROW(combine), top)
	return top[SIDE - 1];
}

/* What comes before each run in the tile; NOTHING before the first. */
static inline void ROW(tree_down)(VECTOR columns[SIDE / BLOCK_RUNS][SIDE], ACC top[SIDE], ACC *before)
{
	top[SIDE - 1] = NOTHING;
	TREE_DOWN(ACC, ROW(combine), top)
	for (size_t b = 0; b < SIDE / BLOCK_RUNS; b++) {
		columns[b][SIDE - 1] = PASTE2(vector_load_, ACC)(top + b * BLOCK_RUNS);
		TREE_DOWN(VECTOR, VCOMBINE, columns[b])
		ROW(columns_store)(before + b * BLOCK_RUNS * SIDE, columns[b]);
	}
}

static void ROW(across_totals)(const void *in, size_t count, void *totals)
{
	const ACC *elements = in;
	ACC *total = totals;
	for (; count >= GRID_TILE; count -= GRID_TILE) {
		ACC run_totals[SIDE * SIDE], top[SIDE];
		VECTOR columns[SIDE / BLOCK_RUNS][SIDE];
		for (size_t r = 0; r < SIDE * SIDE; r += BLOCK_RUNS) {
			VECTOR v[SIDE];
			ROW(columns_load)(elements, v);
			VECTOR run = v[0];
			for (size_t j = 1; j < SIDE; j++)
				run = VCOMBINE(run, v[j]);
			PASTE2(vector_store_, ACC)(run_totals + r, run);
			elements += BLOCK_RUNS * SIDE;
		}
		*total++ = ROW(tree_up)(run_totals, columns, top);
	}
	if (count > 0)
		host_rows_plain[OPERATOR_ID][PASTE2(TYPE_ID_, ACC)].totals(elements, count, total);
}

static void ROW(across_tile)(const ACC *in, ACC carry, ACC *out)
{
	VECTOR local[SIDE * SIDE / BLOCK_RUNS][SIDE];
	VECTOR columns[SIDE / BLOCK_RUNS][SIDE];
	ACC run_totals[SIDE * SIDE], top[SIDE], before[SIDE * SIDE];
	for (size_t b = 0; b < SIDE * SIDE / BLOCK_RUNS; b++) {
		VECTOR v[SIDE];
		ROW(columns_load)(in + b * BLOCK_RUNS * SIDE, v);
		for (size_t j = 1; j < SIDE; j++)
			v[j] = VCOMBINE(v[j - 1], v[j]);
		for (size_t j = 0; j < SIDE; j++)
			local[b][j] = v[j];
		PASTE2(vector_store_, ACC)(run_totals + b * BLOCK_RUNS, v[SIDE - 1]);
	}
	(void)ROW(tree_up)(run_totals, columns, top);
	ROW(tree_down)(columns, top, before);
	const VECTOR carries = PASTE2(vector_splat_, ACC)(carry);
	vector_u64 nan = {0};
	for (size_t b = 0; b < SIDE * SIDE / BLOCK_RUNS; b++) {
		const VECTOR prefix = VCOMBINE(carries, PASTE2(vector_load_, ACC)(before + b * BLOCK_RUNS));
		VECTOR v[SIDE];
		for (size_t j = 0; j < SIDE; j++)
			v[j] = VCOMBINE(prefix, local[b][j]);
		nan |= (vector_u64)(v[SIDE - 1] != v[SIDE - 1]);
		ROW(columns_store)(out + b * BLOCK_RUNS * SIDE, v);
	}
	if (vector_has_bits(nan)) {
		for (size_t i = 0; i < GRID_TILE; i++)
			out[i] = ROW(emit)(out[i]);
	}
}

static size_t ROW(across_results)(const void *in, size_t count, const void *carry_in, bool first_has_carry, void *out)
{
	const ACC *elements = in;
	const ACC *carry = carry_in;
	ACC *results = out;
	bool has_carry = first_has_carry;
	for (; count >= GRID_TILE; count -= GRID_TILE) {
		ROW(across_tile)(elements, has_carry ? *carry : NOTHING, results);
		elements += GRID_TILE;
		results += GRID_TILE;
		carry++;
		has_carry = true;
	}
	if (count > 0) {
		const struct row_code *grid = &host_rows_plain[OPERATOR_ID][PASTE2(TYPE_ID_, ACC)];
		return grid->results(elements, count, carry, has_carry, results);
	}
	return SIZE_MAX;
}

#include "host_row_fold.h"

#undef VECTOR
#undef BLOCK_RUNS
#undef SIDE
#undef TREE_UP
#undef TREE_DOWN
