#include "cli/args_value.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "number/parse.h"

static void PRINTF_LIKE(1, 0) print_usage(const char *format, va_list arguments, const char *hint)
{
	char text[512];
	(void)vsnprintf(text, sizeof text, format, arguments);
	message_error("%s%s", text, hint);
}

enum status args_usage(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_usage(format, arguments, " " ARGS_HINT);
	va_end(arguments);
	return STATUS_USAGE;
}

enum status args_not_yet(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_usage(format, arguments, ": not yet (see LIMITS in man pscan)");
	va_end(arguments);
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
