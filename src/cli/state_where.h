/* Finds where a file that a state knows is now, and whether other files begin with its bytes. */
#ifndef PSCAN_CLI_STATE_WHERE_H
#define PSCAN_CLI_STATE_WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/status.h"
#include "cli/args.h"
#include "cli/state_head.h"

/* The files that a state knows. Borrowed. If two have one inode, the later one is the file that last had the inode; the
 * earlier one only shows which bytes some file had. */
struct state_known {
	const struct saved_input *files;
	size_t count;
};

enum state_where {
	WHERE_GONE, /* it was not found, or its inode was seen with other bytes since */
	WHERE_CUT, /* a file has its name and inode, but no longer begins with what was read */
	WHERE_THERE, /* it begins with what was read, under any name */
};

/* An open file, and the result of the search. */
struct state_place {
	int fd; /* -1: none is open */
	struct stat st;
	enum state_where where;
};

/* Whether the inode is the known file's. */
bool state_has_inode(const struct saved_input *known, const struct stat *st);
/* The index of the last known file with the inode, or SIZE_MAX. */
size_t state_find_inode(const struct state_known *known, const struct stat *st);

/* Whether a known file is an array (.npy). */
bool state_is_array(const struct saved_input *known);
/* How many bytes of a known file do not belong to a header that may be rewritten in place. */
uint64_t state_body(const struct saved_input *known);
/* Whether a file begins with what was read of a known one. *end becomes the offset after it in the file. *error: the
 * errno if the file cannot be read. */
bool state_fits(const struct saved_input *known, int fd, const struct stat *st, uint64_t *end, int *error);

/* Opens a regular file to look at it; -1: it is not a regular file. STATUS_SYSTEM after a message. */
enum status state_open_input(const char *name, int *fd, struct stat *st) MUST_CHECK;
void state_close_input(int fd);

/* Looks for a known file under its name, under the inputs' names, and in its directory. The caller closes the place's
 * fd with state_close_input. */
struct state_place state_look_for(const struct state_known *known, size_t which, const struct options *o);
/* Whether the file at `place` begins with all bytes of another file, according to hashes at both ends. */
bool state_is_begin_of(const struct state_place *place, const struct saved_input *known, int fd, const struct stat *st);

/* Prints that an input could not be read. error: the errno; 0: it is shorter than it was. Returns STATUS_SYSTEM. */
enum status state_input_failed(const char *name, int error);

#endif
