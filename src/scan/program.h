/* Programs: operators that users write in OpenCL C, or operators of the table with --map or --emit around them. A
 * device's compiler compiles a program. The host can run a program that consists of expressions (program_scan.h). The
 * functions of struct row_code are NULL in a program's row. */
#ifndef PSCAN_SCAN_PROGRAM_H
#define PSCAN_SCAN_PROGRAM_H

#include "base/memory.h"
#include "language/declarations.h"
#include "scan/program_host.h"
#include "scan/row.h"

/* Bytes of a program's name, with the NUL. */
#define PROGRAM_NAME_SIZE 32

struct program {
	struct scan_operator op; /* The program's facts. op.program is this program. */
	struct row_code codes[ALGORITHM_SEQUENTIAL][TYPE_COUNT]; /* By algorithm and accumulator. Only sizes are set. */
	/* How the program combines. `base` is set: by this operator of the table. `file` is set: by `text`, which was
	 * read from the file of that name. Both are NULL: by `text`, an expression of a (the earlier state) and b in
	 * the accumulator's type. Borrowed. */
	const struct scan_operator *base;
	const char *file;
	struct declarations declared; /* What `text` declares, if `file` is set. */
	size_t operands; /* How many numbers the operator itself takes. (An element has op.inputs numbers.) */
	/* Expressions of --map, one for each operand. Empty without --map. The texts of this member and of the next two
	 * are borrowed. */
	struct text_part maps[PACKED_MAX];
	struct text_part names[PACKED_MAX]; /* The names of an element's numbers. Empty: x, or x0, x1, ... */
	const char *emit; /* The expression of --emit, or NULL. */
	struct program_host host; /* The expressions, compiled for the host by program_compile. Owned. */
	/* `text`, compiled for exact decimals by program_compile_exact. The host scans with it (exact_number.h) until
	 * exactness ends. NULL: decimals are scanned in f64. Owned. */
	struct expression *exact;
	char name[PROGRAM_NAME_SIZE]; /* The name of its results, also used in messages. */
	bool is_num; /* Its numbers are of a text without a type: see struct expression_terms. */
	/* i also counts records of the scan without a number. Each element comes with how many of these are before it
	 * (gaps in program_scan.h). */
	bool has_gaps;
	bool uses_total; /* --emit has the name t, the scan's total. Only the host runs such a program. */
	bool is_dear; /* Combining costs much more than keeping states in a device's memory. */
	/* The name of each result, if `text` declares a struct of results. Otherwise NULL. In `text`'s memory. */
	const char *result_names[PACKED_MAX];
	size_t size; /* Bytes of the text. */
	char text[]; /* The text, a NUL, and the results' names, each with a NUL. */
};

/* Whether an argument of -op is an expression, not an operator's name: it has both names a and b. Pure. */
bool program_is_expression(const char *word);

/* Returns the bytes of the first expression of a list, up to a comma that is neither in brackets nor in a name
 * in braces. Pure. */
size_t program_expression_size(const char *text);

/* Makes a program that combines by an expression of a and b in the accumulator's type; the state is the element. The
 * expression is copied. The caller frees the program with program_free. The expression is checked only so that it
 * cannot end early: its brackets must match, and it must not have statements, comments or strings. What else is not
 * valid is found when it is compiled. STATUS_USAGE after a message if this check fails, STATUS_SYSTEM after a message
 * if memory is missing; *program must then not be used. */
enum status program_new(const char *expression, struct program **program) MUST_CHECK;

/* Makes a program of the text of a file (declarations.h). The caller frees it with program_free. `file`, the name, must
 * outlive the program. STATUS_USAGE after a message if the file does not exist, is larger than 16 MiB, or has wrong
 * declarations. STATUS_SYSTEM after a message if the file cannot be read or memory is missing. After both *program is
 * NULL. */
enum status program_read(const char *file, struct program **program) MUST_CHECK;

