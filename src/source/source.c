#define _GNU_SOURCE /* memrchr */
/* A chunk of a regular file is only a window (open_windows.c), and several threads read at a time. (Measured: as
 * fast as mapping the file chunk by chunk, without page faults, and a file that shrinks is an error instead of a
 * signal.) The source itself reads all other input. Bytes after the last whole record wait in the tail and begin the
 * next chunk. Binary chunks end on tile boundaries. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "source/private.h"
#include "text/record.h"
#include "text/sniff.h"

struct source *source_new(char *const *names, size_t count, const struct source_rules *rules)
{
	struct source *s = memory_new(sizeof *s);
	if (s != NULL)
		*s = (struct source){.names = names, .name_count = count, .rules = *rules, .slice_left = UINT64_MAX};
	return s;
}

void source_read_twice(struct source *s, struct input_copies *copies)
{
	s->copies = copies;
}

uint64_t source_records(const struct source *s)
{
	return s->given.elements;
}

void source_open_next(struct source *s)
{
	if (s->file.input != NULL || s->file.open_problem.status != STATUS_OK || s->next_name == s->name_count)
		return;
	const char *name = s->names[s->next_name++];
	s->file.tail.size = 0;
	s->file = (struct source_current){.at_start = true, .tail = s->file.tail, .open_name = input_label(name)};
	const enum status status = input_open_of(s->copies, s->next_name - 1, name, s->rules.stop_fd,
						 s->rules.may_be_elements, &s->file.input, &s->file.open_problem);
	if (status != STATUS_OK) {
		s->file.input = NULL;
		return;
	}
	errno = 0;
	s->file.place_error = input_place(s->file.input, &s->file.place) ? 0 : errno;
	input_share(s->file.input, s->pool);
	if (s->rules.skipped > 0 && source_skip(s) != STATUS_OK) {
		input_close(s->file.input);
		s->file.input = NULL;
	}
}

void source_share(struct source *s, const struct pool *pool)
{
	s->pool = pool;
	if (s->file.input != NULL)
		input_share(s->file.input, pool);
}

uint64_t source_compressed_bytes(const struct source *s)
{
	return s->given.compressed_bytes + (s->file.input != NULL ? input_compressed_bytes(s->file.input) : 0);
}

/* The bytes up to the end of the header and the record that the rules need; 0: the block does not hold them. */
static size_t first_end(const struct text_rules *rules, const unsigned char *block, size_t size)
{
	struct header_search search = {0};
	const size_t mark = record_byte_order_mark(block, size);
	return record_first_end(rules, &search, block + mark, size - mark);
}

/* Peeks until the block is full, the file ends, or the input pauses after the header and the record that the rules
 * need. */
static void peek_header(struct source *s, bool lines, const struct text_rules *rules, const unsigned char **block,
			size_t *size)
{
	size_t before;
	do {
		before = *size;
		input_peek(s->file.input, lines, block, size);
	} while (rules != NULL && *size > before && first_end(rules, *block, *size) == 0);
}

void source_peek(struct source *s, bool lines, const struct text_rules *text, const unsigned char **block, size_t *size)
{
	struct text_rules wanted = *text;
	wanted.field_count = text->records.decide ? 1 : 0; /* so that record_first_end looks for a record */
	const struct text_rules *rules = text->header_lines > 0 || text->records.decide ? &wanted : NULL;
	source_open_next(s);
	*block = NULL;
	*size = 0;
	if (s->file.input != NULL)
		peek_header(s, lines, rules, block, size);
	/* Pass files that are empty, or of which nothing is read. */
	while (s->file.input != NULL && s->next_name < s->name_count && input_is_peeked(s->file.input) &&
	       (*size == 0 || (source_whole_peeked(s, text) == 0 && sniff_is_text(*block, *size)))) {
		input_close(s->file.input);
		s->file.input = NULL;
		source_open_next(s);
		if (s->file.input != NULL)
			peek_header(s, lines, rules, block, size);
	}
}

