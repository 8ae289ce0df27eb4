/* The value of --reset-gap. */
#ifndef PSCAN_CLI_ARGS_RESET_GAP_H
#define PSCAN_CLI_ARGS_RESET_GAP_H

#include "cli/args.h"

/* Reads the value of --reset-gap: FIELD:N or DATE+TIME:N, perhaps followed by a unit of time. Replaces o->fields.gap by
 * its one or two fields, and sets gap, gap_is_time and gap_text of o->resets. These borrow from the value.
 * STATUS_USAGE after a message if the value is wrong, STATUS_SYSTEM after a message if memory is missing. */
enum status args_reset_gap(const char *value, struct options *o) MUST_CHECK;

#endif
