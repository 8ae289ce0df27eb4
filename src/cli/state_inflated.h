/* Compares compressed files with the files that a state knows. */
#ifndef PSCAN_CLI_STATE_INFLATED_H
#define PSCAN_CLI_STATE_INFLATED_H

#include <sys/stat.h>

#include "cli/args.h"
#include "cli/state_where.h"

/* Inflates a regular file and looks for the known file whose bytes it has. Bytes are compared only by their number and
 * the hashes of the first and the last 4 KiB, without a header that may be rewritten in place. Known files of which
 * only header lines were read are not looked for. fd, *st: the file and its fstat. The offset of standard input does
 * not change.
 *   *found becomes the index of the known file. SIZE_MAX: the file is new, is not compressed, begins with the bytes of
 *   a known file as it lies, or cannot be read; or name is "-" and standard input is not at its beginning.
 *   *is_moved becomes whether the known file is no longer as it was, so that its bytes are now in this one.
 * Prints a warning if the known file is as it was, and this one is taken for a copy. STATUS_USAGE after a message if
 * the file has more than the known bytes, or is in doubt, and --alike does not decide it. STATUS_SYSTEM after a message
 * if memory is missing. */
enum status state_match_inflated(const struct state_known *known, const struct options *o, const char *name, int fd,
				 const struct stat *st, size_t *found, bool *is_moved) MUST_CHECK;

#endif