enum status source_find_record(struct source *s, const struct text_rules *text, const unsigned char **block,
			       const unsigned char **beginning, size_t *size)
{
	struct text_rules rules = *text;
	size_t record;
	rules.field_count = 1; /* so that record_first_end looks for a record */
	*size = 0;
	*beginning = *block;
	if (s->file.input == NULL)
		return STATUS_OK;
	input_peeked(s->file.input, block, size);
	while ((record = first_end(&rules, *block, *size)) == 0 && input_fills_block(s->file.input)) {
		if (input_widen_block(s->file.input) != STATUS_OK)
			return STATUS_SYSTEM;
		peek_header(s, true, &rules, block, size);
	}
	*beginning = *block;
	*size = source_whole_peeked(s, &rules);
	return record == 0 ? source_find_later_record(s, &rules, beginning, size) : STATUS_OK;
}

const char *source_compression(const struct source *s)
{
	return s->file.input != NULL ? input_compression(s->file.input) : NULL;
}

bool source_cannot_begin(const struct source *s)
{
	const unsigned char *block;
	size_t size = 0;
	struct problem late;
	if (s->file.input != NULL)
		input_peeked(s->file.input, &block, &size);
	return s->file.open_problem.status != STATUS_OK ||
	       (s->file.input != NULL && size == 0 && input_late_problem(s->file.input, &late));
}

size_t source_most_elements(const struct source *s, const struct plan *plan, size_t elements)
{
	const size_t to_edge = elements < GRID_TILE ? 0 : (size_t)(s->given.elements % GRID_TILE);
	return (elements - to_edge) * plan->format.record_size;
}

/* The most bytes of the next chunk whose elements fit a slot. Only a single record may be longer. */
static size_t chunk_limit(const struct source *s, const struct plan *plan, size_t elements)
{
	if (plan->format.input == FORMAT_TEXT)
		return elements < s->slice_left ? elements : (size_t)s->slice_left;
	const size_t most = source_most_elements(s, plan, elements);
	const size_t limit = most < s->slice_left ? most : (size_t)s->slice_left;
	return plan->npy.reads && s->file.array_left < limit ? (size_t)s->file.array_left : limit;
}

/* A chunk that is being read. */
struct partial_chunk {
	struct bytes *bytes;
	size_t limit;
	size_t byte_order_mark; /* bytes of the byte order mark */
	size_t header_size; /* bytes up to the end of the header; 0: not known */
	struct header_search header_search;
	size_t header_looked; /* how many bytes there were at the last search for the header */
	bool whole_lines; /* a last line without its newline is left unread */
	size_t line_looked; /* bytes that were searched: no newline is between the cut and here */
	size_t cut; /* bytes of whole records, or 0 */
	struct record_search search;
};

/* Moves a cut within a line back to the line's start, if no newline comes after the cut: the line may never end. */
static void leave_unfinished(struct partial_chunk *c)
{
	const struct bytes *b = c->bytes;
	const size_t from = c->cut > c->line_looked ? c->cut : c->line_looked;
	if (c->cut == 0 || b->data[c->cut - 1] == '\n' || memchr(b->data + from, '\n', b->size - from) != NULL)
		return;
	c->line_looked = b->size;
	const unsigned char *last = memrchr(b->data, '\n', c->cut);
	c->cut = last != NULL ? (size_t)(last - b->data) + 1 : 0;
}

/* Finds where the bytes that were read so far may be cut. They are not cut within a header, unless the file ends
 * there. */
static void look_for_cut(const struct plan *plan, const struct slot *slot, struct partial_chunk *c, bool ended)
{
	const struct bytes *b = c->bytes;
	const size_t mark = slot->in.file_start ? record_byte_order_mark(b->data, b->size) : 0;
	c->byte_order_mark = mark;
	if (source_begins_with_header(plan, slot) && c->header_size == 0) {
		c->header_looked = b->size;
		const struct text_rules *rules = &plan->format.text;
		size_t header = record_first_end(rules, &c->header_search, b->data + mark, b->size - mark);
		if (header == 0 && ended && c->whole_lines) /* there is no whole record yet */
			header = record_header_end(rules, &c->header_search, b->data + mark, b->size - mark);
		if (header == 0 && (!ended || c->whole_lines))
			return;
		c->header_size = header > 0 ? mark + header : b->size;
		c->limit = c->limit > c->header_size ? c->limit : c->header_size;
	}
	if (c->search.line == 0)
		c->search.line = mark;
	c->search.mid_line = slot->in.mid_line;
	c->cut = record_cut(&plan->format, &c->search, b->data, b->size, c->limit);
	if (c->whole_lines)
		leave_unfinished(c);
}

