/* Where the results go: standard output or a file, compressed on request. No other module writes there. */
#ifndef PSCAN_IO_SINK_H
#define PSCAN_IO_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "io/blocks.h"

struct sink;

/* Opens path, or standard output if it is NULL or "-". A regular or new file is written under a temporary name beside
 * it and gets its name in sink_close. compressor NULL: not compressed; level is one of its. STATUS_SYSTEM after a
 * message. */
enum status sink_open(const char *path, const struct compressor *compressor, int level, struct sink **sink) MUST_CHECK;
/* Several processes write one file, each a part of it. One has opened it as above, writes its beginning, and ends it
 * when the others have ended their parts; from then on it is not cut off where this one's part ends. */
void sink_begin_parts(struct sink *s);
/* Opens another part, which begins at that offset, of the file whose sink_temporary that is in the other process; path
 * is for messages. sink_close leaves the name alone. STATUS_SYSTEM after a message. */
enum status sink_open_part(const char *path, const char *temporary, uint64_t offset, struct sink **sink) MUST_CHECK;
/* A sink for the results of a part whose place is not known yet: a file without a name beside path, which is gone when
 * it is closed. STATUS_SYSTEM after a message. */
enum status sink_open_scratch(const char *path, struct sink **sink) MUST_CHECK;
/* Writes to a sink what was written to a scratch one. STATUS_SYSTEM after a message. */
enum status sink_append(struct sink *s, struct sink *scratch) MUST_CHECK;
/* A sink that forgets what it is given. STATUS_SYSTEM after a message. */
enum status sink_open_nowhere(struct sink **sink) MUST_CHECK;
/* Writes size bytes, all of them. STATUS_SYSTEM after a message. One thread at a time. */
enum status sink_write(struct sink *s, const void *data, size_t size) MUST_CHECK;
/* The same, each line for itself. */
enum status sink_write_lines(struct sink *s, const void *data, size_t size) MUST_CHECK;
/* Threads help with compressing: blocks_share, where the output is compressed. */
enum status sink_share(struct sink *s, const struct pool *pool) MUST_CHECK;
/* Compresses a posted block. Any thread. */
void sink_compress(struct sink *s, size_t block);
/* Nothing more comes: writes what is held back, and ends what is compressed. STATUS_SYSTEM after a message. Called for
 * sink_close if it was not before. */
enum status sink_finish(struct sink *s) MUST_CHECK;
/* Compressed bytes that were written: all of them after sink_finish. 0 where the output is not compressed. */
uint64_t sink_compressed_bytes(const struct sink *s);
/* The temporary file that is to get the output's name, or NULL. */
const char *sink_temporary(const struct sink *s);
/* If the output is standard output: goes on under another descriptor, so that nothing that is loaded into the program
 * from now on can write there by accident. No other thread may run. */
void sink_leave_standard_output(struct sink *s);
/* Whether results may be written at their places out of order: the output is a regular file that ends where it begins
 * to be written and that nothing else appends to, and it is not compressed. */
bool sink_is_in_place(const struct sink *s);
/* Writes size bytes at an offset (from where the output begins), if that works at once. False: it did not, and
 * sink_write must do it and tell. Any thread, several at once. */
bool sink_write_at(struct sink *s, const void *data, size_t size, uint64_t offset);
/* The next size bytes were written by sink_write_at. What is not accounted for by this or by sink_write when the sink
 * is closed is cut off again. One thread at a time. */
void sink_advance(struct sink *s, size_t size);
/* Writes the output's first size bytes, which were written, anew: of one that is written in place. STATUS_SYSTEM after
 * a message. */
enum status sink_rewrite(struct sink *s, const void *data, size_t size) MUST_CHECK;
/* Bytes that were written by sink_write or noted by sink_advance, before they were compressed. */
uint64_t sink_written_bytes(const struct sink *s);
/* Ends the output and frees the sink. keep: the run succeeded; a file gets its name, else its temporary is removed. The
 * file is on the disk before it gets the name, and then its directory is, where they can be synced at all.
 * What went to standard output stays a well-formed prefix either way (a gzip member is ended). STATUS_SYSTEM after a
 * message: then the output is not complete. */
enum status sink_close(struct sink *s, bool keep) MUST_CHECK;

#endif
