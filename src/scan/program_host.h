/* What the host needs to run a program without a device: its expressions, compiled (language/expression.h). */
#ifndef PSCAN_SCAN_PROGRAM_HOST_H
#define PSCAN_SCAN_PROGRAM_HOST_H

#include "language/expression.h"
#include "number/packed.h"

struct program;

/* The names that --map, --emit and -op may use, as the places of their numbers among an expression's inputs. The
 * numbers of an element come first. */
enum program_input {
	PROGRAM_INDEX = PACKED_MAX, /* i */
	PROGRAM_RESULT, /* s */
	PROGRAM_COUNT, /* n */
	PROGRAM_TOTAL, /* t: the scan's total, of the type of s */
	PROGRAM_INPUTS
};

/* The compiled expressions of a program. All NULL: not compiled. */
struct program_host {
	const struct type *acc; /* The accumulator's type for which they are compiled. NULL: they are not. */
	struct expression
		*combine; /* Of a and b, the inputs 0 and 1. NULL: the program is of an operator of the table. */
	struct expression *maps[PACKED_MAX]; /* One for each input of the operator, or NULL without --map. */
	struct expression *emit; /* NULL without --emit. */
};

/* Compiles the expression of a program that combines by one of a and b for exact decimals.
 * *exact is left alone if it is another program, or if the expression is not exact. The caller frees it with
 * memory_free. STATUS_SYSTEM after a message if memory is missing. */
enum status program_compile_exact(const struct program *p, struct expression **exact) MUST_CHECK;

/* Why the host cannot run a program. */
struct program_refusal {
	const char *option; /* The option of the expression, as in a message. NULL: the operator is from a
			    * file. */
	struct text_part text; /* The expression. */
	struct expression_error error;
};

/* Compiles the program's expressions for an accumulator's type; those of an earlier call are freed. *can becomes
 * whether the host can run the program; if not, *why has the reason. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status program_compile(struct program *p, const struct type *acc, bool *can,
			    struct program_refusal *why) MUST_CHECK;
/* Checks the expressions for a device (expression_check_for_device), as program_compile compiles them. Those of a file
 * are not looked at. */
enum status program_check_for_device(struct program *p, const struct type *acc, bool *can,
				     struct program_refusal *why) MUST_CHECK;
/* Frees what program_compile made. */
void program_host_free(struct program_host *host);

/* Returns why an element may have no value in the program's expressions: words that follow a colon. */
const char *program_host_why_bad(const struct program_host *host);

#endif
