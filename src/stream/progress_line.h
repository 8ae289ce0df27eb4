/* The line that says how far a run is. Pure functions, also for signal handlers. */
#ifndef PSCAN_STREAM_PROGRESS_LINE_H
#define PSCAN_STREAM_PROGRESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far a run is. */
struct progress_now {
	uint64_t bytes; /* of the input, as it lies in its files: compressed where it is */
	uint64_t elements;
	uint64_t sized_bytes,
		total_bytes; /* of files whose sizes are known, those done and all; total 0: some sizes are not known */
	uint64_t rate; /* bytes a second */
	uint64_t elapsed_s;
	bool ended;
};

/* The longest line and its NUL. */
#define PROGRESS_LINE_SIZE 160

/* Writes the line, without a newline, and a NUL. Returns its bytes, all of them printable ASCII: at most columns.
 * Where it would be longer parts are left out, the least important ones first; a number is never cut. */
size_t progress_line(char out[PROGRESS_LINE_SIZE], size_t columns, const struct progress_now *now);

#endif
