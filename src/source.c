/* A chunk is mapped where the file allows that, else read into the slot's buffer. What is read behind the last whole record
 * waits in the tail and begins the next chunk. Binary chunks are cut so that they end on the grid's tiles. */
#include "source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "message.h"

struct source {
	char *const *names;
	size_t name_count;
	size_t next_name;
	int stop_fd;
	struct input *input; /* the current file, or NULL between files */
	bool file_start; /* nothing of the current file was given out */
	bool ended; /* all of the current file is read; what is left is in the tail */
	struct problem end_problem; /* why it ended, to be told behind the tail */
	struct bytes tail; /* bytes of the current file that belong to the next chunk */
	uint64_t elements; /* given out so far (binary) */
	uint64_t file_bytes; /* given out of the current file */
	struct problem open_problem; /* the current file could not be opened */
	const char *open_name;
};

struct source *source_new(char *const *names, size_t count, int stop_fd)
{
	struct source *s = memory_new(sizeof *s);
	if (s != NULL)
		*s = (struct source){.names = names, .name_count = count, .stop_fd = stop_fd};
	return s;
}

void source_free(struct source *s)
{
	if (s == NULL)
		return;
	input_close(s->input);
	bytes_free(&s->tail);
	memory_free(s);
}

/* Opens the next file, if none is open. */
static void open_next(struct source *s)
{
	if (s->input != NULL || s->next_name == s->name_count)
		return;
	const char *name = s->names[s->next_name++];
	s->file_start = true;
	s->ended = false;
	s->end_problem = (struct problem){0};
	s->file_bytes = 0;
	s->tail.size = 0;
	s->open_name = strcmp(name, "-") == 0 ? "standard input" : name;
	const enum status status = input_open(name, s->stop_fd, &s->input, &s->open_problem);
	if (status != STATUS_OK)
		s->input = NULL;
}

enum status source_peek(struct source *s, bool lines, const unsigned char **block, size_t *size)
{
	open_next(s);
	*block = NULL;
	*size = 0;
	if (s->input != NULL)
		input_peek(s->input, lines, block, size);
	return STATUS_OK;
}

void source_release(struct slot *slot)
{
	if (slot->map != NULL)
		(void)munmap(slot->map, slot->map_size);
	slot->map = NULL;
}

static bool ends_record(const struct plan *plan, unsigned char c)
{
	return c == '\n' || (plan->text.field == 0 && (c == ' ' || (c >= '\t' && c <= '\r')));
}

/* The greatest number of bytes, at most size, that are whole records. */
static size_t whole_records(const struct plan *plan, const unsigned char *data, size_t size)
{
	if (plan->input_format == FORMAT_BINARY)
		return size - size % plan->in->size;
	while (size > 0 && !ends_record(plan, data[size - 1]))
		size--;
	return size;
}

/* The place behind the first record that ends at or behind from, or 0. */
static size_t first_record_end(const struct plan *plan, const unsigned char *data, size_t from, size_t size)
{
	for (size_t i = from; i < size; i++) {
		if (ends_record(plan, data[i]))
			return i + 1;
	}
	return 0;
}

/* Bytes that the next chunk may have: so many that its elements fit a slot. Only a single record may be longer. */
static size_t chunk_limit(const struct source *s, const struct plan *plan)
{
	if (plan->input_format == FORMAT_TEXT)
		return plan->slot_bytes;
	return (plan->slot_elements - (size_t)(s->elements % GRID_TILE)) * plan->in->size;
}

/* Maps the next chunk. False: it is to be read. */
static bool fill_by_map(struct source *s, const struct plan *plan, struct slot *slot)
{
	const size_t limit = chunk_limit(s, plan);
	size_t size;
	if (!plan->use_mmap || s->tail.size > 0 ||
	    !input_map(s->input, limit, &slot->data, &size, &slot->map, &slot->map_size))
		return false;
	const size_t whole = whole_records(plan, slot->data, size);
	/* The rest is mapped or read again. A last record without its end, or a long one, is read. */
	input_unmap_rest(s->input, whole > 0 ? size - whole : size);
	slot->size = whole;
	if (whole == 0)
		source_release(slot);
	return whole > 0;
}

/* Reads into the buffer, behind the tail, until it holds limit bytes (more if that is no whole record), the file ends or the
 * input pauses with something to give. */
