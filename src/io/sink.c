/* Plain output goes straight to the descriptor, a chunk at a time. Compressed output comes from blocks.c. A
 * temporary file is removed if a signal ends the program. It is on the disk before it gets the output's name, and its
 * directory is after that: a machine that crashes leaves the old file or the whole new one, and a run that has succeeded
 * the new one. */
#include "io/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "io/descriptor.h"
#include "process/ending.h"

/* Written at once. */
#define WRITE_SIZE_MAX ((size_t)64 << 20)
/* A signal waits so long for writes to end. */
#define CUT_LIMIT_MS 2000

struct sink {
	int fd;
	char name[MESSAGE_NAME_SIZE]; /* for messages */
	char *target; /* the name a temporary file gets at the end, or NULL */
	int directory; /* the one that it is in, or -1. Opened early: the sandbox lets nobody read it */
	bool failed; /* a write failed and was reported */
	bool in_place; /* every write has its offset */
	struct blocks *blocks; /* NULL: not compressed */
	uint64_t compressed_bytes; /* of these written so far */
	uint64_t written_bytes; /* before that */
	bool finished; /* nothing is held back any more */
	bool is_nowhere; /* what is written is forgotten */
	bool is_part; /* other processes write parts of the same file */
};

/* The temporary file to remove on a signal; empty if there is none. Written while the signals are blocked. */
static char temporary[PATH_MAX];
/* Output that is written in place begins and ends there, as far as it has no gaps; on a signal it is cut off there. */
static off_t place_begin;
static _Atomic off_t place_end;
static int place_fd = -1;

/* The output is being cut off: nothing may be written in place any more. */
static atomic_bool place_ended;
/* Threads that write in place now, and whether this one does. */
static atomic_int place_writers;
static _Thread_local int place_writing;

static void stay(void)
{
	for (;;)
		(void)pause();
}

/* Every write in place. Once the output is being cut off the process is about to end, and the thread stays here. */
static ssize_t write_in_place(int fd, const void *data, size_t size, off_t at)
{
	/* Between the two a signal waits in vain rather than not at all. */
	(void)atomic_fetch_add(&place_writers, 1);
	place_writing = 1;
	const bool ended = atomic_load(&place_ended);
	const ssize_t written = ended ? 0 : pwrite(fd, data, size, at);
	const int error = errno;
	place_writing = 0;
	(void)atomic_fetch_sub(&place_writers, 1);
	if (ended)
		stay();
	errno = error;
	return written;
}

/* Cuts the output off after its last byte without a gap before it, when the other threads have done their writes. */
static void cut_place(void)
{
	atomic_store(&place_ended, true);
	for (int ms = 0; ms < CUT_LIMIT_MS && atomic_load(&place_writers) > place_writing; ms++)
		(void)poll(NULL, 0, 1);
	(void)!ftruncate(place_fd, atomic_load(&place_end));
	(void)lseek(place_fd, atomic_load(&place_end), SEEK_SET); /* for whoever writes there next */
}

static void clean_up_files(bool crashed)
{
	(void)crashed;
	if (temporary[0] != '\0')
		(void)unlink(temporary);
	else if (place_fd >= 0)
		cut_place();
}

/* Length of the part of a path that names its directory; 0: the working directory. */
static int directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == NULL ? 0 : (int)(slash - path) + 1;
}

/* Opens the directory that the target is in. Where nobody may read it, it is not synced. */
static enum status open_directory(struct sink *s)
{
	char path[PATH_MAX];
	const int length = directory_length(s->target);
	(void)snprintf(path, sizeof path, "%.*s", length > 0 ? length : 1, length > 0 ? s->target : ".");
	s->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->directory >= 0 || errno == EACCES)
		return STATUS_OK;
	message_error("%s: cannot open its directory: %s", s->name, strerror(errno));
	return STATUS_SYSTEM;
}

