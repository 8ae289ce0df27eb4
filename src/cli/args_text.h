/* The options of text: lines, fields, what is no number. */
#ifndef PSCAN_CLI_ARGS_TEXT_H
#define PSCAN_CLI_ARGS_TEXT_H

#include "cli/args.h"

/* Options without a letter; getopt_long's codes. */
enum {
	ARGS_TEXT_MISSING = 512,
	ARGS_TEXT_MISSING_MARKS,
	ARGS_TEXT_NAN,
	ARGS_TEXT_INVALID,
	ARGS_TEXT_CSV,
	ARGS_TEXT_TSV,
	ARGS_TEXT_LOG,
	ARGS_TEXT_LOGFMT,
	ARGS_TEXT_JSON,
	ARGS_TEXT_HEADER,
	ARGS_TEXT_NO_HEADER,
	ARGS_TEXT_HEADER_NAMES,
	ARGS_TEXT_COMMENT,
	ARGS_TEXT_AS,
	ARGS_TEXT_REPLACE,
	ARGS_TEXT_RESET_ON,
	ARGS_TEXT_RESET_GAP,
};

/* Takes an option; *known is false if it is none of text. STATUS_USAGE after a message. */
enum status args_text_take(int option, const char *value, struct options *o, bool *known) MUST_CHECK;

/* What they mean together, when all options were taken. STATUS_USAGE after a message. */
enum status args_text_complete(struct options *o) MUST_CHECK;

#endif
