/* The options whose values are fields: -f, -g, --reset-on, --reset-gap, --window and --plot-time. How lines are cut
 * decides the meaning of a value, so a value is noted first and read when all options are known. */
#ifndef PSCAN_CLI_ARGS_FIELDS_H
#define PSCAN_CLI_ARGS_FIELDS_H

#include "cli/args_value.h"

/* The `take` function of these options (struct option_row). Appends the option's value to o->fields.noted.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status args_list(const struct taken_option *t, struct options *o) MUST_CHECK;

/* Reads the noted values into o->fields.lists, and the distances of --reset-gap and --window into o->resets.gap and
 * o->scan.span. Call it once, when all options are known. If an option was given several times, its list has the fields
 * of all values, but --reset-gap, --window and --plot-time have only those of the last one. If --plot-time was not
 * given but there is a picture, its times are those of --window, --reset-gap or --log. STATUS_USAGE after a message if
 * a value is wrong, STATUS_SYSTEM after a message if memory is missing. */
enum status args_fields_read(struct options *o) MUST_CHECK;

/* Reads `word`, which stands for one field, as the lines' cut demands, and appends its struct field_item to *fields.
 * The word may be changed, and must live as long as *o. value: the option's whole value. STATUS_USAGE after a message
 * that begins with `option` if the word is wrong, STATUS_SYSTEM after a message if memory is missing. */
enum status args_field_word(const struct options *o, const char *option, const char *value, char *word,
			    struct bytes *fields) MUST_CHECK;

/* For --log: sets the numbers of the fields that were chosen by name. STATUS_USAGE after a message if a name is not a
 * log's field. */
enum status args_fields_number_log(struct options *o) MUST_CHECK;

/* The option that each of o->fields.lists is of, as messages name it. */
extern const char *const field_options[FIELD_LISTS];

/* Warns of values that are files if pscan is to read a terminal: the file was perhaps meant as the input, as in
 * -g FILE. Call it after args_fields_read. */
void args_fields_warn_of_files(const struct options *o);

/* Whether -f, -g, --reset-on, --reset-gap, --window or --plot-time chooses a field. Call it after args_fields_read. */
bool args_fields_are_given(const struct options *o);
/* Whether a field is chosen by name. Call it after args_fields_read. */
bool args_fields_have_names(const struct options *o);
/* Whether a range of fields has no end, as in -f 2-, so that the first record decides which fields are chosen. Call it
 * after args_fields_read. */
bool args_fields_are_open(const struct options *o);

#endif
