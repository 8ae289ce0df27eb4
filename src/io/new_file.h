/* A file that is written anew, as a whole: a temporary file beside it (beside a symlink's target) gets its name in the
 * end, or is removed. What exists and is no regular file, as /dev/null or a FIFO, is written directly, and so is what
 * a path means that leads to a descriptor of the program. */
#ifndef PSCAN_IO_NEW_FILE_H
#define PSCAN_IO_NEW_FILE_H

#include <stdbool.h>

#include "base/message.h"
#include "base/status.h"
#include "process/ending.h"

struct new_file {
	int fd; /* to be written, or -1. Owned */
	char name[MESSAGE_NAME_SIZE]; /* for messages */
	char *target; /* the name that the temporary file gets in the end; NULL: it is written directly. Owned */
	int directory; /* the one that it is in, or -1. Opened early: the sandbox forbids reading it. Owned */
	bool is_part; /* it is another process's temporary file */
	enum ending_part part; /* that removes the temporary file if a signal ends the program */
};

/* Opens path. One file at a time has a part. STATUS_SYSTEM after a message; then there is nothing to close. */
enum status new_file_open(struct new_file *f, const char *path, enum ending_part part) MUST_CHECK;
/* Opens the temporary file that another process has made for path, to write a part of it. What is written is on the
 * disk when it is closed; the name is that process's. STATUS_SYSTEM after a message. */
enum status new_file_open_part(struct new_file *f, const char *path, enum ending_part part,
			       const char *temporary) MUST_CHECK;
/* Opens a file without a name where path's would be, which is gone when it is closed. STATUS_SYSTEM after a message. */
enum status new_file_open_scratch(struct new_file *f, const char *path) MUST_CHECK;
/* From now on a signal that ends the program removes this temporary file, as the part's only one; "": none. One
 * thread, between ending_hold and ending_release if the file may be there already. */
void new_file_remember(enum ending_part part, const char *temporary);
/* As new_file_remember, for another process's temporary file. */
void new_file_watch(enum ending_part part, const char *temporary);
/* The temporary file, for the sandbox, or NULL. */
const char *new_file_temporary(const struct new_file *f);
/* Closes the file. keep: it is complete and gets its name, once it is on the disk, and then its directory is; else it
 * is removed. STATUS_SYSTEM after a message: it is not complete. */
enum status new_file_close(struct new_file *f, bool keep) MUST_CHECK;
/* Closes and removes the file without a message: after a failure that was reported, or where nothing was written. */
void new_file_abandon(struct new_file *f);

#endif
