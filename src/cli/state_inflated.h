/* Compares compressed files with the files that a state knows. */
#ifndef PSCAN_CLI_STATE_INFLATED_H
#define PSCAN_CLI_STATE_INFLATED_H

#include "cli/state_where.h"

/* Inflates a regular file and looks for the known file whose taken bytes it begins with. Bytes are compared only by
 * their number and the hashes of the first and the last 4 KiB. If several known files fit, the one with most taken
 * bytes is found. Known files that were read as a whole, that have a header to skip, or of which at most `header` lines
 * were read are not looked for.
 *   *found becomes the known file (borrowed). NULL: no file is known, the file is not compressed or cannot be read, or
 *   name is "-" and standard input is not at its beginning.
 *   *has_more becomes whether inflated bytes follow those of *found, or the file is damaged there.
 * The offset of standard input does not change. STATUS_SYSTEM after a message if memory is missing. */
enum status state_match_inflated(const struct state_known *known, const char *name, uint64_t header,
				 const struct saved_input **found, bool *has_more) MUST_CHECK;

#endif
