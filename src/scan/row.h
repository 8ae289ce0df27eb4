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
	/* The program has an identity. A device, or program_scan_nothing, computes its result; row_identity has
	 * none. */
	IDENTITY_OWN,
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

/* The facts of an operator of the table (operators.inc) or of a program. More than 24 fields: each is a column of that
 * table. */
struct scan_operator {
	const char *name;
	const char *text; /* The name of its text in kernels/library/, or "program". */
	const char *symbol; /* Another name, or "". */
	const char *about; /* One line of help. "": the operator is internal, and users cannot name it. */
	enum operator_id id; /* Of a program: its `base` operator's, or OPERATOR_ID_COUNT. */
	enum identity identity;
	enum result_kind result;
	size_t inputs; /* Numbers of an element. */
	unsigned types; /* The accumulator types that it has, as a sum of TYPES_INTEGER and so on. */
	bool of_texts; /* Elements are texts. Its code gets 1 for a text that is new to the scan, and 0 for others. */
	bool takes_texts; /* Elements may be texts. Results are then some of these texts, or counts. */
	bool bitwise; /* Works on integers only. */
	bool overflows; /* Integer results can be out of their type's range. */
	bool idempotent; /* combine(x, x) is x. */
	bool emits_inputs; /* A result also depends on the element at its place. */
	/* The operator that gives the results of NAME:N, in a window of N + 1 elements. This operator itself: NAME:N
	 * does not exist. */
	enum operator_id distant;
	/* The operator that is used instead for exact decimals; may be this one. Of a program: OPERATOR_ID_COUNT. */
	enum operator_id decimals;
	enum parameter parameter;
	bool takes_seed; /* Scans may begin with a seed (--seed). */
	bool seed_may_be_last; /* A seed may consist of its last number alone; the others are then 0. */
	bool lacks_first; /* A state of one element has no result. */
	enum written written; /* The element whose number of decimals an exact decimal result is written with. */
	unsigned scaled_members; /* Values of the accumulator's type at the beginning of a state. */
	/* Sums like `types`. any_order: the types for which all orders of combining give equal bits. in_order: the
	 * types that have vector code although the order matters. rounds: the types whose combine rounds. */
	unsigned any_order, in_order, rounds;
	bool has_exponent; /* The state of a float is a number and an exponent. */
	bool has_long_states; /* Narrow integers have the states of 64-bit ones, and share their code. */
	const struct program *program; /* The program whose facts these are. NULL: an operator of the table. */
};

extern const struct scan_operator operator_table[OPERATOR_ID_COUNT];

/* Whether the operator has no result of `numbers` numbers. A seed counts as a number. 0: its identity has no result. */
static inline bool operator_lacks_result(const struct scan_operator *op, uint64_t numbers)
{
	return numbers == 0 ? op->identity == IDENTITY_ABSENT : op->lacks_first && numbers == 1;
}

/* Whether the operator can have this accumulator type. */
bool operator_has(const struct scan_operator *op, const struct type *acc);
/* Whether exact decimals can be scanned: by the operator, or by the one that operator_of_decimals returns. */
bool operator_has_decimals(const struct scan_operator *op);
/* Whether all orders of combining give equal bits with this accumulator. False for programs. */
bool operator_is_any_order(const struct scan_operator *op, const struct type *acc);
/* Whether combining rounds with this accumulator, so that the order of combining matters. Not for programs, and not for
 * exact decimals, which are never rounded. */
bool operator_rounds(const struct scan_operator *op, const struct type *acc);
/* Whether a factor (PARAMETER_FACTOR), which must be above 0, stays above 0 in the accumulator's type: only f32 may
 * round it to 0. True for operators without a factor. */
bool operator_takes_factor(const struct scan_operator *op, const struct type *acc, double factor);
/* Returns the type of the first result with this accumulator. */
const struct type *operator_result(const struct scan_operator *op, const struct type *acc);
/* Returns the layout of an element whose numbers have type `in`. A program of @FILE declares its own types; `in` is
 * then not used. */
struct packed operator_element(const struct scan_operator *op, const struct type *in);
/* Returns how many numbers a seed has: as many as the operator itself takes, with or without --map. */
size_t operator_seed_count(const struct scan_operator *op);
/* Returns the layout of an element's results, for the accumulator's type acc. A program of @FILE declares its own
 * types. */
