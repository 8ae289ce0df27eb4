/* Expressions that the host evaluates: those of --map, --emit and -op. An expression is read once, typed as OpenCL C
 * types it, and compiled to steps. Each step computes one vector of numbers from others (evaluate/evaluate.h), so the
 * cost of interpreting it is shared by many elements.
 *
 * The operators and functions are
 *     + - * / %   < <= > >= == !=   && || !   ?:   & | ^ << >> ~   casts to the types char to double
 *     abs min max floor ceil trunc round sqrt fma exp log log2 log10 pow sin cos tan atan2 hypot isnan
 * with OpenCL C's types, promotions and results (but see struct expression_terms). Three things that C allows are
 * refused, because hardly anyone means them:
 *     a constant that does not fit in its type when it is computed
 *     a division of constant integers that leaves a remainder, or by 0
 *     a < b < c
 * Where OpenCL C leaves a result open, the result is this:
 *     signed integers wrap; min(x, y) is y < x ? y : x, and max(x, y) is x < y ? y : x
 *     arguments of different types, and integers as arguments of functions of floats (those have a double instead),
 *         are converted, where OpenCL C refuses them; abs of a float is its magnitude
 *     the quotient or remainder of an integer and 0, the quotient of the least integer and -1, and a float that does
 *         not fit in the integer type that it is converted to have no value: the element is bad. But what &&, || and ?:
 *         leave out is not evaluated, so an element is not bad because of it */
#ifndef PSCAN_LANGUAGE_EXPRESSION_H
#define PSCAN_LANGUAGE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "language/tokens.h"
#include "number/decimal.h"
#include "number/type.h"

/* What a step does with its operands a, b and c, which have the step's type. All operands of a step but those of
 * STEP_CONVERT have one of the types i32 u32 i64 u64 f32 f64; in exact expressions also i128 (see below). Truth is an
 * i32: 1 is true, and 0 is false. */
enum step_code {
	STEP_CONVERT, /* a, converted from the type `from` to the step's type. Any two types but i128. */
	STEP_MINUS, /* -a */
	STEP_NOT, /* ~a; integers */
	STEP_ADD,
	STEP_SUBTRACT,
	STEP_MULTIPLY,
	STEP_DIVIDE,
	STEP_REMAINDER, /* integers */
	STEP_AND, /* a & b; integers. Also && of truths. */
	STEP_OR, /* a | b; integers. Also || of truths. */
	STEP_XOR, /* a ^ b; integers. */
	STEP_SHIFT_LEFT, /* a << b; integers. Only the lowest 5 or 6 bits of b count. */
	/* a >> b; integers. Only the lowest 5 or 6 bits of b count. Signed integers keep their sign. */
	STEP_SHIFT_RIGHT,
	STEP_EQUAL, /* a == b, a truth, as are the next ones. */
	STEP_NOT_EQUAL,
	STEP_LESS,
	STEP_LESS_EQUAL,
	STEP_IS_NAN, /* floats */
	STEP_CHOOSE, /* a ? b : c. a is a truth, b and c have the step's type. */
	/* |a|. `type` is the type of a. If a is an integer of 32 or 64 bits, the result is unsigned and has a's size;
	 * by num's rules its type is i64, as a's is. */
	STEP_ABS,
	STEP_MIN,
	STEP_MAX,
	/* Functions of floats. */
	STEP_FLOOR,
	STEP_CEIL,
	STEP_TRUNC,
	STEP_ROUND, /* Halves away from 0. */
	STEP_SQRT,
	STEP_FMA, /* a * b + c, rounded once. */
	STEP_EXP,
	STEP_LOG,
	STEP_LOG2,
	STEP_LOG10,
	STEP_POW, /* a to the power b */
	STEP_SIN,
	STEP_COS,
	STEP_TAN,
	STEP_ATAN2, /* as atan2(a, b) */
	STEP_HYPOT,
	STEP_CODES
};

/* No slot. */
#define SLOT_NONE UINT16_MAX

/* A step. Vectors lie in slots: slots 0 .. inputs - 1 are the expression's inputs, the next ones its constants, and the
 * rest results of steps. After the last step that reads a result, a later step may write its own result to that slot. A
 * step's result never lies in the slot of one of its own operands. */
struct step {
	uint8_t code; /* enum step_code */
	uint8_t type; /* enum type_id: the operands' type. STEP_CONVERT: the result's type. */
	uint8_t from; /* enum type_id: STEP_CONVERT's operand. */
	uint16_t to; /* The slot of the result. */
	uint16_t in[3]; /* The slots of a, b and c, or SLOT_NONE. */
	/* A slot of truths, which limits bad elements: an element for which the step has no value is bad only if its
	 * truth is 1. SLOT_NONE: every element for which the step has no value is bad. */
	uint16_t mask;
};