/* Opens a temporary file in target's directory with the mode that target has or would get. */
static enum status open_temporary(struct sink *s, const struct stat *old)
{
	char path[PATH_MAX];
	const int size = snprintf(path, sizeof path, "%.*s.pscan-XXXXXX", directory_length(s->target), s->target);
	if (size < 0 || (size_t)size >= sizeof path) {
		message_error("%s: %s", s->name, strerror(ENAMETOOLONG));
		return STATUS_SYSTEM;
	}
	sigset_t all;
	sigset_t before;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &before);
	s->fd = mkstemp(path);
	const int error = errno;
	if (s->fd >= 0) {
		memcpy(temporary, path, sizeof path);
		ending_set(ENDING_OUTPUT, clean_up_files);
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (s->fd < 0) {
		message_error("%s: cannot create a temporary file beside it: %s", s->name, strerror(error));
		return STATUS_SYSTEM;
	}
	bool same_owner = false;
	const mode_t mask = umask(0);
	(void)umask(mask);
	if (old != NULL)
		same_owner = fchown(s->fd, old->st_uid, old->st_gid) == 0; /* where we may */
	/* Of another owner a file must not be setuid. */
	(void)fchmod(s->fd, old != NULL ? old->st_mode & (same_owner ? 07777 : 0777) : 0666 & ~mask);
	return open_directory(s);
}

static enum status open_failed(const struct sink *s)
{
	message_error("%s: %s", s->name, strerror(errno));
	return STATUS_SYSTEM;
}

/* A descriptor and what is no regular file are written to directly, any other file by a temporary one. */
static enum status open_file(struct sink *s, const char *path)
{
	struct stat st;
	char target[PATH_MAX];
	const int descriptor = descriptor_of_path(path);
	const bool exists = stat(path, &st) == 0;
	if (descriptor >= 0 || (exists && !S_ISREG(st.st_mode))) {
		s->fd = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
					: open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		return s->fd >= 0 ? STATUS_OK : open_failed(s);
	}
	if ((exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) || !descriptor_follow_links(target, path))
		return open_failed(s);
	s->target = strdup(target);
	return s->target != NULL ? open_temporary(s, exists ? &st : NULL) : open_failed(s);
}

static void begin_in_place(struct sink *s)
{
	struct stat st;
	const int flags = fcntl(s->fd, F_GETFL);
	const off_t at = lseek(s->fd, 0, SEEK_CUR);
	if (s->blocks != NULL || flags < 0 || (flags & O_APPEND) != 0 || at < 0 || fstat(s->fd, &st) != 0 ||
	    !S_ISREG(st.st_mode) || st.st_size > at || message_goes_to(&st))
		return;
	s->in_place = true;
	place_begin = at;
	atomic_store(&place_end, at);
	place_fd = s->fd;
	ending_set(ENDING_OUTPUT, clean_up_files);
}

const char *sink_temporary(void)
{
	return temporary[0] != '\0' ? temporary : NULL;
}

void sink_leave_standard_output(struct sink *s)
{
	const int nowhere = s->fd == STDOUT_FILENO ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
	const int moved = nowhere >= 0 ? fcntl(s->fd, F_DUPFD_CLOEXEC, 3) : -1;
	if (moved >= 0 && dup2(nowhere, STDOUT_FILENO) == STDOUT_FILENO) {
		s->fd = moved;
		if (place_fd >= 0)
			place_fd = moved;
	} else if (moved >= 0) {
		(void)close(moved);
	}
	if (nowhere >= 0)
		(void)close(nowhere);
}

bool sink_is_in_place(const struct sink *s)
{
	return s->in_place;
}

/* The next size bytes in place are written. */
static void advance_place(size_t size)
{
	(void)atomic_fetch_add(&place_end, (off_t)size);
}

static enum status write_failed(struct sink *s)
{
	message_error("%s: %s", s->name, strerror(errno));
	s->failed = true;
	return STATUS_SYSTEM;
}

