/* "-op" on the command line is one option, not "-o p". */
#ifndef PSCAN_CLI_ARGS_OP_H
#define PSCAN_CLI_ARGS_OP_H

#include <getopt.h>

#include "base/status.h"

/* Turns "-op" and "-op=VALUE" in argv into long options, up to "--", except where they are an option's argument.
 * letters (which begin with ':') and long_options are those of getopt_long. New strings live as long as the program.
 * STATUS_USAGE after a message: a bundle of letters looks like -op, or there is no memory. */
enum status args_op_rewrite(int argc, char **argv, const char *letters, const struct option *long_options) MUST_CHECK;

#endif
