/* The messages for options that getopt_long refuses. */
#ifndef PSCAN_CLI_BAD_OPTION_H
#define PSCAN_CLI_BAD_OPTION_H

#include <getopt.h>

#include "base/status.h"

/* Prints why getopt_long has just returned `code`, '?' or ':', and which option may be meant. argv, letters and
 * long_options are those that getopt_long was given. Always returns STATUS_USAGE. */
enum status bad_option(int code, char *const *argv, const char *letters, const struct option *long_options) MUST_CHECK;

/* Prints that the option `word` (--NAME or --NAME=VALUE) is unknown. If another program has this option, the message
 * names pscan's option for it. Always returns STATUS_USAGE. */
enum status bad_word(const char *word) MUST_CHECK;

#endif
