#define _GNU_SOURCE /* flock, O_PATH */
/* The new file is also the lock, because the file itself is replaced at the end of a run. A run locks it, checks that
 * it still has its name, and only then reads the file. */
#include "io/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/message.h"
#include "io/descriptor.h"
#include "io/gzip.h"
#include "io/new_file.h"

static const char magic[8] = {'p', 's', 'c', 'a', 'n', '-', 's', 't'};
#define HEAD_SIZE (sizeof magic + 4 + 8)
#define CHECKSUM_SIZE 4

struct state_file {
	const char *option; /* "--state" or "--show-state", for messages */
	char name[MESSAGE_NAME_SIZE]; /* for messages */
	char target[PATH_MAX];
	char temporary[PATH_MAX]; /* beside it */
	int fd; /* the temporary file, or -1 */
	int directory; /* that both are in, or -1: it may not be read */
	bool exists;
	mode_t mode; /* of the file, if it exists */
	struct bytes content; /* all of it */
};

static enum status refuse(const struct state_file *f, const char *why)
{
	return message_refuse("%s: %s: %s", f->option, f->name, why);
}

static enum status fail(const struct state_file *f, const char *what)
{
	return message_fail("%s: %s: %s%s", f->option, f->name, what, strerror(errno));
}

/* What the temporary file's name has more than the file's. */
#define AFFIXES ".%s.pscan-state"

static enum status find_names(struct state_file *f, const char *path)
{
	static const struct hash_key known = {1, 2};
	char hash[17];
	if (descriptor_of_path(path) >= 0)
		return refuse(f, "a state must be a regular file");
	if (!descriptor_follow_links(f->target, path))
		return fail(f, "");
	const char *base = descriptor_last_part(f->target);
	const size_t length = strlen(base);
	(void)snprintf(hash, sizeof hash, "%016" PRIx64, hash_bytes(&known, base, length));
	/* Of a name that leaves no room for more it is a hash. */
	const int size = snprintf(f->temporary, sizeof f->temporary, "%.*s" AFFIXES, (int)(base - f->target), f->target,
				  length + sizeof AFFIXES - 3 <= NAME_MAX ? base : hash);
	errno = ENAMETOOLONG;
	return size >= 0 && (size_t)size < sizeof f->temporary ? STATUS_OK : fail(f, "");
}

/* Whether a descriptor's file still has that name. False with errno: that cannot be found out. */
static bool has_name(int fd, const char *path, bool *has)
{
	struct stat here;
	struct stat there;
	if (fstat(fd, &here) != 0)
		return false;
	const bool exists = lstat(path, &there) == 0;
	*has = exists && here.st_dev == there.st_dev && here.st_ino == there.st_ino;
	return exists || errno == ENOENT;
}

/* Opens the temporary file: a new one, or what a run of this user's has left. Whatever else has its name is refused:
 * who owns the file would own the state. */
static enum status open_temporary(struct state_file *f, bool *is_new)
{
	const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
	struct stat st;
	f->fd = open(f->temporary, flags | O_CREAT | O_EXCL, 0600);
	*is_new = f->fd >= 0;
	if (f->fd >= 0 || errno != EEXIST)
		return f->fd >= 0 ? STATUS_OK : fail(f, "cannot create a temporary file next to it: ");
	f->fd = open(f->temporary, flags);
	if (f->fd < 0 && errno == ENOENT)
		return STATUS_OK; /* it has just gone */
	const bool is_known = f->fd >= 0 ? fstat(f->fd, &st) == 0 : lstat(f->temporary, &st) == 0;
	const int error = errno;
	if (is_known && (st.st_uid != geteuid() || !S_ISREG(st.st_mode) || st.st_nlink > 1)) {
		return message_refuse("--state: %s: %s %s: remove %s", f->name, message_shown(f->temporary),
				      st.st_uid != geteuid() ? "belongs to another user"
				      : !S_ISREG(st.st_mode) ? "is not a regular file"
							     : "has another hard link",
				      st.st_nlink > 1 && S_ISREG(st.st_mode) ? message_shown(f->temporary) : "it");
	}
	errno = error;
	return f->fd >= 0 && is_known ? STATUS_OK : fail(f, "cannot open the temporary file next to it: ");
}

/* Locks the temporary file, if it is still the one that has its name. What others may open, perhaps have locked, is
 * not used: it is removed, for a new one. */
