#include <stdio.h>
#include <string.h>

#include "text/hint.h"

void hint_of_numbers(const char *name, char *out, size_t size)
{
	const size_t first = strspn(name, "0123456789");
	const size_t last = name[first] == ':' ? strspn(name + first + 1, "0123456789") : 0;
	if (strcmp(name, "NF") == 0 || strcmp(name, "$NF") == 0 || strcmp(name, "last") == 0)
		(void)snprintf(out, size, ": perhaps -1, the last field");
	else if (strcmp(name, "*") == 0 || strcmp(name, "all") == 0)
		(void)snprintf(out, size, ": perhaps 1-, all fields");
	else if (first > 0 && last > 0 && name[first + 1 + last] == '\0')
		(void)snprintf(out, size, ": perhaps %.*s-%s", (int)first, name, name + first + 1);
}
