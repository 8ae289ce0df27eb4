/* After a crash of the machine there is the old file or the whole new one; after a run that succeeded, the new one. For
 * this the content is synced before the file gets its name, and the directory after that, if the file system can
 * sync. */
#include "io/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/descriptor.h"
#include "io/temporary.h"

/* The temporary files to remove on a signal, of each part; empty if there is none. Written while the signals are
 * blocked. */
static char temporaries[ENDING_PART_COUNT][PATH_MAX];

static void clean_up(bool crashed)
{
	(void)crashed;
	for (size_t i = 0; i < ENDING_PART_COUNT; i++) {
		if (temporaries[i][0] != '\0')
			(void)unlink(temporaries[i]);
	}
}

static enum status failed_beside(const struct new_file *f, int error)
{
	return message_fail("%s: cannot create a temporary file next to it: %s", f->name, strerror(error));
}

void new_file_remember(enum ending_part part, const char *temporary)
{
	(void)snprintf(temporaries[part], sizeof temporaries[part], "%s", temporary);
	ending_set(part, clean_up);
}

void new_file_watch(enum ending_part part, const char *temporary)
{
	ending_hold();
	new_file_remember(part, temporary);
	ending_release();
}

/* Opens a temporary file in target's directory with the mode that target has or would get. */
static enum status open_temporary(struct new_file *f, const struct stat *old)
{
	char path[PATH_MAX];
	const int directory = (int)(descriptor_last_part(f->target) - f->target);
	if (snprintf(path, sizeof path, "%.*s.pscan-XXXXXX", directory, f->target) >= (int)sizeof path)
		return message_fail("%s: %s", f->name, strerror(ENAMETOOLONG));
	ending_hold();
	f->fd = mkstemp(path);
	const int error = errno;
	if (f->fd >= 0)
		new_file_remember(f->part, path);
	ending_release();
	if (f->fd < 0)
		return failed_beside(f, error);
	if (old != NULL)
		(void)!fchown(f->fd, old->st_uid, old->st_gid); /* where we may */
	/* As when a file is written in place: setuid bits belong to the old content, and the new file does not get
	 * them. */
	(void)fchmod(f->fd, old != NULL ? old->st_mode & 0777 : descriptor_new_mode());
	if (descriptor_open_directory_of(f->target, &f->directory))
		return STATUS_OK;
	return message_fail("%s: cannot open its directory: %s", f->name, strerror(errno));
}

static enum status failed(const struct new_file *f)
{
	return message_fail("%s: %s", f->name, strerror(errno));
}

/* A descriptor, and anything that is not a regular file, is written directly; any other file by a temporary one. */
static enum status open_file(struct new_file *f, const char *path)
{
	struct stat st;
	char target[PATH_MAX];
	const int descriptor = descriptor_of_path(path);
	const bool exists = stat(path, &st) == 0;
	/* A path that cannot be looked at may be a device, which no file of ours may replace. */
	if (descriptor < 0 && !exists && errno != ENOENT)
		return failed(f);
	if (descriptor >= 0 || (exists && !S_ISREG(st.st_mode))) {
		f->fd = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
					: open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		return f->fd >= 0 ? STATUS_OK : failed(f);
	}
	if ((exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) || !descriptor_follow_links(target, path))
		return failed(f);
	f->target = strdup(target);
	return f->target != NULL ? open_temporary(f, exists ? &st : NULL) : failed(f);
}

enum status new_file_open(struct new_file *f, const char *path, enum ending_part part)
{
	*f = (struct new_file){.fd = -1, .directory = -1, .part = part};
	(void)message_name(f->name, path);
	const enum status status = open_file(f, path);
	if (status != STATUS_OK)
		new_file_abandon(f);
	return status;
}

enum status new_file_open_part(struct new_file *f, const char *path, enum ending_part part, const char *temporary)
{
	*f = (struct new_file){.fd = -1, .directory = -1, .is_part = true, .part = part};
	(void)message_name(f->name, path);
	f->fd = open(temporary, O_WRONLY | O_CLOEXEC);
	if (f->fd < 0)
		return failed(f);
	new_file_watch(part, temporary);
	return STATUS_OK;
}

enum status new_file_open_scratch(struct new_file *f, const char *path)
{
	char target[PATH_MAX];
	char directory[PATH_MAX];
	*f = (struct new_file){.fd = -1, .directory = -1};
	(void)message_name(f->name, path);
	if (!descriptor_follow_links(target, path))
		return failed(f);
	descriptor_directory_of(target, directory);
	f->fd = temporary_open_in(directory);
	return f->fd >= 0 ? STATUS_OK : failed_beside(f, errno);
}

const char *new_file_temporary(const struct new_file *f)
{
	return f->target != NULL && temporaries[f->part][0] != '\0' ? temporaries[f->part] : NULL;
}

/* Gives the temporary file its name, or removes it. */
static enum status end_temporary(const struct new_file *f, bool keep)
{
	char *temporary = temporaries[f->part];
	enum status status = STATUS_OK;
	if (f->target == NULL || temporary[0] == '\0')
		return STATUS_OK;
	if (keep && rename(temporary, f->target) != 0)
		status = failed(f);
	if (!keep || status != STATUS_OK)
		(void)unlink(temporary);
	temporary[0] = '\0';
	if (keep && status == STATUS_OK && f->directory >= 0 && !descriptor_sync(f->directory))
		status = message_fail("%s: it was written, but its directory could not be synced: %s", f->name,
				      strerror(errno));
	return status;
}

/* Gives back what f owns but the descriptor. */
static void release(struct new_file *f)
{
	if (f->directory >= 0)
		(void)close(f->directory);
	free(f->target);
	*f = (struct new_file){.fd = -1, .directory = -1, .part = f->part};
}

enum status new_file_close(struct new_file *f, bool keep)
{
	enum status status = STATUS_OK;
	/* A full disk may show only now, or when the file is closed. */
	if ((f->target != NULL || f->is_part) && keep && !descriptor_sync(f->fd))
		status = failed(f);
	if (f->fd >= 0 && close(f->fd) != 0 && errno != EINTR && status == STATUS_OK)
		status = failed(f);
	const enum status ended = end_temporary(f, keep && status == STATUS_OK);
	release(f);
	return status != STATUS_OK ? status : ended;
}

void new_file_abandon(struct new_file *f)
{
	if (f->fd >= 0)
		(void)close(f->fd);
	(void)!end_temporary(f, false);
	release(f);
}
