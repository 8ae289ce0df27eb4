/* Replaces a file as a whole. A temporary file beside it (for a symlink, beside the link's target) is written and gets
 * the file's name in the end, or is removed. Something that exists and is not a regular file, such as /dev/null or a
 * FIFO, is written directly. So is a path that names a descriptor of the program. */
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

/* Opens a new file for path. A part can have one file at a time. STATUS_SYSTEM after a message; there is nothing to
 * close then. */
enum status new_file_open(struct new_file *f, const char *path, enum ending_part part) MUST_CHECK;
/* Opens the temporary file that another process has made for path, to write a part of it. new_file_close then syncs it
 * but does not rename it. STATUS_SYSTEM after a message. */
enum status new_file_open_part(struct new_file *f, const char *path, enum ending_part part,
			       const char *temporary) MUST_CHECK;
/* Opens a file without a name in path's directory. It is gone when it is closed. STATUS_SYSTEM after a message. */
enum status new_file_open_scratch(struct new_file *f, const char *path) MUST_CHECK;
/* Sets the temporary file that `part` removes if a signal ends the program; "": none. One thread. If the file may exist
 * already, call it between ending_hold and ending_release. */
void new_file_remember(enum ending_part part, const char *temporary);
/* As new_file_remember, for another process's temporary file. */
void new_file_watch(enum ending_part part, const char *temporary);
/* Returns the name of the temporary file (borrowed), or NULL. */
const char *new_file_temporary(const struct new_file *f);
/* Closes the file. keep: syncs it, gives it its name, and syncs its directory. Otherwise removes it. STATUS_SYSTEM
 * after a message if any of this fails; the file is then not complete. */
enum status new_file_close(struct new_file *f, bool keep) MUST_CHECK;
/* Closes and removes the file without a message: after a failure that was reported, or where nothing was written. */
void new_file_abandon(struct new_file *f);

#endif
