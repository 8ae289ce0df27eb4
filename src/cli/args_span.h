/* The values of --reset-gap and of --window=FIELD:N. */
#ifndef PSCAN_CLI_ARGS_SPAN_H
#define PSCAN_CLI_ARGS_SPAN_H

#include "cli/args.h"

/* Reads the value of an option: FIELD:N or DATE+TIME:N, perhaps followed by a unit of time. Replaces *fields by its one
 * or two fields, and sets *span, which borrows from the value. STATUS_USAGE after a message if the value is wrong,
 * STATUS_SYSTEM after a message if memory is missing. */
enum status args_span(const char *option, const char *value, const struct options *o, struct bytes *fields,
		      struct span_option *span) MUST_CHECK;

#endif
