/* The algebra of a scan as rows of a table: lift, combine and emit (kernels/row_begin.h) for one operator and one
 * accumulator type, with the host's code for them and the carry that the host folds.
 *
 *     T  --lift-->  S  --combine-->  S  --emit-->  R
 *
 * T are an element's numbers (converted to the accumulator's type first), S the state, R what an element gives: a
 * number, or up to 8 of any types, packed. */
#ifndef PSCAN_SCAN_ROW_H
#define PSCAN_SCAN_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/decimal.h"
#include "number/packed.h"
#include "number/type.h"
#include "scan/row_code.h"

enum operator_id {
#define OPERATORS_AS_IDS
#include "scan/operators.inc"
#undef OPERATORS_AS_IDS
	OPERATOR_ID_COUNT,
};

/* The type of an operator's results. */
enum result_kind {
	RESULT_SAME, /* the accumulator's: of exact decimals they have the scale */
	RESULT_COUNT, /* u64 */
	RESULT_FLOAT, /* the accumulator's if it is a float, else f64; computed in f64 */
};

/* The operator's identity, as a result. */
enum identity {
	IDENTITY_ZERO,
	IDENTITY_ONE,
	IDENTITY_LEAST,
	IDENTITY_GREATEST,
	IDENTITY_ONES,
	IDENTITY_NOT_A_NUMBER,
	IDENTITY_ABSENT,
	IDENTITY_OWN, /* a program's, which a device knows */
	IDENTITY_NONE
};

/* What lift and emit of an operator take besides. */
enum parameter {
	PARAMETER_NONE,
	PARAMETER_FACTOR, /* a number above 0, at most 1, that follows the operator's name */
	PARAMETER_SCALE, /* the power of ten by which exact decimals are multiplied */
};

/* At most so many values of the accumulator's type begin a state. */
#define SCALED_MEMBERS_MAX 2

struct program;

/* The facts of an operator, as operators.inc lists them, or of a program. More than 24 fields: each is one column of that
 * table, and every reader of the table needs others of them. */
struct scan_operator {
	const char *name;
	const char *text; /* its name in kernels/library/ */
	const char *symbol; /* another name, or "" */
	const char *about; /* what it gives; "": it is not listed, nor found by its name */
	enum operator_id id;
	enum identity identity;
	enum result_kind result;
	size_t inputs; /* numbers of an element */
	unsigned types; /* the accumulators that it has: a sum of TYPES_INTEGER and so on */
	bool bitwise; /* integers only */
	bool overflows; /* integer results can leave their type */
	bool idempotent; /* combine(x, x) is x */
	bool emits_inputs; /* results depend on the element at their place, too */
	enum operator_id decimals; /* which one it is of exact decimals */
	enum parameter parameter;
	bool takes_seed;
	bool seed_may_be_last; /* of a seed's numbers the last alone can be given, the others are 0 then */
	bool lacks_first; /* a state of one element has no result */
	enum written written;
	unsigned scaled_members; /* values of the accumulator's type at the start of a state */
	unsigned any_order, in_order; /* sums of TYPES_INTEGER and so on */
	bool has_exponent; /* the state of a float is a number and an exponent */
	bool has_long_states; /* those of narrow integers are the same as of 64-bit ones */
	const struct program *program; /* its text, for which the host has no code; NULL of all in the table */
};

extern const struct scan_operator operator_table[OPERATOR_ID_COUNT];

/* Whether it has accumulators of that type. */
bool operator_has(const struct scan_operator *op, const struct type *acc);
/* Whether the order of combining gives the same bits there. */
bool operator_is_any_order(const struct scan_operator *op, const struct type *acc);
/* Whether the factor that follows its name, if one does (PARAMETER_FACTOR), is above 0 in that type, too. */
bool operator_takes_factor(const struct scan_operator *op, const struct type *acc, double factor);
/* The type of the results, with accumulator acc; of several the first one's. */
const struct type *operator_result(const struct scan_operator *op, const struct type *acc);
/* What it takes as an element, whose numbers are of type in, and what it gives for one. A program says so itself. */
struct packed operator_element(const struct scan_operator *op, const struct type *in);
struct packed operator_results(const struct scan_operator *op, const struct type *acc);
/* Which one it is of exact decimals. */
const struct scan_operator *operator_of_decimals(const struct scan_operator *op);
/* How many results an element has. */
size_t operator_result_count(const struct scan_operator *op);
/* NULL if name is no operator. */
const struct scan_operator *operator_find(const char *name);

