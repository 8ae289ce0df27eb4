/* What the text of a program declares, as far as the host must know it: the sizes of its state, the types of its
 * inputs and results, and how its functions are called. Everything else in it is for the device's compiler. */
#ifndef PSCAN_LANGUAGE_DECLARATIONS_H
#define PSCAN_LANGUAGE_DECLARATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "number/packed.h"
#include "language/types.h"

/* What a function gets for a parameter. */
enum parameter_kind { PARAMETER_STATE, PARAMETER_CARRY, PARAMETER_INPUT, PARAMETER_INDEX, PARAMETER_COUNT };

/* The most parameters that a function has: a state, the inputs, index and count. */
#define PARAMETERS_MAX (PACKED_MAX + 3)

struct function_parameters {
	size_t count;
	enum parameter_kind kinds[PARAMETERS_MAX];
};

struct declarations {
	struct declared_members state, carry; /* without a carry its size is 0 */
	struct packed element, results;
	struct text_part result_type; /* what emit returns */
	bool names_results; /* that is a struct, with members */
	struct text_part result_names[PACKED_MAX];
	struct function_parameters lift, emit;
	bool has_identity;
};

/* Reads
 *
 *     typedef struct { TYPE NAME[NUMBER], ...; ... } state;  or any other name of a number's type
 *     state lift(TYPE NAME, ...)                             1 to 8 inputs; "ulong i" is the index of the element
 *     state combine(state earlier, state later)
 *     RESULT emit(state s), emit(state s, inputs)            or with "ulong i" and "ulong n", the elements in s
 *     state identity(void)                                   if there is one
 *     typedef struct { ... } carry;                          in what tiles are carried, if that is not a state: with
 *     carry carry_first(state total)
 *     carry carry_add(carry before, state total)
 *     state carry_prefix(carry before)
 *
 * where a number's type is one of OpenCL C's, from char to double, and RESULT is one or a struct of up to 8. Any other
 * declaration, any definition and any directive may stand between them, but a byte of zero. STATUS_USAGE with *error,
 * or STATUS_SYSTEM after a message. Pure. */
enum status declarations_read(const char *text, size_t size, struct declarations *declared,
			      struct text_error *error) MUST_CHECK;

#endif
