/* The values of -op and --show-operator. */
#ifndef PSCAN_CLI_ARGS_OPERATOR_H
#define PSCAN_CLI_ARGS_OPERATOR_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"

/* Appends the operators of a list, joined by commas, as struct operator_choice. STATUS_USAGE or STATUS_SYSTEM after a
 * message. */
enum status args_operators(const char *value, struct bytes *operators) MUST_CHECK;

struct operator_choice;

/* Finds the operator of the table that a word, the value of `option`, names, perhaps with a parameter. choice->name may
 * point to the word. STATUS_USAGE after a message. */
enum status args_operator_of_table(const char *option, const char *word, struct operator_choice *choice) MUST_CHECK;

/* Puts the values of --map and --emit (or NULL) around all operators. exclusive: results are exclusive. STATUS_USAGE or
 * STATUS_SYSTEM after a message. */
enum status args_surround(const char *map, const char *emit, bool exclusive, struct bytes *operators) MUST_CHECK;
/* Tells programs that records without a number are written, and so take indices. */
void args_count_gaps(struct bytes *operators);

#endif
