/* Options' values, and the messages for bad ones. */
#ifndef PSCAN_CLI_ARGS_VALUE_H
#define PSCAN_CLI_ARGS_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "cli/args.h"

struct given_option;

/* An option: a row of options.inc. */
struct option_row {
	const char *spelling; /* The option as --help shows it: its names and its argument. */
	/* Words that the argument may be, separated by blanks, for completions and args_set_word. Other readers may
	 * take more. NULL: none. */
	const char *values;
	/* The option's name in messages. NULL: its letter if an argument follows the letter, otherwise its long
	 * name. */
	const char *name;
	/* Sets the option's members of *o. STATUS_USAGE after a message if the value is wrong, STATUS_SYSTEM after a
	 * message if memory is missing. NULL: the option is reserved. */
	enum status (*set)(const struct given_option *t, struct options *o);
	size_t member; /* The member that the option sets: its offset in struct options, in bytes. */
	/* The least number that the argument may be. If the argument is a word of `values`: the value of the first
	 * word. If there is no argument: the value of the option. */
	uint64_t least;
	uint64_t greatest; /* The greatest number that the argument may be. */
	bool is_text; /* The option is only for text. */
	const struct compressor *compressor; /* What the option compresses the output with. NULL: it does not. */
};

/* An option that was given. */
struct given_option {
	const struct option_row *row;
	const char *name; /* The option's name in messages. Lives as long as the program. */
	const char *value; /* The option's argument. NULL: it has none. */
};

/* The next six functions are `set` functions (struct option_row). Each sets the row's member of *o. STATUS_USAGE after
 * a message if the value is wrong. */

/* Sets a bool to whether the row's `least` is not 0. */
enum status args_set_bool(const struct given_option *t, struct options *o) MUST_CHECK;
/* Sets an enum to the row's `least`. */
enum status args_set_constant(const struct given_option *t, struct options *o) MUST_CHECK;
/* Sets an enum to the row's `least` plus the index of the value among the row's words. */
enum status args_set_word(const struct given_option *t, struct options *o) MUST_CHECK;
/* Sets a const char * to the value. */
enum status args_set_text(const struct given_option *t, struct options *o) MUST_CHECK;
/* Sets a const char * to the value, which must not be empty. */
enum status args_set_file(const struct given_option *t, struct options *o) MUST_CHECK;
/* Sets a uint64_t to the value, a decimal number from `least` to `greatest`. */
enum status args_set_count(const struct given_option *t, struct options *o) MUST_CHECK;

/* Prints a message about the command line, of at most 511 bytes, and a hint after it: at an option's help if the
 * message begins with the option's name, otherwise ARGS_HINT. Always returns STATUS_USAGE. */
enum status args_usage(const char *format, ...) PRINTF_LIKE(1, 2) MUST_CHECK;
/* The end of a message about something that is reserved. */
#define ARGS_LATER ": not supported yet (see LIMITS in man pscan)"
/* Prints that `value` is not `allowed`, a phrase such as "an axis". Always returns STATUS_USAGE. */
enum status args_bad_value(const char *option, const char *value, const char *allowed) MUST_CHECK;

/* Prints why an option's expression, `text` of `size` bytes, is wrong: "OPTION: 'TEXT': WHY" (bad_expression.c). On a
 * terminal a line follows that points to `length` bytes of the text from `place` on. A long text is shown around this
 * place. Always returns STATUS_USAGE. */
enum status bad_expression(const char *option, const char *text, size_t size, size_t place, size_t length,
			   const char *why) MUST_CHECK;

/* Sets *topic to a word for which help_has is true: the value of --help=VALUE, or "accept" if the value is a word of
 * --accept, or HELP_ALL if value is NULL. STATUS_USAGE after a message if there is no help for the value; *topic is
 * then of no use. */
enum status args_topic(const char *value, const char **topic) MUST_CHECK;

/* Returns the index of a value in a list of words separated by blanks, or -1 if it is not in the list. */
int args_word(const char *value, const char *words);

/* Returns a copy of `size` bytes of a text, with a NUL after them, which lives as long as *o. NULL after a message if
 * memory is missing. */
char *args_copy(struct options *o, const char *text, size_t size) MUST_CHECK;

/* Returns the item after `item`, which has `size` bytes, in a list that is joined by commas. NULL: `item` is the last
 * one. */
static inline const char *args_next_item(const char *item, size_t size)
{
	return item[size] != '\0' ? item + size + 1 : NULL;
}

/* Sets *name to an option's value, the name of a file. STATUS_USAGE after a message if it is empty. */
enum status args_file(const char *option, const char *value, const char **name) MUST_CHECK;

/* Sets *count to an option's value, a decimal number from `least` to `greatest`. STATUS_USAGE after a message if it is
 * anything else; *count is then unchanged. */
enum status args_count(const char *option, const char *value, uint64_t least, uint64_t greatest,
		       uint64_t *count) MUST_CHECK;

#endif
