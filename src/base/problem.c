#include "base/problem.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/message.h"

void problem_tell(const struct problem *p, const char *file_name, uint64_t line_base)
{
	char name[MESSAGE_NAME_SIZE];
	char place[96] = "";
	if (p->text[0] == '\0')
		return;
	if (p->line != 0 && p->field != 0)
		(void)snprintf(place, sizeof place, "line %" PRIu64 ", field %" PRIu64 ": ", line_base + p->line,
			       p->field);
	else if (p->line != 0)
		(void)snprintf(place, sizeof place, "line %" PRIu64 ": ", line_base + p->line);
	else if (p->field != 0)
		(void)snprintf(place, sizeof place, "field %" PRIu64 ": ", p->field);
	message_name(name, p->file_name != NULL ? p->file_name : file_name);
	if (p->fatal)
		message_error("%s: %s%s", name, place, p->text);
	else
		message_warning("%s: %s%s", name, place, p->text);
}
