/* One field of an option's value: a number, a range of numbers or a name. */
#ifndef PSCAN_CLI_ARGS_FIELD_WORD_H
#define PSCAN_CLI_ARGS_FIELD_WORD_H

#include "cli/args.h"

/* Reads `word`, which stands for one field, as the lines' cut demands, and appends its struct field_item to *fields.
 * The word may be changed. value: the option's whole value. *kept becomes whether the field has the word as its name or
 * its digits; the word must then live as long as *o, and otherwise the caller frees it. STATUS_USAGE after a message
 * that begins with `option` if the word is wrong, STATUS_SYSTEM after a message if memory is missing. */
enum status args_field_word(const struct options *o, const char *option, const char *value, char *word,
			    struct bytes *fields, bool *kept) MUST_CHECK;

/* Returns the size, with its quotes, of the name in quotes with which a list begins. 0: the list does not begin with
 * one, or neither a separator nor the list's end follows it. */
size_t args_quoted_size(const char *list, char separator);

#endif
