/* The `take` functions (struct option_row) of the options for the formats of input and output. Each sets its members of
 * *o. STATUS_USAGE after a message if the value is wrong. */
#ifndef PSCAN_CLI_ARGS_FORMAT_H
#define PSCAN_CLI_ARGS_FORMAT_H

#include "cli/args_value.h"

/* --format, --output-format: sets the row's member. */
enum status args_format(const struct taken_option *t, struct options *o) MUST_CHECK;
/* --axis */
enum status args_axis(const struct taken_option *t, struct options *o) MUST_CHECK;
/* --gzip. STATUS_USAGE also if this build lacks the library. */
enum status args_gzip(const struct taken_option *t, struct options *o) MUST_CHECK;
/* --zstd. STATUS_USAGE also if this build lacks the library. */
enum status args_zstd(const struct taken_option *t, struct options *o) MUST_CHECK;

#endif
