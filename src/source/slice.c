/* A slice of the input. Other processes scan the bytes before and after it. */
#include <sys/stat.h>

#include "io/descriptor.h"
#include "source/private.h"
#include "text/record.h"
#include "text/sniff.h"

void source_set_slice(struct source *s, const struct source_slice *slice)
{
	s->given.elements = slice->records_before;
	s->slice = *slice;
	s->slice_left = slice->bytes;
	/* (A slice after the first does not begin the stream.) */
	s->given.chunks = slice->goes_on ? 1 : 0;
}

void source_begin_slice(struct source *s, const struct plan *plan, struct slot *slot)
{
	if (s->slice.file_bytes == 0 || s->file.ended)
		return;
	slot->in.file_records = s->slice.file_records;
	slot->in.file_start = plan->format.input == FORMAT_BINARY;
	if (s->slice.index == NULL)
		input_skip(s->file.input, s->slice.file_bytes);
	else if (input_skip_members(s->file.input, s->slice.index, s->slice.file_bytes, &s->file.end_problem) !=
		 STATUS_OK)
		s->file.ended = true;
	s->file.bytes += s->slice.file_bytes; /* also counts the bytes of an array before the slice */
	s->file.array_left -= plan->npy.reads ? s->slice.file_bytes : 0;
	s->slice = (struct source_slice){0};
}

void source_end_chunk_of_slice(struct source *s, const struct slot *slot)
{
	if (s->slice_left == UINT64_MAX)
		return;
	if (slot->in.size > s->slice_left)
		(void)problem_set(&s->file.end_problem, STATUS_SYSTEM, "the file changed while it was read");
	s->slice_left -= slot->in.size < s->slice_left ? slot->in.size : s->slice_left;
	if (s->slice_left == 0) {
		s->file.ended = true;
		s->file.tail.size = 0;
	}
}

enum status source_read_beginning(struct source_beginning *b, const struct text_rules *rules, bool whole_lines)
{
	struct header_search search = {0};
	struct problem problem;
	struct bytes *text = &b->text;
	size_t got;
	int error;
	text->size = 0;
	do {
		const uint64_t left = b->in != NULL ? UINT64_MAX : b->bytes - text->size;
		const size_t most = left < INPUT_BLOCK_SIZE ? (size_t)left : INPUT_BLOCK_SIZE;
		if (bytes_reserve(text, most + LINE_PADDING) != STATUS_OK)
			return STATUS_SYSTEM;
		if (b->in == NULL)
			got = descriptor_read_at(b->fd, text->data + text->size, most, b->offset + text->size, &error);
		else if (input_read(b->in, text->data + text->size, most, &got, &problem) != STATUS_OK)
			got = 0;
		text->size += got;
		b->mark = record_byte_order_mark(text->data, text->size);
		b->size = record_first_end(rules, &search, text->data + b->mark, text->size - b->mark);
	} while (got > 0 && b->size == 0);
	/* (The file's only record may have no end.) */
	if (b->size == 0)
		b->size = whole_lines && (b->in == NULL || input_is_plain(b->in))
				  ? record_whole_lines(rules, text->data + b->mark, text->size - b->mark)
				  : text->size - b->mark;
	return STATUS_OK;
}

enum status source_header_end(const char *name, const struct text_rules *rules, uint64_t *end)
{
	struct source_beginning b = {0};
	struct problem problem;
	*end = 0;
	if (rules->header_lines == 0 || input_open(name, false, &b.in, &problem) != STATUS_OK)
		return STATUS_OK;
	const enum status status = source_read_beginning(&b, rules, false);
	*end = b.mark + b.size;
	input_close(b.in);
	bytes_free(&b.text);
	return status;
}

/* Reads the beginning of a file. False: it cannot be opened; reading it will report why. */
static bool read_named(const struct source *s, const struct text_rules *rules, const char *name,
		       struct source_beginning *b, enum status *status)
{
	struct problem problem;
	if (input_open(name, false, &b->in, &problem) != STATUS_OK)
		return false;
	*status = source_read_beginning(b, rules, s->rules.whole_lines);
	input_close(b->in);
	return true;
}

