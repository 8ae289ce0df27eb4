/* On a terminal a second line points to the wrong part of the expression, as compilers do. */
#include "cli/args_value.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"

/* The most bytes of an expression that are shown, and how many of them are before the place if the text is longer. */
#define SHOWN_MAX 72
#define SHOWN_BEFORE 32

static bool continues_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Prints a line with marks below a part of the message's text. before: what stands in the message before the text. */
static void point(const char *before, const char *text, size_t place, size_t length)
{
	char line[SHOWN_MAX + 128];
	size_t size = strlen("pscan: ") + strlen(before);
	memset(line, ' ', sizeof line);
	for (size_t i = 0; i < place; i++)
		size += !continues_character(text[i]);
	line[size++] = '^';
	for (size_t i = place + 1; i < place + length; i++) {
		if (!continues_character(text[i]))
			line[size++] = '~';
	}
	line[size++] = '\n';
	(void)message_bytes(line, size);
}

enum status bad_expression(const char *option, const char *text, size_t size, size_t place, size_t length,
			   const char *why)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	char before[64];
	size_t begin = size > SHOWN_MAX && place > SHOWN_BEFORE ? place - SHOWN_BEFORE : 0;
	while (begin > 0 && continues_character(text[begin]))
		begin--;
	size_t shown = size - begin < SHOWN_MAX ? size - begin : SHOWN_MAX;
	while (begin + shown < size && continues_character(text[begin + shown]))
		shown--;
	message_quote(quoted, text + begin, shown);
	/* Expressions are in single quotes, as in a shell's command, so double quotes need no backslash. */
	for (char *escape = quoted; (escape = strstr(escape, "\\\"")) != NULL; escape++)
		memmove(escape, escape + 1, strlen(escape));
	const size_t end = strlen(quoted) - 1;
	const bool is_as_written = end == shown + 1 && memcmp(quoted + 1, text + begin, shown) == 0;
	quoted[0] = quoted[end] = '\'';
	(void)snprintf(before, sizeof before, "%s: %s'", option, begin > 0 ? "..." : "");
	message_error("%s%s%s: %s", before, quoted + 1, begin + shown < size ? "..." : "", why);
	if (is_as_written && place >= begin && place <= begin + shown && message_is_on_terminal())
		point(before, text + begin, place - begin,
		      length < begin + shown - place ? length : begin + shown - place);
	return STATUS_USAGE;
}
