/* The algebra of a scan as rows of a table: lift, combine and emit (kernels/operators.h) for one operator and one
 * accumulator type, with the host's code for them and the carry that the host folds.
 *
 *     T  --lift-->  S  --combine-->  S  --emit-->  R
 *
 * T is the element type (converted to the accumulator's type first), S the state, R the accumulator's type. */
#ifndef PSCAN_SCAN_ROW_H
#define PSCAN_SCAN_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/type.h"

enum operator_id {
	OPERATOR_SUM,
	OPERATOR_PROD,
	OPERATOR_MAX,
	OPERATOR_MIN,
	OPERATOR_AND,
	OPERATOR_OR,
	OPERATOR_XOR,
	OPERATOR_COUNT,
};

struct scan_operator {
	const char *name; /* also its name in kernels/operators.h */
	const char *symbol; /* another name, or "" */
	enum operator_id id;
	bool bitwise; /* integers only */
	bool overflows; /* integer results can leave their type */
};

extern const struct scan_operator operator_table[OPERATOR_COUNT];

/* NULL if name is no operator. */
const struct scan_operator *operator_find(const char *name);

/* How the runs of a tile are joined, or that there are no runs. */
enum algorithm {
	ALGORITHM_BLELLOCH,
	ALGORITHM_HILLIS_STEELE,
	/* One element after the other, in the accumulator's own type, from the first to the last; on the host only.
	 * There are no tile totals, and the carry is known only once the results are: totals does nothing, fold hands
	 * the carry to tile 0 and no other, results uses carry_in[0] alone. The carry after a chunk is the seed of its
	 * last result. */
	ALGORITHM_SEQUENTIAL,
	ALGORITHM_COUNT,
};

/* The grid (kernels/tile.h): elements of a run, of a tile. */
#define GRID_RUN 16
#define GRID_TILE 4096
/* Named by --version. Changes when any output bit of any scan would. */
#define GRID_VERSION 1

/* The largest state, in bytes. */
#define STATE_SIZE_MAX 16

/* What is carried from tile to tile: everything before the tile, wider than a state where that helps. */
struct carry {
	bool present; /* false: nothing came before, not even a seed */
	union {
		unsigned char state[STATE_SIZE_MAX]; /* rows that carry their own state */
		double wide; /* sum of f32 */
		struct {
			double hi, lo;
		} pair; /* sum of f64: hi + lo, |lo| <= ulp(hi) / 2 */
	} as;
};

/* The host's code for one row, made by src/scan/rows.h from the kernels' text. All pointers are to arrays in the types
 * of the row, aligned to them; none overlap. Tiles are counted from in, the last may be partial. Pure functions. */
struct row_code {
	size_t state_size;
	/* totals[k] = the total of tile k. count >= 1 elements of the accumulator's type. */
	void (*totals)(const void *in, size_t count, void *totals);
	/* Writes count results. carry_in[k] is the carry-in of tile k; that of tile 0 is absent unless first_has_carry.
	 * Returns the first index whose result is not exact, or SIZE_MAX (always, from an unchecked row). */
	size_t (*results)(const void *in, size_t count, const void *carry_in, bool first_has_carry, void *out);
	/* Folds count totals into the carry; prefixes[k] becomes the carry-in of tile k (zero bytes if absent). */
	void (*fold)(const void *totals, size_t count, struct carry *carry, void *prefixes);
	/* The carry of a seed, a value of the accumulator's type. */
	void (*seed)(const void *value, struct carry *carry);
};

struct row {
	const struct scan_operator *op;
	const struct type *in; /* the stored elements */
	const struct type *acc; /* accumulator and results */
	const char *operator_name; /* names for the kernels' prelude: rows of tests are not in the tables */
	bool checked; /* look for conversions that do not fit, and for results if */
	bool overflow_checked;
	enum algorithm algorithm;
	const struct row_code *code;
};

/* The row for an operator over elements of type in, accumulated in acc; checked asks for the overflow check where the
 * operator can overflow. Conversions that cannot be made at all (a NaN to an integer) are found either way. False if
 * the operator does not have the type (bit operators and floats). */
bool row_find(struct row *row, const struct scan_operator *op, const struct type *in, const struct type *acc,
	      bool checked, enum algorithm algorithm);

/* The operator's identity in type t: sum 0, prod 1, max the least value, min the greatest, and all ones, or and xor 0.
 * (An i128 stands for an unbounded decimal: max and min have none there; false is returned.) */
bool row_identity(const struct scan_operator *op, const struct type *t, union value *identity);

#endif
