/* The options whose values are fields. What a value means depends on how lines are cut: they are noted first, and read
 * when all options are known. */
#ifndef PSCAN_CLI_ARGS_FIELDS_H
#define PSCAN_CLI_ARGS_FIELDS_H

#include "cli/args_value.h"

/* Notes an option's value, a list for the row's member. Given again, it adds; of --reset-gap the last one counts.
 * STATUS_SYSTEM after a message. */
enum status args_list(const struct taken_option *t, struct options *o) MUST_CHECK;

/* Reads what was noted. STATUS_USAGE after a message. */
enum status args_fields_read(struct options *o) MUST_CHECK;

/* Names become the numbers of a log's fields. STATUS_USAGE after a message. */
enum status args_fields_number_log(struct options *o) MUST_CHECK;

/* Whether fields, or columns, are named by any option; whether some field is known by its name. */
bool args_fields_are_given(const struct options *o);
bool args_fields_have_names(const struct options *o);
/* Whether some range of fields has no end, so that the first record says which fields are chosen. */
bool args_fields_are_open(const struct options *o);

#endif
