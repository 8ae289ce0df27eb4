#define _GNU_SOURCE /* O_TMPFILE */
/* If the file system has no files without a name, a file is made with a name, which is removed at once. */
#include "io/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "io/descriptor.h"
#include "process/ending.h"

const char *temporary_directory(void)
{
	const char *directory = getenv("TMPDIR");
	return directory != NULL && directory[0] != '\0' ? directory : "/tmp";
}

int temporary_open_in(const char *directory)
{
	char path[PATH_MAX];
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
	if (fd >= 0 || errno == ENOENT || errno == ENOTDIR || errno == EACCES)
		return fd;
	/* Not every file system has files without a name. */
	if (snprintf(path, sizeof path, "%s/pscan-XXXXXX", directory) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	ending_hold(); /* No signal ends the program while the file has a name. */
	fd = mkstemp(path);
	const int error = errno;
	if (fd >= 0) {
		(void)unlink(path);
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	ending_release();
	errno = error;
	return fd;
}

int temporary_open(void)
{
	return temporary_open_in(temporary_directory());
}

enum status temporary_failed(int error)
{
	return message_fail("%s: a temporary file: %s (see TMPDIR)", message_shown(temporary_directory()),
			    strerror(error));
}

void temporary_begin(struct temporary *t)
{
	*t = (struct temporary){.fd = temporary_open()};
	t->error = t->fd < 0 ? errno : 0;
}

void temporary_end(struct temporary *t)
{
	if (t->fd >= 0)
		(void)close(t->fd);
}

enum status temporary_append(struct temporary *t, const void *data, size_t size)
{
	if (t->fd < 0)
		return temporary_failed(t->error);
	if (!descriptor_write(t->fd, data, size, t->size))
		return temporary_failed(errno);
	t->size += size;
	return STATUS_OK;
}

enum status temporary_read(const struct temporary *t, void *data, size_t size, uint64_t offset)
{
	int error = 0;
	if (descriptor_read_at(t->fd, data, size, offset, &error) < size)
		return temporary_failed(error != 0 ? error : EIO);
	return STATUS_OK;
}
