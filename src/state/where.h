/* Finds where a file that a state knows is now, and whether other files begin with its bytes. */
#ifndef PSCAN_STATE_WHERE_H
#define PSCAN_STATE_WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/status.h"
#include "cli/args.h"
#include "state/head.h"
#include "source/source.h"

/* The files that earlier runs have read. Borrowed. If two entries have one inode, the later entry is the file that had
 * the inode last. The earlier entry then stands only for the bytes that were read. */
struct state_known {
	const struct saved_input *files;
	size_t count;
};

/* Where a known file is now. */
enum state_where {
	WHERE_GONE, /* No file was found, or a later known file has had the inode. */
	WHERE_CUT, /* A file has the known file's name and inode, but does not begin with the bytes that were read. */
	/* Of a known file that is not compressed: a file, under any name, has its inode and begins with the bytes that
	 * were read. Of a compressed one: a file has its name. Inode and content are not looked at. */
	WHERE_THERE,
};

/* The result of looking for a known file. */
struct state_found_file {
	int fd; /* The open file. Owned. -1: `where` is WHERE_GONE, or the known file is compressed and not opened. */
	struct stat st; /* Set if `where` is not WHERE_GONE. */
	enum state_where where;
};

/* Whether *st has the device and inode of the known file. */
bool state_has_inode(const struct saved_input *known, const struct stat *st);
/* Returns the index of the last known file with the device and inode of *st, or SIZE_MAX. */
size_t state_find_inode(const struct state_known *known, const struct stat *st);

/* Whether a known file is an array (.npy). */
bool state_is_array(const struct saved_input *known);
/* Returns the bytes that were read of a known file, without a header that may be rewritten in place. */
uint64_t state_body(const struct saved_input *known);
/* Whether the open file fd begins with the bytes that were read of a known file, after a header of its own. Bytes are
 * compared only by their number and the hashes of the first and the last 4 KiB. *st: from fstat. *end becomes the
 * offset after these bytes in the file. *error becomes the errno if the file cannot be read, otherwise 0. */
bool state_fits(const struct saved_input *known, int fd, const struct stat *st, uint64_t *end, int *error);

/* Whether the bytes of a known file may begin with certain other bytes. The other bytes must be fewer. starts: the
 * hashes of the other bytes' beginnings. False: the known file certainly does not begin with them. */
bool state_may_begin(const struct saved_input *known, const struct source_starts *starts);

/* Describes the input `name` in *st, and opens it if it is a regular file ("-": *fd becomes STDIN_FILENO). For any
 * other input *fd becomes -1. STATUS_SYSTEM after a message if there is no such file or it cannot be opened. The caller
 * closes fd with state_close_input, also after a failure. */
enum status state_open_input(const char *name, int *fd, struct stat *st) MUST_CHECK;
/* Closes a descriptor, unless it is standard input or -1. */
void state_close_input(int fd);

/* Looks for known file number `which`, by its inode: under its name, under the names of the inputs, and in its
 * directory. The caller closes the place's fd with state_close_input. */
struct state_found_file state_look_for(const struct state_known *known, size_t which, const struct options *o);
/* Whether the file at `place` begins, after its header, with `size` bytes of which the first and the last 4 KiB have
 * these hashes. True only for WHERE_THERE. *known: the known file at `place`. */
bool state_begins(const struct state_found_file *place, const struct saved_input *known, uint64_t size, uint64_t first,
		  uint64_t last);
/* Whether the file at `place` begins with all bytes of the open file fd, both without headers. True only for
 * WHERE_THERE. *known: the known file at `place`. *st: fd's, from fstat. Bytes are compared only by the hashes of the
 * first and the last 4 KiB. */
bool state_is_begin_of(const struct state_found_file *place, const struct saved_input *known, int fd,
		       const struct stat *st);

/* Prints that an input could not be read. error: the errno, or 0 if the file became shorter. Always returns
 * STATUS_SYSTEM. */
enum status state_input_failed(const char *name, int error);

#endif