/* Reads into the buffer, after the tail, until it holds `limit` bytes (or more, if these are not a whole record), the
 * file ends, or the input pauses after bytes that can be used. */
static enum status read_chunk(struct source *s, const struct plan *plan, const struct slot *slot,
			      struct partial_chunk *c)
{
	struct bytes *b = c->bytes;
	b->size = 0;
	if (bytes_reserve(b, s->file.tail.size + TEXT_PADDING) != STATUS_OK ||
	    bytes_append(b, s->file.tail.data, s->file.tail.size) != STATUS_OK)
		return STATUS_SYSTEM;
	s->file.tail.size = 0;
	while (!s->file.ended) {
		/* Search for a long header only when the bytes have doubled. */
		if (b->size >= c->limit && (c->header_size > 0 || b->size >= 2 * c->header_looked)) {
			look_for_cut(plan, slot, c, false);
			if (c->cut > 0)
				return STATUS_OK;
		}
		const size_t room = b->size < c->limit ? c->limit - b->size : c->limit;
		size_t got = 0;
		if (bytes_reserve(b, room + TEXT_PADDING) != STATUS_OK)
			return STATUS_SYSTEM;
		const enum status status =
			input_read(s->file.input, b->data + b->size, room, &got, &s->file.end_problem);
		b->size += got;
		s->file.ended = status != STATUS_OK || got == 0 || input_at_end(s->file.input);
		if (!s->file.ended && b->size < c->limit &&
		    (plan->sizes.line_buffered || input_pauses(s->file.input))) {
			look_for_cut(plan, slot, c, false);
			if (c->cut > 0)
				return STATUS_OK;
		}
	}
	look_for_cut(plan, slot, c, true);
	return STATUS_OK;
}

/* Call it when a file ends `rest` bytes after its last whole record. In undamaged binary input that is an error. */
static void end_with_rest(struct source *s, const struct plan *plan, size_t whole, size_t rest, bool damaged)
{
	const bool is_one = plan->format.record_size == plan->format.in->size;
	if (!damaged && rest > 0 && !plan->npy.reads)
		(void)problem_set(&s->file.end_problem, STATUS_DATA,
				  "byte %" PRIu64 ": %zu byte%s left over, %s needs %zu", s->file.bytes + whole, rest,
				  rest == 1 ? "" : "s", is_one ? plan->format.in->numpy_name : "a record",
				  plan->format.record_size);
}

/* Whether no record ends among the bytes after the cut. If the file has ended, they are its last record. (Under
 * --whole-lines, lines of a header that is not whole are no records.) */
static bool rest_is_no_record(const struct plan *plan, const struct slot *slot, const struct partial_chunk *c)
{
	const bool lacks_header = source_begins_with_header(plan, slot) && c->header_size == 0;
	struct record_search search = {.line = c->cut == 0 ? c->byte_order_mark : 0};
	const size_t rest = c->bytes->size - c->cut;
	if (c->whole_lines && (lacks_header || memchr(c->bytes->data + c->cut, '\n', rest) == NULL))
		return true;
	search.mid_line = c->cut == 0 ? c->search.mid_line : c->bytes->data[c->cut - 1] != '\n';
	/* A limit beyond the bytes, so that a line is not cut between its tokens. */
	return rest == 0 || record_cut(&plan->format, &search, c->bytes->data + c->cut, rest, rest + 1) == 0;
}

/* Reads the next chunk: elements of plan_is_direct into the column's memory, at most `limit` bytes; other input into
 * the slot's buffer. */
