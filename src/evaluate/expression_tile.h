/* The runs of a tile, combined at once by vectors of numbers (kernels/tile.h): step j of all runs is one evaluation. */
#ifndef PSCAN_EVALUATE_EXPRESSION_TILE_H
#define PSCAN_EVALUATE_EXPRESSION_TILE_H

#include "evaluate/expression_cursor.h"

/* Bytes from one column of a tile to the next. They are not a power of two, because a cache could not hold many columns
 * that are. */
#define COLUMN_STEP (GRID_RUNS * NUMBER_SIZE_MAX + 64)

/* Memory for a tile, for temporary use. */
struct tile_memory {
	_Alignas(64) unsigned char columns[GRID_RUN][COLUMN_STEP];
	/* left[k]: number i is the total of runs 2 i 2^k to (2 i + 1) 2^k - 1: of the left children of nodes. */
	_Alignas(64) unsigned char left[CURSOR_NODES][GRID_RUNS / 2 * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char right[GRID_RUNS / 2 * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char nodes[GRID_RUNS * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char prefixes[2][(GRID_RUNS + 1) * NUMBER_SIZE_MAX];
};

/* Pushes the next `count` elements, which begin a run and do not go over the tile's end, and writes their results;
 * `out` may be `in`. False: a combination has no value. Then nothing has changed but the memory. */
bool tile_push(const struct combination *c, struct tile_memory *m, unsigned char *cursor, const unsigned char *in,
	       size_t count, unsigned char *out);

/* Pushes the next `count` elements and writes their results; `out` may be `in`. Returns the first element that needs a
 * combination without a value, or SIZE_MAX. */
size_t push_elements(const struct combination *c, struct tile_memory *m, unsigned char *cursor, const unsigned char *in,
		     size_t count, unsigned char *out);

/* Sets *total to the total of a tile of `count` elements (at least 1). False: a combination has no value. */
bool tile_total(const struct combination *c, struct tile_memory *m, const unsigned char *in, size_t count,
		unsigned char *total);

#endif
