/* Inputs that are read twice. A regular file is opened again. What other inputs give is copied to a temporary file
 * during the first reading, and the second one reads the copy. */
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
	int fd; /* The copy, a temporary file. Owned. -1: the input needs no copy. */
	int error; /* errno of the stat that failed when the copies were made, or 0. */
	uint64_t size; /* Bytes of the copy. */
	bool is_known; /* The input is a regular file that the first reading has opened: `seen` and `begin` are set. */
	struct stat seen; /* What fstat returned then. */
	off_t begin; /* The offset at which reading began. Only standard input's may be greater than 0. */
};

/* All inputs of a run. */
struct input_copies {
	char *const *names; /* Borrowed. */
	size_t count;
	bool is_second; /* The second reading has begun. */
	struct input_copy inputs[];
};

/* Opens temporary files for those of the named inputs that are no regular files. Call it before the sandbox is entered.
 * names: borrowed. The caller frees *copies with input_copies_free. STATUS_SYSTEM after a message. */
enum status input_copies_new(char *const *names, size_t count, struct input_copies **copies) MUST_CHECK;
/* NULL: does nothing. */
void input_copies_free(struct input_copies *copies);

/* Notes that the first reading has opened an input whose descriptor is fd and whose state is *st. STATUS_SYSTEM with
 * *problem if the input is of another kind than when the copies were made. */
enum status input_copy_begin(struct input_copy *copy, int fd, const struct stat *st,
			     struct problem *problem) MUST_CHECK;
/* Appends bytes that the first reading has read to the copy. Does nothing for a regular file. STATUS_SYSTEM with
 * *problem if they cannot be written. */
enum status input_copy_add(struct input_copy *copy, const void *data, size_t size, struct problem *problem) MUST_CHECK;
/* Returns the descriptor from which the second reading reads the input, standing at its first byte, or -1 with errno.
 * The caller closes it, unless it is STDIN_FILENO. */
int input_copy_open(const struct input_copy *copy, const char *name);
/* Whether this is the file, unchanged, that the first reading has opened. True for copies. */
bool input_copy_is_same(const struct input_copy *copy, const struct stat *st);
/* Call it after the second reading. STATUS_SYSTEM after a message if a file has changed since the first one. */
enum status input_copies_check(const struct input_copies *copies) MUST_CHECK;

/* The text of the message for a file that has changed. */
extern const char input_changed_text[];

#endif
