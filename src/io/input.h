/* One input file as a stream of bytes, inflated if it is compressed. The source and main use it. */
#ifndef PSCAN_IO_INPUT_H
#define PSCAN_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/problem.h"
#include "base/status.h"
#include "base/pool.h"

struct bgzf_index;
struct input;

/* What is said of a file that is shorter than it was. */
extern const char input_shrunk_text[];

/* Bytes that are looked at before anything is consumed. */
#define INPUT_BLOCK_SIZE 4096

/* Opens a file by name, "-" is standard input. stop_fd: reading gives up when it becomes readable, or -1.
 * may_be_elements: a file that begins as a compressed one, but as none that can be read, is taken as it is. On failure
 * the status, and *problem says why in words (nothing is printed). */
enum status input_open(const char *name, int stop_fd, bool may_be_elements, struct input **input,
		       struct problem *problem) MUST_CHECK;
/* Leaves a regular file's descriptor after what was consumed. NULL is allowed. Any thread. */
void input_close(struct input *in);

/* How the file is called in messages. */
const char *input_name(const struct input *in);

/* The first bytes, without consuming them: INPUT_BLOCK_SIZE of them, or fewer if the file ends, or the input pauses
 * (with lines: after a complete line). Called again, it goes on after the pause. What goes wrong meanwhile is reported
 * by input_read. */
void input_peek(struct input *in, bool lines, const unsigned char **block, size_t *size);

/* What was peeked so far. */
void input_peeked(const struct input *in, const unsigned char **block, size_t *size);

/* What went wrong after these bytes; false: nothing yet. */
bool input_late_problem(const struct input *in, struct problem *problem);

/* After input_peek: whether what it has given is all there is. */
bool input_is_peeked(const struct input *in);

/* Reads at least one byte unless the input ends (*got = 0). STATUS_SYSTEM or STATUS_DATA with *problem: then the *got
 * bytes are still sound. *problem may also hold a warning (bytes after a compressed frame) at the end. */
enum status input_read(struct input *in, void *buffer, size_t size, size_t *got, struct problem *problem) MUST_CHECK;

/* Whether nothing comes for a moment: only for pipes, terminals and sockets. */
bool input_pauses(struct input *in);
/* Whether it is compressed, and a checksum is still to come of something that was read. */
bool input_is_within(const struct input *in);
/* Whether reading was given up because of stop_fd. */
bool input_stopped(const struct input *in);

/* Whether a regular file that is not compressed is read to its present end. Of others nobody knows before they are
 * read. */
bool input_at_end(const struct input *in);

/* Hands out up to size of the next bytes of a regular file that is not compressed without reading them: *got bytes at
 * *offset of the file. False: read instead (it is no such file, or at its end). */
bool input_window(struct input *in, size_t size, uint64_t *offset, size_t *got);
/* Bytes of such a file that were not handed out or read yet; 0 of another. */
uint64_t input_bytes_left(const struct input *in);
/* How many bytes it has that were not read, or only peeked; false of another. */
bool input_known_bytes(const struct input *in, uint64_t *bytes);
/* Passes over so many bytes of such a file, from its first on. Before anything was consumed. */
void input_skip(struct input *in, uint64_t bytes);
/* The same of a file of BGZF, whose members those are. What goes wrong is *problem. */
enum status input_skip_members(struct input *in, const struct bgzf_index *index, uint64_t bytes,
			       struct problem *problem) MUST_CHECK;
/* Goes on at an offset of the compressed file, where a member of gzip begins. Before anything was consumed. */
void input_go_to_member(struct input *in, uint64_t offset);
/* Whether such a file is shorter now than what was handed out or read of it. */
bool input_has_shrunk(const struct input *in);
/* Gives the last rest bytes that were read or handed out back. False if the file cannot do that. */
bool input_give_back(struct input *in, size_t rest);
/* Reads size bytes at an offset of the file. Fewer are read if that fails or the file became shorter: *problem says
 * why. Any thread, several at once, also after input_close by those who hold the input. */
size_t input_read_at(struct input *in, void *buffer, size_t size, uint64_t offset, struct problem *problem);

/* Bytes of a regular file, compressed or not, that input_open of this name would begin to read. False: nobody knows
 * how many they are. May be called by a signal handler. */
bool input_size_by_name(const char *name, uint64_t *size);
/* A regular file that is open: its descriptor, and what fstat says of it. False: it is another kind of file. */
bool input_is_regular(const struct input *in, int *fd, struct stat *st);
/* What it is compressed with, as its tool is called, or NULL. */
const char *input_compression(const struct input *in);
/* Whether it is read as it stands, not inflated. */
bool input_is_plain(const struct input *in);
/* How many they were when this one was opened; 0: nobody knew. */
uint64_t input_size(const struct input *in);
/* Bytes of a compressed file that were used up; 0 of another file. */
uint64_t input_compressed_bytes(const struct input *in);

/* One more owner, who ends that with input_close. */
struct input *input_hold(struct input *in);

/* From now on a file of gzip members that say their sizes is inflated by a pool (borrowed), whose tasks are
 * input_inflate; NULL: no longer. Threads that read or inflate do not run. */
void input_share(struct input *in, const struct pool *pool);
void input_inflate(struct input *in, size_t block);

#endif
