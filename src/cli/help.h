/* --help=TOPIC and --list-operators: parts of what the man page says, a line for each option or operator. */
#ifndef PSCAN_CLI_HELP_H
#define PSCAN_CLI_HELP_H

#include "base/memory.h"
#include "base/status.h"

enum help_topic {
	HELP_SHORT,
	HELP_OP,
	HELP_SCAN,
	HELP_NUMBERS,
	HELP_TEXT,
	HELP_KEYS,
	HELP_FILES,
	HELP_RUNNING,
	HELP_DEVELOPMENT,
	HELP_TOPIC_COUNT
};

/* What --help=TOPIC may be, for a message. */
extern const char help_topics[];

/* The topic of that name, or HELP_SHORT: there is none. */
enum help_topic help_find(const char *name);

/* Appends the topic's options (not HELP_SHORT), of HELP_OP with the operators. STATUS_SYSTEM after a message. */
enum status help_topic(enum help_topic topic, struct bytes *text) MUST_CHECK;
/* Appends the operators. STATUS_SYSTEM after a message. */
enum status help_operators(struct bytes *text) MUST_CHECK;

#endif