static enum status write_all(struct sink *s, const unsigned char *data, size_t size)
{
	while (size > 0 && !s->is_nowhere) {
		const size_t part = size < WRITE_SIZE_MAX ? size : WRITE_SIZE_MAX;
		const ssize_t written = s->in_place ? write_in_place(s->fd, data, part, atomic_load(&place_end))
						    : write(s->fd, data, part);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			struct pollfd p = {.fd = s->fd, .events = POLLOUT};
			(void)poll(&p, 1, -1);
			continue;
		}
		if (written < 0)
			return write_failed(s);
		data += written;
		size -= (size_t)written;
		if (s->in_place)
			advance_place((size_t)written);
	}
	return STATUS_OK;
}

bool sink_write_at(struct sink *s, const void *data, size_t size, uint64_t offset)
{
	const unsigned char *from = data;
	off_t at = place_begin + (off_t)offset;
	while (size > 0) {
		const ssize_t written = write_in_place(s->fd, from, size < WRITE_SIZE_MAX ? size : WRITE_SIZE_MAX, at);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		from += written;
		at += written;
		size -= (size_t)written;
	}
	return true;
}

void sink_advance(struct sink *s, size_t size)
{
	s->written_bytes += size;
	advance_place(size);
}

enum status sink_rewrite(struct sink *s, const void *data, size_t size)
{
	return sink_write_at(s, data, size, 0) ? STATUS_OK : write_failed(s);
}

uint64_t sink_written_bytes(const struct sink *s)
{
	return s->written_bytes;
}

/* The output ends after its last byte without a gap before it, and so does the descriptor stand. */
static enum status end_in_place(struct sink *s)
{
	struct stat st;
	const off_t end = atomic_load(&place_end);
	const bool cut = s->is_part || fstat(s->fd, &st) != 0 || st.st_size <= end || ftruncate(s->fd, end) == 0;
	/* Nobody else has a temporary file's descriptor. */
	const bool stands = !cut || temporary[0] != '\0' || lseek(s->fd, end, SEEK_SET) >= 0;
	const enum status status = cut && stands ? STATUS_OK : write_failed(s);
	place_fd = -1;
	return status;
}

static enum status write_compressed(void *context, const unsigned char *data, size_t size)
{
	struct sink *s = context;
	s->compressed_bytes += size;
	return write_all(s, data, size);
}

enum status sink_open(const char *path, const struct compressor *compressor, int level, struct sink **sink)
{
	struct sink *s = memory_new(sizeof *s);
	enum status status = STATUS_OK;
	if (s == NULL)
		return STATUS_SYSTEM;
	*s = (struct sink){.fd = STDOUT_FILENO, .directory = -1};
	message_name(s->name, path == NULL || strcmp(path, "-") == 0 ? "standard output" : path);
	if (compressor != NULL) {
		s->blocks = blocks_new(compressor, level, write_compressed, s);
		if (s->blocks == NULL)
			status = STATUS_SYSTEM;
	}
	if (status == STATUS_OK && path != NULL && strcmp(path, "-") != 0)
		status = open_file(s, path);
	if (status != STATUS_OK) {
		s->failed = true;
		(void)!sink_close(s, false);
		return status;
	}
	begin_in_place(s);
	descriptor_widen_pipe(s->fd);
	*sink = s;
	return STATUS_OK;
}

void sink_begin_parts(struct sink *s)
{
	s->is_part = true;
}

enum status sink_open_nowhere(struct sink **sink)
{
	struct sink *s = memory_new(sizeof *s);
	if (s == NULL)
		return STATUS_SYSTEM;
	*s = (struct sink){.fd = -1, .directory = -1, .is_nowhere = true};
	*sink = s;
	return STATUS_OK;
}

void sink_watch(const char *name)
{
	sigset_t all;
	sigset_t before;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &before);
	(void)snprintf(temporary, sizeof temporary, "%s", name);
	ending_set(ENDING_OUTPUT, clean_up_files);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

