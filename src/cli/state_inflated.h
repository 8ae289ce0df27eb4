/* Compressed files against what a state knows. */
#ifndef PSCAN_CLI_STATE_INFLATED_H
#define PSCAN_CLI_STATE_INFLATED_H

#include "cli/state_where.h"

/* Of a regular file that no known one fits: the known file whose bytes it begins with where it is compressed, the one
 * of which most was taken, or NULL; but not one of which no more than `header` lines were taken. *has_more: there are
 * bytes after that, or it is damaged. A file that cannot be read begins with none. Standard input stays where it is.
 * STATUS_SYSTEM after a message: no memory. */
enum status state_match_inflated(const struct state_known *known, const char *name, uint64_t header,
				 const struct saved_input **found, bool *has_more) MUST_CHECK;

#endif