/* A name that an expression may use. */
struct expression_name {
	struct text_part name; /* The name, or "{any characters}" with the braces. */
	const struct type *type; /* The type of its numbers. i128: they are exact decimals. */
};

/* A constant. */
struct expression_constant {
	enum type_id type; /* TYPE_I128: the exact decimal value / 10^scale. */
	unsigned scale; /* 0 .. DECIMAL_SCALE_MAX. Other types: 0. */
	union value value;
};

/* A compiled expression. Never changed afterwards; any number of threads may evaluate it (evaluate/evaluate.h). */
struct expression {
	size_t input_count; /* Inputs: the names that were given, in their order. */
	size_t constant_count;
	size_t slot_count; /* Slots, with those of inputs and constants. */
	size_t step_count; /* 0: the value is an input or a constant. */
	uint16_t result; /* The slot of the value. */
	const struct type *type; /* The type of the value. */
	bool is_exact; /* The value is an exact decimal: `type` is i128. */
	/* Arrays in the expression's own block of memory. */
	const struct expression_constant *constants;
	const struct step *steps;
	const bool *used; /* For each input whether the expression uses it. */
};

/* Why an expression is refused. */
struct expression_error {
	/* The part of the text that is wrong: its first byte, counted from 0, and its number of bytes. */
	size_t place, size;
	/* The part is a name that is neither among the given names nor a function. */
	bool is_unknown_name;
	/* The text may be OpenCL C that only a device evaluates: other functions, other constants, vectors. False: it
	 * is wrong for a device, too. */
	bool may_be_for_device;
	/* terms->type is i128, and an operation has no exact result. With doubles the expression may be right. */
	bool is_not_exact;
	char why[160]; /* The reason, for a message. */
};

/* What an expression is compiled with. */
struct expression_terms {
	const struct expression_name *names; /* The names that the expression may use: its inputs. */
	size_t name_count;
	/* The type to which the expression's value is converted. i128: the expression is one of exact decimals. */
	const struct type *type;
	/* The numbers are of a text without a type, or with -t num or dec. These rules then hold in place of C's:
	 * integers without a suffix are i64, names of type u64 count as i64, integers of fewer than 64 bits are
	 * promoted to i64, abs of an i64 is an i64, and / of two integers divides doubles. Ignored if `type` is
	 * i128. */
	bool is_num;
};

/* Compiles the expression `text` of `size` bytes. If terms->type is i128, the caller must see to it that all names have
 * type i128. The expression must then be exact:
 *     + - *   comparisons   && || !   ?:   abs min max floor ceil trunc round
 * of exact decimals and of decimal constants such as 0.19 and 1e-2 (no suffixes and casts).
 *
 * The caller frees *expression with memory_free; it borrows nothing. STATUS_USAGE with *error, without a message, if
 * the text cannot be compiled; STATUS_SYSTEM after a message if memory is missing. *expression is NULL after a
 * failure. */
enum status expression_new(const char *text, size_t size, const struct expression_terms *terms,
			   struct expression **expression, struct expression_error *error) MUST_CHECK;

/* Checks an expression that goes to a device's compiler, as far as its syntax is known here. STATUS_USAGE with *error,
 * without a message, in three cases. The text is empty, too long, or has a character that no expression has. It has
 * something that C allows and expression_new refuses. Or terms->is_num is set, and C's rules would give another value
 * than the rules of num. STATUS_SYSTEM after a message if memory is missing. */
enum status expression_check_for_device(const char *text, size_t size, const struct expression_terms *terms,
					struct expression_error *error) MUST_CHECK;

/* Sets *divides to true if a step of the expression may have no value because it divides integers, and *converts to
 * true if one may have no value because it converts a float to an integer. Otherwise they are unchanged. e may be
 * NULL. */
void expression_note_bad(const struct expression *e, bool *divides, bool *converts);

/* Whether the name is a word of a type of OpenCL C that only a device has: unsigned, half, float4. */
bool expression_is_other_type(const struct text_part *name);
/* Whether OpenCL C has a constant of this name, such as M_PI. */
bool expression_is_constant(const struct text_part *name);

/* Appends to *names, an array of struct text_part, the names that occur in an expression where a value may stand, in
 * their order. A name that *names already has is left out. The parts point into `text`. Names before ( are functions
 * and are left out; names in {braces} keep their braces. STATUS_USAGE with *error, without a message, if the text is
 * empty, too long, or has a character that no expression has; STATUS_SYSTEM after a message if memory is missing. */
enum status expression_names(const char *text, size_t size, struct bytes *names,
			     struct expression_error *error) MUST_CHECK;

#endif
