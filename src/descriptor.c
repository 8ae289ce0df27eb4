#include "descriptor.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int descriptor_of_path(const char *path)
{
	static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
	static const char *const prefixes[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};
	for (int fd = 0; fd < 3; fd++) {
		if (strcmp(path, names[fd]) == 0)
			return fd;
	}
	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
		const size_t size = strlen(prefixes[i]);
		char *end;
		if (strncmp(path, prefixes[i], size) != 0 || path[size] < '0' || path[size] > '9')
			continue;
		const long number = strtol(path + size, &end, 10);
		if (*end == '\0' && number <= INT_MAX)
			return (int)number;
	}
	return -1;
}
