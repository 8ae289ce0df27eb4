/* The input from its end to its beginning (--reverse). It is read in its order first, as always, to find where it may
 * be cut into chunks: a regular file is only looked at there. What cannot be read again at any place, since it comes
 * from a pipe or was compressed, is copied to a temporary file meanwhile. Then the chunks are given, the last one
 * first. Pieces of binary input need no cuts between them: they are as long as the grid wants them, counted from the
 * end. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "io/input_copy.h"
#include "io/temporary.h"
#include "source/private.h"

/* A chunk of text, or all that a file has of binary elements. */
struct input_part {
	uint64_t offset; /* In the file, or in the copy. */
	uint64_t size; /* In bytes. */
	uint64_t lines; /* Lines of the file before it; UNCOUNTED: not counted yet. */
	uint32_t file; /* The index of its file. */
	bool begins_file, mid_line; /* See struct slot_input. */
};

#define UNCOUNTED UINT64_MAX
/* In place of a part's number: an error in a header, whose lines are those of the file. */
#define NO_PART SIZE_MAX

/* A file that was read. */
struct seen_file {
	const char *name; /* As it was given. Borrowed. */
	bool is_copied; /* Its bytes are in the copy. */
	dev_t device; /* Otherwise: which file it is. */
	ino_t inode;
	struct slot_header head; /* The header of its first chunk. */
	struct problem problem; /* Of its end; it is not fatal. */
};

struct source_backwards {
	struct temporary copy;
	struct input *copied; /* The copy as an input, or NULL. Owned. */
	struct bytes parts; /* struct input_part, in the input's order. Owned. */
	struct bytes files; /* struct seen_file, in the input's order. Owned. */
	bool is_read; /* All input was read. */
	struct problem problem; /* Why the input cannot be read. It is fatal. */
	const char *problem_name; /* The file of that problem. */
	uint64_t records; /* Of binary input. */
	uint64_t bytes; /* All bytes. */
	size_t left; /* Parts that are not given yet. */
	uint64_t left_of_part; /* Bytes of the last one of these that are not given yet. */
	struct input *open; /* The file of the chunk that was given last, or NULL. Owned. */
	size_t open_number; /* Its index. */
};

enum status source_read_backwards(struct source *s)
{
	struct source_backwards *b = memory_new(sizeof *b);
	if (b == NULL)
		return STATUS_SYSTEM;
	*b = (struct source_backwards){.copy = {.fd = -1}};
	temporary_begin(&b->copy);
	s->backwards = b;
	return STATUS_OK;
}

static void free_backwards(struct source_backwards *b)
{
	if (b == NULL)
		return;
	input_close(b->copied);
	input_close(b->open);
	temporary_end(&b->copy);
	bytes_free_all(&b->parts, &b->files);
	memory_free(b);
}

/* (Here, since source.c needs nothing else of this file.) */
void source_free(struct source *s)
{
	if (s == NULL)
		return;
	input_close(s->file.input);
	free_backwards(s->backwards);
	bytes_free(&s->file.tail);
	bytes_free(&s->taken);
	header_free(&s->text.header);
	bytes_free_all(&s->text.names, &s->text.names_before, &s->text.ahead);
	memory_free(s);
}

uint64_t source_all_records(const struct source *s)
{
	return s->backwards->records;
}

static struct input_part *parts_of(const struct source_backwards *b)
{
	return (struct input_part *)(void *)b->parts.data;
}

static struct seen_file *files_of(const struct source_backwards *b)
{
	return (struct seen_file *)(void *)b->files.data;
}

/* Notes the file of the slot's chunk, which is its first one. in: the file. */
static enum status note_file(struct source *s, const struct slot *slot, struct input *in)
{
	struct stat st;
	int fd;
	struct seen_file f = {.name = s->names[s->next_name - 1], .head = slot->head};
	errno = s->file.place_error;
	f.is_copied = !input_is_regular(in, &fd, &st) || !input_is_plain(in);
	if (errno != 0) {
		return message_fail("%s: %s", message_shown(slot->in.file_name), strerror(errno));
	}
	f.device = st.st_dev;
	f.inode = st.st_ino;
	return bytes_append(&s->backwards->files, &f, sizeof f);
}

