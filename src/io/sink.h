/* The output of results: standard output or a file, compressed on request. No other module writes there. */
#ifndef PSCAN_IO_SINK_H
#define PSCAN_IO_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "io/blocks.h"

struct sink;

/* Opens path. NULL, "-" or a name of descriptor 1: standard output. A regular or new file is written under a temporary
 * name beside it and gets its own name in sink_close. Only one sink of sink_open or sink_open_part can be open at a
 * time. compressor NULL: the output is not compressed, and level is not used; otherwise level must be one of the
 * compressor's. The caller ends the sink with sink_close. STATUS_SYSTEM after a message if the output cannot be opened;
 * *sink is then unchanged. */
enum status sink_open(const char *path, const struct compressor *compressor, int level, struct sink **sink) MUST_CHECK;
/* Lets other processes write the later parts of the file (sink_open_part). This process writes the first part.
 * sink_close, which must follow the closing of all other parts, then leaves the file as long as it is. */
void sink_begin_parts(struct sink *s);
/* Opens a part of a file that another process has opened; `temporary` is what sink_temporary returns in that process.
 * The part begins at `offset`. path is for messages. sink_close does not rename the file. STATUS_SYSTEM after a
 * message; *sink is then unchanged. */
enum status sink_open_part(const char *path, const char *temporary, uint64_t offset, struct sink **sink) MUST_CHECK;
/* Opens a sink for a part whose place is not known yet: a file without a name beside path, which is gone when it is
 * closed. STATUS_SYSTEM after a message; *sink is then unchanged. */
enum status sink_open_scratch(const char *path, struct sink **sink) MUST_CHECK;
/* Writes to s everything that was written to `scratch`, a sink of sink_open_scratch. STATUS_SYSTEM after a message. */
enum status sink_append(struct sink *s, struct sink *scratch) MUST_CHECK;
/* Opens a sink that drops everything. STATUS_SYSTEM after a message if memory is missing; *sink is then NULL. */
enum status sink_open_nowhere(struct sink **sink) MUST_CHECK;
/* Whether sink_open_nowhere opened the sink. */
bool sink_is_nowhere(const struct sink *s);
/* Writes all of `size` bytes. STATUS_SYSTEM after a message; the sink can then only be closed. One thread at a time. */
enum status sink_write(struct sink *s, const void *data, size_t size) MUST_CHECK;
/* Writes all of `size` bytes with one sink_write for each line. STATUS_SYSTEM after a message. One thread at a time. */
enum status sink_write_lines(struct sink *s, const void *data, size_t size) MUST_CHECK;
/* Sets the pool that helps to compress (blocks_share). Does nothing if the output is not compressed. STATUS_SYSTEM
 * after a message if memory is missing. */
enum status sink_share(struct sink *s, const struct pool *pool) MUST_CHECK;
/* Writes buffered data and ends the compressed stream. Nothing may be written afterwards. sink_close calls it if the
 * caller has not. STATUS_SYSTEM after a message, also if an earlier write has failed. */
enum status sink_finish(struct sink *s) MUST_CHECK;
/* Returns the compressed bytes that were written so far. 0 if the output is not compressed. */
uint64_t sink_compressed_bytes(const struct sink *s);
/* Returns the name of the output's temporary file (borrowed until sink_close). NULL without such a file. */
const char *sink_temporary(const struct sink *s);
/* If the sink writes to descriptor 1: moves this output to another descriptor and makes descriptor 1 /dev/null, so that
 * libraries that are loaded later cannot write to the output by accident. Does nothing, without a message, if no
 * descriptor is left or /dev/null cannot be opened. No other thread may use the sink or descriptor 1 during the
 * call. */
void sink_leave_standard_output(struct sink *s);
/* Whether sink_write_at may be used. The output must be an uncompressed regular file, not opened for appending, that
 * ends where the output begins, and must not also be standard error. */
bool sink_is_in_place(const struct sink *s);
/* Writes `size` bytes at an offset from the output's beginning, if sink_is_in_place. False without a message if this
 * fails; the caller must then write these bytes with sink_write, which reports the error. Any thread, several at
 * once. */
bool sink_write_at(struct sink *s, const void *data, size_t size, uint64_t offset);
/* Counts the next `size` bytes as part of the output. sink_write_at has written them. sink_close cuts off the bytes
 * after the counted ones, unless the sink writes a part of a file (sink_begin_parts, sink_open_part). One thread at a
 * time. */
void sink_advance(struct sink *s, size_t size);
/* sink_write_at for the thread that calls sink_write. STATUS_SYSTEM after a message if this fails. */
enum status sink_rewrite(struct sink *s, const void *data, size_t size, uint64_t offset) MUST_CHECK;
/* Returns the bytes of output so far, before compression: those of sink_write and sink_advance. */
uint64_t sink_written_bytes(const struct sink *s);
/* Ends the output, closes its descriptor and frees the sink. keep: a file is synced, gets its name, and its directory
 * is synced, if the file system can; otherwise its temporary file is removed. Standard output is a well-formed prefix,
 * also without `keep` (a gzip member is ended). STATUS_SYSTEM after a message of this call or of an earlier one; the
 * output is then not complete, unless only the directory could not be synced. */
enum status sink_close(struct sink *s, bool keep) MUST_CHECK;

#endif
