/* What the host needs to run a program without a device: its expressions, compiled (language/expression.h). */
#ifndef PSCAN_SCAN_PROGRAM_HOST_H
#define PSCAN_SCAN_PROGRAM_HOST_H

#include "language/expression.h"
#include "number/packed.h"

struct program;

/* The numbers of the inputs (language/expression.h) of an expression of --map or --emit. Inputs 0 to PACKED_MAX - 1 are
 * the element's numbers: x, or x0, x1, ... Only --emit may use the inputs after PROGRAM_INDEX. (The expression of -op
 * has two inputs: 0 is a, the earlier state, and 1 is b.) */
enum program_input {
	PROGRAM_INDEX = PACKED_MAX, /* i */
	PROGRAM_RESULT, /* s */
	PROGRAM_COUNT, /* n */
	PROGRAM_TOTAL, /* t: the scan's total, of the type of s */
	PROGRAM_INPUTS
};

/* The compiled expressions of a program. All NULL: not compiled. */
struct program_host {
	const struct type *acc; /* The accumulator's type for which they are compiled. NULL: not compiled. */
	struct expression *combine; /* -op's expression of a and b. NULL: the program has an operator of the table. */
	struct expression *maps[PACKED_MAX]; /* One for each number that the operator takes. NULL without --map. */
	struct expression *emit; /* NULL without --emit. */
};

/* Compiles -op's expression of a and b for exact decimals, and sets *exact to it. The caller frees it with memory_free.
 * *exact does not change if the program combines in another way, or if the expression cannot be exact: STATUS_OK,
 * without a message. STATUS_SYSTEM after a message if memory is missing. */
enum status program_compile_exact(const struct program *p, struct expression **exact) MUST_CHECK;

/* Why a program was refused. The texts are borrowed from the program. */
struct program_refusal {
	/* The option whose expression was refused, as in a message. NULL: the host cannot run an operator from a file;
	 * the other members are then not set. */
	const char *option;
	struct text_part text; /* The expression. */
	struct expression_error error;
};

/* Frees the expressions in p->host and compiles the program's expressions for an accumulator's type. *can becomes
 * whether the host can run the program. If not, p->host is empty and *why has the reason; otherwise *why is undefined.
 * Prints no message about an expression. STATUS_SYSTEM after a message if memory is missing; p->host is then empty. */
enum status program_compile(struct program *p, const struct type *acc, bool *can,
			    struct program_refusal *why) MUST_CHECK;
/* Checks the program's expressions for a device (expression_check_for_device); the text of a file is not looked at.
 * Nothing is compiled. *can becomes whether no expression is refused. If one is, *why has the reason; otherwise *why is
 * undefined. STATUS_SYSTEM after a message if memory is missing. */
enum status program_check_for_device(struct program *p, const struct type *acc, bool *can,
				     struct program_refusal *why) MUST_CHECK;
/* Frees what program_compile has made, and makes *host empty. */
void program_host_free(struct program_host *host);

/* Returns why an element may have no value in the compiled expressions: words to follow a colon in a message. A
 * constant text. */
const char *program_host_why_bad(const struct program_host *host);

#endif
