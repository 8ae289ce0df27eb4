/* Where a file that a state knows is now, and whether other files begin as it does. */
#ifndef PSCAN_CLI_STATE_WHERE_H
#define PSCAN_CLI_STATE_WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/status.h"
#include "cli/args.h"
#include "cli/state_head.h"

/* The files that a state knows. Of two with one inode the later one is what that inode was seen with last; what the
 * earlier one tells is what bytes some file had. Borrowed. */
struct state_known {
	const struct saved_input *files;
	size_t count;
};

enum state_where {
	WHERE_GONE, /* it is not found, or its inode was seen with other bytes since */
	WHERE_CUT, /* it has its name and inode, and no longer begins with what was taken */
	WHERE_THERE, /* it begins so, whatever its name is now */
};

/* A file that is open, and what it was found to be. */
struct state_place {
	int fd; /* -1: none is open */
	struct stat st;
	enum state_where where;
};

/* The inode is the known file's. */
bool state_has_inode(const struct saved_input *known, const struct stat *st);
/* The last of the known files with the inode, or SIZE_MAX. */
size_t state_find_inode(const struct state_known *known, const struct stat *st);

/* Whether a known file is an array (.npy) that was taken. */
bool state_is_array(const struct saved_input *known);
/* How many bytes of a known file do not belong to a header that may be rewritten in place. */
uint64_t state_body(const struct saved_input *known);
/* Whether a file begins with what was taken of a known one: what was taken ends at *end in it. *error: it cannot be
 * read. */
bool state_fits(const struct saved_input *known, int fd, const struct stat *st, uint64_t *end, int *error);

/* Opens a regular file to look at it; -1: it is not a regular file. STATUS_SYSTEM after a message. */
enum status state_open_input(const char *name, int *fd, struct stat *st) MUST_CHECK;
void state_close_input(int fd);

/* Looks for a known file: by its name, by the inputs' ones, and in the directory of its own. The place's fd is the
 * caller's to give to state_close_input. */
struct state_place state_look_for(const struct state_known *known, size_t which, const struct options *o);
/* Whether all bytes of a file are the first ones of that place's, as far as hashes at both ends tell. */
bool state_is_begin_of(const struct state_place *place, const struct saved_input *known, int fd, const struct stat *st);

/* An input could not be read, for that error; 0: it is shorter than it was. Gives STATUS_SYSTEM back. */
enum status state_input_failed(const char *name, int error);

#endif
