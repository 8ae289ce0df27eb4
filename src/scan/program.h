/* Programs: operators that users write in OpenCL C, or operators of the table with --map or --emit around them. Rows of
 * programs have no functions. A device's compiler compiles a program; one that consists of expressions the host can
 * run, too (program_scan.h). */
#ifndef PSCAN_SCAN_PROGRAM_H
#define PSCAN_SCAN_PROGRAM_H

#include "base/memory.h"
#include "language/declarations.h"
#include "scan/program_host.h"
#include "scan/row.h"

#define PROGRAM_NAME_SIZE 32

struct program {
	struct scan_operator op; /* The program's facts. op.program is this program. */
	struct row_code codes[ALGORITHM_SEQUENTIAL][TYPE_COUNT]; /* By algorithm and accumulator. Only sizes are set. */
	/* The program combines by `base`, an operator of the table, or by the text of `file`. If both are NULL, `text`
	 * is an expression of a (earlier) and b in the accumulator's type. */
	const struct scan_operator *base;
	const char *file;
	struct declarations declared; /* What the text of `file` declares. */
	size_t operands; /* How many numbers the operator itself takes. (An element has op.inputs numbers.) */
	struct text_part maps[PACKED_MAX]; /* Expressions of --map, one for each operand. Empty without --map. */
	struct text_part names[PACKED_MAX]; /* The names of an element's numbers. Empty: x, or x0, x1, ... */
	const char *emit; /* The expression of --emit, or NULL. */
	struct program_host host; /* What the host runs instead of a device's compiler's code. Owned. */
	/* `text`, compiled for exact decimals. The host scans with it (exact_scan.h) until exactness ends. NULL: the
	 * numbers are scanned in f64. Owned. */
	struct expression *exact;
	char name[PROGRAM_NAME_SIZE]; /* The name of its results, also used in messages. */
	bool is_num; /* Its numbers are of a text without a type: see struct expression_terms. */
	bool has_gaps; /* i counts skipped elements, too, so each element comes with the number of those before it. */
	bool uses_total; /* --emit has the name t, the scan's total. Only the host runs such a program. */
	bool is_dear; /* Combining costs much more than keeping states in a device's memory. */
	const char *result_names[PACKED_MAX]; /* The names of the results, if `file` declares a struct, or NULL. */
	size_t size; /* Bytes of the text. */
	char text[]; /* The text, a zero byte, and the result names. */
};

/* Whether an argument is an expression, not an operator's name: both a and b occur in it as whole names. Pure. */
bool program_is_expression(const char *word);

/* Returns the bytes of the first expression of a list, up to a comma that is neither in brackets nor in a name
 * in braces. Pure. */
size_t program_expression_size(const char *text);

/* Makes a program that combines by an expression of a and b in the accumulator's type; the state is the element. The
 * caller frees the program with program_free. The expression is checked only so that it cannot end early: its brackets
 * must match, and it must not have statements, comments or strings. A device's compiler finds what is not valid C.
 * STATUS_USAGE or STATUS_SYSTEM after a message. */
enum status program_new(const char *expression, struct program **program) MUST_CHECK;

/* Reads a file whose text is a program (declarations.h) and makes this program. The caller frees it with program_free.
 * `file`, the name, must outlive the program. STATUS_USAGE after a message if the file does not exist, is larger than
 * 16 MiB, or has wrong declarations; STATUS_SYSTEM after a message if it cannot be read or memory is missing. *program
 * is then NULL. */
enum status program_read(const char *file, struct program **program) MUST_CHECK;

/* Frees a program and what was compiled for it. NULL: does nothing. */
void program_free(struct program *p);

/* What is put around an operator. `map` and `emit` are NULL if not given. The program borrows them. */
struct program_around {
	/* Expressions for the inputs, joined by commas. Their names are x (x0, x1, ... for several inputs) and i, the
	 * element's index. */
	const char *map;
	/* An expression for the result. Its names are s (the operator's own result), x, i, n (elements in s), and t
	 * (the scan's total: its last s, which is inclusive even if results are exclusive). */
	const char *emit;
	bool exclusive; /* A result covers only the elements before its own element. */
	bool shows_initial; /* The first result is the initial one, which covers no elements. */
	/* How many numbers an element has, at most PACKED_MAX. Only the host runs such a program. 0: an element has the
	 * operator's numbers. */
	size_t inputs;
	const struct text_part *names; /* The names of the `inputs` numbers. NULL: x0, x1, ... */
};

/* Makes a program of an operator of the table, for program_surround. The caller frees it with program_free.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status program_of_operator(const struct scan_operator *op, struct program **program) MUST_CHECK;
/* Puts expressions around a program. STATUS_USAGE after a message if they are invalid. STATUS_SYSTEM after a message if
 * memory is missing. */
enum status program_surround(struct program *p, const struct program_around *around) MUST_CHECK;

/* Sets *silent to p without --emit: it does the same scan and gives the operator's own results. It borrows from p and
 * points to itself: it must not be moved, and p must outlive it. Do not free or compile it. p must not be of a file. */
void program_without_emit(const struct program *p, struct program *silent);

/* Call this if indices shall count records without a number, too. Sets has_gaps if the program uses an index. */
void program_count_gaps(struct program *p);

/* Whether the program scans exact decimals exactly: by its expression alone. */
static inline bool program_scans_exactly(const struct program *p)
{
	return p->exact != NULL && p->maps[0].size == 0 && p->emit == NULL;
}

/* Whether the program declares the types of its inputs and results. False if p is NULL. */
static inline bool program_has_types(const struct program *p)
{
	return p != NULL && p->file != NULL;
}

/* Returns the bytes of a window of the program (window_size_max), which must be one that the host can run. */
size_t program_window_size_max(const struct program *p);

/* Returns the name of an operator's result k if its results are members of a struct, otherwise NULL. */
const char *program_result_name(const struct scan_operator *op, size_t k);

/* Appends the program as OpenCL C for this accumulator, in the form that kernels/program.h expects. It must be the
 * first text that is compiled. A #line before each of the user's parts gives it a name from below, with lines from 1.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status program_write(const struct program *p, const struct type *acc, struct bytes *text) MUST_CHECK;

/* Appends the definitions for kernels/side_by_side.h, if the program can do runs side by side (side_by_side.h).
 * *written becomes whether it can. STATUS_SYSTEM after a message if memory is missing. */
enum status program_write_side_by_side(const struct program *p, const struct type *acc, struct bytes *text,
				       bool *written) MUST_CHECK;

/* The names that a compiler's messages give to the user's parts of the text. */
#define PROGRAM_FILE "-op"
#define PROGRAM_MAP "--map"
#define PROGRAM_EMIT "--emit"

#endif