/* How many of the files after the current one are regular, up to one that is not. */
static size_t count_regular(const struct source *s)
{
	size_t count = 0;
	struct stat st;
	while (s->next_name + count < s->name_count && stat(s->names[s->next_name + count], &st) == 0 &&
	       S_ISREG(st.st_mode))
		count++;
	return count;
}

enum status source_find_later_record(struct source *s, const struct text_rules *rules, const unsigned char **beginning,
				     size_t *size)
{
	struct source_beginning b = {.mark = record_byte_order_mark(*beginning, *size)};
	bool is_alone = record_header_is_alone(rules, *beginning + b.mark, *size - b.mark);
	const size_t count = count_regular(s);
	enum status status = STATUS_OK;
	for (size_t i = 0; i < count && is_alone && status == STATUS_OK; i++) {
		if (!read_named(s, rules, s->names[s->next_name + i], &b, &status))
			break;
		is_alone = b.size == 0 || record_header_is_alone(rules, b.text.data + b.mark, b.size);
		if (status == STATUS_OK && !is_alone) {
			*beginning = b.text.data;
			*size = b.mark + b.size;
		}
	}
	bytes_free(&s->text.ahead);
	s->text.ahead = b.text;
	return status;
}

/* Reads files until the header is known, and the first record if names depend on it. with_alone: also uses a file that
 * has a header and no record. */
static enum status know_header(struct source *s, const struct plan *plan, char *const *names, size_t count,
			       bool with_alone)
{
	const struct text_rules *rules = &plan->format.text;
	struct source_beginning b = {0};
	enum status status = STATUS_OK;
	struct problem problem = {0};
	for (size_t i = 0; i < count && (s->text.header.line_count < rules->header_lines ||
					 (text_has_names(rules) && !s->text.header.is_settled));
	     i++) {
		uint64_t lines;
		uint64_t dropped;
		if (!read_named(s, rules, names[i], &b, &status))
			break;
		if (status == STATUS_OK && b.size > 0 &&
		    (with_alone || !record_header_is_alone(rules, b.text.data + b.mark, b.size)))
			status = header_read(&s->text.header, &plan->format, (const char *)b.text.data + b.mark, b.size,
					     &lines, &dropped, &problem);
		if (status != STATUS_OK || problem.status != STATUS_OK)
			break;
	}
	bytes_free(&b.text);
	return status;
}

enum status source_know_header(struct source *s, const struct plan *plan, char *const *names, size_t count)
{
	const enum status status = know_header(s, plan, names, count, false);
	const bool is_known = s->text.header.line_count == plan->format.text.header_lines;
	return status == STATUS_OK && !is_known ? know_header(s, plan, names, count, true) : status;
}

/* Call it if the first file has only a header, `text`. Reads the first record of later regular files, which says where
 * the names' fields are, before the header is written. */
static enum status look_ahead(struct source *s, const struct plan *plan, const char *text, size_t size)
{
	struct problem problem = {0};
	uint64_t lines;
	uint64_t dropped;
	enum status status = source_know_header(s, plan, s->names + s->next_name, count_regular(s));
	if (status == STATUS_OK)
		status = header_read(&s->text.header, &plan->format, text, size, &lines, &dropped, &problem);
	if (status == STATUS_OK && (problem.status != STATUS_OK || s->text.header.name_ends.size == 0)) {
		header_free(&s->text.header); /* reading the file will report the error */
		s->text.header = (struct header){0};
	}
	return status;
}

