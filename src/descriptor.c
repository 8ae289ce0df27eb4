#include "descriptor.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So many the kernel follows. */
#define LINKS_MAX 40

/* Whether the directory that the first size bytes of a path name holds this program's descriptors. */
static bool holds_descriptors(const char *path, size_t size)
{
	static const char end[] = "/fd";
	char own[32];
	char name[PATH_MAX];
	char directory[PATH_MAX];
	if (size >= sizeof name)
		return false;
	memcpy(name, path, size);
	name[size] = '\0';
	if (realpath(name, directory) == NULL)
		return false;
	(void)snprintf(own, sizeof own, "/proc/%ld/", (long)getpid());
	return strncmp(directory, own, strlen(own)) == 0 &&
	       strcmp(directory + strlen(directory) - (sizeof end - 1), end) == 0;
}

/* The number of the descriptor that a path names without a link at its end, or -1. */
static int named_descriptor(const char *path)
{
	char *end;
	const char *slash = strrchr(path, '/');
	if (slash == NULL || slash[1] < '0' || slash[1] > '9')
		return -1;
	const long number = strtol(slash + 1, &end, 10);
	return *end == '\0' && number <= INT_MAX && holds_descriptors(path, (size_t)(slash - path) + 1) ? (int)number
													: -1;
}

bool descriptor_follow_links(char target[PATH_MAX], const char *path)
{
	char link[PATH_MAX];
	char joined[PATH_MAX];
	int size = snprintf(target, PATH_MAX, "%s", path);
	for (int links = 0; size < PATH_MAX && links <= LINKS_MAX; links++) {
		const ssize_t length = named_descriptor(target) >= 0 ? -1 : readlink(target, link, sizeof link - 1);
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

int descriptor_of_path(const char *path)
{
	char target[PATH_MAX];
	return descriptor_follow_links(target, path) ? named_descriptor(target) : -1;
}
