/* Inputs that are read twice. A regular file is opened again. The bytes of other inputs are copied to temporary files
 * during the first reading, and the second reading reads the copies. (A directory counts as a regular file here;
 * reading reports what is wrong.) */
#ifndef PSCAN_IO_INPUT_COPY_H
#define PSCAN_IO_INPUT_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/problem.h"
#include "base/status.h"

/* One input. */
struct input_copy {
	int fd; /* The copy, a temporary file. Owned. -1: there is no copy. */
	int error; /* errno of stat, if stat failed in input_copies_new; otherwise 0. */
	uint64_t size; /* Bytes of the copy. */
	/* The input is a regular file or a directory, and the first reading has opened it: `seen` and `begin` are
	 * set. */
	bool is_known;
	struct stat seen; /* What fstat returned when the first reading opened the input. */
	off_t begin; /* The offset at which that reading began. Only standard input's may be greater than 0. */
};

/* All inputs of a run. */
struct input_copies {
	char *const *names; /* Borrowed. */
	size_t count;
	bool is_second; /* The second reading has begun. Set by the caller. */
	struct input_copy inputs[];
};

/* Opens a temporary file for each named input that exists and is not a regular file. Call it before the sandbox is
 * entered. names: borrowed until input_copies_free, with which the caller frees *copies. STATUS_SYSTEM after a message;
 * *copies is then unchanged. */
enum status input_copies_new(char *const *names, size_t count, struct input_copies **copies) MUST_CHECK;
/* Closes the temporary files, which removes them, and frees the copies. copies may be NULL. */
void input_copies_free(struct input_copies *copies);

/* Call this when the first reading has opened an input, before it reads from it. fd: the input's descriptor. st: what
 * fstat returned for it. STATUS_SYSTEM with the reason in *problem if the input needs a copy and input_copies_new made
 * none, or the other way round: the input was replaced meanwhile, or stat failed then. */
enum status input_copy_begin(struct input_copy *copy, int fd, const struct stat *st,
			     struct problem *problem) MUST_CHECK;
/* Appends bytes that the first reading has read to the copy. Does nothing for a regular file. STATUS_SYSTEM with the
 * reason in *problem if the copy cannot be written. */
enum status input_copy_add(struct input_copy *copy, const void *data, size_t size, struct problem *problem) MUST_CHECK;
/* Returns a descriptor from which the second reading reads the input `name`, or -1 with errno. Its offset is where the
 * first reading began. The caller closes the descriptor, unless it is STDIN_FILENO. Only one descriptor of a copy may
 * be open at a time. */
int input_copy_open(const struct input_copy *copy, const char *name);
/* Whether *st, from stat or fstat, describes the file that the first reading has opened, unchanged since. True if the
 * input was copied, or if the first reading has not opened it. */
bool input_copy_is_same(const struct input_copy *copy, const struct stat *st);
/* Call this after the second reading. STATUS_SYSTEM after a message if a file that was read twice has changed or is
 * gone since the first reading. */
enum status input_copies_check(const struct input_copies *copies) MUST_CHECK;

/* The text of the message for a file that has changed. */
extern const char input_changed_text[];

#endif