enum status source_read_header(struct source *s, const struct plan *plan, const unsigned char *text, size_t size,
			       bool is_over, uint64_t *lines, uint64_t *dropped, struct problem *problem)
{
	const bool is_first = s->text.header.line_count == 0;
	if (is_first && is_over && s->next_name < s->name_count &&
	    record_header_is_alone(&plan->format.text, text, size) &&
	    look_ahead(s, plan, (const char *)text, size) != STATUS_OK)
		return STATUS_SYSTEM;
	enum status status =
		header_read(&s->text.header, &plan->format, (const char *)text, size, lines, dropped, problem);
	*dropped = is_first ? 0 : *dropped;
	s->text.names.size = 0;
	if (status == STATUS_OK && problem->status == STATUS_OK)
		status = header_put_names(&s->text.header, &plan->format.text, &s->text.names_before, &s->text.names);
	if (status == STATUS_OK && problem->status == STATUS_OK)
		header_compare_names(&s->text.header, &s->text.names_before, &s->text.names, problem);
	return status;
}

/* Sets how many header lines of the chunk are not written: those that an earlier file had. If the file ends within the
 * header, and a later file may settle the names of the results, none of its lines is written yet; the later file's line
 * of names is. */
static void drop_header_lines(struct source *s, const struct text_rules *rules, struct slot *slot, uint64_t known)
{
	const uint64_t shown = s->text.waits ? s->text.shown : known;
	s->text.waits = s->text.header.line_count < rules->header_lines &&
			s->text.header.line_count >= text_names_line(rules) && s->next_name < s->name_count;
	s->text.shown = shown;
	slot->head.dropped_lines = s->text.waits ? slot->head.header_lines : shown;
}

/* Whether a regular file's header without a record is left unread for a later run (--state), because only a record
 * settles the names of fields that are chosen by number. (Not if an initial result must come before it, or a later file
 * is compared with it.) */
static bool leaves_header(const struct source *s, const struct plan *plan, const struct slot *slot, size_t mark)
{
	const struct text_rules *rules = &plan->format.text;
	const struct source_file *file = s->files != NULL ? &s->files[s->next_name - 1] : NULL;
	bool by_number = false;
	for (size_t i = 0; i < rules->field_count; i++)
		by_number = by_number || rules->fields[i].name == NULL;
	return by_number && s->next_name == s->name_count && file != NULL && file->is_regular &&
	       input_is_plain(s->file.input) && s->file.ended && !input_stopped(s->file.input) &&
	       s->file.end_problem.status == STATUS_OK && !plan->include_initial && !s->text.header.are_names_sure &&
	       record_header_is_alone(rules, slot->in.data + mark, slot->in.size - mark);
}

enum status source_end_header(struct source *s, const struct plan *plan, struct slot *slot)
{
	struct source_header *t = &s->text;
	const bool lacks_names = t->header.name_ends.size == 0 && t->names_before.size > 0;
	if (!lacks_names || !plan->total || plan->format.text.header_lines == 0 ||
	    plan->format.text.output.shown_keys == 0)
		return STATUS_OK;
	slot->head.begins_names = t->has_names = true;
	return header_name_before(&t->header, &plan->format, &t->names_before);
}

enum status source_parse_header(struct source *s, const struct plan *plan, struct slot *slot)
{
	const bool is_first = s->text.header.line_count == 0;
	const size_t mark = record_byte_order_mark(slot->in.data, slot->in.size);
	struct problem problem = {0};
	const enum status status =
		source_read_header(s, plan, slot->in.data + mark, slot->in.size - mark, s->file.ended,
				   &slot->head.header_lines, &slot->head.dropped_lines, &problem);
	drop_header_lines(s, &plan->format.text, slot, slot->head.dropped_lines);
	if (status == STATUS_OK && problem.status == STATUS_OK && is_first && leaves_header(s, plan, slot, mark)) {
		header_free(&s->text.header);
		s->text.header = (struct header){0};
		s->text.names.size = 0;
		slot->in.size = 0;
		slot->head.header_lines = slot->head.dropped_lines = 0;
	}
	slot->head.header_whole = slot->head.header_lines == plan->format.text.header_lines;
	s->text.has_names = s->text.has_names || s->text.header.name_ends.size > 0;
	if (problem.status != STATUS_OK) {
		sniff_explain(slot->in.data, slot->in.size, &problem);
		s->file.end_problem = problem;
		s->file.ended = true;
		s->file.tail.size = 0;
		slot->in.size = 0;
		slot->head.header_lines = 0;
	}
	return status;
}
