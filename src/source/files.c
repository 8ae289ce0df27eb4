#define _GNU_SOURCE /* memrchr */
/* Files of which an earlier run has read a part, and what this run reads of them. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "io/descriptor.h"
#include "source/private.h"
#include "text/line.h"
#include "text/npy.h"
#include "text/record.h"

enum status source_skip(struct source *s)
{
	uint64_t there;
	enum status status = STATUS_OK;
	if (!input_known_bytes(s->file.input, &there))
		status = input_pass(s->file.input, s->rules.skipped, &there, &s->file.open_problem);
	else if (there >= s->rules.skipped)
		input_skip(s->file.input, s->rules.skipped);
	s->file.bytes = s->rules.skipped;
	if (status != STATUS_OK || there >= s->rules.skipped || input_stopped(s->file.input))
		return status;
	return problem_set(&s->file.open_problem, STATUS_DATA,
			   "the file has %" PRIu64 " byte%s, fewer than --skip-bytes=%" PRIu64, there,
			   there == 1 ? "" : "s", s->rules.skipped);
}

enum status source_go_on(struct source *s, const struct source_file *files, uint64_t records,
			 const unsigned char *names, size_t size)
{
	s->files = files;
	s->given.elements = records;
	return bytes_append(&s->text.names_before, names, size);
}

const struct bytes *source_names(const struct source *s)
{
	return s->text.names.size > 0 ? &s->text.names : &s->text.names_before;
}

const struct source_taken *source_taken_files(const struct source *s, size_t *count)
{
	*count = s->taken.size / sizeof(struct source_taken);
	return (const struct source_taken *)(const void *)s->taken.data;
}

uint64_t source_hash_end(const unsigned char *bytes, size_t size)
{
	static const struct hash_key known = {3, 4}; /* constant, since hashes are stored in state files */
	return hash_bytes(&known, bytes, size);
}

bool source_hash_ends(int fd, uint64_t begin, uint64_t bytes, uint64_t *first, uint64_t *last, int *error)
{
	unsigned char end[SOURCE_END_SIZE];
	const size_t size = bytes < sizeof end ? (size_t)bytes : sizeof end;
	*error = 0;
	if (descriptor_read_at(fd, end, size, begin, error) < size)
		return false;
	*first = source_hash_end(end, size);
	if (descriptor_read_at(fd, end, size, begin + bytes - size, error) < size)
		return false;
	*last = source_hash_end(end, size);
	return true;
}

/* Returns the size of the beginning that is hashed after the one of `size` bytes. */
static size_t next_start(size_t size)
{
	size_t step = 1;
	while (step * 32 <= size)
		step *= 2;
	return size + step;
}

void source_hash_starts(const unsigned char *bytes, size_t size, struct source_starts *starts)
{
	const size_t most = size < SOURCE_END_SIZE ? size : SOURCE_END_SIZE;
	starts->count = 0;
	for (size_t start = 1; start <= most; start = next_start(start))
		starts->hashes[starts->count++] = (unsigned char)source_hash_end(bytes, start);
}

size_t source_count_starts(uint64_t size)
{
	const size_t most = size < SOURCE_END_SIZE ? (size_t)size : SOURCE_END_SIZE;
	size_t count = 0;
	for (size_t start = 1; start <= most; start = next_start(start))
		count++;
	return count;
}

bool source_read_starts(int fd, uint64_t begin, uint64_t bytes, struct source_starts *starts, int *error)
{
	unsigned char start[SOURCE_END_SIZE];
	const size_t size = bytes < sizeof start ? (size_t)bytes : sizeof start;
	*error = 0;
	if (descriptor_read_at(fd, start, size, begin, error) < size)
		return false;
	source_hash_starts(start, size, starts);
	return true;
}

