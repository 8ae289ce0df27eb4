/* The options for text: lines, fields, and tokens that are not numbers. */
#ifndef PSCAN_CLI_ARGS_TEXT_H
#define PSCAN_CLI_ARGS_TEXT_H

#include "cli/args_value.h"

/* The `take` functions (struct option_row) of the options of these names. Each sets its members of *o. STATUS_USAGE
 * after a message if the value is wrong. */
enum status args_delimiter(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_tsv(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_header(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_no_header(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_comment(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_decimal(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_thousands(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_accept(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_number_format(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_missing(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_nan(const struct taken_option *t, struct options *o) MUST_CHECK;

/* Checks that the options for text fit each other, and completes them. Call it when all options are taken.
 * STATUS_USAGE after a message if they do not fit, STATUS_SYSTEM after a message if memory is missing. */
enum status args_text_complete(struct options *o) MUST_CHECK;

#endif
