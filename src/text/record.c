#define _GNU_SOURCE /* memrchr */
/* CSV is searched quote by quote, by line.c's rule: one that stands where a field begins opens quotes, which the next
 * one that is not doubled closes. */
#include "text/record.h"

#include <string.h>

#include "text/line.h"

static bool has_fields(const struct text_rules *rules)
{
	return rules->field_count > 0;
}

/* Tokens may be cut at any white space, unless lines mean something. */
static bool cuts_at_lines(const struct record_format *format)
{
	return has_fields(&format->text) || format->text.comment != NULL;
}

static bool ends_record(bool at_lines, unsigned char c)
{
	return c == '\n' || (!at_lines && (c == ' ' || (c >= '\t' && c <= '\r')));
}

static bool is_csv(const struct record_format *format)
{
	return format->input == FORMAT_TEXT && format->text.csv;
}

bool record_ends_are_plain(const struct record_format *format)
{
	/* Where only comments are lines, it matters whether a chunk begins one. */
	return format->input == FORMAT_BINARY ||
	       (!format->text.csv && (format->text.comment == NULL || has_fields(&format->text)));
}

/* Of text: at newlines, or at any white space. */
static size_t cut_text(struct record_search *search, const unsigned char *data, size_t size, size_t limit,
		       bool at_lines)
{
	const size_t within = size < limit ? size : limit;
	for (size_t i = within; i > search->done; i--) {
		if (ends_record(at_lines, data[i - 1]))
			return i;
	}
	for (size_t i = search->done > limit ? search->done : limit; i < size; i++) {
		if (ends_record(at_lines, data[i]))
			return i + 1;
	}
	search->done = size;
	return 0;
}

static size_t cut_plain(const struct record_format *format, struct record_search *search, const unsigned char *data,
			size_t size, size_t limit)
{
	const struct text_rules *rules = &format->text;
	const char *text = (const char *)data;
	if (format->input == FORMAT_BINARY)
		return (size < limit ? size : limit) / format->record_size * format->record_size;
	const bool at_lines = cuts_at_lines(format);
	const bool by_field = has_fields(rules);
	if (!at_lines || by_field)
		return cut_text(search, data, size, limit, at_lines);
	/* Only comments are lines: a line of very many numbers must not become one chunk. */
	struct record_search lines = {0};
	const bool is_comment = !search->mid_line && line_is_comment(rules, text, text + size);
	const size_t cut = cut_text(&lines, data, size < limit ? size : limit, limit, true);
	if (cut > 0 || size < limit)
		return cut;
	return cut_text(search, data, size, limit, is_comment);
}

/* Notes the line ends between two places outside quotes. */
static void note_ends(struct record_search *search, const unsigned char *data, size_t from, size_t to, size_t limit)
{
	const size_t within = to < limit ? to : limit;
	const unsigned char *end = memrchr(data + from, '\n', to - from);
	if (end == NULL)
		return;
	search->line = (size_t)(end - data) + 1;
	if (search->line > limit)
		end = from < within ? memrchr(data + from, '\n', within - from) : NULL;
	if (end != NULL)
		search->last = (size_t)(end - data) + 1;
	if (search->line > limit && search->first == 0) {
		const size_t after = from > limit ? from : limit;
		end = memchr(data + after, '\n', to - after);
		search->first = end != NULL ? (size_t)(end - data) + 1 : 0;
	}
}

/* Whether the quote at a place outside quotes opens some. */
static bool opens_quotes(const struct record_format *format, const struct record_search *search,
			 const unsigned char *data, size_t at, size_t size)
{
	const char *line = (const char *)data + search->line;
	if (at != search->line && data[at - 1] != (unsigned char)format->text.delimiter)
		return false;
	return !line_is_comment(&format->text, line, (const char *)data + size);
}

static size_t cut_csv(const struct record_format *format, struct record_search *search, const unsigned char *data,
		      size_t size, size_t limit)
{
	while (search->done < size) {
		const unsigned char *quote = memchr(data + search->done, '"', size - search->done);
		const size_t at = quote == NULL ? size : (size_t)(quote - data);
		if (!search->quoted) {
			note_ends(search, data, search->done, at, limit);
			search->quoted = quote != NULL && opens_quotes(format, search, data, at, size);
		} else if (at + 1 >= size) {
			search->done = at; /* the next byte tells whether it is doubled */
			break;
		} else if (data[at + 1] == '"') {
			search->done = at + 2;
			continue;
		} else {
			search->quoted = false;
		}
		search->done = at + 1 < size ? at + 1 : size;
	}
	return search->last > 0 ? search->last : search->first;
}

size_t record_cut(const struct record_format *format, struct record_search *search, const unsigned char *data,
		  size_t size, size_t limit)
{
	return is_csv(format) ? cut_csv(format, search, data, size, limit)
			      : cut_plain(format, search, data, size, limit);
}

size_t record_byte_order_mark(const unsigned char *data, size_t size)
{
	return size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

size_t record_header_end(const struct text_rules *rules, struct header_search *search, const unsigned char *data,
			 size_t size)
{
	const char *start = (const char *)data;
	const char *end = start + size;
	while (search->lines < rules->header_lines) {
		const char *p = start + search->done;
		struct line line;
		if (p == end || !line_take(rules, p, end, &line) || line.next[-1] != '\n')
			return 0;
		search->lines += !line_is_comment(rules, p, end);
		search->done = (size_t)(line.next - start);
	}
	return search->done;
}
