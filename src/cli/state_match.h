/* Finds out which of the files that a state knows a given file is. */
#ifndef PSCAN_CLI_STATE_MATCH_H
#define PSCAN_CLI_STATE_MATCH_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"
#include "cli/args.h"
#include "cli/state_where.h"

/* The known file that a regular file continues. */
struct state_found {
	size_t known; /* the index of the known file; SIZE_MAX: the file is new */
	uint64_t end; /* the offset in the file after what was read of the known file */
	bool is_part; /* the file has only a part of what was read of the known file */
	bool is_cut; /* the file was copied before the known file was cut */
	size_t copied; /* the index of a known file that is there and has the file's bytes, perhaps more; or SIZE_MAX */
};

/* Identifies a file. fd: the open file, whose offset does not change. STATUS_USAGE after a message: it is in doubt.
 * STATUS_SYSTEM after a message: it cannot be read. */
enum status state_match(const struct state_known *known, const struct options *o, const char *name, int fd,
			const struct stat *st, struct state_found *found) MUST_CHECK;

/* The number of lines of a file's header that are certain before it is read. */
uint64_t state_match_header(const struct options *o);
/* Whether the first `size` bytes of the named file hold no record: they are empty, or only a header. */
bool state_match_in_header(const struct options *o, const char *name, uint64_t size);
/* Whether only a header was read of a known file. name: a file that begins with the bytes that were read. */
bool state_match_is_header(const struct saved_input *known, const struct options *o, const char *name);

#endif
