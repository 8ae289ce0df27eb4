/* Rows: the algebra of a scan for one operator and one accumulator type. A row has lift, combine and emit
 * (kernels/row_begin.h), the host's code for them, and the fold of the carry.
 *
 *     T  --lift-->  S  --combine-->  S  --emit-->  R
 *
 * T is an element: its numbers, converted to the accumulator's type. S is the state. R is an element's result: one
 * number, or up to 8 numbers of any types, packed. */
#ifndef PSCAN_SCAN_ROW_H
#define PSCAN_SCAN_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/decimal.h"
#include "number/packed.h"
#include "number/type.h"
#include "operators/operator_id.h"
#include "rows/row_code.h"

/* The type of an operator's results. */
enum result_kind {
	RESULT_SAME, /* The accumulator's type. For exact decimals, also the accumulator's scale. */
	RESULT_COUNT, /* u64. */
	RESULT_FLOAT, /* The accumulator's type if it is a float, otherwise f64. Computed in f64. */
};

/* The operator's identity, as a result. */
enum identity {
	IDENTITY_ZERO,
	IDENTITY_ONE,
	IDENTITY_LEAST, /* The least value of the type. */
	IDENTITY_GREATEST, /* The greatest value of the type. */
	IDENTITY_ONES, /* All bits are 1. */
	IDENTITY_NOT_A_NUMBER, /* NaN. */
	IDENTITY_ABSENT, /* The operator has an identity, whose result is absent. */
	IDENTITY_OWN, /* The user's program defines it. Only a device can compute it. */
	IDENTITY_NONE /* The operator has no identity. */
};

/* The parameter that an operator's lift and emit take. */
enum parameter {
	PARAMETER_NONE,
	PARAMETER_FACTOR, /* A number above 0 and at most 1, which follows the operator's name. */
	PARAMETER_SCALE, /* The power of ten by which exact decimals are multiplied. */
};

/* The most values of the accumulator's type at the beginning of a state. */
#define SCALED_MEMBERS_MAX 3

struct program;

/* The facts of an operator of the table (operators.inc), or of a program. More than 24 fields: each is a column of that
 * table. */
struct scan_operator {
	const char *name;
	const char *text; /* The name of its text in kernels/library/. */
	const char *symbol; /* Another name, or "". */
	const char *about; /* One line of help. "": the operator is internal, and users cannot name it. */
	enum operator_id id;
	enum identity identity;
	enum result_kind result;
	size_t inputs; /* Numbers of an element. */
	unsigned types; /* The accumulator types that it has, as a sum of TYPES_INTEGER and so on. */
	bool of_texts; /* Elements are texts: it gets 1 for one that its scan has not had yet, else 0. */
	bool takes_texts; /* Elements may be texts. Results are theirs, or counts. */
	bool bitwise; /* Works on integers only. */
	bool overflows; /* Integer results can be out of their type's range. */
	bool idempotent; /* combine(x, x) is x. */
	bool emits_inputs; /* A result also depends on the element at its place. */
	enum operator_id
		distant; /* The operator of NAME:N, of the first and last element of a window. This one: none. */
	enum operator_id decimals; /* The operator that is used instead for exact decimals. May be this one. */
	enum parameter parameter;
	bool takes_seed;
	bool seed_may_be_last; /* A seed may consist of its last number alone; the others are then 0. */
	bool lacks_first; /* A state of one element has no result. */
	enum written written;
	unsigned scaled_members; /* Values of the accumulator's type at the beginning of a state. */
	/* The types for which any order of combining gives the same bits, and the types that have vector code although
	 * the order matters. Sums like `types`. */
	unsigned any_order, in_order;
	unsigned rounds; /* The types whose combine rounds. A sum like `types`. */
	bool has_exponent; /* The state of a float is a number and an exponent. */
	bool has_long_states; /* Narrow integers have the states of 64-bit ones, and share their code. */
	const struct program *program; /* A user's program, for which the host has no code. NULL: it is of the table. */
};

extern const struct scan_operator operator_table[OPERATOR_ID_COUNT];

/* Whether the operator can accumulate in this type. */
bool operator_has(const struct scan_operator *op, const struct type *acc);
/* Whether the operator, or the one that is used instead, scans exact decimals. */
bool operator_has_decimals(const struct scan_operator *op);
/* Whether any order of combining gives the same bits with this accumulator. */
bool operator_is_any_order(const struct scan_operator *op, const struct type *acc);
/* Whether combining with this accumulator, not of exact decimals, rounds: the order of combining then matters. */
bool operator_rounds(const struct scan_operator *op, const struct type *acc);
/* Whether a factor (PARAMETER_FACTOR), which must be above 0, stays above 0 in the accumulator's type: only f32 may
 * round it to 0. True for operators without a factor. */
