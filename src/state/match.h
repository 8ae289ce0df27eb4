/* Finds out which of the files that a state knows a given file is. */
#ifndef PSCAN_STATE_MATCH_H
#define PSCAN_STATE_MATCH_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"
#include "cli/args.h"
#include "state/where.h"

/* The known file that an input continues. */
struct state_found {
	size_t known; /* The index of the known file. SIZE_MAX: the input is new. */
	uint64_t end; /* The offset in the input after the bytes that earlier runs have read. */
	bool is_part; /* The input is, or with is_unsure may be, only the first part of the known file's bytes. */
	bool is_unsure; /* That the input is a part cannot be checked, because the known bytes are no longer there. */
	bool is_cut; /* The input is a copy of the known file, made before that file was cut. */
	/* The index of a known file that is there and begins with all of the input's bytes, or SIZE_MAX. */
	size_t copied;
};

/* Finds out which known file a regular file is. name, fd and *st describe the open file; its offset does not change.
 * Prints a warning if an unknown file is taken for a copy. STATUS_USAGE after a message if it is in doubt and --alike
 * does not decide it, STATUS_SYSTEM after a message if the file cannot be read. */
enum status state_match(const struct state_known *known, const struct options *o, const char *name, int fd,
			const struct stat *st, struct state_found *found) MUST_CHECK;

/* Inflates a regular file and looks for the known file whose bytes it has (inflated.c). Bytes are compared only
 * by their number and the hashes of the first and the last 4 KiB, without a header that may be rewritten in place.
 * Known files of which only header lines were read are not looked for. fd, *st: the file and its fstat. The offset of
 * standard input does not change.
 *   *found becomes the index of the known file. SIZE_MAX: the file is new, is not compressed, begins with the bytes of
 *   a known file as it lies, or cannot be read; or name is "-" and standard input is not at its beginning.
 *   *is_moved becomes whether the known file is no longer as it was, so that its bytes are now in this one.
 * Prints a warning if the known file is as it was, and this one is taken for a copy. STATUS_USAGE after a message if
 * the file has more than the known bytes, or is in doubt, and --alike does not decide it. STATUS_SYSTEM after a message
 * if memory is missing. */
enum status state_match_inflated(const struct state_known *known, const struct options *o, const char *name, int fd,
				 const struct stat *st, size_t *found, bool *is_moved) MUST_CHECK;

/* Prints that it is in doubt what a file is, such as "NAME: it begins with the 4096 bytes that were read from KNOWN: a
 * copy of it, or another log that begins alike?". is: "it begins with the" or other words; of: "it" or "them".
 * is_unsure: says that the bytes can no longer be compared. Always returns STATUS_USAGE. */
enum status state_match_refuse(const char *name, const char *is, uint64_t bytes, const struct saved_input *known,
			       bool is_unsure, const char *of) MUST_CHECK;
/* Warns that a file is taken for a copy, in the same words. */
void state_match_warn(const char *name, const char *is, uint64_t bytes, const struct saved_input *known,
		      const char *of);

/* Returns the number of header lines of each input, from the options or the saved scan. 0: not known, or none. */
uint64_t state_match_header(const struct options *o);
/* Whether the first `size` bytes of the named file are taken to be only header: size is 0, or there are header lines
 * (state_match_header) and these bytes, at most INPUT_BLOCK_SIZE, have no more newlines than that. A last line without
 * its newline does not count. A file that cannot be read counts as one without newlines. */
bool state_match_in_header(const struct options *o, const char *name, uint64_t size);
/* Whether an earlier run has read only a header of a known file. name: a file that begins with the bytes that were
 * read. */
bool state_match_is_header(const struct saved_input *known, const struct options *o, const char *name);

#endif
