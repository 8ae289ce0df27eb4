/* The values of -op and --show-operator. */
#ifndef PSCAN_CLI_ARGS_OPERATOR_H
#define PSCAN_CLI_ARGS_OPERATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct operator_choice;
struct options;
struct text_part;

/* Reads the value of -op, a list of operators joined by commas. Appends a struct operator_choice for each operator to
 * o->scan.operators. STATUS_USAGE after a message if an operator is wrong,
 * STATUS_SYSTEM after a message if memory is missing or a program's file cannot be read. */
enum status args_operators(const char *value, struct options *o) MUST_CHECK;

/* Sets *choice to the operator of the table that `word` names, such as sum or ema:0.1. choice->name may point to the
 * word. option: the name of the option, for messages. STATUS_USAGE after a message if the word is not an operator or
 * its parameter is wrong; *choice is then unchanged. */
enum status args_operator_of_table(const char *option, const char *word, struct operator_choice *choice) MUST_CHECK;

/* Puts --emit around all operators if has_emit, and --map if has_map; operators of the table become programs then. Sets
 * has_program and has_types of o->scan. Call it when all options are known, and again if it becomes known that programs
 * evaluate --map or --emit. inputs, names: as in struct program_around. STATUS_USAGE after a message if an expression
 * is wrong or another option does not go with programs, STATUS_SYSTEM after a message if memory is missing. */
enum status args_settle_operators(struct options *o, bool has_map, bool has_emit, size_t inputs,
				  const struct text_part *names) MUST_CHECK;

#endif
