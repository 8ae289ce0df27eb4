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
	int fd; /* The file to write. Owned. -1: closed. */
	char name[MESSAGE_NAME_SIZE]; /* The path, escaped for messages. */
	char *target; /* The name that the temporary file gets in the end. Owned. NULL: the file is written directly. */
	int directory; /* The target's directory, opened before the sandbox forbids it. Owned. -1: it cannot be read. */
	bool is_part; /* The file is a temporary file that another process has made. */
	enum ending_part part; /* The part that removes the temporary file if a signal ends the program. */
};

/* Opens *f for writing a new file `path`. The caller ends it with new_file_close or new_file_abandon. `part` can have
 * only one file at a time. STATUS_SYSTEM after a message; *f must then not be closed. */
enum status new_file_open(struct new_file *f, const char *path, enum ending_part part) MUST_CHECK;
/* Opens `temporary`, the temporary file that another process has made for path, to write a part of it. new_file_close
 * then syncs it but does not rename it. If a signal ends the program, the file is removed. STATUS_SYSTEM after a
 * message; *f must then not be closed. */
enum status new_file_open_part(struct new_file *f, const char *path, enum ending_part part,
			       const char *temporary) MUST_CHECK;
/* Opens a file without a name, for reading and writing, in path's directory. It is gone when it is closed.
 * STATUS_SYSTEM after a message; *f must then not be closed. */
enum status new_file_open_scratch(struct new_file *f, const char *path) MUST_CHECK;
/* Sets the temporary file that `part` removes if a signal ends the program. "": no file. Only one thread at a time may
 * call this. If the file may exist already, call it between ending_hold and ending_release. */
void new_file_remember(enum ending_part part, const char *temporary);
/* new_file_remember for a file that exists already, such as another process's temporary file. */
void new_file_watch(enum ending_part part, const char *temporary);
/* Returns the name of the temporary file of a file that new_file_open opened (borrowed; valid until that file is closed
 * or abandoned). NULL: the file is written directly, or another function opened it. */
const char *new_file_temporary(const struct new_file *f);
/* Closes the file. keep: a temporary file is synced and gets the file's name, and its directory is synced; a part is
 * synced. Otherwise a temporary file of new_file_open is removed. STATUS_SYSTEM after a message if any of this fails:
 * the path then names the file that it named before, unless only the sync of the directory failed; a file that was
 * written directly is perhaps not complete. */
enum status new_file_close(struct new_file *f, bool keep) MUST_CHECK;
/* Closes the file and removes the temporary file that new_file_open made. Prints nothing. */
void new_file_abandon(struct new_file *f);

#endif
