/* Finds out from the first block of text what the options leave open: how lines are cut into fields, and whether line 1
 * is a header. */
#ifndef PSCAN_CLI_FIND_TABLE_H
#define PSCAN_CLI_FIND_TABLE_H

#include <stddef.h>

#include "base/status.h"
#include "chunk/plan.h"
#include "text/line.h"

struct options;
struct plan_input;

/* Completes the cut, the delimiter and its source, header_lines and records.are_blank of plan->format.text.
 * plan->format.input must be set. Does nothing if the input is binary. STATUS_USAGE after a message if it is not clear
 * whether line 1 is a header, if --as was given and line 1 turns out to be none, if spaces separate fields as well as
 * thousands, or if o->fields.are_lacking; the message then lists the columns. */
enum status find_table(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;

/* Lines at the beginning of the input, as far as the block has them. They point into the block. */
struct first_lines {
	/* The line of the header that names the fields, or, without a header, the first line that is neither blank nor
	 * a comment. `start` NULL: it does not begin in the block. */
	struct line first;
	bool is_whole; /* The first line ends in the block. */
	struct line record; /* The first record after it. `start` NULL: the block does not have all of it. */
};
struct first_lines find_lines(const struct text_rules *rules, const struct plan_input *input);
/* Returns the number of the header's first field with this name. 0: no field has the name, or the block does not
 * hold the whole line. */
uint64_t find_named(const struct text_rules *rules, const struct first_lines *l, const char *name);
/* Finds the last field of the table.
 *
 * If there are a header and a record: *last is the greatest number of a field to which a name of the header belongs
 * (names_place), *field_count the number of the record's fields, and *name_count the number of names. *last 0: the
 * names do not line up with the fields. Otherwise *last and *field_count are the number of the first line's fields (0:
 * it is not whole), and *name_count is 0.
 *
 * STATUS_SYSTEM after a message if memory is missing. */
enum status find_last_field(const struct text_rules *rules, const struct first_lines *l, uint64_t *last,
			    uint64_t *field_count, uint64_t *name_count) MUST_CHECK;
/* Prints an error about a missing -f (list_columns.c). If the columns of the first input can be found, the message
 * lists them, and shows a command that uses one of them. l: the first line may be empty. is_header: it has the columns'
 * names. is_in_doubt: is_header, but it is not certain. */
void list_columns(const struct text_rules *rules, const struct options *o, const struct first_lines *l, bool is_header,
		  bool is_in_doubt);

#endif
