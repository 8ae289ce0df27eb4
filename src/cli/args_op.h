/* "-op" on the command line is one option, not "-o p". */
#ifndef PSCAN_CLI_ARGS_OP_H
#define PSCAN_CLI_ARGS_OP_H

#include <getopt.h>

#include "base/status.h"

/* Prepares argv for getopt_long: each option -op or -op=VALUE becomes --op or --op=VALUE. Words after "--" stay, and
 * words that are another option's argument; with POSIXLY_CORRECT also words after the first file. letters (the first
 * must be ':') and long_options: the arguments of getopt_long. New strings live as long as the program. STATUS_USAGE
 * after a message if a bundle of letters looks like -op (-opmax, -vop) or like a long option (-csv), STATUS_SYSTEM
 * after a message if memory is missing. */
enum status args_op_rewrite(int argc, char **argv, const char *letters, const struct option *long_options) MUST_CHECK;

#endif
