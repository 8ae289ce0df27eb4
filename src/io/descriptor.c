#define _GNU_SOURCE /* F_SETPIPE_SZ */
/* Whether a path names a descriptor is decided by its text and by the directory that it leads to, so that nothing is
 * opened. */
#include "io/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most links that the kernel follows. */
#define LINKS_MAX 40
/* Fewer switches between the two ends than 64 KiB give, and it still fits a cache. */
#define PIPE_SIZE (256 << 10)

/* The number after a prefix, or -1. */
static int number_after(const char *path, const char *prefix)
{
	const size_t size = strlen(prefix);
	char *end;
	if (strncmp(path, prefix, size) != 0 || path[size] < '0' || path[size] > '9' ||
	    (path[size] == '0' && path[size + 1] != '\0'))
		return -1;
	const long number = strtol(path + size, &end, 10);
	return *end == '\0' && number <= INT_MAX ? (int)number : -1;
}

const char *descriptor_last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == NULL ? path : slash + 1;
}

/* The directory that a path names something in, without links, and that thing's name; false if there is no such
 * directory. */
static bool split(char directory[PATH_MAX], const char **name, const char *path)
{
	char part[PATH_MAX] = ".";
	*name = descriptor_last_part(path);
	if (*name > path && (size_t)snprintf(part, sizeof part, "%.*s", (int)(*name - path), path) >= sizeof part)
		return false;
	return realpath(part, directory) != NULL;
}

/* The number of the descriptor that a path names without a link at its end, or -1. The plain names are known without
 * /proc, all others by the directory that they are in. */
static int named_descriptor(const char *path)
{
	static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
	static const char *const prefixes[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};
	char directory[PATH_MAX];
	char own[PATH_MAX];
	const char *name;
	for (int fd = 0; fd < 3; fd++) {
		if (strcmp(path, names[fd]) == 0)
			return fd;
	}
	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
		const int plain = number_after(path, prefixes[i]);
		if (plain >= 0)
			return plain;
	}
	const int number = number_after(descriptor_last_part(path), "");
	if (number < 0 || !split(directory, &name, path))
		return -1;
	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
		if (realpath(prefixes[i], own) != NULL && strcmp(directory, own) == 0)
			return number;
	}
	return -1;
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
		const int directory = link[0] == '/' ? 0 : (int)(descriptor_last_part(target) - target);
		size = snprintf(joined, sizeof joined, "%.*s%s", directory, target, link);
		memcpy(target, joined, sizeof joined);
	}
	errno = size < PATH_MAX ? ELOOP : ENAMETOOLONG;
	return false;
}

bool descriptor_same_place(const char *a, const char *b)
{
	char target_a[PATH_MAX];
	char target_b[PATH_MAX];
	char directory_a[PATH_MAX];
	char directory_b[PATH_MAX];
	const char *name_a;
	const char *name_b;
	return descriptor_follow_links(target_a, a) && descriptor_follow_links(target_b, b) &&
	       split(directory_a, &name_a, target_a) && split(directory_b, &name_b, target_b) &&
	       strcmp(directory_a, directory_b) == 0 && strcmp(name_a, name_b) == 0;
}

int descriptor_of_path(const char *path)
{
	char target[PATH_MAX];
	return descriptor_follow_links(target, path) ? named_descriptor(target) : -1;
}

void descriptor_directory_of(const char *path, char directory[PATH_MAX])
{
	const int length = (int)(descriptor_last_part(path) - path);
	(void)snprintf(directory, PATH_MAX, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".");
}

bool descriptor_open_directory_of(const char *path, int *fd)
{
	char directory[PATH_MAX];
	descriptor_directory_of(path, directory);
	*fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *fd >= 0 || errno == EACCES;
}

void descriptor_widen_pipe(int fd)
{
	(void)fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
}

size_t descriptor_read_at(int fd, void *buffer, size_t size, uint64_t offset, int *error)
{
	unsigned char *to = buffer;
	size_t done = 0;
	*error = 0;
	while (done < size) {
		const ssize_t got = pread(fd, to + done, size - done, (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			*error = got < 0 ? errno : 0;
			break;
		}
		done += (size_t)got;
	}
	return done;
}

bool descriptor_write(int fd, const void *data, size_t size, uint64_t offset)
{
	const unsigned char *from = data;
	for (size_t done = 0; done < size;) {
		const ssize_t written = offset == DESCRIPTOR_PLACE
						? write(fd, from + done, size - done)
						: pwrite(fd, from + done, size - done, (off_t)(offset + done));
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			errno = written == 0 ? ENOSPC : errno;
			return false;
		}
		done += (size_t)written;
	}
	return true;
}

mode_t descriptor_new_mode(void)
{
	const mode_t mask = umask(0);
	(void)umask(mask);
	return 0666 & ~mask;
}

bool descriptor_sync(int fd)
{
	int result;
	do
		result = fsync(fd);
	while (result != 0 && errno == EINTR);
	return result == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP || errno == EOPNOTSUPP ||
	       errno == ENOSYS;
}
