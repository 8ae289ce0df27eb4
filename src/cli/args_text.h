/* The options for text: lines, fields, and tokens that are not numbers. */
#ifndef PSCAN_CLI_ARGS_TEXT_H
#define PSCAN_CLI_ARGS_TEXT_H

#include "cli/args_value.h"

/* Readers. STATUS_USAGE after a message. */
enum status args_delimiter(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_tsv(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_header(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_no_header(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_comment(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_number_format(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_missing(const struct taken_option *t, struct options *o) MUST_CHECK;
enum status args_nan(const struct taken_option *t, struct options *o) MUST_CHECK;

/* Call this after all options: checks and completes them together. STATUS_USAGE after a message. */
enum status args_text_complete(struct options *o) MUST_CHECK;

#endif