/* How the runs of a tile are joined, or that there are no runs. */
enum algorithm {
	ALGORITHM_BLELLOCH,
	ALGORITHM_HILLIS_STEELE,
	/* One element after the other, in the accumulator's own type, from the first to the last; on the host only, and
	 * by the cursor alone: there are no tiles. */
	ALGORITHM_SEQUENTIAL,
	ALGORITHM_COUNT,
};

/* The most numbers that an element has. */
#define INPUTS_MAX PACKED_MAX

struct row {
	const struct scan_operator *op;
	const struct type *in; /* the stored numbers, of several types the first one's */
	struct packed element; /* an element's numbers */
	const struct type *acc; /* the accumulator */
	const struct type
		*code_type; /* NULL, or the wider accumulator whose code it shares: that has the same states */
	const struct type *out; /* the results, of several types the first one's */
	struct packed results; /* of an element: engines and cursors know the size alone */
	const char *operator_name; /* names for the kernels' prelude: rows of tests are not in the tables */
	double parameter; /* the row's, if its operator has one (enum parameter), else 0 */
	bool checked; /* look for conversions that do not fit, and for results if */
	bool overflow_checked;
	bool exclusive; /* a result is of what is before its element (if there is anything), emitted with it */
	enum algorithm algorithm;
	const struct row_code *code; /* of a program its sizes alone */
	const struct tile_code *tiles; /* the fastest on this machine; NULL of a program */
	push_records *push_records; /* NULL: there is no fast one */
	scan_short_segments *short_segments; /* of inclusive results; else, and of a program, NULL */
};

/* The row for an operator over numbers of type in, accumulated in acc; checked asks for the overflow check where the
 * operator can overflow, exclusive for exclusive results, of an operator that emits inputs. Conversions that cannot be
 * made at all (a NaN to an integer) are found either way. False if the operator does not have the type (bit operators
 * and floats). */
bool row_find(struct row *row, const struct scan_operator *op, const struct type *in, const struct type *acc,
	      bool checked, bool exclusive, enum algorithm algorithm);

/* A state in parts, whose members have the scale of exact decimals. */
struct state_parts {
	union value members[SCALED_MEMBERS_MAX];
	unsigned char rest[STATE_SIZE_MAX]; /* what comes after them */
};

/* The parts of a state of `size` bytes, whose members are of that type. */
struct state_parts state_take_apart(const struct scan_operator *op, const struct type *type, const void *state,
				    size_t size);
/* The parts of the state of a cursor of the row; NULL: all zero. */
struct state_parts row_take_apart(const struct row *row, const void *cursor);
/* Begins a cursor anew. members: of its first state, in the row's type, before `rest`; NULL: it has no state. */
void row_restart(const struct row *row, void *cursor, const union value *members, const void *rest);

/* Bytes that the fold gets of a tile, and gives for it: a state, or of a program's exclusive results TILE_STATES of
 * kernels/program.h. */
size_t row_tile_size(const struct row *row);

/* Where the order of combining gives the same bits, cursors that know no grid: smaller ones, whose elements are taken
 * in faster. */
void row_forget_grid(struct row *row);

/* Bytes for the cursor of any row that a scan by the operator may have. */
size_t row_cursor_size_max(const struct scan_operator *op, enum algorithm algorithm);

/* The operator's identity in type t, of its results: sum 0, prod 1, max the least value, min the greatest, and all
 * ones, or and xor 0. False if it has none. (An i128 stands for an unbounded decimal: max and min have none there.) */
bool row_identity(const struct scan_operator *op, const struct type *t, union value *identity);

#endif
