/* The message for a run that chooses no field: it lists the columns of the file. */
#ifndef PSCAN_CLI_LIST_COLUMNS_H
#define PSCAN_CLI_LIST_COLUMNS_H

#include "text/line.h"
#include "text/rules.h"

struct options;

/* Prints an error that lists the columns of the first input, and a command that uses one of them. first: the file's
 * first line. second: the line after it, or NULL. is_header: the first line has the columns' names. is_in_doubt: it is
 * not certain that the first line is a header. */
void list_columns(const struct text_rules *rules, const struct options *o, const struct line *first,
		  const struct line *second, bool is_header, bool is_in_doubt);

#endif
