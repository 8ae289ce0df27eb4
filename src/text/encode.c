/* The mirror of decode.c. Most binary results in the machine's byte order do not come here: the sink writes them from
 * where the engine put them (slot_encode). */
#include "text/encode.h"

#include <string.h>

#include "number/decimal.h"
#include "number/write.h"

#define LINE_MAX_SIZE (NUMBER_TEXT_MAX + 1)
_Static_assert(DECIMAL_TEXT_MAX < LINE_MAX_SIZE, "room for a decimal and its newline");

/* No line with a result is longer. */
static size_t line_max_size(const struct record_format *format)
{
	const size_t size =
		format->number_format != NULL ? number_spec_size_max(format->number_format) + 1 : LINE_MAX_SIZE;
	return format->may_need_quotes ? 2 * size + 2 : size;
}

/* Writes one number and returns its bytes; fewer than line_max_size. */
static size_t put_number(const struct record_format *format, const struct result_format *f, const union value *v,
			 unsigned char *out)
{
	char *text = (char *)out;
	size_t size;
	if (format->number_format != NULL)
		size = number_spec_write(text, format->number_format, f->type, f->decimal ? f->scale : 0, v);
	else
		size = f->decimal ? decimal_format(text, v, f->type, f->scale) : number_format(text, f->type, v);
	return format->may_need_quotes ? line_quote_field(&format->text, text, size) : size;
}

/* The part's inclusive result i, and how it is written. */
static struct result take_result(const struct encode_part *part, size_t i)
{
	const unsigned char *results = part->results;
	struct result r = {.format = part->format};
	memcpy(&r.value, results + i * r.format.type->size, r.format.type->size);
	if (part->scales == NULL || !r.format.decimal)
		return r;
	r.format.scale = part->written == WRITTEN_OWN               ? part->scales[i]
			 : part->written == WRITTEN_BEFORE && i > 0 ? part->scales[i - 1]
								    : part->scale_before;
	decimal_reduce(&r.value, r.format.type, part->format.scale, r.format.scale);
	return r;
}

/* Writes one result and returns its bytes; at most line_max_size. */
static size_t put_result(const struct record_format *format, const struct result_format *f, const union value *v,
			 unsigned char *out)
{
	if (format->output == FORMAT_BINARY) {
		memcpy(out, v, f->type->size);
		if (format->out_swapped)
			decode_swap(out, 1, f->type->size);
		return f->type->size;
	}
	const size_t size = put_number(format, f, v, out);
	out[size] = '\n';
	return size + 1;
}

enum status encode_result(const struct record_format *format, const struct result *r, struct bytes *out)
{
	if (bytes_reserve(out, line_max_size(format)) != STATUS_OK)
		return STATUS_SYSTEM;
	out->size += put_result(format, &r->format, &r->value, out->data + out->size);
	return STATUS_OK;
}

static enum status put_mark(const struct mark *mark, struct bytes *out)
{
	enum status status = bytes_append(out, mark->text, mark->size);
	if (status == STATUS_OK)
		status = bytes_append(out, "\n", 1);
	return status;
}

/* Writes count inclusive results from first on and returns their bytes; at most line_max_size each. */
static size_t put_block(const struct record_format *format, const struct encode_part *part, size_t first, size_t count,
			unsigned char *out)
{
	const struct result_format *f = &part->format;
	const size_t size = f->type->size;
	const unsigned char *results = (const unsigned char *)part->results + first * size;
	const bool one_by_one = format->number_format != NULL || format->may_need_quotes || part->scales != NULL;
	if (format->output == FORMAT_TEXT && one_by_one) {
		size_t written = 0;
		for (size_t i = 0; i < count; i++) {
			const struct result r = take_result(part, first + i);
			written += put_result(format, &r.format, &r.value, out + written);
		}
		return written;
	}
	if (format->output == FORMAT_TEXT)
		return f->decimal ? decimal_format_lines((char *)out, f->type, f->scale, results, count)
				  : number_format_lines((char *)out, f->type, results, count);
	memcpy(out, results, count * size);
	if (format->out_swapped)
		decode_swap(out, count, size);
	return count * size;
}

/* Room for count results, of rest, after the done ones that took up made bytes: for all of the rest if they are no
 * longer, so that the buffer grows once. */
static enum status make_room(const struct record_format *format, struct bytes *out, size_t count, size_t rest,
			     size_t done, size_t made)
{
	const size_t needed = count * line_max_size(format);
	if (needed <= out->capacity - out->size)
		return STATUS_OK;
	const size_t foreseen = done == 0 ? 0 : (made / done + 2) * rest;
	return bytes_reserve(out, needed + foreseen);
}

/* Results first .. last-1 without marks between them, in blocks for which room is made once. */
static enum status put_results(const struct record_format *format, const struct encode_part *part, size_t first,
			       size_t last, struct bytes *out)
{
	const size_t block = 1024;
	if (first < part->absent)
		first = part->absent < last ? part->absent : last;
	if (first == 0 && last > 0 && part->before != NULL) {
		if (encode_result(format, part->before, out) != STATUS_OK)
			return STATUS_SYSTEM;
		first = 1;
	}
	const size_t shift = part->before != NULL ? 1 : 0;
	const size_t begin = first;
	const size_t size_before = out->size;
	while (first < last) {
		const size_t count = last - first < block ? last - first : block;
		if (make_room(format, out, count, last - first, first - begin, out->size - size_before) != STATUS_OK)
			return STATUS_SYSTEM;
		out->size += put_block(format, part, first - shift, count, out->data + out->size);
		first += count;
	}
	return STATUS_OK;
}

