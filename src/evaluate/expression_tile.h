/* The runs of a tile, combined at once by vectors of numbers (kernels/tile.h): step j of all runs is one evaluation. */
#ifndef PSCAN_EVALUATE_EXPRESSION_TILE_H
#define PSCAN_EVALUATE_EXPRESSION_TILE_H

#include "evaluate/expression_cursor.h"

/* Bytes from one column of a tile to the next. Not a power of two: a cache could not hold many columns that are a power
 * of two apart. */
#define COLUMN_STEP (GRID_RUNS * NUMBER_SIZE_MAX + 64)

/* Memory for a tile, for temporary use. */
struct tile_memory {
	_Alignas(64) unsigned char columns[GRID_RUN][COLUMN_STEP];
	/* left[k] has the left children of level k: number i is the total of runs 2 i 2^k to (2 i + 1) 2^k - 1. */
	_Alignas(64) unsigned char left[CURSOR_NODES][GRID_RUNS / 2 * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char right[GRID_RUNS / 2 * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char nodes[GRID_RUNS * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char prefixes[2][(GRID_RUNS + 1) * NUMBER_SIZE_MAX];
};

/* Pushes the next `count` elements (at least 1), which must all belong to the cursor's present tile; the first one must
 * begin a run. Writes their results; `out` may be `in`. Returns false if a combination has no value: nothing has then
 * changed but *m. */
bool tile_push(const struct combination *c, struct tile_memory *m, unsigned char *cursor, const unsigned char *in,
	       size_t count, unsigned char *out);

/* cursor_push_runs, faster because longer parts of a tile are pushed by tile_push. */
size_t push_elements(const struct combination *c, struct tile_memory *m, unsigned char *cursor, const unsigned char *in,
		     size_t count, unsigned char *out);

/* Sets *total to the total of a tile of `count` (1 to GRID_TILE) elements. Returns false if a combination has no value:
 * *total is then undefined. */
bool tile_total(const struct combination *c, struct tile_memory *m, const unsigned char *in, size_t count,
		unsigned char *total);

#endif
