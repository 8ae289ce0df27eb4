/* One pass over the words before getopt_long sees them. It distinguishes options from options' arguments as getopt_long
 * does, so that only -op itself is rewritten: "-o" may have the argument "-op". */
#include "cli/args_parts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"

/* Whether a long option, perhaps abbreviated, has its argument in the next word. */
static bool takes_next_word(const char *name, const struct option *long_options)
{
	const size_t size = strlen(name);
	for (const struct option *l = long_options; l->name != NULL; l++) {
		if (strncmp(l->name, name, size) == 0)
			return l->has_arg == required_argument;
	}
	return false;
}

/* Whether a word with one dash is a long option's name. (A bundle of letters is never meant: -log is not -l -o g. But
 * -help is -h, whatever follows.) */
static bool lacks_dash(const char *word, const struct option *long_options)
{
	const size_t size = strcspn(word + 1, "=");
	const struct option *l = long_options;
	while (l->name != NULL && (size < 3 || strlen(l->name) != size || memcmp(l->name, word + 1, size) != 0))
		l++;
	return l->name != NULL && strcmp(word, "-help") != 0;
}

enum status args_op_rewrite(int argc, char **argv, const char *letters, const struct option *long_options)
{
	static char spelled[] = "--op";
	const bool in_order = getenv("POSIXLY_CORRECT") != NULL; /* after the first file all are files */
	for (int i = 1; i < argc; i++) {
		char *arg = argv[i];
		if (strcmp(arg, "--") == 0)
			break;
		if (arg[0] != '-' || arg[1] == '\0') {
			if (in_order)
				break;
			continue;
		}
		if (arg[1] == '-') {
			if (takes_next_word(arg + 2, long_options))
				i++;
			continue;
		}
		if (strcmp(arg, "-op") == 0) {
			argv[i++] = spelled;
			continue;
		}
		if (strncmp(arg, "-op=", 4) == 0) {
			const size_t size = strlen(arg) + 2; /* lives as long as the program */
			char *joined = memory_new(size);
			if (joined == NULL)
				return STATUS_SYSTEM;
			(void)snprintf(joined, size, "-%s", arg);
			argv[i] = joined;
			continue;
		}
		if (lacks_dash(arg, long_options)) {
			const int size = (int)strcspn(arg, "=");
			return args_usage("unknown option %s: perhaps -%.*s", message_quoted_part(arg, (size_t)size),
					  size, arg);
		}
		/* A bundle: its first letter that takes an argument takes the rest, or the next word. */
		const char *p = arg + 1;
		const char *known = NULL;
		while (*p != '\0' && (known = strchr(letters + 1, *p)) != NULL && known[1] != ':')
			p++;
		if (*p == 'o' && p[1] == 'p' && (p == arg + 1 || p[2] == '\0' || p[2] == '=')) {
			const char *quoted = message_quoted(arg);
			return message_refuse(
				"%s: -op and its operator are two words: write -op max, and -o ./p for a file p (see "
				"--help=op)",
				quoted);
		}
		if (*p != '\0' && known != NULL && p[1] == '\0')
			i++;
	}
	return STATUS_OK;
}