/* One result a line. */
static enum status put_plain(const struct record_format *format, const struct encode_part *part, struct bytes *out)
{
	size_t done = 0;
	for (size_t i = 0; i <= part->mark_count; i++) {
		if (i == part->header_marks && part->initial != NULL && !part->initial->absent &&
		    encode_result(format, part->initial, out) != STATUS_OK)
			return STATUS_SYSTEM;
		if (i == part->mark_count)
			break;
		const size_t at = part->marks[i].element < part->count ? part->marks[i].element : part->count;
		if (put_results(format, part, done, at, out) != STATUS_OK ||
		    put_mark(&part->marks[i], out) != STATUS_OK)
			return STATUS_SYSTEM;
		done = at;
	}
	return put_results(format, part, done, part->count, out);
}

/* Where the lines of a part are. */
struct lines_cursor {
	const char *text; /* not yet copied */
	size_t result, mark; /* the next ones */
};

static void put_delimiters(const struct record_format *format, size_t count, struct bytes *out)
{
	memset(out->data + out->size, format->text.by_blanks ? ' ' : format->text.delimiter, count);
	out->size += count;
}

/* Whether the next result is absent. */
static bool next_is_absent(const struct encode_part *part, const struct lines_cursor *c)
{
	return c->result < part->absent;
}

/* The next result; of an absent one nothing. */
static void put_next(const struct record_format *format, const struct encode_part *part, struct lines_cursor *c,
		     struct bytes *out)
{
	const size_t shift = part->before != NULL ? 1 : 0;
	if (!next_is_absent(part, c)) {
		const struct result r = c->result < shift ? *part->before : take_result(part, c->result - shift);
		out->size += put_number(format, &r.format, &r.value, out->data + out->size);
	}
	c->result++;
}

/* A mark as a new field. */
static enum status put_mark_field(const struct record_format *format, const struct mark *mark, struct bytes *out)
{
	if (bytes_reserve(out, 2 * mark->size + 2) != STATUS_OK)
		return STATUS_SYSTEM;
	char *text = (char *)out->data + out->size;
	memcpy(text, mark->text, mark->size);
	out->size += format->text.csv ? line_quote_field(&format->text, text, mark->size) : mark->size;
	return STATUS_OK;
}

/* What an edit puts in. There is room for it, but for marks and names. */
static enum status put_edit(const struct record_format *format, const struct encode_part *part, const struct edit *edit,
			    struct lines_cursor *c, struct bytes *out)
{
	switch (edit->kind) {
	case EDIT_DELIMITERS:
		put_delimiters(format, edit->skipped, out);
		return STATUS_OK;
	case EDIT_DELIMITER_RESULT:
		put_delimiters(format, 1, out);
		put_next(format, part, c, out);
		return STATUS_OK;
	case EDIT_RESULT:
		put_next(format, part, c, out);
		return STATUS_OK;
	case EDIT_DELIMITER_MARK:
		put_delimiters(format, 1, out);
		return put_mark_field(format, &part->marks[c->mark++], out);
	case EDIT_DELIMITER_NAME:
		put_delimiters(format, 1, out);
		return bytes_append(out, part->header->name.data, part->header->name.size);
	case EDIT_NAME:
		return bytes_append(out, part->header->name.data, part->header->name.size);
	case EDIT_NOTHING:
		break;
	}
	return STATUS_OK;
}

/* The lines with their results. */
static enum status put_lines(const struct record_format *format, const struct encode_part *part, struct bytes *out)
{
	struct lines_cursor c = {.text = part->text};
	const char *end = part->text + part->text_size;
	if (part->text_size == 0)
		return STATUS_OK;
	if (part->byte_order_mark && bytes_append(out, "\xef\xbb\xbf", 3) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < part->edit_count; i++) {
		const struct edit *e = &part->edits[i];
		const bool pads = e->kind == EDIT_DELIMITERS;
		/* A field whose result is absent stays as it is. */
		const size_t kept = e->kind == EDIT_RESULT && next_is_absent(part, &c) ? e->skipped : 0;
		if (bytes_reserve(out, e->copied + kept + line_max_size(format) + 1 + (pads ? e->skipped : 0)) !=
		    STATUS_OK)
			return STATUS_SYSTEM;
		memcpy(out->data + out->size, c.text, e->copied + kept);
		out->size += e->copied + kept;
		c.text += e->copied + (pads ? 0 : e->skipped);
		if (put_edit(format, part, e, &c, out) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	if (bytes_append(out, c.text, (size_t)(end - c.text)) != STATUS_OK)
		return STATUS_SYSTEM;
	/* A file's end ends its last line. */
	if (out->size == 0 || out->data[out->size - 1] == '\n')
		return STATUS_OK; /* size 0: an equal header of a later file was left out */
	return bytes_append(out, "\n", 1);
}

enum status encode_part(const struct record_format *format, const struct encode_part *part, struct bytes *out)
{
	if (format->text.lines != LINES_DROPPED && format->input == FORMAT_TEXT)
		return put_lines(format, part, out);
	return put_plain(format, part, out);
}
