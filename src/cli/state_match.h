/* Which of the files that a state knows a file is. */
#ifndef PSCAN_CLI_STATE_MATCH_H
#define PSCAN_CLI_STATE_MATCH_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"
#include "cli/args.h"
#include "cli/state_where.h"

/* What a regular file goes on after. */
struct state_found {
	size_t known; /* the known file, or SIZE_MAX: it is a new one */
	uint64_t end; /* where what was taken of that ends in the file */
	bool is_part; /* the file has only a part of what was taken of that */
	bool is_cut; /* the file was copied before that one was cut */
	size_t copied; /* a known file that is there and has the file's bytes, perhaps more, or SIZE_MAX */
};

/* fd: the file, open; it is not read from its place. STATUS_USAGE after a message: one cannot know; STATUS_SYSTEM: it
 * cannot be read. */
enum status state_match(const struct state_known *known, const struct options *o, const char *name, int fd,
			const struct stat *st, struct state_found *found) MUST_CHECK;

/* Lines of a file's header, as far as they are sure before it is read. */
uint64_t state_match_header(const struct options *o);
/* Whether the first `size` bytes of the named file hold no record: they are empty, or only a header. */
bool state_match_in_header(const struct options *o, const char *name, uint64_t size);
/* Whether what was taken of a known file is a header alone, by the file of that name, which begins with it. */
bool state_match_is_header(const struct saved_input *known, const struct options *o, const char *name);

#endif
