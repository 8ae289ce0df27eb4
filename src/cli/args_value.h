/* Options' values, and what is said of bad ones. */
#ifndef PSCAN_CLI_ARGS_VALUE_H
#define PSCAN_CLI_ARGS_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "cli/args.h"

/* Prints a message about the command line, with a hint at the help of the option that it begins with, or else
 * ARGS_HINT. Always STATUS_USAGE. */
enum status args_usage(const char *format, ...) PRINTF_LIKE(1, 2) MUST_CHECK;
/* The same of what is reserved, with a hint at LIMITS. */
enum status args_not_yet(const char *format, ...) PRINTF_LIKE(1, 2) MUST_CHECK;
enum status args_bad_value(const char *option, const char *value, const char *allowed) MUST_CHECK;

/* What --help=VALUE shows; NULL: everything. STATUS_USAGE after a message. */
enum status args_topic(const char *value, const char **topic) MUST_CHECK;

/* The index of the word of the list (count of them) that value is, or -1. */
int args_word(const char *value, const char *const *words, int count);

/* A copy of size bytes of a text as a string, for memory_free. STATUS_SYSTEM after a message. */
enum status args_word_of(const char *text, size_t size, char **word) MUST_CHECK;

/* A file's name. STATUS_USAGE after a message: it is empty. */
enum status args_file(const char *option, const char *value, const char **name) MUST_CHECK;

/* A decimal number of least to greatest. STATUS_USAGE after a message. */
enum status args_count(const char *option, const char *value, uint64_t least, uint64_t greatest,
		       uint64_t *count) MUST_CHECK;

#endif