/* Notes the chunk that was read, and copies it if it must be. */
static enum status note_part(struct source *s, const struct plan *plan, struct slot *slot, struct input *in)
{
	struct source_backwards *b = s->backwards;
	const bool is_binary = plan->format.input == FORMAT_BINARY;
	if (slot->in.file_start && note_file(s, slot, in) != STATUS_OK)
		return STATUS_SYSTEM;
	const size_t count = b->files.size / sizeof(struct seen_file);
	struct seen_file *f = &files_of(b)[count - 1];
	struct input_part p = {.offset = f->is_copied ? b->copy.size : slot->in.offset,
			       .size = slot->in.size,
			       .lines = slot->in.file_start ? 0 : UNCOUNTED,
			       .file = (uint32_t)(count - 1),
			       .begins_file = slot->in.file_start,
			       .mid_line = slot->in.mid_line};
	f->problem = slot->in.source_problem;
	b->bytes += slot->in.size;
	b->records += is_binary ? slot->in.size / plan->format.record_size : 0;
	if (f->is_copied && slot->in.size > 0 && temporary_append(&b->copy, slot->in.data, slot->in.size) != STATUS_OK)
		return STATUS_SYSTEM;
	input_close(slot->in.input);
	slot->in.input = NULL;
	if (is_binary && !slot->in.file_start) {
		parts_of(b)[b->parts.size / sizeof p - 1].size += p.size;
		return STATUS_OK;
	}
	return p.size > 0 || p.begins_file ? bytes_append(&b->parts, &p, sizeof p) : STATUS_OK;
}

/* Reads all input, with the slot's memory. */
static enum status read_all(struct source *s, const struct plan *plan, struct slot *slot, size_t elements)
{
	struct source_backwards *b = s->backwards;
	bool is_last = false;
	while (!is_last) {
		source_open_next(s);
		struct input *in = s->file.input != NULL ? input_hold(s->file.input) : NULL;
		enum status status = source_fill_forwards(s, plan, slot, elements);
		const struct problem *problem = &slot->in.source_problem;
		is_last = slot->in.last;
		if (status == STATUS_OK && problem->status != STATUS_OK && problem->fatal) {
			b->problem = *problem;
			b->problem_name = slot->in.file_name;
			input_close(slot->in.input);
			slot->in.input = NULL;
			is_last = true;
		} else if (status == STATUS_OK) {
			status = note_part(s, plan, slot, in);
		}
		input_close(in);
		if (status != STATUS_OK)
			return status;
	}
	b->is_read = true;
	b->left = b->parts.size / sizeof(struct input_part);
	b->left_of_part = b->left > 0 ? parts_of(b)[b->left - 1].size : 0;
	s->given.elements = s->given.chunks = 0;
	return STATUS_OK;
}

/* Opens a file again. On failure *problem has the reason. */
static enum status open_again(struct source_backwards *b, size_t number, struct problem *problem)
{
	const struct seen_file *f = &files_of(b)[number];
	struct stat st;
	if (b->open != NULL && b->open_number == number)
		return STATUS_OK;
	input_close(b->open);
	b->open = NULL;
	const int fd = input_open_descriptor(f->name);
	if (fd < 0)
		return problem_set(problem, STATUS_SYSTEM, "%s", strerror(errno));
	b->open = input_of_descriptor(fd, input_label(f->name));
	b->open_number = number;
	if (b->open == NULL)
		return STATUS_SYSTEM;
	if (fstat(fd, &st) != 0)
		return problem_set(problem, STATUS_SYSTEM, "%s", strerror(errno));
	if (st.st_dev != f->device || st.st_ino != f->inode)
		return problem_set(problem, STATUS_SYSTEM, "%s", input_changed_text);
	return STATUS_OK;
}

/* Gives the slot the file, or the copy, that its bytes are to be read from. */
static enum status give_input(struct source_backwards *b, size_t number, struct slot *slot)
{
	if (!files_of(b)[number].is_copied) {
		const enum status status = open_again(b, number, &slot->in.source_problem);
		slot->in.input = status == STATUS_OK ? input_hold(b->open) : NULL;
		return b->open == NULL && slot->in.source_problem.status == STATUS_OK ? STATUS_SYSTEM : STATUS_OK;
	}
	if (b->copied == NULL) {
		const int fd = dup(b->copy.fd);
		if (fd < 0)
			return temporary_failed(errno);
		b->copied = input_of_descriptor(fd, temporary_directory());
	}
	slot->in.input = b->copied != NULL ? input_hold(b->copied) : NULL;
	return b->copied != NULL ? STATUS_OK : STATUS_SYSTEM;
}

