/* Reads the declarations of a user's program in OpenCL C, as far as the host needs them: the size of its state, the
 * types of its inputs and results, and the parameters of its functions. The device's compiler reads the rest. */
#ifndef PSCAN_LANGUAGE_DECLARATIONS_H
#define PSCAN_LANGUAGE_DECLARATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "number/packed.h"
#include "language/types.h"

/* The argument that a function gets for a parameter. */
enum parameter_kind { PARAMETER_STATE, PARAMETER_CARRY, PARAMETER_INPUT, PARAMETER_INDEX, PARAMETER_COUNT };

/* The most parameters of a function: a state, the inputs, an index and a count. */
#define PARAMETERS_MAX (PACKED_MAX + 3)

struct function_parameters {
	size_t count;
	enum parameter_kind kinds[PARAMETERS_MAX];
};

struct declarations {
	struct declared_members state, carry; /* carry.size is 0 if the program declares no carry. */
	struct packed element, results; /* The layouts of an element and of its results. */
	struct text_part result_type; /* The type of emit's value, as the program writes it. */
	bool names_results; /* The type of emit's value is a struct, so results have names. */
	struct text_part result_names[PACKED_MAX]; /* The results' names, if names_results. */
	struct function_parameters lift, emit;
	bool has_identity; /* The program defines identity. */
};

/* Reads the declarations of a program, which must have these:
 *
 *     typedef struct { TYPE NAME[NUMBER], ...; ... } state;  or: typedef TYPE state;
 *     state lift(TYPE NAME, ...)
 *     state combine(state earlier, state later)
 *     RESULT emit(state s)                                   or: RESULT emit(state s, inputs)
 *
 * and may have these:
 *
 *     state identity(void)
 *     typedef struct { TYPE NAME, ...; ... } carry;          or: typedef TYPE carry;
 *     carry carry_first(state total)
 *     carry carry_add(carry before, state total)
 *     state carry_prefix(carry before)
 *
 * TYPE is a number's type of OpenCL C, from char to double. RESULT is a TYPE, or a struct of 1 to 8 numbers. state, and
 * carry, have at most DECLARED_MAX bytes. lift has 1 to 8 inputs. The inputs of emit, if it has any, have the types of
 * lift's inputs. lift and emit may also take "ulong i", the element's index. emit may also take "ulong n", the number
 * of elements in s. carry is the type that carries totals from tile to tile; without it state is. A program with carry
 * must have the three functions of carry. Other declarations, definitions and directives may stand between all these.
 *
 * text: `size` bytes, to which *declared points. STATUS_USAGE with the reason in *error, without a message, if the
 * declarations are wrong, or if the text has a zero byte. STATUS_SYSTEM after a message if memory is missing. After a
 * failure *declared is of no use. Nothing is owned. */
enum status declarations_read(const char *text, size_t size, struct declarations *declared,
			      struct text_error *error) MUST_CHECK;

#endif
