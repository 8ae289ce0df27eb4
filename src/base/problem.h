/* What is wrong at a place of the input. Found by whichever thread works on the chunk, reported by the sink when
 * everything before that place has been written. */
#ifndef PSCAN_BASE_PROBLEM_H
#define PSCAN_BASE_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define PROBLEM_TEXT_SIZE 512

struct problem {
	enum status status; /* STATUS_OK: there is none */
	bool fatal; /* false: a warning; the stream goes on and the exit code is status */
	const char *file_name; /* NULL: the chunk's */
	/* Where; a number of 0 is not reported. Lines count from 1 within the chunk until they are told. */
	uint64_t line;
	uint64_t field;
	uint64_t column; /* of the line, in characters from 1 */
	const char *field_name; /* what is said for the number, if lines name their fields */
	char text[PROBLEM_TEXT_SIZE]; /* empty: it was reported where it happened (no memory) */
};

/* Prints "FILE: line L, field F, column C: text", or what is known of that, line_base being the lines of the file
 * before the chunk. */
void problem_tell(const struct problem *p, const char *file_name, uint64_t line_base);

#endif
