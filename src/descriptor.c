#include "descriptor.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As the kernel follows, and then says ELOOP. */
#define LINKS_MAX 40

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

bool descriptor_follow_links(char target[PATH_MAX], const char *path)
{
	char link[PATH_MAX];
	char joined[PATH_MAX];
	int size = snprintf(target, PATH_MAX, "%s", path);
	for (int links = 0; size < PATH_MAX && links < LINKS_MAX; links++) {
		const ssize_t length = descriptor_of_path(target) >= 0 ? -1 : readlink(target, link, sizeof link - 1);
		if (length < 0)
			return true;
		link[length] = '\0';
		const char *slash = strrchr(target, '/');
		const int directory = link[0] == '/' || slash == NULL ? 0 : (int)(slash - target) + 1;
		size = snprintf(joined, sizeof joined, "%.*s%s", directory, target, link);
		memcpy(target, joined, sizeof joined);
	}
	errno = size < PATH_MAX ? ELOOP : ENAMETOOLONG;
	return false;
}