/* Frees a program and what was compiled for it. NULL: does nothing. */
void program_free(struct program *p);

/* What program_surround puts around an operator. The program borrows the texts. */
struct program_around {
	/* Expressions for the operator's numbers, joined by commas. They may use x (x0, x1, ... for several numbers)
	 * and i, the element's index. NULL: without --map. */
	const char *map;
	/* An expression for the result. It may use s (the operator's own result), x, i, n (how many elements s covers),
	 * and t (the scan's total: its last s, which is inclusive even if results are exclusive). NULL: without
	 * --emit. */
	const char *emit;
	bool exclusive; /* A result covers only the elements before its own element. */
	bool shows_initial; /* The first result is the initial one, which covers no elements. */
	/* How many numbers an element has, at most PACKED_MAX, if --map makes the operator's numbers of others: only
	 * the host runs such a program. 0: an element has the operator's numbers. */
	size_t inputs;
	const struct text_part *names; /* The names of the `inputs` numbers for --map. NULL: x0, x1, ... */
};

/* Makes a program of an operator of the table, which is borrowed. For program_surround. The caller frees it with
 * program_free. STATUS_SYSTEM after a message if memory is missing; *program is then NULL. */
enum status program_of_operator(const struct scan_operator *op, struct program **program) MUST_CHECK;
/* Puts expressions around a program. Call it once, before the program is compiled. STATUS_USAGE after a message if an
 * expression is invalid (checked as by program_new), if there are not as many of --map as the operator takes numbers,
 * or if the program cannot have this --emit. STATUS_SYSTEM after a message if memory is missing. After both the program
 * must only be freed. */
enum status program_surround(struct program *p, const struct program_around *around) MUST_CHECK;

/* Sets *silent to a copy of p without --emit: its results are the operator's own. p must be compiled for the host
 * (program_compile), and must not be made of a file. *silent has no `text`, borrows from p, and points to itself: p
 * must outlive *silent, and *silent must not be moved, compiled or freed. */
void program_without_emit(const struct program *p, struct program *silent);

/* Call this after program_surround if indices shall also count records without a number. Sets has_gaps if the program
 * uses an index. */
void program_count_gaps(struct program *p);

/* Whether the program scans exact decimals exactly: it has `exact`, and neither --map nor --emit. */
static inline bool program_scans_exactly(const struct program *p)
{
	return p->exact != NULL && p->maps[0].size == 0 && p->emit == NULL;
}

/* Whether the program declares the types of its inputs and results. False if p is NULL. */
static inline bool program_has_types(const struct program *p)
{
	return p != NULL && p->file != NULL;
}

/* Returns the bytes of the largest window that the program may have, a multiple of the alignment. The host must be able
 * to run the program. */
size_t program_window_size_max(const struct program *p);

/* Returns the name of an operator's result k, from 0, if its results are members of a struct. Otherwise NULL. */
const char *program_result_name(const struct scan_operator *op, size_t k);

/* Appends the program as OpenCL C for this accumulator, in the form that kernels/program.h expects. The kernels must
 * come after it: the user's text must not see their macros. A #line before each of the user's parts gives the part a
 * name from below, with lines from 1. STATUS_SYSTEM after a message if memory is missing; *text may then have a
 * part. */
enum status program_write(const struct program *p, const struct type *acc, struct bytes *text) MUST_CHECK;

/* Appends the definitions for kernels/side_by_side.h, if the program can do runs side by side
 * (language/side_by_side.h). *written becomes whether it can; if not, nothing is appended. STATUS_SYSTEM after a
 * message if memory is missing; *text may then have a part. */
enum status program_write_side_by_side(const struct program *p, const struct type *acc, struct bytes *text,
				       bool *written) MUST_CHECK;

/* The names that a compiler's messages give to the user's parts of the text. */
#define PROGRAM_FILE "-op"
#define PROGRAM_MAP "--map"
#define PROGRAM_EMIT "--emit"

#endif
