/* -h, --help, --help=WORD and --list-operators: the man page in one line for each option or operator; and
 * --show-operator. */
#ifndef PSCAN_CLI_HELP_H
#define PSCAN_CLI_HELP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"

struct options;

/* The word of --help=WORD that shows everything. */
#define HELP_ALL "all"

/* Whether --help=WORD shows something. The word may be a topic, HELP_ALL, "examples", an operator, or an option with or
 * without its dashes, perhaps abbreviated or with =VALUE after it. */
bool help_has(const char *word);
/* Whether `word`, `size` bytes without dashes, is the whole name of an option. */
bool help_has_option(const char *word, size_t size);

/* Bytes of room for the list of topics, with its NUL. */
#define HELP_TOPICS_SIZE 128
/* Writes the topics to `names`, joined by commas, for a message. Returns names. */
const char *help_topics(char names[HELP_TOPICS_SIZE]);

/* Appends the short help: the commonest options, examples and the topics. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status help_short(struct bytes *text) MUST_CHECK;
/* Appends the help for a word for which help_has is true. STATUS_SYSTEM after a message if memory is missing. */
enum status help_about(const char *word, struct bytes *text) MUST_CHECK;
/* Makes the headings of a help text bold, for a terminal. A heading is the beginning of a paragraph up to the first
 * colon, if it is in one line and begins with a capital. STATUS_SYSTEM after a message if memory is missing; the text
 * is then incomplete. */
enum status help_make_bold(struct bytes *text) MUST_CHECK;
/* Appends the list of operators (--list-operators). STATUS_SYSTEM after a message if memory is missing. */
enum status help_operators(struct bytes *text) MUST_CHECK;

/* Appends the operator o->shown as the OpenCL C source of a program, with comments (show_operator.c). The accumulator's
 * type is that of -t, or f64 without -t. STATUS_USAGE after a message if there is no such program for this type,
 * STATUS_SYSTEM after a message if memory is missing. */
enum status show_operator(const struct options *o, struct bytes *text) MUST_CHECK;

#endif
