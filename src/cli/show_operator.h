/* --show-operator. */
#ifndef PSCAN_CLI_SHOW_OPERATOR_H
#define PSCAN_CLI_SHOW_OPERATOR_H

#include "cli/args.h"

/* Appends the operator that the options ask for, as the text of a program, with the type that they name or f64.
 * STATUS_USAGE after a message if there is no such program, or STATUS_SYSTEM. */
enum status show_operator(const struct options *o, struct bytes *text) MUST_CHECK;

#endif