static enum status fill_by_read(struct source *s, const struct plan *plan, struct slot *slot, size_t limit)
{
	struct bytes fixed = {.capacity = limit + TEXT_PADDING};
	const bool is_text = plan->format.input == FORMAT_TEXT;
	const bool direct = plan_is_direct(plan);
	struct partial_chunk c = {.bytes = direct ? &fixed : &slot->in.buffer, .limit = limit};
	c.whole_lines = s->rules.whole_lines && is_text && input_is_plain(s->file.input);
	const struct bytes *b = c.bytes;
	if (direct) {
		if (slot_need_elements(slot, plan, 1) != STATUS_OK)
			return STATUS_SYSTEM;
		fixed.data = slot->columns[0].memory;
	}
	if (read_chunk(s, plan, slot, &c) != STATUS_OK)
		return STATUS_SYSTEM;
	if (!direct)
		memset(slot->in.buffer.data + slot->in.buffer.size, 0, TEXT_PADDING);
	const bool damaged = s->file.end_problem.status != STATUS_OK && s->file.end_problem.fatal;
	/* The bytes after the last whole record of the file: its last line, unless damage cut it off. */
	const bool at_last = s->file.ended && (is_text ? rest_is_no_record(plan, slot, &c) : b->size <= c.limit);
	/* (If reading was given up, the line may continue.) */
	const bool gave_up = s->file.ended && input_stopped(s->file.input);
	const bool is_left = at_last && c.whole_lines && !damaged;
	if (at_last && is_text && !damaged && !gave_up && !is_left && (b->size <= c.limit || c.cut == 0))
		c.cut = b->size;
	slot->in.data = b->data;
	slot->in.size = c.cut;
	const size_t rest = b->size - c.cut;
	/* (A header without its end is left unread, as other lines are.) */
	const bool has_header = source_begins_with_header(plan, slot) && !(is_left && c.header_size == 0);
	if (has_header && source_parse_header(s, plan, slot) != STATUS_OK)
		return STATUS_SYSTEM;
	if (at_last && (damaged || gave_up || is_left || !is_text)) {
		end_with_rest(s, plan, c.cut, rest, damaged || gave_up || is_left);
		(void)(is_left && input_give_back(s->file.input, rest));
		return STATUS_OK;
	}
	if (s->file.end_problem.status != STATUS_OK && s->file.end_problem.fatal && slot->in.size == 0)
		return STATUS_OK; /* an error in the header: no more bytes are used */
	if (rest > 0 && s->file.end_problem.status == STATUS_OK && input_give_back(s->file.input, rest)) {
		s->file.ended = false;
		return STATUS_OK;
	}
	return bytes_append(&s->file.tail, b->data + c.cut, rest);
}

/* Makes the next chunk: a window, or bytes that are read now. */
static enum status fill(struct source *s, const struct plan *plan, struct slot *slot, size_t limit, uint64_t begin)
{
	bool filled;
	if (source_fill_open(s, plan, slot, limit))
		return STATUS_OK;
	if (source_fill_window(s, plan, slot, limit, &filled) != STATUS_OK)
		return STATUS_SYSTEM;
	if (filled) {
		s->file.ended = input_at_end(s->file.input);
		return STATUS_OK;
	}
	if (fill_by_read(s, plan, slot, limit) != STATUS_OK)
		return STATUS_SYSTEM;
	span_add(&slot->spans[STAGE_READ], begin);
	return STATUS_OK;
}

/* Sets the slot's counts of bytes. */
static void count_taken(const struct source *s, struct slot *slot)
{
	const uint64_t compressed = input_compressed_bytes(s->file.input);
	const uint64_t taken = compressed > 0 ? compressed : s->file.bytes;
	const uint64_t size = input_size(s->file.input);
	slot->in.taken_bytes = s->given.taken_bytes + taken;
	slot->in.sized_bytes = s->given.sized_bytes + (taken < size ? taken : size);
}

/* Call it when the chunk is the last one of its file, perhaps of the stream. Closes the file. */
static enum status end_file(struct source *s, const struct plan *plan, struct slot *slot)
{
	const bool lacks_some = s->slice_left > 0 && s->slice_left < UINT64_MAX && s->next_name == s->name_count &&
				!input_stopped(s->file.input);
	if (s->file.end_problem.status == STATUS_OK && (lacks_some || input_has_shrunk(s->file.input)))
		(void)problem_set(&s->file.end_problem, STATUS_SYSTEM, "%s", input_shrunk_text);
	source_check_header(s, &plan->format.text);
	if (source_note_taken(s, plan) != STATUS_OK)
		return STATUS_SYSTEM;
	slot->in.source_problem = s->file.end_problem;
	slot->in.last = s->next_name == s->name_count || input_stopped(s->file.input) || s->slice_left == 0 ||
			(s->file.end_problem.status != STATUS_OK && s->file.end_problem.fatal);
	if (slot->in.last)
		TRY(source_end_header(s, plan, slot));
	s->given.compressed_bytes += input_compressed_bytes(s->file.input);
	s->given.taken_bytes = slot->in.taken_bytes;
	s->given.sized_bytes += input_size(s->file.input);
	slot->in.sized_bytes = s->given.sized_bytes;
	input_close(s->file.input);
	s->file.input = NULL;
	return STATUS_OK;
}

