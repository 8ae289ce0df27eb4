/* What is said of options that getopt_long does not take. */
#ifndef PSCAN_CLI_BAD_OPTION_H
#define PSCAN_CLI_BAD_OPTION_H

#include <getopt.h>

#include "base/status.h"

/* Prints why getopt_long gave code, '?' or ':', with the option that may be meant. Always STATUS_USAGE. */
enum status bad_option(int code, char *const *argv, const char *letters, const struct option *long_options) MUST_CHECK;

/* The same for --NAME or --NAME=VALUE, which is not an option: what it is here, if it is known elsewhere. */
enum status bad_word(const char *word) MUST_CHECK;

#endif
