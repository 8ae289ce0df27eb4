/* An error or warning about a place of the input. The thread that works on a chunk finds it. It is reported later, when
 * every result before that place has been written. */
#ifndef PSCAN_BASE_PROBLEM_H
#define PSCAN_BASE_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define PROBLEM_TEXT_SIZE 512

struct problem {
	/* The exit status that follows from the problem. STATUS_OK: no problem, or a warning that -q leaves out. */
	enum status status;
	bool fatal; /* true: the stream ends at this place. false: a warning; the stream goes on. */
	const char *file_name; /* Borrowed. NULL: the chunk's file. */
	uint64_t line; /* Line within the chunk, from 1. 0: not reported. */
	uint64_t field; /* Field of the line, from 1. 0: not reported. */
	uint64_t column; /* Character of the line, from 1. 0: not reported. */
	/* Borrowed. Reported in place of the field's number, unless `field` is 0. NULL: fields have no names, or the
	 * pipeline has not filled the name in yet. */
	const char *field_name;
	/* What is wrong, with the user's text quoted (message_quote). Empty: already reported (memory ran out). */
	char text[PROBLEM_TEXT_SIZE];
};

/* Sets *p to a fatal problem without a place, with a text as printf makes it, cut if it is too long. Returns
 * `status`. */
__attribute__((format(printf, 3, 4))) enum status problem_set(struct problem *p, enum status status, const char *format,
							      ...);

/* Prints "FILE: line L, field F, column C: text", without the parts that are not known: as an error if the problem is
 * fatal, otherwise as a warning. line_base: the number of the file's lines before the chunk. file_name: the chunk's
 * file. Prints nothing if the text is empty. */
void problem_tell(const struct problem *p, const char *file_name, uint64_t line_base);

#endif
