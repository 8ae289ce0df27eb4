/* Programs: operators that users write, as OpenCL C, or around which they do. The host has no code for them; devices
 * compile it. */
#ifndef PSCAN_SCAN_PROGRAM_H
#define PSCAN_SCAN_PROGRAM_H

#include "base/memory.h"
#include "language/declarations.h"
#include "scan/row.h"

#define PROGRAM_NAME_SIZE 32

struct program {
	struct scan_operator op; /* its facts; op.program is this program */
	struct row_code codes[ALGORITHM_SEQUENTIAL][TYPE_COUNT]; /* sizes alone, by algorithm and accumulator */
	/* What combines: an operator of the table; or a file's text; or, if both are NULL, the text is an expression
	 * of a (earlier) and b in the accumulator's type. */
	const struct scan_operator *base;
	const char *file;
	struct declarations declared; /* of a file */
	struct text_part maps[PACKED_MAX]; /* expressions: what lift gets for each input; empty ones without --map */
	const char *emit; /* an expression: the result; NULL without --emit */
	char name[PROGRAM_NAME_SIZE]; /* of its results, and in messages */
	/* each element says how many others, which take no part, are before it: they have indices, too */
	bool has_gaps;
	bool is_dear; /* combining costs much more than to keep states in a device's memory */
	const char *result_names[PACKED_MAX]; /* of a file whose result is a struct, else NULL */
	size_t size; /* of the text */
	char text[]; /* ended by a byte of zero; after it stand the result names */
};

/* Whether a word has both a and b as names, and so is meant as an expression. Pure. */
bool program_is_expression(const char *word);

/* The bytes up to the comma that ends the first expression of a list; in brackets none does. Pure. */
size_t program_expression_size(const char *text);

/* A program that combines by an expression of a and b in the accumulator's type, the state being the element; the
 * caller's to memory_free. Whether it is C only a device's compiler knows, but it cannot end early: its brackets
 * match, and no statement, comment or text begins in it. STATUS_USAGE or STATUS_SYSTEM after a message. */
enum status program_new(const char *expression, struct program **program) MUST_CHECK;

/* The program that is a file's text (declarations.h); the caller's to memory_free, while it has need of the file's
 * name. STATUS_USAGE or STATUS_SYSTEM after a message. */
enum status program_read(const char *file, struct program **program) MUST_CHECK;

/* What goes around an operator. Each is NULL or borrowed as long as the program. */
struct program_around {
	/* expressions of x (of several inputs x0, x1, ...) and i, its index, for each input, joined by commas */
	const char *map;
	const char
		*emit; /* an expression of s, what the operator would give, x, i, and n, the number of elements in s */
	bool exclusive; /* results are of what is before their elements */
};

/* An operator of the table as a program, for something to go around it; the caller's to memory_free. STATUS_SYSTEM
 * after a message. */
enum status program_of_operator(const struct scan_operator *op, struct program **program) MUST_CHECK;
/* STATUS_USAGE after a message. */
enum status program_surround(struct program *p, const struct program_around *around) MUST_CHECK;

/* Indices count records without a number, too: has_gaps becomes true if the program uses any, its i. */
void program_count_gaps(struct program *p);

/* Whether it says itself what its inputs and results are. */
static inline bool program_has_types(const struct program *p)
{
	return p != NULL && p->file != NULL;
}

/* The name of an operator's result k: the member's of a struct, or NULL. */
const char *program_result_name(const struct scan_operator *op, size_t k);

/* What OpenCL C calls a type that users can name. */
const char *program_type_name(const struct type *t);

/* Appends the program's OpenCL C with that accumulator, which stands before everything else that is compiled and is
 * what kernels/program.h wants. Lines of the user's are numbered from 1, in a file that has a part's name.
 * STATUS_SYSTEM after a message. */
enum status program_write(const struct program *p, const struct type *acc, struct bytes *text) MUST_CHECK;

/* Appends what kernels/side_by_side.h wants beside that text, and says in *written whether the program is one for
 * which there is such a thing (side_by_side.h). STATUS_SYSTEM after a message. */
enum status program_write_side_by_side(const struct program *p, const struct type *acc, struct bytes *text,
				       bool *written) MUST_CHECK;

/* What a compiler's messages call the parts of the text that are the user's. */
#define PROGRAM_FILE "-op"
#define PROGRAM_MAP "--map"
#define PROGRAM_EMIT "--emit"

#endif
