/* Readers of the options for the formats of input and output. STATUS_USAGE after a message. */
#ifndef PSCAN_CLI_ARGS_FORMAT_H
#define PSCAN_CLI_ARGS_FORMAT_H

#include "cli/args_value.h"

enum status args_format(const struct taken_option *t, struct options *o) MUST_CHECK; /* the row's member */
enum status args_axis(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_gzip(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_zstd(const struct taken_option *t, struct options *o) MUST_CHECK;

#endif
