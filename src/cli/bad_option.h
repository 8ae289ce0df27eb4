/* The messages for options that getopt_long refuses. */
#ifndef PSCAN_CLI_BAD_OPTION_H
#define PSCAN_CLI_BAD_OPTION_H

#include <getopt.h>

#include "base/status.h"

/* Prints why getopt_long returned code, '?' or ':', and the option that may be meant. Always STATUS_USAGE. */
enum status bad_option(int code, char *const *argv, const char *letters, const struct option *long_options) MUST_CHECK;

/* Prints that --NAME or --NAME=VALUE is unknown, and pscan's name for it if another program has it. Always
 * STATUS_USAGE. */
enum status bad_word(const char *word) MUST_CHECK;

#endif
