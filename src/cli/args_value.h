/* Options' values, and the messages for bad ones. */
#ifndef PSCAN_CLI_ARGS_VALUE_H
#define PSCAN_CLI_ARGS_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "cli/args.h"

struct taken_option;

/* An option: a row of options.inc. */
struct option_row {
	const char *spelling; /* as --help shows it: its names, and whether it takes an argument */
	const char *values; /* words that the argument may be, between blanks; or NULL */
	const char *name; /* its name in messages; NULL: the letter if it takes an argument, else the long name */
	/* Reads the option. STATUS_USAGE or STATUS_SYSTEM after a message. NULL: it is reserved. */
	enum status (*take)(const struct taken_option *t, struct options *o);
	size_t member; /* where the value goes: an offset in struct options */
	uint64_t least,
		greatest; /* limits of a number; least is also the value of the first word, or of an option without an
		 * argument */
	bool is_text; /* it is only for text */
};

/* An option that was given. */
struct taken_option {
	const struct option_row *row;
	const char *name; /* for messages; lasts as long as the program */
	const char *value; /* or NULL */
};

/* Readers for options of one kind. Each sets the option's member, which is */
enum status args_take_bool(const struct taken_option *t, struct options *o) MUST_CHECK; /* a bool: it becomes least */
enum status args_take_constant(const struct taken_option *t, struct options *o) MUST_CHECK; /* an enum: it becomes
 * least */
enum status args_take_word(const struct taken_option *t, struct options *o) MUST_CHECK; /* an enum: least + the index */
enum status args_take_text(const struct taken_option *t, struct options *o) MUST_CHECK; /* a const char * */
enum status args_take_file(const struct taken_option *t, struct options *o) MUST_CHECK; /* a const char *, not empty */
enum status args_take_count(const struct taken_option *t, struct options *o) MUST_CHECK; /* a uint64_t */

/* Prints a message about the command line, with a hint at the help of the option that it begins with, or else
 * ARGS_HINT. Always STATUS_USAGE. */
enum status args_usage(const char *format, ...) PRINTF_LIKE(1, 2) MUST_CHECK;
/* The end of a message about something that is reserved. */
#define ARGS_LATER ": not yet (see LIMITS in man pscan)"
enum status args_bad_value(const char *option, const char *value, const char *allowed) MUST_CHECK;

/* Sets *topic to the topic of --help=VALUE; NULL: everything. STATUS_USAGE after a message. */
enum status args_topic(const char *value, const char **topic) MUST_CHECK;

/* The index of a value among words between blanks, or -1. */
int args_word(const char *value, const char *words);

/* Copies `size` bytes of a text as a string, which the caller frees with memory_free. STATUS_SYSTEM after a message. */
enum status args_word_of(const char *text, size_t size, char **word) MUST_CHECK;

/* Sets *name to the name of a file. STATUS_USAGE after a message: it is empty. */
enum status args_file(const char *option, const char *value, const char **name) MUST_CHECK;

/* Reads a decimal number from least to greatest. STATUS_USAGE after a message. */
enum status args_count(const char *option, const char *value, uint64_t least, uint64_t greatest,
		       uint64_t *count) MUST_CHECK;

#endif
