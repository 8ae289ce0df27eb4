/* Fields that are times: of --reset-gap, and with a unit of -g and --reset-on. */
#ifndef PSCAN_CLI_ARGS_TIME_FIELD_H
#define PSCAN_CLI_ARGS_TIME_FIELD_H

#include "cli/args.h"

/* Appends to `fields` the field that a word of an option's value names, or two that it joins by a plus sign: a date and
 * its time of day. value: struct field_item's. Owns the word, which the fields then share. STATUS_USAGE after a message
 * if the word is wrong, STATUS_SYSTEM after a message if memory is missing. */
enum status args_time_field(const struct options *o, const char *option, const char *value, char *word,
			    struct bytes *fields) MUST_CHECK;

/* Reads an item of the list of -g or --reset-on. If it ends in a unit of time, as in time:day or 1+2:hour, sets *taken,
 * and appends its fields to `fields`. The item lives as long as the program. STATUS_USAGE and STATUS_SYSTEM as for
 * args_time_field. */
enum status args_unit_item(const struct options *o, const char *option, const char *value, const char *item,
			   struct bytes *fields, bool *taken) MUST_CHECK;

#endif
