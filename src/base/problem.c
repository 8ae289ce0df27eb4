/* The line number counts from the file's beginning, so only problem_tell knows it. */
#include "base/problem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"

enum status problem_set(struct problem *p, enum status status, const char *format, ...)
{
	va_list arguments;
	*p = (struct problem){.status = status, .fatal = true};
	va_start(arguments, format);
	(void)vsnprintf(p->text, sizeof p->text, format, arguments);
	va_end(arguments);
	return status;
}

void problem_tell(const struct problem *p, const char *file_name, uint64_t line_base)
{
	char place[MESSAGE_QUOTED_SIZE + 128] = "";
	size_t size = 0;
	if (p->text[0] == '\0')
		return;
	if (p->line != 0)
		size += (size_t)snprintf(place, sizeof place, "line %" PRIu64, line_base + p->line);
	if (p->field != 0 && p->field_name != NULL)
		size += (size_t)snprintf(place + size, sizeof place - size, "%sfield %s", size > 0 ? ", " : "",
					 message_quoted(p->field_name));
	else if (p->field != 0)
		size += (size_t)snprintf(place + size, sizeof place - size, "%sfield %" PRIu64, size > 0 ? ", " : "",
					 p->field);
	if (p->column != 0)
		size += (size_t)snprintf(place + size, sizeof place - size, "%scolumn %" PRIu64, size > 0 ? ", " : "",
					 p->column);
	if (size > 0)
		(void)snprintf(place + size, sizeof place - size, ": ");
	const char *name = message_shown(p->file_name != NULL ? p->file_name : file_name);
	if (p->fatal || p->status != STATUS_OK)
		message_error("%s%s: %s%s", p->fatal ? "" : "warning: ", name, place, p->text);
	else
		message_warning("%s: %s%s", name, place, p->text);
}