struct packed operator_results(const struct scan_operator *op, const struct type *acc);
/* Returns the operator that is used instead for exact decimals, or op itself. */
const struct scan_operator *operator_of_decimals(const struct scan_operator *op);
/* Returns how many results an element has. */
size_t operator_result_count(const struct scan_operator *op);
/* Returns the operator of the table that users call by this name or symbol, or NULL. */
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
	double parameter; /* The operator's parameter (enum parameter). 0 until row_find's caller sets it. */
	bool checked; /* A scan looks for something that does not fit: for conversions, results or both. */
	bool overflow_checked; /* A scan looks for results that do not fit. */
	bool exclusive; /* A result covers the elements before its element, and is emitted at its element. */
	enum algorithm algorithm;
	const struct row_code *code; /* Only the sizes are set for a program; they are 0 after row_of_decimals. */
	const struct tile_code *tiles; /* The fastest code on this machine. NULL for a program. */
	push_records *push_records; /* NULL: there is no such code. */
	scan_short_segments *short_segments; /* NULL: there is no such code. */
};

/* Sets *row to the row of an operator over numbers of type `in`, with the accumulator's type `acc`. The parameter is 0.
 * checked: conversions, and results if the operator can overflow, are checked. Conversions of floats to integers (such
 * as NaN) and all exact decimals (acc i128) are checked in any case. exclusive: results are exclusive; only for
 * operators that emit inputs. Returns false, with *row unchanged, if the operator cannot have the accumulator's
 * type. */
bool row_find(struct row *row, const struct scan_operator *op, const struct type *in, const struct type *acc,
	      bool checked, bool exclusive, enum algorithm algorithm);

/* Sets *row to a row without code, for exact decimals of type i64 or i128 that a program scans without a cursor
 * (exact_number.h). */
void row_of_decimals(struct row *row, const struct scan_operator *op, const struct type *type);

/* A state in two parts: the values of the accumulator's type at its beginning, and the other bytes. */
struct state_parts {
	union value members[SCALED_MEMBERS_MAX]; /* For exact decimals: mantissas at the scan's scale. */
	unsigned char rest[STATE_SIZE_MAX]; /* The bytes after the members. */
};

/* Returns the parts of a state of `size` bytes whose accumulator's type is `type`. */
struct state_parts state_split(const struct scan_operator *op, const struct type *type, const void *state, size_t size);
/* Returns the parts of the state of a cursor, which must have had an element or a seed. cursor NULL: all zero. The row
 * must not be a program's. */
struct state_parts row_split_state(const struct row *row, const void *cursor);
/* Zeroes a cursor and begins it with a state. members and rest: the two parts of the state (struct state_parts), the
 * members in the row's accumulator type. members NULL: the cursor begins without a state, and `rest` is not used.
 * Otherwise the row must not be a program's. */
void row_restart(const struct row *row, void *cursor, const union value *members, const void *rest);

/* Returns the bytes that a sweep writes as the total of a tile, and reads as its carry-in: the size of one state, or
 * for a program with exclusive results of three (TILE_STATES in kernels/names.h). */
size_t row_tile_size(const struct row *row);

/* Gives the row the code of plain loops (ALGORITHM_SEQUENTIAL), whose cursors are smaller and faster because they have
 * no grid. Does nothing if the order of combining can change a bit of the results, and for programs. Call it before the
 * row has cursors. */
void row_forget_grid(struct row *row);

/* Returns the bytes of the largest cursor that a scan by this operator may use, with any accumulator. */
size_t row_cursor_size_max(const struct scan_operator *op, enum algorithm algorithm);

/* Whether a cursor of the grid has a carry. At a tile's edge this says whether the cursor has had a seed or an element.
 * Not for cursors of plain loops (row_forget_grid). */
bool row_has_carry(const void *cursor);

/* Sets *identity to the result of no elements in t, the type of the results: 0 for sum, or and xor, 1 for prod, the
 * least value for max, the greatest for min, all ones for and. Returns false if the operator has no identity, and for
 * IDENTITY_OWN; *identity is then zero. (max and min have none in i128, which stands for unbounded decimals.) */
bool row_identity(const struct scan_operator *op, const struct type *t, union value *identity);

#endif
