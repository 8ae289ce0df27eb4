/* Reports how far a run is, for --progress and SIGUSR1. The numbers are those of --stats, for the chunks that were
 * written. A separate thread shows the line several times a second; without --progress the signal handler prints it. */
#ifndef PSCAN_STREAM_PROGRESS_H
#define PSCAN_STREAM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"
#include "chunk/slot.h"

struct progress;

/* Where the line is shown. (The signal may ask for one in any form.) */
enum progress_form {
	PROGRESS_ASKED, /* nowhere: only the signal prints a line */
	PROGRESS_DRAWN, /* on the terminal, redrawn in place */
	PROGRESS_LINES, /* standard error is not a terminal: a new line every 10 seconds */
	PROGRESS_LAST, /* the results go to the same terminal: at the end only */
};

/* The form of --progress if the results go to this file (NULL: not known). */
enum progress_form progress_form(const struct stat *results);

/* Begins to answer the signal. Call it before any input is opened, while the process has one thread. names: `count` of
 * them, borrowed, as for source_new. There can be only one. NULL after a message. */
struct progress *progress_new(char *const *names, size_t count, enum progress_form form);
/* Counts a chunk that was written. progress may be NULL. One thread at a time. */
void progress_add(struct progress *progress, const struct slot *slot);
/* Writes the last line, which stays, unless !has_begun. Threads that add must be joined. NULL is allowed. */
void progress_free(struct progress *progress, bool has_begun);

#endif
