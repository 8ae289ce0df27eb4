/* "-op" on the command line is one option, not "-o p". */
#ifndef PSCAN_CLI_ARGS_OP_H
#define PSCAN_CLI_ARGS_OP_H

#include <getopt.h>

#include "base/status.h"

/* Turns each word -op and -op=VALUE before "--" in argv into --op and --op=VALUE, except where the word is an option's
 * argument. letters (the first is ':') and long_options are those of getopt_long. New strings live as long as the
 * program. STATUS_USAGE after a message if a bundle of letters looks like -op, and also if memory is missing. */
enum status args_op_rewrite(int argc, char **argv, const char *letters, const struct option *long_options) MUST_CHECK;

#endif
