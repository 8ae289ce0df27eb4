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

/* Reads the declarations of
 *
 *     typedef struct { TYPE NAME[NUMBER], ...; ... } state;  or any other name of a number's type
 *     state lift(TYPE NAME, ...)                             1 to 8 inputs; "ulong i" is the element's index
 *     state combine(state earlier, state later)
 *     RESULT emit(state s), emit(state s, inputs)            may also take "ulong i", and "ulong n", the elements in s
 *     state identity(void)                                   optional
 *     typedef struct { ... } carry;                          optional: the type that carries the tiles, if it is not
 *                                                            state. It needs the next three functions
 *     carry carry_first(state total)
 *     carry carry_add(carry before, state total)
 *     state carry_prefix(carry before)
 *
 * TYPE is a number's type of OpenCL C, from char to double. RESULT is such a type, or a struct of up to 8 of them.
 * Other declarations, definitions and directives may stand between these. text: `size` bytes without a zero byte, to
 * which *declared points. STATUS_USAGE with the reason in *error, without a message, if the declarations are wrong;
 * STATUS_SYSTEM after a message if memory is missing. */
enum status declarations_read(const char *text, size_t size, struct declarations *declared,
			      struct text_error *error) MUST_CHECK;

#endif
