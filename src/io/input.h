/* An input file as a stream of bytes, which are inflated if the file is compressed. */
#ifndef PSCAN_IO_INPUT_H
#define PSCAN_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/problem.h"
#include "base/status.h"
#include "base/pool.h"
#include "io/input_name.h"

struct bgzf_index;
struct input;
struct input_copies;

/* The text of the message for a file that became shorter while it was read. */
extern const char input_shrunk_text[];

/* The most bytes that input_peek returns, unless input_widen_block was called. */
#define INPUT_BLOCK_SIZE 4096

/* Opens the file `name`, or standard input for "-". `name` must outlive the input. may_be_elements: the file may
 * consist of binary elements; if it looks compressed but cannot be read as such, it is read as it is. The caller ends
 * the input with input_close. On failure returns the status with the reason in *problem, and *input is unchanged;
 * nothing was printed, unless problem->text is empty. */
enum status input_open(const char *name, bool may_be_elements, struct input **input,
		       struct problem *problem) MUST_CHECK;
/* input_open for input `number` of a run. Reading stops when stop_fd becomes readable; -1: never. copies: borrowed;
 * NULL unless the run reads all its inputs twice (io/input_copy.h). */
enum status input_open_of(struct input_copies *copies, size_t number, const char *name, int stop_fd,
			  bool may_be_elements, struct input **input, struct problem *problem) MUST_CHECK;
/* Drops one reference. Dropping the last one frees the input and closes the file, but not standard input. If standard
 * input is an uncompressed regular file, its offset is then after the consumed bytes. in may be NULL. Any thread. */
void input_close(struct input *in);

/* Returns the file's name for messages. */
const char *input_name(const struct input *in);

/* Sets *block and *size to the input's first bytes, without consuming them. Call it before anything is consumed. There
 * are INPUT_BLOCK_SIZE bytes, or fewer if the input ends, fails or pauses; LINE_PADDING bytes after them can be read,
 * too, and are undefined. The block is borrowed until input_widen_block or input_close. lines: a pause counts only
 * after a complete line. Another call may return more bytes. A failure is reported later, by input_read. */
void input_peek(struct input *in, bool lines, const unsigned char **block, size_t *size);

/* Whether input_peek has returned as many bytes as it can. */
bool input_fills_block(const struct input *in);
/* Lets input_peek return twice as many bytes. The block moves: call input_peek again. Nothing may have been consumed.
 * STATUS_SYSTEM after a message if memory is missing; the block then stays. */
enum status input_widen_block(struct input *in) MUST_CHECK;

/* Sets *block (borrowed) and *size to the bytes that input_peek has returned and that are not consumed yet. */
void input_peeked(const struct input *in, const unsigned char **block, size_t *size);

/* Whether input_peek came upon a failure or a warning after the peeked bytes. If so, *problem becomes this failure or
 * warning, which input_read will report again once the peeked bytes are consumed. Otherwise *problem is unchanged. */
bool input_late_problem(const struct input *in, struct problem *problem);

/* Call this after input_peek. Returns whether the peeked bytes are known to be the whole input. False if the input is
 * compressed, and if only another reading could show that it has ended. */
bool input_is_peeked(const struct input *in);

/* Reads at most `size` bytes, and at least one, unless the input has ended or was stopped: *got is then 0. If reading
 * fails, returns STATUS_SYSTEM or STATUS_DATA with the reason in *problem; *got bytes were read before the failure, and
 * nothing was printed, unless problem->text is empty. With STATUS_OK, *problem is unchanged, or becomes a warning at
 * the input's end (bytes after a compressed frame). */
enum status input_read(struct input *in, void *buffer, size_t size, size_t *got, struct problem *problem) MUST_CHECK;

/* Waits some milliseconds for input, and returns true if none has come. Returns false at once for regular files, at the
 * input's end, and while peeked bytes are left. */
bool input_pauses(struct input *in);
/* Returns the number of the frame (from 1) of a compressed input of which bytes were returned that no checksum has
 * confirmed. 0: checksums have confirmed all returned bytes, or the input is not compressed. */
uint64_t input_unchecked(const struct input *in);
/* Whether reading was stopped by stop_fd. Always false for regular files, which are not polled. */
bool input_stopped(const struct input *in);

/* Whether an uncompressed regular file was consumed to its present end. False for any other input, for a file of size
 * 0, and after a failure that input_read has yet to report. If false, only input_read can tell whether this is the
 * end. */
