/* --show-operator. */
#ifndef PSCAN_CLI_SHOW_OPERATOR_H
#define PSCAN_CLI_SHOW_OPERATOR_H

#include "cli/args.h"

/* Appends the operator o->shown as the OpenCL C source of a program, with comments. The accumulator's type is that of
 * -t, or f64 without -t. STATUS_USAGE after a message if there is no such program for this type, STATUS_SYSTEM after a
 * message if memory is missing. */
enum status show_operator(const struct options *o, struct bytes *text) MUST_CHECK;

#endif