bool operator_takes_factor(const struct scan_operator *op, const struct type *acc, double factor);
/* Returns the type of the first result with this accumulator. */
const struct type *operator_result(const struct scan_operator *op, const struct type *acc);
/* Returns the layout of an element whose numbers have type `in`. A program of @FILE declares its own types; `in` is
 * then not used. */
struct packed operator_element(const struct scan_operator *op, const struct type *in);
/* Returns how many numbers a seed has: those that the operator itself takes, whatever --map makes them of. */
size_t operator_seed_count(const struct scan_operator *op);
/* Returns the layout of an element's results, for the accumulator's type acc. A program of @FILE declares its own
 * types. */
struct packed operator_results(const struct scan_operator *op, const struct type *acc);
/* Returns the operator that is used instead for exact decimals, or op itself. */
const struct scan_operator *operator_of_decimals(const struct scan_operator *op);
/* Returns the number of results of an element. */
size_t operator_result_count(const struct scan_operator *op);
/* Returns the operator that has this name or symbol, or NULL. */
const struct scan_operator *operator_find(const char *name);

/* The most numbers of an element. */
#define INPUTS_MAX PACKED_MAX

struct row {
	const struct scan_operator *op; /* Borrowed, like all pointers here. */
	const struct type *in; /* The type of an element's first number, as it is stored. */
	struct packed element; /* The layout of an element. */
	const struct type *acc; /* The accumulator's type. */
	const struct type *code_type; /* The wider accumulator type whose code this row uses. NULL: its own code. */
	const struct type *out; /* The type of the first result. */
	struct packed results; /* The layout of an element's results. Engines and cursors use its size only. */
	double parameter; /* The operator's parameter (enum parameter), or 0. */
	bool checked; /* A scan finds elements whose conversion does not fit. */
	bool overflow_checked; /* A scan finds results that do not fit. */
	bool exclusive; /* A result is of the elements before its element, and is emitted with its element. */
	enum algorithm algorithm;
	const struct row_code *code; /* For a program only its sizes are set. */
	const struct tile_code *tiles; /* The fastest code on this machine. NULL for a program. */
	push_records *push_records; /* NULL: there is no fast code. */
	scan_short_segments *short_segments; /* NULL for exclusive results, programs, and if there is no such code. */
};

/* Sets *row to the row of an operator over numbers of type in, accumulated in acc. checked: results are checked for
 * overflow, if the operator can overflow. exclusive: results are exclusive; only for operators that emit inputs.
 * Conversions that are impossible (NaN to an integer) are found in any case. False if the operator does not have the
 * accumulator's type (bit operators and floats). */
bool row_find(struct row *row, const struct scan_operator *op, const struct type *in, const struct type *acc,
	      bool checked, bool exclusive, enum algorithm algorithm);

/* Sets *row to that of exact decimals of a type, i64 or i128, which a program scans without a cursor (exact_scan.h). It
 * has no code. */
void row_of_decimals(struct row *row, const struct scan_operator *op, const struct type *type);

/* A state in two parts: the values of the accumulator's type at its beginning, and the other bytes. */
struct state_parts {
	union value members[SCALED_MEMBERS_MAX]; /* For exact decimals: mantissas at the scan's scale. */
	unsigned char rest[STATE_SIZE_MAX]; /* The bytes after the members. */
};

/* Returns the parts of a state of `size` bytes, whose members have type `type`. */
struct state_parts state_take_apart(const struct scan_operator *op, const struct type *type, const void *state,
				    size_t size);
/* Returns the parts of a cursor's state. cursor NULL: all zero. */
struct state_parts row_take_apart(const struct row *row, const void *cursor);
/* Zeroes a cursor and begins it with a state: its members, in the accumulator's type, and the bytes after them
 * (`rest`). members NULL: the cursor begins without a state, and rest is not used. */
void row_restart(const struct row *row, void *cursor, const union value *members, const void *rest);

/* Returns the bytes of a tile's total, which are also those of a tile's carry-in: the size of a state, or of
 * TILE_STATES states (kernels/program.h) for a program with exclusive results. */
size_t row_tile_size(const struct row *row);

/* Gives the row the code of plain loops, whose cursors are smaller and faster because they have no grid. Does nothing
 * if the order of combining can change a bit of the results. Call it before the row has cursors. */
void row_forget_grid(struct row *row);

/* Returns the bytes of the largest cursor of any row that a scan by this operator may use. */
size_t row_cursor_size_max(const struct scan_operator *op, enum algorithm algorithm);

/* Whether a cursor at a tile's edge (struct row_code) has a seed or an element. */
bool row_has_carry(const void *cursor);

/* Sets *identity to the operator's identity in t, the type of its results: 0 for sum, or and xor, 1 for prod, the least
 * value for max, the greatest for min, all ones for and. False if there is none. (max and min have none in i128, which
 * stands for unbounded decimals.) */
bool row_identity(const struct scan_operator *op, const struct type *t, union value *identity);

#endif