uint64_t source_array_header(int fd)
{
	unsigned char begin[NPY_HEADER_MAX];
	int error;
	const size_t got = descriptor_read_at(fd, begin, sizeof begin, 0, &error);
	const uint64_t size = npy_begins(begin, got) ? npy_header_size(begin, got) : 0;
	return size <= got ? size : 0;
}

bool source_count_newlines(int fd, uint64_t begin, uint64_t bytes, uint64_t *lines)
{
	static unsigned char block[1 << 16];
	size_t got = 1;
	uint64_t at = 0;
	for (; at < bytes && got > 0; at += got) {
		int error;
		const uint64_t left = bytes - at;
		const size_t wanted = left < sizeof block ? (size_t)left : sizeof block;
		got = descriptor_read_at(fd, block, wanted, begin + at, &error);
		*lines += line_count((const char *)block, (const char *)block + got);
	}
	return at == bytes;
}

uint64_t source_count_lines(const char *name, uint64_t bytes)
{
	const bool is_label = strcmp(name, input_label("-")) == 0;
	const int fd = input_open_descriptor(is_label ? "-" : name);
	uint64_t lines = 0;
	if (fd >= 0)
		(void)source_count_newlines(fd, 0, bytes, &lines);
	if (fd > STDIN_FILENO)
		(void)close(fd);
	return lines;
}

/* Returns the offset after the last newline of a regular file before `end`; `from` if there is none after it. */
static uint64_t find_line_end(int fd, uint64_t from, uint64_t end)
{
	unsigned char block[SOURCE_END_SIZE];
	while (end > from) {
		int error;
		const size_t wanted = end - from < sizeof block ? (size_t)(end - from) : sizeof block;
		const size_t got = descriptor_read_at(fd, block, wanted, end - wanted, &error);
		const unsigned char *last = memrchr(block, '\n', got);
		if (last != NULL)
			return end - wanted + (size_t)(last - block) + 1;
		end -= wanted;
	}
	return from;
}

size_t source_whole_lines(struct source *s, uint64_t offset, size_t size)
{
	struct stat st;
	int fd;
	if (offset + size > s->file.line_end && input_is_regular(s->file.input, &fd, &st))
		s->file.line_end = find_line_end(fd, offset, (uint64_t)st.st_size);
	if (offset + size <= s->file.line_end)
		return size;
	return s->file.line_end > offset ? (size_t)(s->file.line_end - offset) : 0;
}

size_t source_whole_peeked(const struct source *s, const struct text_rules *rules)
{
	const unsigned char *block = NULL;
	size_t size = 0;
	struct stat st;
	int fd;
	if (s->file.input != NULL)
		input_peeked(s->file.input, &block, &size);
	if (size == 0 || !s->rules.whole_lines || !input_is_plain(s->file.input))
		return size;
	const size_t mark = record_byte_order_mark(block, size);
	const size_t whole = record_whole_lines(rules, block + mark, size - mark);
	if (whole > 0)
		return mark + whole;
	/* (A line that is longer than the block may end after it.) */
	const bool may_end = size == INPUT_BLOCK_SIZE && (!input_is_regular(s->file.input, &fd, &st) ||
							  find_line_end(fd, 0, (uint64_t)st.st_size) > 0);
	return may_end ? size : 0;
}

/* Reads the header of a file that an earlier run has read, or has read in part, of `all` bytes. It becomes the stream's
 * header or must match it. What fields it names depends on the file's first record, even if an earlier run has read
 * that. *end: the offset at which the header ends, or the end of its part if it is not complete; it does not matter for
 * a compressed file, which is inflated up to there. An error in the header ends the file. */
