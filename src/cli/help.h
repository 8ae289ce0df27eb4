/* -h, --help, --help=WORD and --list-operators: what the man page says, in a line for each option or operator. */
#ifndef PSCAN_CLI_HELP_H
#define PSCAN_CLI_HELP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"

/* The word that everything is shown for. */
#define HELP_ALL "all"

/* Whether --help=WORD shows something: for a topic, HELP_ALL, "examples", an option with or without its dashes, or an
 * operator. */
bool help_has(const char *word);
/* Whether an option is called so, without its dashes. */
bool help_has_option(const char *word, size_t size);

#define HELP_TOPICS_SIZE 128
/* The topics, joined by commas, for a message. Returns names. */
const char *help_topics(char names[HELP_TOPICS_SIZE]);

/* Each appends to a text. STATUS_SYSTEM after a message. */

/* The commonest options, examples, the topics. */
enum status help_short(struct bytes *text) MUST_CHECK;
/* What there is for a word that help_has. */
enum status help_about(const char *word, struct bytes *text) MUST_CHECK;
enum status help_operators(struct bytes *text) MUST_CHECK;

#endif
