/* Plain output goes straight to the descriptor, a chunk at a time. Compressed output comes from blocks.c. How a file
 * becomes a new one is new_file.c's. */
#include "io/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "io/descriptor.h"
#include "io/new_file.h"
#include "process/ending.h"

/* Written at once. */
#define WRITE_SIZE_MAX ((size_t)64 << 20)
/* How long a signal waits for writes to end. */
#define CUT_LIMIT_MS 2000

struct sink {
	struct new_file file; /* of standard output only its descriptor and what messages call it */
	bool failed; /* a write failed and was reported */
	bool in_place; /* every write has its offset */
	struct blocks *blocks; /* NULL: not compressed */
	uint64_t compressed_bytes; /* of these written so far */
	uint64_t written_bytes; /* before that */
	bool finished; /* nothing is held back any more */
	bool is_nowhere; /* everything that is written is dropped */
	bool is_part; /* other processes write parts of the same file */
};

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
	(void)lseek(place_fd, atomic_load(&place_end), SEEK_SET); /* for the next program that writes there */
}

static void clean_up_place(bool crashed)
{
	(void)crashed;
	if (place_fd >= 0)
		cut_place();
}

/* The output begins at a place of the descriptor's file. */
static void start_place(int fd, off_t at)
{
	place_begin = at;
	atomic_store(&place_end, at);
	place_fd = fd;
}

static void begin_in_place(struct sink *s)
{
	struct stat st;
	const int flags = fcntl(s->file.fd, F_GETFL);
	const off_t at = lseek(s->file.fd, 0, SEEK_CUR);
	if (s->blocks != NULL || flags < 0 || (flags & O_APPEND) != 0 || at < 0 || fstat(s->file.fd, &st) != 0 ||
	    !S_ISREG(st.st_mode) || st.st_size > at || message_goes_to(&st))
		return;
	s->in_place = true;
	start_place(s->file.fd, at);
	/* (A temporary file is removed.) */
	if (s->file.target == NULL)
		ending_set(ENDING_OUTPUT, clean_up_place);
}

const char *sink_temporary(const struct sink *s)
{
	return new_file_temporary(&s->file);
}

void sink_leave_standard_output(struct sink *s)
{
	const int nowhere = s->file.fd == STDOUT_FILENO ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
	const int moved = nowhere >= 0 ? fcntl(s->file.fd, F_DUPFD_CLOEXEC, 3) : -1;
	if (moved >= 0 && dup2(nowhere, STDOUT_FILENO) == STDOUT_FILENO) {
		s->file.fd = moved;
		if (place_fd >= 0)
			place_fd = moved;
	} else if (moved >= 0) {
		(void)close(moved);
	}
	if (nowhere >= 0)
		(void)close(nowhere);
}

bool sink_is_nowhere(const struct sink *s)
{
	return s->is_nowhere;
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
	message_error("%s: %s", s->file.name, strerror(errno));
	s->failed = true;
	return STATUS_SYSTEM;
}

static enum status write_all(struct sink *s, const unsigned char *data, size_t size)
{
	while (size > 0 && !s->is_nowhere) {
		const size_t part = size < WRITE_SIZE_MAX ? size : WRITE_SIZE_MAX;
		const ssize_t written = s->in_place ? write_in_place(s->file.fd, data, part, atomic_load(&place_end))
						    : write(s->file.fd, data, part);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			struct pollfd p = {.fd = s->file.fd, .events = POLLOUT};
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
		const ssize_t written =
			write_in_place(s->file.fd, from, size < WRITE_SIZE_MAX ? size : WRITE_SIZE_MAX, at);
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

enum status sink_rewrite(struct sink *s, const void *data, size_t size, uint64_t offset)
{
	return sink_write_at(s, data, size, offset) ? STATUS_OK : write_failed(s);
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
	const bool cut =
		s->is_part || fstat(s->file.fd, &st) != 0 || st.st_size <= end || ftruncate(s->file.fd, end) == 0;
	/* No other process has a temporary file's descriptor. */
	const bool stands = !cut || s->file.target != NULL || lseek(s->file.fd, end, SEEK_SET) >= 0;
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
	*s = (struct sink){.file = {.fd = STDOUT_FILENO, .name = "standard output", .directory = -1}};
	if (compressor != NULL) {
		s->blocks = blocks_new(compressor, level, write_compressed, s);
		if (s->blocks == NULL)
			status = STATUS_SYSTEM;
	}
	const bool is_standard = path == NULL || strcmp(path, "-") == 0 || descriptor_of_path(path) == STDOUT_FILENO;
	if (status == STATUS_OK && !is_standard)
		status = new_file_open(&s->file, path, ENDING_OUTPUT);
	if (status != STATUS_OK) {
		s->failed = true;
		(void)!sink_close(s, false);
		return status;
	}
	begin_in_place(s);
	descriptor_widen_pipe(s->file.fd);
	*sink = s;
	return STATUS_OK;
}

void sink_begin_parts(struct sink *s)
{
	s->is_part = true;
}

/* Copies a sink to memory of its own. If memory is missing, closes its file. */
static enum status make_sink(struct sink *made, struct sink **sink)
{
	*sink = memory_new(sizeof **sink);
	if (*sink != NULL)
		**sink = *made;
	else
		new_file_abandon(&made->file);
	return *sink != NULL ? STATUS_OK : STATUS_SYSTEM;
}

enum status sink_open_nowhere(struct sink **sink)
{
	return make_sink(&(struct sink){.file = {.fd = -1, .directory = -1}, .is_nowhere = true}, sink);
}

enum status sink_open_part(const char *path, const char *temporary, uint64_t offset, struct sink **sink)
{
	struct sink made = {.is_part = true, .in_place = true};
	TRY(new_file_open_part(&made.file, path, ENDING_OUTPUT, temporary));
	TRY(make_sink(&made, sink));
	start_place(made.file.fd, (off_t)offset);
	return STATUS_OK;
}

enum status sink_open_scratch(const char *path, struct sink **sink)
{
	struct sink made = {0};
	TRY(new_file_open_scratch(&made.file, path));
	return make_sink(&made, sink);
}

/* Copied at once. */
#define APPEND_SIZE ((size_t)1 << 20)

enum status sink_append(struct sink *s, struct sink *scratch)
{
	unsigned char *data = memory_new(APPEND_SIZE);
	enum status status = data == NULL ? STATUS_SYSTEM : STATUS_OK;
	for (uint64_t done = 0; done < scratch->written_bytes && status == STATUS_OK;) {
		int error;
		const size_t got = descriptor_read_at(scratch->file.fd, data, APPEND_SIZE, done, &error);
		errno = error != 0 ? error : EIO;
		status = got == 0 ? write_failed(scratch) : sink_write(s, data, got);
		done += got;
	}
	memory_free(data);
	return status;
}

enum status sink_share(struct sink *s, const struct pool *pool)
{
	return s->blocks == NULL ? STATUS_OK : blocks_share(s->blocks, pool);
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

enum status sink_close(struct sink *s, bool keep)
{
	enum status status = sink_finish(s);
	if (s->in_place) {
		const enum status ended = end_in_place(s);
		status = status != STATUS_OK ? status : ended;
	}
	if (status == STATUS_OK)
		status = new_file_close(&s->file, keep);
	else
		new_file_abandon(&s->file);
	blocks_free(s->blocks);
	memory_free(s);
	return status;
}