/* Sets the slot's counts, and ends the file if the chunk is its last one. Call it when slot->in.size is known. */
static enum status end_chunk(struct source *s, const struct plan *plan, struct slot *slot)
{
	slot->head.table = header_table(&s->text.header);
	slot->head.fields = plan->format.text.numbers != NULL ? plan->format.text.numbers : slot->head.table.fields;
	if (slot->in.size > 0 && slot->in.input == NULL && plan->format.input == FORMAT_TEXT)
		s->file.mid_line = slot->in.data[slot->in.size - 1] != '\n';
	else if (slot->in.size > 0)
		s->file.mid_line = false; /* a window ends at a line's end */
	s->file.unchecked = input_unchecked(s->file.input);
	slot->in.unchecked = s->file.unchecked;
	s->file.bytes += slot->in.size;
	if (s->files != NULL && !input_is_plain(s->file.input))
		source_ends_add(&s->file.inflated, slot->in.data, slot->in.size);
	s->given.elements += plan->format.input == FORMAT_BINARY ? slot->in.size / plan->format.record_size : 0;
	if (plan->npy.reads)
		source_end_array(s, slot);
	count_taken(s, slot);
	source_end_chunk_of_slice(s, slot);
	return s->file.ended && s->file.tail.size == 0 ? end_file(s, plan, slot) : STATUS_OK;
}

void source_begin_chunk(struct source *s, struct slot *slot)
{
	memset(slot->spans, 0, sizeof slot->spans);
	slot->in = (struct slot_input){.number = s->given.chunks++,
				       .records_before = s->given.elements,
				       .data = (const unsigned char *)"", /* empty */
				       .buffer = slot->in.buffer};
	slot->head = (struct slot_header){.header = &s->text.header};
	slot->scan.totals_known = false;
}

enum status source_fill_forwards(struct source *s, const struct plan *plan, struct slot *slot, size_t elements)
{
	const uint64_t begin = timeline_now_ns();
	source_open_next(s);
	source_begin_chunk(s, slot);
	slot->in.file_start = s->file.at_start;
	slot->in.mid_line = s->file.mid_line;
	slot->in.taken_bytes = s->given.taken_bytes;
	slot->in.sized_bytes = s->given.sized_bytes;
	s->file.at_start = false;
	if (s->file.input == NULL) {
		slot->in.file_name = s->file.open_name;
		slot->in.source_problem = s->file.open_problem;
		slot->in.last = true;
		return STATUS_OK;
	}
	slot->in.file_name = input_name(s->file.input);
	const bool begins = slot->in.file_start;
	if (plan->npy.reads && slot->in.file_start)
		source_begin_array(s, plan);
	const bool refused = plan->found.is_guessed && slot->in.file_start && source_refuse_format(s);
	source_begin_slice(s, plan, slot);
	if (begins && source_pass_taken(s, plan, slot) != STATUS_OK)
		return STATUS_SYSTEM;
	slot->in.passed = s->file.passed;
	slot->in.offset = s->file.place + s->file.bytes;
	const size_t limit = refused ? 0 : chunk_limit(s, plan, elements);
	const bool is_over = begins && s->file.ended; /* nothing of the file is read */
	if (s->slice_left > 0 && !refused && !is_over && (!plan->npy.reads || limit > 0) &&
	    fill(s, plan, slot, limit, begin) != STATUS_OK)
		return STATUS_SYSTEM;
	if (slot->in.window.is_open)
		return STATUS_OK;
	slot->in.bytes_left = input_bytes_left(s->file.input);
	return end_chunk(s, plan, slot);
}

enum status source_cut(struct source *s, const struct plan *plan, struct slot *slot)
{
	TRY(source_close_window(s, plan, slot));
	return end_chunk(s, plan, slot);
}
