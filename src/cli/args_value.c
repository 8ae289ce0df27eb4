/* Readers that many options share write to the option's member by its offset in struct options. */
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
		return message_refuse("%s " ARGS_HINT, text);
	return message_refuse("%s (see --help=%s%.*s)", text, size == 1 ? "-" : "", (int)size, name);
}

int args_word(const char *value, const char *words)
{
	const size_t size = strlen(value);
	for (int i = 0; *words != '\0'; i++) {
		const size_t length = strcspn(words, " ");
		if (size == length && memcmp(value, words, length) == 0)
			return i;
		words += length + (words[length] == ' ');
	}
	return -1;
}

char *args_copy(struct options *o, const char *text, size_t size)
{
	char *word = memory_new(size + 1);
	if (word == NULL || bytes_append(&o->words, &word, sizeof word) != STATUS_OK) {
		memory_free(word);
		return NULL;
	}
	memcpy(word, text, size);
	word[size] = '\0';
	return word;
}

enum status args_bad_value(const char *option, const char *value, const char *allowed)
{
	return args_usage("%s: %s is not %s", option, message_quoted(value), allowed);
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

static void *member_of(const struct given_option *t, struct options *o)
{
	return (unsigned char *)o + t->row->member;
}

enum status args_set_bool(const struct given_option *t, struct options *o)
{
	*(bool *)member_of(t, o) = t->row->least != 0;
	return STATUS_OK;
}

/* Sets an enum, whose values are unsigned numbers. */
static void set_enum(const struct given_option *t, struct options *o, uint64_t value)
{
	const unsigned number = (unsigned)value;
	_Static_assert(sizeof number == sizeof(enum action) && sizeof number == sizeof(enum format), "an enum's size");
	memcpy(member_of(t, o), &number, sizeof number);
}

enum status args_set_constant(const struct given_option *t, struct options *o)
{
	set_enum(t, o, t->row->least);
	return STATUS_OK;
}

/* Words between blanks, as a message lists them: "a, b or c". */
static void list_words(const char *words, char *list, size_t size)
{
	size_t used = 0;
	list[0] = '\0';
	for (const char *word = words; *word != '\0' && used < size;) {
		const size_t length = strcspn(word, " ");
		const bool is_last = word[length] == '\0';
		used += (size_t)snprintf(list + used, size - used, "%s%.*s",
					 word == words ? ""
					 : is_last     ? " or "
						       : ", ",
					 (int)length, word);
		word += length + !is_last;
	}
}

enum status args_set_word(const struct given_option *t, struct options *o)
{
	char allowed[128];
	const int index = args_word(t->value, t->row->values);
	if (index >= 0) {
		set_enum(t, o, t->row->least + (uint64_t)index);
		return STATUS_OK;
	}
	list_words(t->row->values, allowed, sizeof allowed);
	return args_bad_value(t->name, t->value, allowed);
}

enum status args_set_text(const struct given_option *t, struct options *o)
{
	*(const char **)member_of(t, o) = t->value;
	return STATUS_OK;
}

enum status args_set_file(const struct given_option *t, struct options *o)
{
	return args_file(t->name, t->value, member_of(t, o));
}

enum status args_set_count(const struct given_option *t, struct options *o)
{
	return args_count(t->name, t->value, t->row->least, t->row->greatest, member_of(t, o));
}

enum status args_topic(const char *value, const char **topic)
{
	char advice[ADVICE_SIZE];
	char names[HELP_TOPICS_SIZE];
	*topic = value != NULL ? value : HELP_ALL;
	if (help_has(*topic))
		return STATUS_OK;
	const char *name = *topic + strspn(*topic, "-");
	const char *accept = synonym_of_accept(name, strlen(name));
	if (accept != NULL && strcmp(accept, name) == 0) {
		*topic = "accept";
		return STATUS_OK;
	}
	const char *quoted = message_quoted(*topic);
	if (synonym_of_option(name, strcspn(name, "="), advice))
		return message_refuse("--help: %s is not an option: perhaps %s", quoted, advice);
	return message_refuse("--help: %s is not an option, operator or topic (%s)", quoted, help_topics(names));
}

enum status args_file(const char *option, const char *value, const char **name)
{
	*name = value;
	return value[0] != '\0' ? STATUS_OK : args_usage("%s: a file's name is missing", option);
}
