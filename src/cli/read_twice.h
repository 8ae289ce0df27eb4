/* Runs whose input is read twice, because --emit uses t, the scan's total. */
#ifndef PSCAN_CLI_READ_TWICE_H
#define PSCAN_CLI_READ_TWICE_H

#include "base/status.h"
#include "stream/pipeline.h"

struct options;
struct read_twice;

/* Prepares the source for two readings, if o->scan.uses_total. Otherwise, and after a failure, *t becomes NULL. Call it
 * before anything is read, and before the sandbox is entered. The source borrows from *t. The caller frees *t with
 * read_twice_free. STATUS_SYSTEM after a message. */
enum status read_twice_begin(const struct options *o, struct source *source, struct read_twice **t) MUST_CHECK;
/* Reads the whole input of *parts for the first time, in the sandbox of *parts. Prints nothing unless this fails. Then
 * *parts becomes the parts of the second reading. The ring and the source are freed and replaced by new ones, which
 * belong to the caller as the old ones did. parts->plan is replaced by one that belongs to t and borrows from the old
 * one. *busy becomes that of the first reading's outcome (struct pipeline_outcome). t NULL: does nothing. If the first
 * reading does not reach the end of the input, or memory is missing, returns a failure after a message; *parts is then
 * unchanged. Bad data that do not end the reading are no failure: the second reading reports them. */
enum status read_twice_first(struct read_twice *t, const struct options *o, struct pipeline_parts *parts,
			     bool *busy) MUST_CHECK;
/* Call it after the second reading. STATUS_SYSTEM after a message if a file has changed since the first one. t NULL:
 * does nothing. */
enum status read_twice_check(const struct read_twice *t) MUST_CHECK;
/* Call it when the source was freed. NULL: does nothing. */
void read_twice_free(struct read_twice *t);

#endif
