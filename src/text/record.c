#define _GNU_SOURCE /* memrchr */
/* A cut is looked for from the limit backwards, and only if no record ends before the limit, from there on. In CSV all
 * bytes must be passed, because quotes decide which newlines end records. */
#include "text/record.h"

#include <string.h>

#include "number/notation.h"
#include "text/line.h"

static bool ends_record(bool at_lines, unsigned char c)
{
	return c == '\n' || (!at_lines && (c == ' ' || (c >= '\t' && c <= '\r')));
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

/* Only comments, and what may be the header again, are lines: a line of very many numbers must not become one chunk. */
static size_t cut_tokens_and_lines(const struct text_rules *rules, struct record_search *search,
				   const unsigned char *data, size_t size, size_t limit)
{
	struct record_search lines = {0};
	const char *text = (const char *)data;
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

/* Notes the line ends of a block that begins at `from`. */
static void note_ends_of_block(struct record_search *search, size_t from, uint64_t newlines, size_t limit)
{
	const uint64_t all = UINT64_MAX;
	const uint64_t within = limit <= from ? 0 : limit - from >= QUOTES_BLOCK ? all : ~(all << (limit - from));
	if (newlines == 0)
		return;
	search->line = from + QUOTES_BLOCK - (size_t)__builtin_clzll(newlines);
	if ((newlines & within) != 0)
		search->last = from + QUOTES_BLOCK - (size_t)__builtin_clzll(newlines & within);
	if ((newlines & ~within) != 0 && search->first == 0)
		search->first = from + (size_t)__builtin_ctzll(newlines & ~within) + 1;
}

static size_t cut_csv(const struct text_rules *rules, struct record_search *search, const unsigned char *data,
		      size_t size, size_t limit)
{
	const char *text = (const char *)data;
	const char *end = text + size;
	if (search->done == 0)
		search->place = QUOTES_BEGIN;
	while (search->done < size) {
		const bool is_outside = quotes_are_closed(&search->place);
		const size_t from = search->done;
		uint64_t newlines;
		if (size - from >= QUOTES_BLOCK && quotes_pass_block(rules, &search->place, text + from, &newlines)) {
			note_ends_of_block(search, from, newlines, limit);
			search->done += QUOTES_BLOCK;
			continue;
		}
		search->done = (size_t)(quotes_pass(rules, &search->place, text + from, end, end) - text);
		if (is_outside)
			note_ends(search, data, from, search->done, limit);
	}
	/* Further bytes may make a comment of a line that has just begun. */
	if (size - search->line < rules->comment_size) {
		search->done = search->line;
		search->place = QUOTES_BEGIN;
	}
	return search->last > 0 ? search->last : search->first;
}

/* Whether records are tokens, but some lines are passed: it matters whether a chunk begins a line. */
static bool has_tokens_and_lines(const struct text_rules *rules)
{
	return rules->cut != CUT_CSV && rules->field_count == 0 && (rules->comment != NULL || rules->header_lines > 0);
}

bool record_ends_are_plain(const struct record_format *format)
{
	return format->input == FORMAT_BINARY || (format->text.cut != CUT_CSV && !has_tokens_and_lines(&format->text));
}

size_t record_cut(const struct record_format *format, struct record_search *search, const unsigned char *data,
		  size_t size, size_t limit)
{
	const struct text_rules *rules = &format->text;
	if (format->input == FORMAT_BINARY)
		return (size < limit ? size : limit) / format->record_size * format->record_size;
	if (rules->cut == CUT_CSV)
		return cut_csv(rules, search, data, size, limit);
	return has_tokens_and_lines(rules) ? cut_tokens_and_lines(rules, search, data, size, limit)
					   : cut_text(search, data, size, limit, rules->field_count > 0);
}

size_t record_whole_lines(const struct text_rules *rules, const unsigned char *data, size_t size)
{
	struct record_search search = {0};
	return rules->cut == CUT_CSV ? cut_csv(rules, &search, data, size, size)
				     : cut_text(&search, data, size, size, true);
}

size_t record_repeated_size(const struct text_rules *rules, const struct line *line)
{
	struct field f;
	const char *at = NULL;
	while (line_next_field(rules, line, &at, &f)) {
		if (!notation_is_number(&rules->tokens.notation, f.token, f.token_size))
			return (size_t)(line->end - line->start);
	}
	return 0;
}

static inline bool is_around(char c)
{
	return c == '"' || c == ' ' || c == '\t';
}

/* The first byte from p on that is neither a quote nor a blank. */
static inline const char *skip_around(const char *p, const char *end)
{
	while (p < end && is_around(*p))
		p++;
	return p;
}

/* Whether two lines may have equal fields: all bytes that are neither quotes nor blanks are equal. (Most lines differ
 * in the last of them.) */
static bool may_be_equal(const char *p, const char *p_end, const char *q, const char *q_end)
{
	while (p < p_end && is_around(p_end[-1]))
		p_end--;
	while (q < q_end && is_around(q_end[-1]))
		q_end--;
	if (p < p_end && q < q_end && p_end[-1] != q_end[-1])
		return false;
	p = skip_around(p, p_end);
	q = skip_around(q, q_end);
	while (p < p_end && q < q_end && *p == *q) {
		p = skip_around(p + 1, p_end);
		q = skip_around(q + 1, q_end);
	}
	return p == p_end && q == q_end;
}

static bool has_equal_fields(const struct text_rules *rules, const struct line *a, const struct line *b)
{
	const char *a_at = NULL;
	const char *b_at = NULL;
	struct field f;
	struct field g;
	while (line_next_field(rules, a, &a_at, &f)) {
		if (!line_next_field(rules, b, &b_at, &g) || f.token_size != g.token_size ||
		    memcmp(f.token, g.token, g.token_size) != 0)
			return false;
	}
	return !line_next_field(rules, b, &b_at, &g);
}

bool record_repeats(const struct text_rules *rules, const struct line *line, const char *header, size_t size)
{
	const char *start = line->start + record_byte_order_mark(line->start, (size_t)(line->end - line->start));
	if (size == 0 || !may_be_equal(start, line->end, header, header + size))
		return false;
	const struct line a = {.start = start, .end = line->end, .next = line->next};
	const struct line b = {.start = header, .end = header + size, .next = header + size};
	return has_equal_fields(rules, &a, &b);
}

void record_look_at_header(const char *header, size_t size, struct odd_bytes *odd)
{
	const char *first = header;
	const char *end = header + size;
	odd->first[0xef] |= ODD_MARKED;
	memset(odd->last, ODD_MARKED, sizeof odd->last);
	for (const char *p = "\xef\" \t"; *p != '\0' && size > 0; p++) {
		odd->first[(unsigned char)*p] |= ODD_HEADER;
		odd->last[(unsigned char)*p] |= ODD_HEADER;
	}
	first = skip_around(first, end);
	while (first < end && is_around(end[-1]))
		end--;
	if (first < end) {
		odd->first[(unsigned char)*first] |= ODD_HEADER;
		odd->last[(unsigned char)end[-1]] |= ODD_HEADER;
	}
}

bool record_next_line(const struct text_rules *rules, struct header_search *search, const unsigned char *data,
		      size_t size, bool whole, struct line *line)
{
	const char *start = (const char *)data;
	const char *end = start + size;
	while (search->done < size) {
		const char *p = start + search->done;
		search->is_closed = line_read(rules, p, end, line);
		if (whole && (!search->is_closed || line->next[-1] != '\n'))
			return false;
		search->done = (size_t)(line->next - start);
		if (line_is_comment(rules, p, end))
			continue;
		search->is_record = search->lines == rules->header_lines && !line_is_blank(rules, line) &&
				    !record_repeats(rules, line, start + search->last, search->last_size);
		if (search->lines < rules->header_lines) {
			search->lines++;
			search->last = (size_t)(p - start);
			search->last_size = record_repeated_size(rules, line);
		}
		return true;
	}
	return false;
}

size_t record_header_end(const struct text_rules *rules, struct header_search *search, const unsigned char *data,
			 size_t size)
{
	struct line line;
	while (search->lines < rules->header_lines) {
		if (!record_next_line(rules, search, data, size, true, &line))
			return 0;
	}
	return search->done;
}

bool record_header_is_alone(const struct text_rules *rules, const unsigned char *data, size_t size)
{
	struct header_search search = {0};
	struct line line;
	while (!search.is_record && record_next_line(rules, &search, data, size, false, &line))
		;
	return !search.is_record && search.lines == rules->header_lines;
}

size_t record_first_end(const struct text_rules *rules, struct header_search *search, const unsigned char *data,
			size_t size)
{
	struct line line;
	size_t end = record_header_end(rules, search, data, size);
	bool goes_on = end > 0 || rules->header_lines == 0;
	while (goes_on && rules->field_count > 0 && !search->is_record) {
		goes_on = record_next_line(rules, search, data, size, true, &line);
		end = goes_on ? search->done : 0;
	}
	return end;
}
