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

/* Sets *line to the line of the header that names the fields, or, without a header, to the first line that is neither
 * blank nor a comment. *line points into the block. *whole becomes whether the block holds the line's end; if not,
 * *line is the part in the block. Returns false if the line does not begin in the block; *line and *whole are then of
 * no use. */
bool find_first_line(const struct text_rules *rules, const struct plan_input *input, struct line *line, bool *whole);
/* Sets *line like find_first_line. Returns false also if the block does not hold the line's end; *line is then of no
 * use. */
bool find_whole_line(const struct text_rules *rules, const struct plan_input *input, struct line *line);
/* Returns the number of fields of the line that find_first_line finds. 0: the block does not hold the whole line. */
uint64_t find_field_count(const struct text_rules *rules, const struct plan_input *input);
/* Returns the number of fields of the first record after the line that find_first_line finds. 0: the block does not
 * hold both lines whole. */
uint64_t find_record_size(const struct text_rules *rules, const struct plan_input *input);
/* Finds the last field of the table.
 *
 * If the block holds a header and the first record: *last is the greatest number of a field to which a name of the
 * header belongs (names_place), *field_count the number of the record's fields, and *name_count the number of names.
 * *last 0: the names do not line up with the fields. Otherwise *last and *field_count are the result of
 * find_field_count, and *name_count is 0.
 *
 * STATUS_SYSTEM after a message if memory is missing. */
enum status find_last_field(const struct text_rules *rules, const struct plan_input *input, uint64_t *last,
			    uint64_t *field_count, uint64_t *name_count) MUST_CHECK;
/* Prints an error about a missing -f (list_columns.c). If the columns of the first input can be found, the message
 * lists them, and shows a command that uses one of them. first: the line of find_first_line, or an empty line. second:
 * the first record after it, or NULL. is_header: the first line has the columns' names. is_in_doubt: is_header, but it
 * is not certain. */
void list_columns(const struct text_rules *rules, const struct options *o, const struct line *first,
		  const struct line *second, bool is_header, bool is_in_doubt);
/* Whether the header has a field with this name. False also if the block does not hold the whole line of names. */
bool find_name(const struct text_rules *rules, const struct plan_input *input, const char *name);
/* Returns the number of the header's first field with this name. 0: find_name is false. */
uint64_t find_named(const struct text_rules *rules, const struct plan_input *input, const char *name);

#endif
