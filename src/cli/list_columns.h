/* What is said where no field was chosen: the columns that the file has. */
#ifndef PSCAN_CLI_LIST_COLUMNS_H
#define PSCAN_CLI_LIST_COLUMNS_H

#include "text/line.h"
#include "text/rules.h"

struct options;

/* Prints the columns of a file and a command that takes one of them. first: its first line; second: the one after
 * it, or NULL; is_header: the first line names them, if that is not in doubt. */
void list_columns(const struct text_rules *rules, const struct options *o, const struct line *first,
		  const struct line *second, bool is_header, bool is_in_doubt);

#endif