bool input_at_end(const struct input *in);

/* Consumes up to `size` of the next bytes of an uncompressed regular file without reading them. They are the *got bytes
 * of the file from *offset on. Returns false for any other input, and at the file's end; the caller must then use
 * input_read. */
bool input_window(struct input *in, size_t size, uint64_t *offset, size_t *got);
/* Sets *offset to the place of the next byte of an uncompressed regular file that was not empty when it was opened.
 * False for other input. */
bool input_place(const struct input *in, uint64_t *offset);
/* Makes an input of an open file other than standard input. Only input_read_at, input_name, input_hold and input_close
 * may be used with this input. The input owns the descriptor; name: borrowed, for messages. NULL after a message if
 * memory is missing; the descriptor is then closed. */
struct input *input_of_descriptor(int fd, const char *name);
/* Returns the bytes of an uncompressed regular file after those that were read, peeked or consumed. 0 for other
 * input. */
uint64_t input_bytes_left(const struct input *in);
/* Sets *bytes to the remaining bytes, peeked ones included, of an uncompressed regular file. Returns false for other
 * input, for a file that was empty when it was opened, and if the file is now shorter than the part that was read. */
bool input_known_bytes(const struct input *in, uint64_t *bytes);
/* Skips the first `bytes` bytes of an uncompressed regular file. Nothing may have been consumed. */
void input_skip(struct input *in, uint64_t bytes);
/* Reads and discards the next `bytes` bytes, or as many as there are. *passed becomes their number. On failure returns
 * the status with the reason in *problem. */
enum status input_pass(struct input *in, uint64_t bytes, uint64_t *passed, struct problem *problem) MUST_CHECK;
/* Skips the first `bytes` inflated bytes of a BGZF file with the index `index`. The file must have more than `bytes`
 * inflated bytes. Nothing may have been peeked or consumed. On failure returns the status with the reason in
 * *problem. */
enum status input_skip_members(struct input *in, const struct bgzf_index *index, uint64_t bytes,
			       struct problem *problem) MUST_CHECK;
/* Lets reading begin at an offset of a compressed file, where a gzip member must begin. Nothing may have been peeked or
 * consumed. */
void input_go_to_member(struct input *in, uint64_t offset);
/* Whether an uncompressed regular file is now shorter than the part that was consumed. */
bool input_has_shrunk(const struct input *in);
/* Gives back the last `rest` bytes that were consumed: they will be read again. Returns false and changes nothing if
 * the input is not an uncompressed regular file, or if peeked bytes are left. */
bool input_give_back(struct input *in, size_t rest);
/* Reads `size` bytes at an offset of the file and returns how many were read. If these are fewer, *problem becomes the
 * reason. Any thread, several at once. The caller needs a reference (input_hold). */
size_t input_read_at(struct input *in, void *buffer, size_t size, uint64_t offset, struct problem *problem);

/* Sets *size to the size of the file `name` in bytes; for "-" only the bytes from its present offset on count. Nothing
 * is inflated. False if it is not a regular file, or stat fails. May be called by a signal handler. */
bool input_size_by_name(const char *name, uint64_t *size);
/* Whether the input is a regular file. *fd becomes the input's descriptor (borrowed), *st what fstat returns for it. */
bool input_is_regular(const struct input *in, int *fd, struct stat *st);
/* Returns the name of the compressed format, or NULL if the input is not compressed. */
const char *input_compression(const struct input *in);
/* Whether the input is not compressed. */
bool input_is_plain(const struct input *in);
/* Returns the size of a regular file in bytes when it was opened, without inflating; of standard input only the bytes
 * from its offset on. 0: not known. */
uint64_t input_size(const struct input *in);
/* Returns the bytes of a compressed file that were used up. 0 for uncompressed input. */
uint64_t input_compressed_bytes(const struct input *in);

/* Adds a reference and returns the input. The caller needs a reference. Every reference is dropped by one input_close.
 * Any thread. */
struct input *input_hold(struct input *in);

/* Sets the pool (borrowed) that inflates a BGZF file from now on. Does nothing for other input. NULL: the pool is no
 * longer used, and the input must not be read any more if a pool has inflated it. No thread may be reading or inflating
 * during the call. */
void input_share(struct input *in, const struct pool *pool);

#endif
