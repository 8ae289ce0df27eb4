/* Compares compressed files with the files that a state knows. */
#ifndef PSCAN_CLI_STATE_INFLATED_H
#define PSCAN_CLI_STATE_INFLATED_H

#include "cli/state_where.h"

/* For a regular file that no known file fits: if it is compressed, *found becomes the known file with whose bytes it
 * begins after inflating, or NULL. Among several it is the one of which most was read. A known file of which no more
 * than `header` lines were read does not count. *has_more: more bytes follow, or the file is damaged. A file that
 * cannot be read begins with none. The offset of standard input does not change. STATUS_SYSTEM after a message: no
 * memory. */
enum status state_match_inflated(const struct state_known *known, const char *name, uint64_t header,
				 const struct saved_input **found, bool *has_more) MUST_CHECK;

#endif