static enum status know_header(struct source *s, const struct plan *plan, int fd, const struct source_file *file,
			       uint64_t all, uint64_t *end)
{
	const struct text_rules *rules = &plan->format.text;
	struct source_beginning b = {.in = input_is_plain(s->file.input) ? NULL : s->file.input,
				     .fd = fd,
				     .offset = file->begin,
				     .bytes = all};
	enum status status = source_read_beginning(&b, rules, s->rules.whole_lines);
	struct problem problem = {0};
	struct header_search whole = {0};
	uint64_t lines;
	uint64_t dropped;
	if (status == STATUS_OK && b.size > 0) {
		const size_t header = record_header_end(rules, &whole, b.text.data + b.mark, b.size);
		*end = file->begin + b.mark + (header > 0 ? header : b.size);
		status = source_read_header(s, plan, b.text.data + b.mark, b.size, b.in != NULL || b.text.size == all,
					    &lines, &dropped, &problem);
	}
	if (status == STATUS_OK && problem.status != STATUS_OK) {
		s->file.end_problem = problem; /* its line is counted from the file's start */
		s->file.passed = 0;
		s->file.ended = true;
	}
	bytes_free(&b.text);
	return status;
}

/* Ends a file that cannot be read; error: the errno, or 0 if the file has shrunk. */
static void end_with_error(struct source *s, int error)
{
	(void)problem_set(&s->file.end_problem, STATUS_SYSTEM, "%s", error != 0 ? strerror(error) : input_shrunk_text);
	s->file.ended = true;
}

enum status source_pass_taken(struct source *s, const struct plan *plan, struct slot *slot)
{
	const struct source_file *file = s->files != NULL ? &s->files[s->next_name - 1] : NULL;
	struct stat st;
	int fd;
	if (file == NULL || (!file->is_taken && file->passed <= file->begin))
		return STATUS_OK;
	slot->in.file_start = plan->format.input == FORMAT_BINARY;
	slot->in.file_goes_on = true;
	s->file.passed = file->passed;
	errno = 0;
	if (!input_is_regular(s->file.input, &fd, &st) || (uint64_t)st.st_dev != file->device ||
	    (uint64_t)st.st_ino != file->inode || (uint64_t)st.st_size < file->passed) {
		(void)problem_set(&s->file.end_problem, STATUS_SYSTEM, "%s",
				  errno != 0 ? strerror(errno) : "the file changed before it was read");
		s->file.ended = true;
		return STATUS_OK;
	}
	const bool has_header = plan->format.input == FORMAT_TEXT && plan->format.text.header_lines > 0;
	uint64_t header_end = 0;
	if (has_header && (file->is_taken || input_is_plain(s->file.input)) &&
	    know_header(s, plan, fd, file, (uint64_t)st.st_size - file->begin, &header_end) != STATUS_OK)
		return STATUS_SYSTEM;
	slot->head.begins_names = !s->text.has_names && s->text.header.name_ends.size > 0;
	s->text.has_names = s->text.has_names || slot->head.begins_names;
	if (file->is_taken)
		s->file.ended = true;
	if (s->file.ended)
		return STATUS_OK;
	/* (An earlier run may have read only a part of the header.) */
	s->file.passed = header_end > file->passed ? header_end : file->passed;
	/* (No bytes of text are skipped, and the part of a file that was read includes its header.) */
	const uint64_t passed = s->file.passed - file->begin - s->rules.skipped;
	if (plan->format.input == FORMAT_BINARY)
		slot->in.file_records = passed / plan->format.record_size;
	input_skip(s->file.input, passed);
	if (lseek(fd, 0, SEEK_CUR) != (off_t)s->file.passed) {
		end_with_error(s, errno);
		return STATUS_OK;
	}
	s->file.bytes += passed;
	return STATUS_OK;
}

/* The most bytes that are inflated to find damage after a wrong token. */
#define CHECKED_SIZE ((size_t)4 << 20)

