/* Reads an OpenCL compiler's build log of a user's program (scan/program.h). */
#ifndef PSCAN_DEVICE_BUILD_LOG_H
#define PSCAN_DEVICE_BUILD_LOG_H

#include <stddef.h>

struct build_error {
	/* The user's text that has the error: PROGRAM_FILE, PROGRAM_MAP or PROGRAM_EMIT. NULL: not known. */
	const char *part;
	unsigned long line; /* Line of that text, from 1. 0: the place is not known. */
	unsigned long column; /* Character of the line, from 1. Not used if `line` is 0. */
	const char *why; /* The compiler's explanation, a part of the log. Borrowed. */
	size_t size; /* Bytes of the explanation. May be 0. */
};

/* Returns the first error of a log. log: a string. source: the OpenCL C that was compiled, source_size bytes. Pure.
 *   An error is a line such as "FILE:LINE:COLUMN: error: WHY", or "error: FILE:LINE:COLUMN: WHY". FILE is a name that a
 *   #line of the source gives. Or it is the driver's own name for the whole source; lines then count from the source's
 *   beginning, and the function finds the user's part that contains the line.
 *   If the log has no such line, the error is the log's first line, without a place. */
struct build_error build_log_read(const char *log, const char *source, size_t source_size);

#endif
