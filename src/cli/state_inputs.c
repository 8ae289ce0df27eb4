#include "cli/state_inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "cli/state_inflated.h"
#include "cli/state_match.h"
#include "io/descriptor.h"
#include "io/input.h"

/* A last line that was taken without its end is shown up to here. */
#define LINE_SHOWN 256

static const struct saved_input *known_ones(const struct state_inputs *s, size_t *count)
{
	*count = s->known.size / sizeof(struct saved_input);
	return (const struct saved_input *)(const void *)s->known.data;
}

static struct source_file *files_of(const struct state_inputs *s)
{
	return (struct source_file *)(void *)s->files.data;
}

enum status state_inputs_read(struct state_inputs *s, struct unpack *u)
{
	enum status status = STATUS_OK;
	for (uint64_t i = unpack_count(u); i > 0 && !u->failed && status == STATUS_OK; i--) {
		struct saved_input input;
		layout_unpack(u, &saved_input_layout, &input);
		u->failed = u->failed || input.taken == 0 || input.taken > INT64_MAX || input.whole > 1;
		status = bytes_append(&s->known, &input, sizeof input);
	}
	return status;
}

static bool is_standard(const char *name)
{
	return strcmp(name, "-") == 0;
}

/* Opens a regular file to look at it; -1: it is no regular file. (To open a FIFO is seen by its writer.) */
static enum status open_regular(const char *name, int *fd, struct stat *st)
{
	*fd = -1;
	if ((is_standard(name) ? fstat(STDIN_FILENO, st) : stat(name, st)) != 0)
		return state_match_fail(name, errno);
	if (!S_ISREG(st->st_mode))
		return STATUS_OK;
	*fd = is_standard(name) ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return *fd >= 0 && fstat(*fd, st) == 0 ? STATUS_OK : state_match_fail(name, errno);
}

static void close_input(int fd)
{
	if (fd > STDIN_FILENO)
		(void)close(fd);
}

/* Whether the file was named before in this run. */
static bool is_named_before(const struct state_inputs *s, size_t count, const struct source_file *file)
{
	const struct source_file *files = files_of(s);
	bool is = false;
	for (size_t i = 0; i < count && !is; i++)
		is = files[i].is_regular && files[i].device == file->device && files[i].inode == file->inode;
	return is;
}

/* An input that no known file fits: it is new, unless it is compressed and has the bytes of a known one. */
static enum status find_inflated(struct state_inputs *s, const struct state_known *known, const struct options *o,
				 const char *name, uint64_t size, struct source_file *file)
{
	bool has_more;
	char shown[MESSAGE_NAME_SIZE];
	char quoted[MESSAGE_QUOTED_SIZE];
	const struct saved_input *k = state_match_inflated(known, name, state_match_header(o), &has_more);
	file->is_taken = k != NULL;
	s->has_taken = s->has_taken || file->is_taken;
	s->has_new = s->has_new || (!file->is_taken && size > file->begin);
	if (k == NULL || !has_more)
		return STATUS_OK;
	message_error("%s: inflated, it begins with the %" PRIu64 " bytes that were taken of %s, and has more "
		      "(leave it out, and read what is after byte %" PRIu64 " through a pipe)",
		      state_match_name(shown, name), k->taken, message_quote(quoted, k->name.data, k->name.size),
		      k->taken);
	return STATUS_USAGE;
}

