/* The options whose values are fields. The meaning of a value depends on how lines are cut. So values are noted first,
 * and read when all options are known. */
#ifndef PSCAN_CLI_ARGS_FIELDS_H
#define PSCAN_CLI_ARGS_FIELDS_H

#include "cli/args_value.h"

/* Notes an option's value, a list for the row's member. An option that is given again adds to its list; only the last
 * --reset-gap counts. STATUS_SYSTEM after a message. */
enum status args_list(const struct taken_option *t, struct options *o) MUST_CHECK;

/* Reads the noted values. STATUS_USAGE after a message. */
enum status args_fields_read(struct options *o) MUST_CHECK;

/* Replaces names by the numbers of a log's fields. STATUS_USAGE after a message. */
enum status args_fields_number_log(struct options *o) MUST_CHECK;

/* Whether any option chooses fields or columns; whether any field is chosen by name. */
bool args_fields_are_given(const struct options *o);
bool args_fields_have_names(const struct options *o);
/* Whether a range of fields has no end. Then the first record decides which fields are chosen. */
bool args_fields_are_open(const struct options *o);

#endif