static enum status lock_temporary(struct state_file *f, bool is_new, bool *is_ours)
{
	struct stat st;
	*is_ours = false;
	if (f->fd < 0)
		return STATUS_OK;
	const bool is_locked = flock(f->fd, LOCK_EX | LOCK_NB) == 0;
	if (!is_locked && errno == EWOULDBLOCK)
		return refuse(f, "another run is using it");
	/* (Where nothing can be locked no other run has it.) */
	if (!is_locked || !has_name(f->fd, f->temporary, is_ours) || fstat(f->fd, &st) != 0) {
		const enum status status = fail(f, "cannot lock it: ");
		(void)unlink(f->temporary);
		return status;
	}
	/* (A file system without modes says something else of a new file, too.) */
	if (*is_ours && !is_new && (st.st_mode & 0077) != 0) {
		*is_ours = false;
		return unlink(f->temporary) == 0 ? STATUS_OK : fail(f, "cannot remove the temporary file next to it: ");
	}
	return STATUS_OK;
}

/* Makes and locks the temporary file. What another run has locked it may rename or remove: then it is made again. */
static enum status lock(struct state_file *f)
{
	enum status status = STATUS_OK;
	bool is_new = false;
	for (bool is_ours = false; !is_ours && status == STATUS_OK;) {
		if (f->fd >= 0)
			(void)close(f->fd);
		status = open_temporary(f, &is_new);
		if (status == STATUS_OK)
			status = lock_temporary(f, is_new, &is_ours);
	}
	return status;
}

/* Whether another user may have made the file, so that it could not be replaced. */
static bool is_planted(const struct state_file *f, const struct stat *file)
{
	char path[PATH_MAX];
	struct stat directory;
	descriptor_directory_of(f->target, path);
	return stat(path, &directory) == 0 && (directory.st_mode & S_ISVTX) != 0 && (directory.st_mode & 0022) != 0 &&
	       file->st_uid != geteuid() && file->st_uid != directory.st_uid;
}

static enum status take(struct state_file *f)
{
	ending_hold();
	const enum status status = lock(f);
	if (status == STATUS_OK) {
		new_file_remember(ENDING_STATE, f->temporary);
	} else if (f->fd >= 0) {
		/* It is another run's. */
		(void)close(f->fd);
		f->fd = -1;
	}
	ending_release();
	TRY(status);
	return descriptor_open_directory_of(f->target, &f->directory) ? STATUS_OK
								      : fail(f, "cannot open its directory: ");
}