/* One input, which is open. */
static enum status find_file(struct state_inputs *s, const struct options *o, const char *name, int fd,
			     const struct stat *st, struct source_file *file, size_t *gone_on)
{
	size_t count;
	const struct saved_input *known = known_ones(s, &count);
	const uint64_t size = (uint64_t)st->st_size;
	const off_t place = is_standard(name) ? lseek(fd, 0, SEEK_CUR) : 0;
	file->is_regular = true;
	file->device = (uint64_t)st->st_dev;
	file->inode = (uint64_t)st->st_ino;
	if (place < 0)
		return state_match_fail(name, errno);
	file->begin = (uint64_t)place;
	if (is_named_before(s, s->files.size / sizeof *file, file)) {
		file->is_taken = true;
		return STATUS_OK;
	}
	const struct state_known all = {known, count};
	const enum status status = state_match(&all, o, name, fd, st, gone_on);
	if (status != STATUS_OK || *gone_on == SIZE_MAX)
		return status == STATUS_OK ? find_inflated(s, &all, o, name, size, file) : status;
	known += *gone_on;
	s->has_taken = true;
	s->has_new = s->has_new || size > known->taken;
	file->passed = known->taken > file->begin ? known->taken : file->begin;
	file->is_taken = known->whole != 0 || size <= known->taken;
	if (known->whole != 0 && size > known->taken) {
		char shown[MESSAGE_NAME_SIZE];
		message_error("%s: it was taken as a whole, and has grown since (see --state)",
			      state_match_name(shown, name));
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

/* Two files that go on after the same bytes may be copies of each other: their new bytes would count twice. */
static enum status refuse_copies(const struct state_inputs *s, const struct options *o)
{
	const struct source_file *files = files_of(s);
	const size_t *gone_on = (const size_t *)(const void *)s->gone_on.data;
	char one[MESSAGE_NAME_SIZE];
	char other[MESSAGE_NAME_SIZE];
	for (size_t i = 0; i < o->file_count; i++) {
		for (size_t k = 0; k < i && gone_on[i] != SIZE_MAX; k++) {
			if (gone_on[k] != gone_on[i] || files[k].is_taken || files[i].is_taken)
				continue;
			message_error("%s and %s begin with the same bytes, which were taken, and both have more "
				      "(name one of them)",
				      state_match_name(one, o->files[k]), state_match_name(other, o->files[i]));
			return STATUS_USAGE;
		}
	}
	return STATUS_OK;
}

enum status state_inputs_find(struct state_inputs *s, const struct options *o)
{
	enum status status = STATUS_OK;
	s->are_regular = true;
	for (size_t i = 0; i < o->file_count && status == STATUS_OK; i++) {
		struct source_file file = {0};
		struct stat st;
		size_t gone_on = SIZE_MAX;
		int fd;
		status = open_regular(o->files[i], &fd, &st);
		if (status == STATUS_OK && fd >= 0)
			status = find_file(s, o, o->files[i], fd, &st, &file, &gone_on);
		close_input(fd);
		s->are_regular = s->are_regular && file.is_regular;
		s->has_new = s->has_new || !file.is_regular;
		if (status == STATUS_OK)
			status = bytes_append(&s->files, &file, sizeof file);
		if (status == STATUS_OK)
			status = bytes_append(&s->gone_on, &gone_on, sizeof gone_on);
	}
	return status == STATUS_OK ? refuse_copies(s, o) : status;
}

/* Says which line was taken without its end. */
static enum status refuse_line(const char *name, int fd, uint64_t end)
{
	unsigned char text[LINE_SHOWN];
	char shown[MESSAGE_NAME_SIZE];
	char quoted[MESSAGE_QUOTED_SIZE];
	int error;
	const size_t wanted = end < sizeof text ? (size_t)end : sizeof text;
	const size_t size = descriptor_read_at(fd, text, wanted, end - wanted, &error);
	size_t begin = size;
	while (begin > 0 && text[begin - 1] != '\n')
		begin--;
	message_error("%s: line %" PRIu64 " was read as %s before it was complete "
		      "(--whole-lines leaves such a line for later)",
		      state_match_name(shown, name), source_count_lines(name, end) + 1,
		      message_quote(quoted, text + begin, size - begin));
	return STATUS_USAGE;
}

/* What ends the line of which the last byte was taken, if that is not its end, is passed over. */
static enum status check_line(const char *name, int fd, struct source_file *file)
{
	unsigned char last;
	unsigned char next[2] = {0};
	int error = 0;
	if (descriptor_read_at(fd, &last, 1, file->passed - 1, &error) < 1)
		return state_match_fail(name, error);
	if (last == '\n')
		return STATUS_OK;
	const size_t size = descriptor_read_at(fd, next, sizeof next, file->passed, &error);
	if (error != 0)
		return state_match_fail(name, error);
	if (size > 0 && next[0] == '\n')
		file->passed += 1;
	else if (size > 1 && next[0] == '\r' && next[1] == '\n')
		file->passed += 2;
	else if (size > 0)
		return refuse_line(name, fd, file->passed);
	return STATUS_OK;
}

enum status state_inputs_check_lines(struct state_inputs *s, const struct options *o)
{
	struct source_file *files = files_of(s);
	enum status status = STATUS_OK;
	for (size_t i = 0; i < o->file_count && status == STATUS_OK; i++) {
		if (files[i].is_taken || files[i].passed <= files[i].begin)
			continue;
		struct stat st;
		int fd;
		status = open_regular(o->files[i], &fd, &st);
		if (status == STATUS_OK && fd >= 0)
			status = check_line(o->files[i], fd, &files[i]);
		close_input(fd);
	}
	return status;
}

/* What is known of a file now. Other ones may have the same bytes: one that it has gone on after (or NULL), and one
 * that has those of a compressed file, inflated, which has no inode. */
static uint64_t save_file(struct pack *p, const struct source_taken *taken, const char *name,
			  const struct saved_input *other)
{
	char *whole = is_standard(name) ? NULL : realpath(name, NULL);
	const char *shown = whole != NULL ? whole : name;
	struct saved_input input = {.name = {(const unsigned char *)shown, strlen(shown)},
				    .device = taken->device,
				    .inode = taken->inode,
				    .taken = taken->bytes,
				    .first = taken->first,
				    .last = taken->last,
				    .whole = taken->is_whole};
	layout_pack(p, &saved_input_layout, &input);
	if (other != NULL) {
		input.name = other->name;
		input.device = other->device;
		input.inode = other->inode;
		layout_pack(p, &saved_input_layout, &input);
	}
	if (taken->inflated > 0) {
		input = (struct saved_input){.name = input.name,
					     .taken = taken->inflated,
					     .first = taken->inflated_first,
					     .last = taken->inflated_last};
		layout_pack(p, &saved_input_layout, &input);
	}
	free(whole);
	return UINT64_C(1) + (other != NULL) + (taken->inflated > 0);
}

/* The known file of another inode that a file has gone on after, or NULL. */
static const struct saved_input *other_of(const struct state_inputs *s, const struct source_taken *taken)
{
	size_t count;
	const size_t known = ((const size_t *)(const void *)s->gone_on.data)[taken->file];
	const struct saved_input *k = known_ones(s, &count) + (known != SIZE_MAX ? known : 0);
	const bool is_own = known == SIZE_MAX || (k->device == taken->device && k->inode == taken->inode);
	return is_own ? NULL : k;
}

/* Whether what was known is what a file that was read has gone on after, under the same inode. */
static bool is_replaced(const struct state_inputs *s, size_t known, const struct source_taken *taken, size_t count)
{
	const size_t *gone_on = (const size_t *)(const void *)s->gone_on.data;
	size_t known_count;
	const struct saved_input *k = known_ones(s, &known_count) + known;
	bool is = false;
	for (size_t i = 0; i < count && !is; i++)
		is = gone_on[taken[i].file] == known && taken[i].device == k->device && taken[i].inode == k->inode;
	return is;
}

void state_inputs_save(const struct state_inputs *s, struct pack *p, const struct options *o,
		       const struct source *source)
{
	size_t count;
	size_t known_count;
	const struct source_taken *taken = source_taken_files(source, &count);
	const struct saved_input *known = known_ones(s, &known_count);
	struct pack files = {0};
	uint64_t kept = 0;
	for (size_t i = 0; i < known_count; i++) {
		if (is_replaced(s, i, taken, count))
			continue;
		layout_pack(&files, &saved_input_layout, &known[i]);
		kept++;
	}
	for (size_t i = 0; i < count; i++)
		kept += save_file(&files, &taken[i], o->files[taken[i].file], other_of(s, &taken[i]));
	pack_count(p, kept);
	pack_raw(p, files.bytes.data, files.bytes.size);
	p->failed = p->failed || files.failed;
	bytes_free(&files.bytes);
}

void state_inputs_free(struct state_inputs *s)
{
	bytes_free(&s->known);
	bytes_free(&s->files);
	bytes_free(&s->gone_on);
}
