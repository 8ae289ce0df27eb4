/* Reads an OpenCL compiler's build log of a user's program (scan/program.h). */
#ifndef PSCAN_DEVICE_BUILD_LOG_H
#define PSCAN_DEVICE_BUILD_LOG_H

#include <stddef.h>

struct build_error {
	/* The user's text that has the error: PROGRAM_FILE, PROGRAM_MAP or PROGRAM_EMIT. NULL: not known. */
	const char *part;
	unsigned long line, column; /* Place in that text, from 1. 0: not known. */
	const char *why; /* The compiler's explanation, a part of the log. Borrowed. */
	size_t size; /* Bytes of the explanation. May be 0. */
};

/* Returns the first error of a log. It is a line such as "FILE:LINE:COLUMN: error: WHY", or one that has "error: " in
 * front of FILE. FILE is a name that a #line of the source gives, or the driver's own name for the whole source, whose
 * lines it then counts from the source's beginning. A log without such a line gives its first line without a place.
 * source: the text that was compiled. Pure. */
struct build_error build_log_read(const char *log, const char *source, size_t source_size);

#endif
