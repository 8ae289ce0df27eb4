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
	/* How the program combines: by `combine`, or, if that is NULL, as `inner`, a row of the table
	 * whose elements have the accumulator's type. */
	struct combination *combine; /* Owned, like all evaluators. */
	struct row inner;
	struct evaluator *maps[PACKED_MAX], *emit; /* NULL: there is no such expression. */
	bool uses_index; /* Some of `maps` or `emit` use i. */
	const struct type *between; /* The type of s in --emit: of `inner`'s results, or of the states. */
	const void *inputs[PROGRAM_INPUTS]; /* The inputs of `maps` and `emit`, by enum program_input. */
	uint64_t indices[EVALUATE_LENGTH], counts[EVALUATE_LENGTH];
	_Alignas(64) unsigned char totals[EVALUATE_LENGTH * sizeof(uint64_t)]; /* Copies of one total. */
	/* Number k of each element at [k]: as it is stored, in the accumulator's type, and mapped. */
	_Alignas(64) unsigned char stored[PACKED_MAX][EVALUATE_LENGTH * sizeof(uint64_t)];
	_Alignas(64) unsigned char columns[PACKED_MAX][EVALUATE_LENGTH * sizeof(uint64_t)];
	_Alignas(64) unsigned char mapped[PACKED_MAX][EVALUATE_LENGTH * sizeof(uint64_t)];
	/* The operator's elements of up to a tile: in the accumulator's type, and in the type of `inner`'s code if that
	 * is another one. */
	_Alignas(64) unsigned char lifted[NUMBERS_MAX * GRID_TILE * sizeof(uint64_t)];
	_Alignas(64) unsigned char longer[GRID_TILE * sizeof(uint64_t)];
	/* Their results, of type `between`, and a result before them. */
	_Alignas(64) unsigned char results[(GRID_TILE + 1) * sizeof(uint64_t)];
	union cursor cursor; /* For temporary use. */
	/* For push_group. Element i of a group has the index i + to_index[i], and its result covers i + to_count[i] + 1
	 * elements. */
	uint64_t to_index[GRID_TILE], to_count[GRID_TILE];
	unsigned char to_total[GRID_TILE * sizeof(uint64_t)]; /* The total of each element's scan, of type `between`. */
};

/* What --emit gets beside the results. All memory is borrowed. */
struct emitted {
	const unsigned char *in; /* The elements. Their numbers have the type `type`. */
	const struct type *type;
	uint64_t index; /* The index of the first element. */
	const uint64_t *gaps; /* As in program_scan.h. */
	/* Result i covers n + i * n_step + more[i] elements. more NULL: 0 instead of more[i]. */
	uint64_t n, n_step;
	const uint64_t *more;
	const unsigned char *total; /* The scan's total, of type `between`. NULL: 0. */
	bool has_totals; /* `total` is an array: a total for each result. */
};

/* Maps and converts up to a tile of elements. Sets *lifted to the operator's elements, in the type of the operator's
 * code: they are `in` itself, or in the memory of s until the next call. Returns the index of the first bad element, or
 * SIZE_MAX. */
size_t program_scan_lift(struct program_scan *s, const void *in, size_t count, uint64_t index, const uint64_t *gaps,
			 const void **lifted);
/* Writes to `out` what the program makes of `count` results of the operator, which are of type s->between. `out` may be
 * `results` if the program has no --emit. Returns the index of the first result without a value, or SIZE_MAX. */
size_t program_scan_emit(struct program_scan *s, const struct emitted *e, const unsigned char *results, size_t count,
			 unsigned char *out);

#endif
