/* Chunks that are windows of a regular file: which bytes they are is decided in the order of the stream, and the thread
 * that decodes a chunk reads it.
 *
 * Binary records, and lines without quotes, show by a window's last bytes where its last record ends. In CSV that
 * depends on all quotes before. There the windows are open: they end anywhere. The thread that reads one supposes that
 * its first newline ends a record, and finds the end of its last record from there (source_read_window). Then, in the
 * order of the stream, the window gets the record that began before it, and this record shows whether the newline does
 * end a record (source_close_window). It nearly always does: only a newline within quotes does not. If it does not, the
 * record and the window are searched again, while other windows wait. (Measured: on 16 cores CSV waited for the one
 * thread that searched.) */
#include <errno.h>
#include <string.h>

#include "base/message.h"
#include "source/private.h"
#include "text/record.h"

/* The bytes at a window's end in which the last record's end is searched. */
#define WINDOW_END_SIZE 4096
/* Room before an open window, for the record that begins before it. A longer one moves the window. */
#define WINDOW_ROOM 4096

/* How many bytes of a window are whole records; 0 if the window's end does not show it. */
static size_t whole_window(struct source *s, const struct plan *plan, uint64_t offset, size_t size)
{
	unsigned char end[WINDOW_END_SIZE];
	struct problem problem;
	struct record_search search = {0};
	if (plan->format.input == FORMAT_BINARY)
		return record_cut(&plan->format, &search, NULL, size, size);
	if (input_at_end(s->file.input) && !s->rules.whole_lines)
		return size;
	const size_t searched = size < sizeof end ? size : sizeof end;
	const size_t before = size - searched;
	if (input_read_at(s->file.input, end, searched, offset + before, &problem) < searched)
		return 0;
	size_t whole = record_cut(&plan->format, &search, end, searched, searched);
	whole += whole > 0 ? before : 0;
	return s->rules.whole_lines ? source_whole_lines(s, offset, whole) : whole;
}

enum status source_fill_window(struct source *s, const struct plan *plan, struct slot *slot, size_t limit, bool *filled)
{
	size_t size;
	*filled = false;
	if (s->file.tail.size > 0 || !record_ends_are_plain(&plan->format) || source_begins_with_header(plan, slot) ||
	    !input_window(s->file.input, limit, &slot->in.offset, &size))
		return STATUS_OK;
	const size_t whole = whole_window(s, plan, slot->in.offset, size);
	/* A last record without its end, or a long record, is read instead. */
	if (whole < size && !input_give_back(s->file.input, size - whole)) {
		/* The file's offset was moved, but the bytes after the window must not get lost. */
		return message_fail("%s: %s", message_shown(input_name(s->file.input)), strerror(errno));
	}
	slot->in.size = whole;
	if (whole > 0)
		slot->in.input = input_hold(s->file.input);
	*filled = whole > 0;
	return STATUS_OK;
}

/* (A file's first chunk may have a header and a byte order mark, its last one a record without its newline; slices end
 * where others begin. The source reads all these, and what is left of a record that is longer than windows. So the
 * first of some open windows begins with a record, and before any other one there is less than a record: a window has
 * no more records than bytes, and fits a slot.) */
bool source_fill_open(struct source *s, const struct plan *plan, struct slot *slot, size_t limit)
{
	const bool is_csv = plan->format.input == FORMAT_TEXT && plan->format.text.cut == CUT_CSV;
	const bool may = is_csv && !slot->in.file_start && s->backwards == NULL && s->slice_left == UINT64_MAX;
	const uint64_t left = may ? input_bytes_left(s->file.input) : 0;
	if (s->file.open_windows == 0 && (!may || left / 2 < limit || s->file.tail.size > 0 || s->file.ended))
		return false;
	/* (The file may have become shorter.) */
	const size_t most = left <= limit ? (size_t)left : limit;
	if (!input_window(s->file.input, most, &slot->in.offset, &slot->in.size))
		slot->in.size = 0;
	slot->in.window.is_open = true;
	slot->in.window.next_is_open =
		slot->in.size > 0 && (left - slot->in.size) / 2 >= limit && s->file.tail.size <= limit;
	slot->in.bytes_left = left - slot->in.size;
	slot->in.input = input_hold(s->file.input);
	s->file.open_windows++;
	return true;
}

enum status source_read_window(struct slot *slot, const struct plan *plan)
{
	const uint64_t begin = timeline_now_ns();
	struct slot_input *in = &slot->in;
	const size_t wanted = in->size;
	struct record_search search = {0};
	TRY(bytes_make(&in->buffer, WINDOW_ROOM + wanted + TEXT_PADDING, 1));
	unsigned char *data = in->buffer.data + WINDOW_ROOM;
	in->data = data;
	in->size = input_read_at(in->input, data, wanted, in->offset, &in->source_problem);
	in->last = in->size < wanted;
	input_close(in->input);
	in->input = NULL;
	memset(data + in->size, 0, TEXT_PADDING);
	const unsigned char *newline = memchr(data, '\n', in->size);
	in->window.begin = newline != NULL ? (size_t)(newline - data) + 1 : 0;
	const size_t rest = in->size - in->window.begin;
	if (newline != NULL)
		in->window.whole = record_cut(&plan->format, &search, newline + 1, rest, rest);
	span_add(&slot->spans[STAGE_READ], begin);
	return STATUS_OK;
}

/* Puts the record that began before the window before its bytes. */
static enum status put_before(struct slot_input *in, const struct bytes *record)
{
	struct bytes *b = &in->buffer;
	size_t room = WINDOW_ROOM;
	if (record->size > room) {
		b->size = room + in->size + TEXT_PADDING;
		TRY(bytes_reserve(b, record->size - room));
		memmove(b->data + record->size, b->data + room, in->size + TEXT_PADDING);
		room = record->size;
	}
	unsigned char *data = b->data + room - record->size;
	if (record->size > 0)
		memcpy(data, record->data, record->size);
	in->data = data;
	in->size += record->size;
	return STATUS_OK;
}

/* How many bytes of a window, with the `before` bytes before it, are whole records. */
static size_t whole_records(const struct record_format *format, const struct slot_input *in, size_t before)
{
	const char *data = (const char *)in->data;
	const char *begin = data + before + in->window.begin;
	struct quotes_state place = QUOTES_BEGIN;
	struct record_search search = {0};
	if (in->window.begin > 0 && quotes_pass_record(&format->text, &place, data, begin, data + in->size) == begin)
		return before + in->window.begin + in->window.whole;
	return record_cut(format, &search, in->data, in->size, in->size);
}

enum status source_close_window(struct source *s, const struct plan *plan, struct slot *slot)
{
	struct slot_input *in = &slot->in;
	const size_t before = s->file.tail.size;
	TRY(put_before(in, &s->file.tail));
	const size_t whole = whole_records(&plan->format, in, before);
	s->file.tail.size = 0;
	/* (After a failure to read, the record that it cut off is dropped.) */
	if (!in->last)
		TRY(bytes_append(&s->file.tail, in->data + whole, in->size - whole));
	in->size = whole;
	in->offset = s->file.place + s->file.bytes;
	in->window.is_open = false;
	s->file.open_windows--;
	return STATUS_OK;
}