enum status sink_open_part(const char *path, const char *name, uint64_t offset, struct sink **sink)
{
	struct sink *s = memory_new(sizeof *s);
	if (s == NULL)
		return STATUS_SYSTEM;
	*s = (struct sink){.directory = -1, .is_part = true, .in_place = true};
	message_name(s->name, path);
	s->fd = open(name, O_WRONLY | O_CLOEXEC);
	if (s->fd < 0) {
		const enum status status = write_failed(s);
		memory_free(s);
		return status;
	}
	place_begin = (off_t)offset;
	atomic_store(&place_end, (off_t)offset);
	place_fd = s->fd;
	sink_watch(name);
	*sink = s;
	return STATUS_OK;
}

enum status sink_share(struct sink *s, const struct pool *pool)
{
	return s->blocks == NULL ? STATUS_OK : blocks_share(s->blocks, pool);
}

void sink_compress(struct sink *s, size_t block)
{
	blocks_compress(s->blocks, block);
}

enum status sink_write(struct sink *s, const void *data, size_t size)
{
	const enum status status = s->blocks != NULL ? blocks_put(s->blocks, data, size) : write_all(s, data, size);
	s->failed = s->failed || status != STATUS_OK;
	s->written_bytes += status == STATUS_OK ? size : 0;
	return status;
}

enum status sink_write_lines(struct sink *s, const void *data, size_t size)
{
	const unsigned char *line = data;
	const unsigned char *end = line + size;
	enum status status = STATUS_OK;
	while (line < end && status == STATUS_OK) {
		const unsigned char *newline = memchr(line, '\n', (size_t)(end - line));
		const unsigned char *next = newline == NULL ? end : newline + 1;
		status = sink_write(s, line, (size_t)(next - line));
		line = next;
	}
	return status;
}

enum status sink_finish(struct sink *s)
{
	if (s->failed || s->finished)
		return s->failed ? STATUS_SYSTEM : STATUS_OK;
	s->finished = true;
	const enum status status = s->blocks != NULL ? blocks_end(s->blocks) : STATUS_OK;
	s->failed = status != STATUS_OK;
	return status;
}

uint64_t sink_compressed_bytes(const struct sink *s)
{
	return s->compressed_bytes;
}

/* Gives the temporary file its name, or removes it. */
static enum status end_temporary(struct sink *s, bool keep)
{
	enum status status = STATUS_OK;
	if (s->target == NULL || temporary[0] == '\0')
		return STATUS_OK;
	if (keep && rename(temporary, s->target) != 0)
		status = write_failed(s);
	if (!keep || status != STATUS_OK)
		(void)unlink(temporary);
	temporary[0] = '\0';
	if (keep && status == STATUS_OK && s->directory >= 0 && !descriptor_sync(s->directory)) {
		message_error("%s: it is written, but its directory could not be synced: %s", s->name, strerror(errno));
		status = STATUS_SYSTEM;
	}
	return status;
}

enum status sink_close(struct sink *s, bool keep)
{
	enum status status = sink_finish(s);
	if (s->in_place) {
		const enum status ended = end_in_place(s);
		status = status != STATUS_OK ? status : ended;
	}
	/* A full disk may show only now, or when the file is closed. */
	if ((s->target != NULL || s->is_part) && keep && status == STATUS_OK && !descriptor_sync(s->fd))
		status = write_failed(s);
	if (s->fd >= 0 && close(s->fd) != 0 && errno != EINTR && status == STATUS_OK)
		status = write_failed(s);
	const enum status ended = end_temporary(s, keep && status == STATUS_OK);
	if (s->directory >= 0)
		(void)close(s->directory);
	free(s->target);
	blocks_free(s->blocks);
	memory_free(s);
	return status != STATUS_OK ? status : ended;
}
