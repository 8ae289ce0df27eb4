/* Programs: operators that users write, as OpenCL C. The host has no code for them; devices compile it. */
#ifndef PSCAN_SCAN_PROGRAM_H
#define PSCAN_SCAN_PROGRAM_H

#include "base/memory.h"
#include "scan/row.h"

struct program {
	struct scan_operator op; /* its facts; op.program is this program */
	struct row_code codes[ALGORITHM_SEQUENTIAL][TYPE_COUNT]; /* sizes alone, by algorithm and accumulator */
	char expression[]; /* combine, of a (earlier) and b */
};

/* Whether a word has both a and b as names, and so is meant as an expression. Pure. */
bool program_is_expression(const char *word);

/* A program that combines by an expression of a and b in the accumulator's type, the state being the element; the caller's to
 * memory_free. Whether it is C only a device's compiler knows, but it cannot end early: its brackets match, and no statement, comment
 * or text begins in it. STATUS_USAGE or STATUS_SYSTEM after a message. */
enum status program_new(const char *expression, struct program **program) MUST_CHECK;

/* Appends the program's OpenCL C with that accumulator: the types state and result and the functions lift, combine and emit, which
 * stand before everything else that is compiled. Lines of the user's are numbered from 1, in the file PROGRAM_FILE. STATUS_SYSTEM
 * after a message. */
enum status program_write(const struct program *p, const struct type *acc, struct bytes *text) MUST_CHECK;

/* What a compiler's messages call the text. */
#define PROGRAM_FILE "-op"

#endif
