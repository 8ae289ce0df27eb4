/* What the files of a program's scan on the host (program_scan.c, program_cursor.c) share. Only they include this. */
#ifndef PSCAN_SCAN_PROGRAM_SCAN_PRIVATE_H
#define PSCAN_SCAN_PROGRAM_SCAN_PRIVATE_H

#include "base/least.h"
#include "evaluate/evaluate.h"
#include "scan/program.h"
#include "scan/program_scan.h"

/* The most numbers of an element of an operator of the table. */
#define NUMBERS_MAX 2

struct program_scan {
	struct row row;
	const struct program *program; /* Borrowed. */
	/* How the program combines: by an expression, or as a row of the table whose elements have the accumulator's
	 * type. */
	struct evaluator *combine; /* Owned, like all evaluators. NULL: by `inner`. */
	struct row inner;
	struct evaluator *maps[PACKED_MAX], *emit;
	bool uses_index; /* Whether one of these has the index as an input. */
	const struct type *between; /* The type of what is emitted: of `inner`'s results, or of the states. */
	const void *inputs[PROGRAM_INPUTS]; /* For evaluators. */
	uint64_t indices[EVALUATE_LENGTH], counts[EVALUATE_LENGTH];
	_Alignas(64) unsigned char totals[EVALUATE_LENGTH * sizeof(uint64_t)]; /* The same one for all elements. */
	/* An element's numbers, as they are stored and in the accumulator's type; and mapped. */
	_Alignas(64) unsigned char stored[PACKED_MAX][EVALUATE_LENGTH * sizeof(uint64_t)];
	_Alignas(64) unsigned char columns[PACKED_MAX][EVALUATE_LENGTH * sizeof(uint64_t)];
	_Alignas(64) unsigned char mapped[PACKED_MAX][EVALUATE_LENGTH * sizeof(uint64_t)];
	/* A tile's elements for the operator, and its results with one before them. */
	_Alignas(64) unsigned char lifted[NUMBERS_MAX * GRID_TILE * sizeof(uint64_t)];
	_Alignas(64) unsigned char longer[GRID_TILE * sizeof(uint64_t)]; /* In the type of `inner`'s code. */
	_Alignas(64) unsigned char results[(GRID_TILE + 1) * sizeof(uint64_t)];
	union cursor cursor; /* For temporary use. */
	/* For push_group. Element i of a group has the index i + to_index[i], and its result covers i + to_count[i] + 1
	 * elements. */
	uint64_t to_index[GRID_TILE], to_count[GRID_TILE];
	unsigned char to_total[GRID_TILE * sizeof(uint64_t)]; /* And their scans' totals, of type `between`. */
};

/* What --emit gets beside the results. */
struct emitted {
	const unsigned char *in; /* The elements, of type `type`. */
	const struct type *type;
	uint64_t index; /* Of the first element. */
	const uint64_t *gaps;
	uint64_t n; /* How many elements the first result is of. */
	uint64_t n_step; /* How many more each next one is of. */
	const uint64_t *more; /* For each result how many more elements it is of. NULL: none. */
	const unsigned char *total; /* The scan's total, of the type of the results. NULL: 0. */
	bool has_totals; /* There is a total for each result. False: one for all. */
};

/* Lifts up to a tile of elements: to elements of the operator, in the type of its code. Sets *lifted to them. Returns
 * the first element that has no value, or SIZE_MAX. */
size_t program_scan_lift(struct program_scan *s, const void *in, size_t count, uint64_t index, const uint64_t *gaps,
			 const void **lifted);
/* Emits `count` results: to `out`, which may be where they are. Returns the first one that has no value, or SIZE_MAX.
 */
size_t program_scan_emit(struct program_scan *s, const struct emitted *e, const unsigned char *results, size_t count,
			 unsigned char *out);

#endif
