/* The parts of compiling an expression: slots, steps and conversions. For the files of expressions (expression*.c)
 * only.
 *
 * Functions that return false have set *c->error, or c->lacks_memory after a message; *o is then of no use. n: the node
 * that the error would point at. */
#ifndef PSCAN_LANGUAGE_EXPRESSION_STEPS_H
#define PSCAN_LANGUAGE_EXPRESSION_STEPS_H

#include "language/expression_text.h"
#include "language/syntax.h"

/* Slots are numbered in three ranges while an expression is compiled, since the number of constants is known only at
 * the end: inputs from 0, constants from SLOTS_CONSTANTS, results of steps from SLOTS_RESULTS. */
#define SLOTS_CONSTANTS 0x4000
#define SLOTS_RESULTS 0x8000
/* The most slots of each range. */
#define SLOTS_MAX 0x3fff

/* A value that was compiled. */
struct operand {
	uint16_t slot;
	uint8_t type; /* One of the six types of arithmetic, or i128. */
	bool is_truth; /* An i32 that is 0 or 1. */
	bool is_borrowed; /* Another operand has the slot and releases it. */
};

struct compiler {
	const struct expression_text *text;
	const struct expression_name *names; /* Borrowed, like text and error. */
	size_t name_count;
	bool is_exact; /* The expression is one of exact decimals. */
	bool is_num; /* The rules of num hold (struct expression_terms). */
	struct bytes steps; /* An array of struct step. Owned. */
	struct bytes constants; /* An array of struct expression_constant. Owned. */
	size_t results; /* The number of slots of results that the steps so far need. */
	struct expression_error *error;
	bool lacks_memory; /* Memory is missing. A message was printed. */
	bool used[SLOTS_MAX]; /* For each of the name_count inputs whether the expression uses it. */
	bool taken[SLOTS_MAX]; /* For each of the first `results` slots of results whether it is taken. */
};

/* Marks the operand's slot as free, unless it is borrowed. */
static inline void expression_release(struct compiler *c, const struct operand *o)
{
	if (o->slot >= SLOTS_RESULTS && !o->is_borrowed)
		c->taken[o->slot - SLOTS_RESULTS] = false;
}

/* Returns a step that is done for all elements. */
static inline struct step step_of(enum step_code code, uint8_t type)
{
	return (struct step){.code = (uint8_t)code, .type = type, .mask = SLOT_NONE};
}

/* Appends a step with `count` operands, and releases these. step.to and step.in need not be set. o->slot becomes the
 * slot of the result; the caller sets the other members of *o. */
bool expression_put(struct compiler *c, const struct node *n, struct step step, const struct operand *operands,
		    size_t count, struct operand *o);
/* Sets *o to a constant. The bytes of `value` beyond the type's must be 0, since constants are compared. */
bool expression_put_constant(struct compiler *c, const struct node *n, const struct expression_constant *constant,
			     struct operand *o);
/* Sets *o to the constant `number`, 0 or 1, of a type. */
bool expression_put_small(struct compiler *c, const struct node *n, enum type_id type, int number, struct operand *o);

/* Converts *o to another type. Does nothing if it has this type. mask: see struct step. To i128 only a truth can be
 * converted, and from i128 nothing. */
bool expression_convert(struct compiler *c, const struct node *n, enum type_id to, uint16_t mask, struct operand *o);
/* Converts a small integer to i32: C's integer promotions. By num's rules: integers below 64 bits to i64. */
bool expression_promote(struct compiler *c, const struct node *n, struct operand *o);
/* Converts `count` promoted operands to one type, by C's usual arithmetic conversions. floats: an integer counts as an
 * f64. In exact expressions the type is i128. */
bool expression_bring_together(struct compiler *c, const struct node *n, bool floats, struct operand *operands,
			       size_t count);

static inline bool expression_is_float(uint8_t type)
{
	return type == TYPE_F32 || type == TYPE_F64;
}

#endif