static enum status read_content(struct state_file *f)
{
	struct stat st;
	int error = 0;
	const int fd = open(f->target, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno == ENOENT ? STATUS_OK : fail(f, "");
	enum status status = fstat(fd, &st) == 0 ? STATUS_OK : fail(f, "");
	if (status == STATUS_OK && !S_ISREG(st.st_mode))
		status = refuse(f, "a state must be a regular file");
	if (status == STATUS_OK && f->fd >= 0 && is_planted(f, &st))
		status = refuse(f, "it belongs to another user, in a directory where everyone may create files");
	f->exists = true;
	f->mode = st.st_mode & 0777;
	if (status == STATUS_OK)
		status = bytes_reserve(&f->content, (size_t)st.st_size);
	if (status == STATUS_OK && st.st_size > 0)
		f->content.size = descriptor_read_at(fd, f->content.data, (size_t)st.st_size, 0, &error);
	(void)close(fd);
	errno = error;
	return status == STATUS_OK && error != 0 ? fail(f, "") : status;
}

/* Whether what was read is whole, and can be understood. */
static enum status check(const struct state_file *f)
{
	struct unpack u = {.at = f->content.data, .left = f->content.size};
	const unsigned char *head = unpack_raw(&u, sizeof magic);
	if (head == NULL || memcmp(head, magic, sizeof magic) != 0)
		return refuse(f, "it is not a state of pscan");
	const uint64_t version = unpack_number(&u, 4);
	if (version != STATE_FILE_VERSION && !u.failed)
		return refuse(f, version > STATE_FILE_VERSION ? "a newer pscan wrote it in another layout"
							      : "pscan 0.1.1 or older wrote it in another layout (use "
								"that pscan, or a new state)");
	const uint64_t size = unpack_number(&u, 8);
	const bool is_whole = !u.failed && u.left >= CHECKSUM_SIZE && size == u.left - CHECKSUM_SIZE;
	if (!is_whole)
		return refuse(f, "it is damaged: its size is wrong");
	(void)unpack_raw(&u, (size_t)size);
	const uint32_t crc = gzip_crc(0, f->content.data, HEAD_SIZE + (size_t)size);
	return unpack_number(&u, CHECKSUM_SIZE) == crc ? STATUS_OK : refuse(f, "it is damaged: the checksum is wrong");
}

enum status state_file_open(const char *path, bool takes, struct state_file **file)
{
	struct state_file *f = memory_new(sizeof *f);
	if (f == NULL)
		return STATUS_SYSTEM;
	*f = (struct state_file){.option = takes ? "--state" : "--show-state", .fd = -1, .directory = -1};
	(void)message_name(f->name, path);
	enum status status = find_names(f, path);
	if (status == STATUS_OK && takes)
		status = take(f);
	if (status == STATUS_OK)
		status = read_content(f);
	errno = ENOENT;
	if (status == STATUS_OK && !f->exists && !takes)
		status = fail(f, "");
	if (status == STATUS_OK && f->exists)
		status = check(f);
	if (status != STATUS_OK)
		state_file_free(f);
	else
		*file = f;
	return status;
}

bool state_file_content(const struct state_file *f, struct unpack *content)
{
	*content = (struct unpack){0};
	if (f->exists)
		*content = (struct unpack){.at = f->content.data + HEAD_SIZE,
					   .left = f->content.size - HEAD_SIZE - CHECKSUM_SIZE};
	return f->exists;
}

const char *state_file_temporary(const struct state_file *f)
{
	return f->temporary;
}

/* Writes the parts; what a run that was killed had left there is gone. False with errno. */
static bool write_parts(const struct state_file *f, const struct bytes *const *parts, size_t count)
{
	bool written = ftruncate(f->fd, 0) == 0;
	for (size_t i = 0; i < count && written; i++)
		written = descriptor_write(f->fd, parts[i]->data, parts[i]->size, DESCRIPTOR_PLACE);
	/* (A file system without modes says EPERM.) */
	return written && (fchmod(f->fd, f->exists ? f->mode : descriptor_new_mode()) == 0 || errno == EPERM);
}

/* Writes the content, with what stands before and after it. */
static enum status write_content(const struct state_file *f, const struct bytes *content, const struct bytes *more)
{
	struct pack head = {0};
	struct pack checksum = {0};
	const struct bytes *const parts[] = {&head.bytes, content, more, &checksum.bytes};
	uint32_t crc = 0;
	pack_raw(&head, magic, sizeof magic);
	pack_number(&head, STATE_FILE_VERSION, 4);
	pack_number(&head, content->size + more->size, 8);
	/* (For zlib nothing has the checksum 0.) */
	for (size_t i = 0; i < 3; i++)
		crc = parts[i]->size > 0 ? gzip_crc(crc, parts[i]->data, parts[i]->size) : crc;
	pack_number(&checksum, crc, CHECKSUM_SIZE);
	enum status status = head.failed || checksum.failed ? STATUS_SYSTEM : STATUS_OK;
	if (status == STATUS_OK && (!write_parts(f, parts, sizeof parts / sizeof parts[0]) || !descriptor_sync(f->fd)))
		status = fail(f, "");
	bytes_free_all(&head.bytes, &checksum.bytes);
	return status;
}

enum status state_file_commit(struct state_file *f, const struct bytes *content, const struct bytes *more)
{
	TRY(write_content(f, content, more));
	/* From here on the name is perhaps another run's. */
	new_file_remember(ENDING_STATE, "");
	if (rename(f->temporary, f->target) != 0)
		return fail(f, "");
	f->temporary[0] = '\0';
	if (f->directory >= 0 && !descriptor_sync(f->directory))
		return fail(f, "it was written, but its directory could not be synced: ");
	return STATUS_OK;
}

void state_file_free(struct state_file *f)
{
	if (f == NULL)
		return;
	if (f->fd >= 0 && f->temporary[0] != '\0') {
		(void)unlink(f->temporary);
		new_file_remember(ENDING_STATE, "");
	}
	/* It stays locked until it has no name, or the file's. */
	if (f->fd >= 0)
		(void)close(f->fd);
	if (f->directory >= 0)
		(void)close(f->directory);
	bytes_free(&f->content);
	memory_free(f);
}
