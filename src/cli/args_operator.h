/* The values of -op and --show-operator. */
#ifndef PSCAN_CLI_ARGS_OPERATOR_H
#define PSCAN_CLI_ARGS_OPERATOR_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"

/* Reads the value of -op, a list of operators joined by commas. Appends a struct operator_choice for each operator to
 * *operators. Programs and names live as long as the program. STATUS_USAGE after a message if an operator is wrong,
 * STATUS_SYSTEM after a message if memory is missing or a program's file cannot be read. */
enum status args_operators(const char *value, struct bytes *operators) MUST_CHECK;

struct operator_choice;

/* Sets *choice to the operator of the table that `word` names, such as sum or ema:0.1. choice->name may point to the
 * word. option: the name of the option, for messages. STATUS_USAGE after a message if the word is not an operator or
 * its parameter is wrong; *choice is then unchanged. */
enum status args_operator_of_table(const char *option, const char *word, struct operator_choice *choice) MUST_CHECK;

/* Puts the expressions of --map and --emit around all operators; map or emit may be NULL. Operators of the table become
 * programs. exclusive: results are exclusive. STATUS_USAGE after a message if an expression is wrong, STATUS_SYSTEM
 * after a message if memory is missing. */
enum status args_surround(const char *map, const char *emit, bool exclusive, struct bytes *operators) MUST_CHECK;
/* Makes the index i of all programs count records without a number, too (program_count_gaps). Call it if such records
 * are written. */
void args_count_gaps(struct bytes *operators);

#endif
