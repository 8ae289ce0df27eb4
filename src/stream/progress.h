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

/* Where the line is shown. In every form, SIGUSR1 prints a line. */
enum progress_form {
	PROGRESS_ASKED, /* Nowhere: without --progress. */
	PROGRESS_DRAWN, /* On the terminal, redrawn in place. */
	PROGRESS_LINES, /* A new line every 10 seconds, because standard error is not a terminal. */
	PROGRESS_LAST, /* Only at the end, because the results go to the same terminal. */
};

/* Returns the form of --progress. results: the file to which the results go, from fstat. NULL: not known. */
enum progress_form progress_form(const struct stat *results);

/* Begins to answer SIGUSR1 and, unless the form is PROGRESS_ASKED, to show the line. Call it before any input is
 * opened, while the process has one thread. names: the inputs' `count` names, borrowed, as for source_new. There can be
 * only one progress at a time. The caller ends it with progress_free. NULL after a message. */
struct progress *progress_new(char *const *names, size_t count, enum progress_form form);
/* Counts a chunk that was written. NULL: does nothing. One thread at a time. */
void progress_add(struct progress *progress, const struct slot *slot);
/* Ends the progress. has_begun: the run has begun, so a form other than PROGRESS_ASKED writes its last line. Threads
 * that call progress_add must be joined. NULL: does nothing. */
void progress_free(struct progress *progress, bool has_begun);

#endif
