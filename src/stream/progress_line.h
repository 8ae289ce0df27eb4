/* The line that shows how far a run is. Pure functions, also for signal handlers. */
#ifndef PSCAN_STREAM_PROGRESS_LINE_H
#define PSCAN_STREAM_PROGRESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far a run is. */
struct progress_now {
	uint64_t bytes; /* bytes of the input as they are in its files, before inflating */
	uint64_t elements;
	uint64_t sized_bytes, total_bytes; /* bytes done, and all bytes, of files of known size; total 0: some is not */
	uint64_t rate; /* bytes a second */
	uint64_t elapsed_s;
	bool ended;
};

/* The longest line and its NUL. */
#define PROGRESS_LINE_SIZE 160

/* Writes the line, without a newline, and a NUL. Returns its bytes, which are printable ASCII and at most `columns`. If
 * the line would be longer, parts are left out, the least important ones first. Numbers are never cut. */
size_t progress_line(char out[PROGRESS_LINE_SIZE], size_t columns, const struct progress_now *now);

#endif
