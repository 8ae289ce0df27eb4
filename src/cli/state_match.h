/* Which of the files that a state knows a file is. */
#ifndef PSCAN_CLI_STATE_MATCH_H
#define PSCAN_CLI_STATE_MATCH_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"
#include "cli/args.h"
#include "cli/state_head.h"

/* The known ones. Borrowed. */
struct state_known {
	const struct saved_input *files;
	size_t count;
};

/* The inode is the known file's. */
bool state_match_inode(const struct saved_input *known, const struct stat *st);

/* *found: the index of the known file that a regular file goes on after, or SIZE_MAX: it is a new one. fd: the file,
 * open; it is not read from its place. STATUS_USAGE after a message: one cannot know; STATUS_SYSTEM: it cannot be
 * read. */
enum status state_match(const struct state_known *known, const struct options *o, const char *name, int fd,
			const struct stat *st, size_t *found) MUST_CHECK;

/* Lines of a file's header, as far as they are sure before it is read. */
uint64_t state_match_header(const struct options *o);

/* How messages call an input. */
const char *state_match_name(char shown[], const char *name);
/* An input could not be read, for that error; 0: it is shorter than it was. Gives STATUS_SYSTEM back. */
enum status state_match_fail(const char *name, int error);

#endif