bool source_find_damage(struct source *s, const char *file_name, uint64_t frame, struct problem *problem)
{
	unsigned char block[INPUT_BLOCK_SIZE];
	struct stat st;
	int fd;
	size_t got = 1;
	if (s->file.open_name == NULL || strcmp(s->file.open_name, file_name) != 0)
		return false;
	enum status status = s->file.end_problem.status;
	*problem = s->file.end_problem;
	for (size_t size = 0; s->file.input != NULL && status == STATUS_OK && got > 0 && size < CHECKED_SIZE;
	     size += got) {
		if (s->file.unchecked != frame || !input_is_regular(s->file.input, &fd, &st))
			break;
		status = input_read(s->file.input, block, sizeof block, &got, problem);
		s->file.unchecked = input_unchecked(s->file.input);
	}
	return status == STATUS_DATA && problem->fatal && s->file.unchecked == frame;
}

void source_ends_add(struct source_ends *e, const unsigned char *bytes, size_t size)
{
	if (e->size < sizeof e->first) {
		const size_t wanted = sizeof e->first - (size_t)e->size;
		memcpy(e->first + e->size, bytes, size < wanted ? size : wanted);
	}
	const size_t had = e->size < sizeof e->last ? (size_t)e->size : sizeof e->last;
	const size_t got = size < sizeof e->last ? size : sizeof e->last;
	const size_t kept = had + got > sizeof e->last ? sizeof e->last - got : had;
	memmove(e->last, e->last + had - kept, kept);
	memcpy(e->last + kept, bytes + size - got, got);
	e->size += size;
}

void source_check_header(struct source *s, const struct text_rules *rules)
{
	const uint64_t lines = s->text.header.line_count;
	if (lines == 0 || lines >= rules->header_lines || !text_has_names(rules) || s->files != NULL ||
	    s->next_name < s->name_count || input_stopped(s->file.input) || s->file.end_problem.status != STATUS_OK)
		return;
	(void)problem_set(&s->file.end_problem, STATUS_DATA,
			  "the input ends after %" PRIu64 " of the header's %" PRIu64 " lines (see --header)", lines,
			  rules->header_lines);
}

enum status source_note_taken(struct source *s, const struct plan *plan)
{
	const struct source_file *file = s->files != NULL ? &s->files[s->next_name - 1] : NULL;
	struct stat st;
	int fd;
	if (file == NULL || file->is_taken || !file->is_regular || s->file.end_problem.status != STATUS_OK)
		return STATUS_OK;
	if (!input_is_regular(s->file.input, &fd, &st)) {
		end_with_error(s, errno);
		return STATUS_OK;
	}
	struct source_taken taken = {.file = s->next_name - 1,
				     .device = (uint64_t)st.st_dev,
				     .inode = (uint64_t)st.st_ino,
				     .is_array = plan->npy.reads,
				     .is_whole = plan->npy.reads || !input_is_plain(s->file.input)};
	taken.bytes = taken.is_whole ? (uint64_t)st.st_size : file->begin + s->file.bytes;
	if (input_is_plain(s->file.input))
		taken.header = plan->npy.reads ? source_array_header(fd) : s->rules.skipped;
	int error = 0;
	if (taken.header > taken.bytes ||
	    !source_hash_ends(fd, taken.header, taken.bytes - taken.header, &taken.first, &taken.last, &error) ||
	    !source_read_starts(fd, taken.header, taken.bytes - taken.header, &taken.starts, &error)) {
		end_with_error(s, error);
		return STATUS_OK;
	}
	const size_t ends = s->file.inflated.size < SOURCE_END_SIZE ? (size_t)s->file.inflated.size : SOURCE_END_SIZE;
	if (!input_is_plain(s->file.input)) {
		const bool has_header = plan->npy.reads || s->rules.skipped > 0;
		taken.inflated_header = has_header ? s->file.bytes - s->file.inflated.size : 0;
		taken.inflated = taken.inflated_header + s->file.inflated.size;
	}
	taken.inflated_first = source_hash_end(s->file.inflated.first, ends);
	taken.inflated_last = source_hash_end(s->file.inflated.last, ends);
	source_hash_starts(s->file.inflated.first, ends, &taken.inflated_starts);
	return bytes_append(&s->taken, &taken, sizeof taken);
}
