/* Where the results go: standard output or a file, gzip-compressed on request. No other module writes there. */
#ifndef PSCAN_SINK_H
#define PSCAN_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

struct sink;

/* Opens path, or standard output if it is NULL or "-". A regular or new file is written under a temporary name beside it
 * and gets its name in sink_close. gzip_level 0: not compressed. STATUS_SYSTEM after a message. */
enum status sink_open(const char *path, int gzip_level, struct sink **sink) MUST_CHECK;
/* Writes size bytes, all of them. STATUS_SYSTEM after a message. One thread at a time. */
enum status sink_write(struct sink *s, const void *data, size_t size) MUST_CHECK;
/* Ends the output and frees the sink. keep: the run succeeded; a file gets its name, else its temporary is removed. What went
 * to standard output stays a well-formed prefix either way (a gzip member is ended). STATUS_SYSTEM after a message: then the
 * output is not complete. */
enum status sink_close(struct sink *s, bool keep) MUST_CHECK;

#endif