static enum status read_chunk(struct source *s, const struct plan *plan, struct bytes *b, size_t limit)
{
	size_t searched = 0; /* bytes known to hold no end of a record */
	b->size = 0;
	if (bytes_append(b, s->tail.data, s->tail.size) != STATUS_OK)
		return STATUS_SYSTEM;
	s->tail.size = 0;
	while (!s->ended) {
		if (b->size >= limit) {
			if (whole_records(plan, b->data, limit) > 0 ||
			    first_record_end(plan, b->data, searched, b->size) > 0)
				break;
			searched = b->size;
		}
		const size_t room = b->size < limit ? limit - b->size : plan->slot_bytes;
		size_t got = 0;
		if (bytes_reserve(b, room) != STATUS_OK)
			return STATUS_SYSTEM;
		const enum status status = input_read(s->input, b->data + b->size, room, &got, &s->end_problem);
		b->size += got;
		s->ended = status != STATUS_OK || got == 0 || input_at_end(s->input);
		if (!s->ended && b->size < limit && input_pauses(s->input) && whole_records(plan, b->data, b->size) > 0)
			break;
	}
	return STATUS_OK;
}

/* A file ended behind rest bytes that are no record: cut off by damage, or a part of an element. */
static enum status end_with_rest(struct source *s, const struct plan *plan, size_t whole, size_t rest, bool damaged)
{
	if (!damaged && rest > 0) {
		s->end_problem = (struct problem){.status = STATUS_DATA, .fatal = true};
		(void)snprintf(s->end_problem.text, sizeof s->end_problem.text,
			       "byte %" PRIu64 ": %zu byte%s left over, %s needs %zu", s->file_bytes + whole, rest,
			       rest == 1 ? "" : "s", plan->in->numpy_name, plan->in->size);
	}
	return STATUS_OK;
}

static enum status fill_by_read(struct source *s, const struct plan *plan, struct slot *slot)
{
	struct bytes *b = &slot->buffer;
	const size_t limit = chunk_limit(s, plan);
	if (read_chunk(s, plan, b, limit) != STATUS_OK)
		return STATUS_SYSTEM;
	const bool damaged = s->end_problem.status != STATUS_OK && s->end_problem.fatal;
	size_t whole = whole_records(plan, b->data, b->size < limit ? b->size : limit);
	if (b->size > limit && whole == 0)
		whole = first_record_end(plan, b->data, 0, b->size);
	const bool is_text = plan->input_format == FORMAT_TEXT;
	/* What is behind the last whole record of the file: its last line, unless damage cut that off. */
	const bool at_last =
		s->ended && (is_text ? first_record_end(plan, b->data, whole, b->size) == 0 : b->size <= limit);
	if (at_last && is_text && !damaged && (b->size <= limit || whole == 0))
		whole = b->size;
	slot->data = b->data;
	slot->size = whole;
	if (at_last && (damaged || !is_text))
		return end_with_rest(s, plan, whole, b->size - whole, damaged);
	return bytes_append(&s->tail, b->data + whole, b->size - whole);
}

/* A byte order mark at a file's start is no text. */
static void skip_byte_order_mark(const struct plan *plan, struct slot *slot)
{
	if (plan->input_format == FORMAT_TEXT && slot->file_start && slot->size >= 3 &&
	    memcmp(slot->data, "\xef\xbb\xbf", 3) == 0) {
		slot->data += 3;
		slot->size -= 3;
	}
}

enum status source_fill(struct source *s, const struct plan *plan, struct slot *slot)
{
	open_next(s);
	slot->data = NULL;
	slot->size = 0;
	slot->map = NULL;
	slot->last = false;
	slot->source_problem = (struct problem){0};
	slot->file_start = s->file_start;
	s->file_start = false;
	if (s->input == NULL) {
		slot->file_name = s->open_name;
		slot->source_problem = s->open_problem;
		slot->last = true;
		return STATUS_OK;
	}
	slot->file_name = input_name(s->input);
	if (fill_by_map(s, plan, slot))
		s->ended = input_at_end(s->input);
	else if (fill_by_read(s, plan, slot) != STATUS_OK)
		return STATUS_SYSTEM;
	s->file_bytes += slot->size;
	s->elements += plan->input_format == FORMAT_BINARY ? slot->size / plan->in->size : 0;
	skip_byte_order_mark(plan, slot);
	if (s->ended && s->tail.size == 0) {
		slot->source_problem = s->end_problem;
		slot->last = s->next_name == s->name_count || input_stopped(s->input) ||
			     (s->end_problem.status != STATUS_OK && s->end_problem.fatal);
		input_close(s->input);
		s->input = NULL;
	}
	return STATUS_OK;
}
