#include "cli/args_value.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "number/parse.h"

enum status args_usage(const char *format, ...)
{
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	message_error("%s " ARGS_HINT, text);
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

size_t args_distance(const char *a, const char *b)
{
	size_t row[ARGS_WORD_MAX + 1]; /* from so many letters of a to all of b so far */
	const size_t size = strlen(a);
	if (size > ARGS_WORD_MAX)
		return SIZE_MAX;
	for (size_t i = 0; i <= size; i++)
		row[i] = i;
	for (size_t j = 1; *b != '\0'; j++, b++) {
		size_t diagonal = row[0];
		row[0] = j;
		for (size_t i = 1; i <= size; i++) {
			const size_t changed = diagonal + (a[i - 1] != *b);
			const size_t other = (row[i] < row[i - 1] ? row[i] : row[i - 1]) + 1;
			diagonal = row[i];
			row[i] = changed < other ? changed : other;
		}
	}
	return row[size];
}