/* Gives the next chunk: the last one that was not given yet. */
static enum status give(struct source *s, const struct plan *plan, struct slot *slot, size_t elements)
{
	struct source_backwards *b = s->backwards;
	const bool is_binary = plan->format.input == FORMAT_BINARY;
	const struct input_part *p = &parts_of(b)[b->left - 1];
	const struct seen_file *f = &files_of(b)[p->file];
	const size_t most = is_binary ? source_most_elements(s, plan, elements) : SIZE_MAX;
	const bool is_end =
		b->left_of_part == p->size && (b->left == b->parts.size / sizeof *p || p[1].file != p->file);
	slot->in.size = b->left_of_part < most ? (size_t)b->left_of_part : most;
	b->left_of_part -= slot->in.size;
	b->bytes -= slot->in.size;
	slot->in.part = b->left - 1;
	slot->in.offset = p->offset + b->left_of_part;
	slot->in.file_name = input_label(f->name);
	slot->in.file_start = p->begins_file && b->left_of_part == 0;
	slot->in.mid_line = p->mid_line;
	slot->in.file_records = is_binary ? b->left_of_part / plan->format.record_size : 0;
	slot->head = slot->in.file_start ? f->head
					 : (struct slot_header){.header = f->head.header,
								.fields = f->head.fields,
								.table = f->head.table};
	s->given.taken_bytes += slot->in.size;
	slot->in.taken_bytes = slot->in.sized_bytes = s->given.taken_bytes;
	s->given.elements += is_binary ? slot->in.size / plan->format.record_size : 0;
	if (is_end)
		slot->in.source_problem = f->problem;
	if (slot->in.size > 0 && give_input(b, p->file, slot) != STATUS_OK)
		return STATUS_SYSTEM;
	if (b->left_of_part == 0 && --b->left > 0)
		b->left_of_part = p[-1].size;
	slot->in.last = b->left == 0;
	if (slot->in.size > 0 && slot->in.input == NULL) {
		slot->in.size = 0;
		slot->in.last = true;
	}
	return STATUS_OK;
}

enum status source_fill(struct source *s, const struct plan *plan, struct slot *slot, size_t elements)
{
	struct source_backwards *b = s->backwards;
	if (b == NULL)
		return source_fill_forwards(s, plan, slot, elements);
	const bool is_first = !b->is_read;
	if (is_first && read_all(s, plan, slot, elements) != STATUS_OK)
		return STATUS_SYSTEM;
	if (is_first)
		s->given.taken_bytes = 0;
	source_begin_chunk(s, slot);
	if (b->problem.status == STATUS_OK)
		return give(s, plan, slot, elements);
	slot->in.part = NO_PART;
	slot->in.file_name = b->problem_name;
	slot->in.source_problem = b->problem;
	slot->in.last = true;
	return STATUS_OK;
}

uint64_t source_lines_before(struct source *s, const struct slot *slot)
{
	struct input_part *parts = parts_of(s->backwards);
	size_t i = slot->in.part;
	if (i == NO_PART)
		return 0;
	const struct seen_file *f = &files_of(s->backwards)[parts[i].file];
	if (parts[i].lines != UNCOUNTED)
		return parts[i].lines;
	while (parts[i].lines == UNCOUNTED)
		i--;
	const int fd = f->is_copied ? s->backwards->copy.fd : input_open_descriptor(f->name);
	bool is_read = fd >= 0;
	for (; i < slot->in.part && is_read; i++) {
		uint64_t lines = parts[i].lines;
		is_read = source_count_newlines(fd, parts[i].offset, parts[i].size, &lines);
		if (is_read)
			parts[i + 1].lines = lines;
	}
	if (!f->is_copied && fd > STDIN_FILENO)
		(void)close(fd);
	return is_read ? parts[slot->in.part].lines : 0;
}
