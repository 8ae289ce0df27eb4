#include "cli/args_value.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "cli/synonyms.h"
#include "number/parse.h"

enum status args_usage(const char *format, ...)
{
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	/* What a message begins with is the option that it is about. */
	const char *option = text + (text[0] == '"');
	const char *name = option + strspn(option, "-");
	const size_t size = strcspn(name, ":=, \"");
	if (name == option || !help_has_option(name, size))
		message_error("%s " ARGS_HINT, text);
	else
		message_error("%s (see --help=%s%.*s)", text, size == 1 ? "-" : "", (int)size, name);
	return STATUS_USAGE;
}

enum status args_not_yet(const char *format, ...)
{
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	message_error("%s: not yet (see LIMITS in man pscan)", text);
	return STATUS_USAGE;
}

int args_word(const char *value, const char *const *words, int count)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(value, words[i]) == 0)
			return i;
	}
	return -1;
}

enum status args_word_of(const char *text, size_t size, char **word)
{
	*word = memory_new(size + 1);
	if (*word == NULL)
		return STATUS_SYSTEM;
	memcpy(*word, text, size);
	(*word)[size] = '\0';
	return STATUS_OK;
}

enum status args_bad_value(const char *option, const char *value, const char *allowed)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	return args_usage("%s: %s is not %s", option, message_quote(quoted, value, strlen(value)), allowed);
}

enum status args_count(const char *option, const char *value, uint64_t least, uint64_t greatest, uint64_t *count)
{
	union value v;
	char allowed[80];
	const bool digits =
		value[0] >= '0' && value[0] <= '9' && strchr(value, 'x') == NULL && strchr(value, 'X') == NULL;
	if (!digits || number_parse(value, strlen(value), &type_table[TYPE_U64], &v) != NUMBER_OK || v.u64 < least ||
	    v.u64 > greatest) {
		(void)snprintf(allowed, sizeof allowed, "a number from %llu to %llu", (unsigned long long)least,
			       (unsigned long long)greatest);
		return args_bad_value(option, value, allowed);
	}
	*count = v.u64;
	return STATUS_OK;
}

enum status args_topic(const char *value, const char **topic)
{
	char advice[ADVICE_SIZE];
	char names[HELP_TOPICS_SIZE];
	char quoted[MESSAGE_QUOTED_SIZE];
	*topic = value != NULL ? value : HELP_ALL;
	if (help_has(*topic))
		return STATUS_OK;
	const char *name = *topic + strspn(*topic, "-");
	message_quote(quoted, *topic, strlen(*topic));
	if (synonym_of_option(name, strcspn(name, "="), advice))
		message_error("--help: %s is no option: perhaps %s", quoted, advice);
	else
		message_error("--help: %s is no option, operator or topic (%s)", quoted, help_topics(names));
	return STATUS_USAGE;
}

enum status args_file(const char *option, const char *value, const char **name)
{
	*name = value;
	return value[0] != '\0' ? STATUS_OK : args_usage("%s: a file's name is missing", option);
}
