/* What a compiler says of a user's program (scan/program.h). */
#ifndef PSCAN_DEVICE_BUILD_LOG_H
#define PSCAN_DEVICE_BUILD_LOG_H

#include <stddef.h>

struct build_error {
	/* the user's text that it is in, PROGRAM_FILE, PROGRAM_MAP or PROGRAM_EMIT; NULL: that is not known */
	const char *part;
	unsigned long line, column; /* there, from 1; 0: the place is not known */
	const char *why; /* within the log; size bytes, perhaps none */
	size_t size;
};

/* The first error of a log: a line such as "FILE:LINE:COLUMN: error: WHY", or with "error: " in front. FILE may be a
 * part's, as #line says, another one of the source's, or the name that a driver has for all of the source, whose lines
 * it counts as they stand. Pure. */
struct build_error build_log_read(const char *log, const char *source, size_t source_size);

#endif
