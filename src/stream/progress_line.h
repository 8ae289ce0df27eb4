/* The line that shows how far a run is. Pure functions, also for signal handlers. */
#ifndef PSCAN_STREAM_PROGRESS_LINE_H
#define PSCAN_STREAM_PROGRESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far a run is. */
struct progress_now {
	uint64_t bytes; /* Bytes done, as they are in the files, before inflating. */
	uint64_t elements; /* Elements done. */
	uint64_t sized_bytes; /* Bytes done, up to the sizes that the files had when they were opened. */
	uint64_t total_bytes; /* These sizes together. 0: some input has no size. */
	uint64_t rate; /* Bytes a second. */
	uint64_t elapsed_s; /* Seconds since the run began. */
	bool ended; /* The run is over. */
};

/* Bytes of the longest line with its NUL. */
#define PROGRESS_LINE_SIZE 160

/* Writes the line, without a newline, and a NUL to `out`. Returns the line's bytes without the NUL: printable ASCII, at
 * most `columns`. If the line would be longer, parts are left out, the least important ones first. Numbers are never
 * cut. */
size_t progress_line(char out[PROGRESS_LINE_SIZE], size_t columns, const struct progress_now *now);

#endif
