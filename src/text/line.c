/* Fields at delimiters, and what all formats have in common. The quotes of CSV are in quotes.h. */
#include "text/line_parts.h"

#include <string.h>

#include "text/quotes.h"

bool line_has_only_blanks(const struct text_rules *rules, const struct line *line)
{
	const char *p = line->start;
	while (p < line->end && is_blank(*p) && (text_by_blanks(rules) || *p != rules->delimiter))
		p++;
	return p == line->end && !rules->records.are_blank;
}

bool line_read(const struct text_rules *rules, const char *p, const char *end, struct line *line)
{
	struct quotes_state place = QUOTES_BEGIN;
	const char *next;
	if (rules->cut == CUT_CSV) {
		next = quotes_pass_record(rules, &place, p, end, end);
	} else {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		next = newline != NULL ? newline + 1 : NULL;
	}
	*line = (struct line){.start = p, .end = next != NULL ? next - 1 : end, .next = next != NULL ? next : end};
	line_leave_return(line);
	return place.quotes != QUOTES_OPEN;
}

/* Where the field that begins at p ends, before its delimiter or at its line's end. */
static inline const char *field_end(const struct text_rules *rules, const char *p, const char *end)
{
	if (rules->cut == CUT_CSV && p < end && *p == '"')
		return quotes_field_end(rules, p, end);
	const char *delimiter = memchr(p, rules->delimiter, (size_t)(end - p));
	return delimiter != NULL ? delimiter : end;
}

void line_set_quoted_token(const char *p, const char *stop, struct field *f)
{
	while (is_blank(stop[-1]))
		stop--;
	f->quoted = stop > p + 1 && stop[-1] == '"';
	line_set_token(p + f->quoted, stop - f->quoted, f);
}

/* The field that begins at p. */
static void read_delimited(const struct text_rules *rules, const struct line *line, const char *p, struct field *f)
{
	const char *stop = field_end(rules, p, line->end);
	*f = (struct field){.start = p, .size = (size_t)(stop - p)};
	if (rules->cut == CUT_CSV && p < stop && *p == '"')
		line_set_quoted_token(p, stop, f);
	else
		line_set_token(p, stop, f);
}

bool line_next_field(const struct text_rules *rules, const struct line *line, const char **at, struct field *f)
{
	const char *p = *at == NULL ? line->start : *at;
	if (text_by_blanks(rules)) {
		if (!(rules->cut == CUT_LOG ? line_next_in_log(line, p, f) : line_next_by_blanks(line, p, f)))
			return false;
		*at = f->start + f->size;
		return true;
	}
	if (*at != NULL) {
		if (p == line->end)
			return false;
		p++; /* the delimiter */
	}
	read_delimited(rules, line, p, f);
	*at = f->start + f->size;
	return true;
}

uint64_t line_count_fields(const struct text_rules *rules, const struct line *line)
{
	struct field f;
	const char *at = NULL;
	uint64_t count = 0;
	while (line_next_field(rules, line, &at, &f))
		count++;
	return count;
}

void line_find_field(const struct text_rules *rules, const struct line *line, uint64_t number, struct field *f)
{
	if (line->found != NULL) {
		*f = line->found[number - 1];
		return;
	}
	if (line->is_plain) {
		line_find_in_plain(line, number, f);
		return;
	}
	if (rules->cut == CUT_BLANKS) {
		line_find_by_blanks(line, number, f);
		return;
	}
	if (rules->cut == CUT_LOG) {
		line_find_in_log(line, number, f);
		return;
	}
	const char *p = line->start;
	for (uint64_t i = 1; i < number; i++) {
		const char *stop = field_end(rules, p, line->end);
		if (stop == line->end) {
			set_absent(line, number - i, f);
			return;
		}
		p = stop + 1;
	}
	read_delimited(rules, line, p, f);
}

void line_find_fields(const struct text_rules *rules, const struct line *line, const uint64_t *numbers,
		      const size_t *order, size_t count, struct field *fields)
{
	struct line rest = *line;
	uint64_t before = 0;
	struct short_line s;
	for (size_t i = 0; i < count && line->found != NULL; i++)
		fields[i] = line->found[numbers[i] - 1];
	if (line->found != NULL)
		return;
	if (rules->cut == CUT_BLANKS && line_look(line, &s)) {
		for (size_t i = 0; i < count; i++)
			line_find_in_short(line, &s, numbers[order[i]], &fields[order[i]]);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct field *f = &fields[order[i]];
		const uint64_t number = numbers[order[i]];
		if (number == before) {
			*f = fields[order[i - 1]];
			continue;
		}
		if (line->is_plain) {
			line_find_in_plain(line, number, f);
			continue;
		}
		if (rest.start > line->end) {
			/* The line ended with the field before. */
			set_absent(line, number - before, f);
			continue;
		}
		line_find_field(rules, &rest, number - before, f);
		if (f->absent)
			continue;
		before = number;
		rest.past_status = NULL;
		rest.start = f->start + f->size + (text_by_blanks(rules) ? 0 : 1);
	}
}

size_t line_trim_field(const struct field *f, const char **start)
{
	const char *end = f->start + f->size;
	*start = f->quoted ? f->start : f->token;
	if (!f->quoted)
		return f->token_size;
	while (is_blank(end[-1]))
		end--;
	return (size_t)(end - *start);
}

size_t line_quote_field(const struct text_rules *rules, char *text, size_t size)
{
	bool special = line_is_comment(rules, text, text + size);
	size_t quotes = 0;
	for (size_t i = 0; i < size; i++) {
		quotes += text[i] == '"';
		special = special || text[i] == rules->delimiter || text[i] == '\r' || text[i] == '\n';
	}
	if (!special && quotes == 0)
		return size;
	/* From the end, so that nothing is overwritten before it was moved. */
	char *to = text + size + quotes + 2;
	*--to = '"';
	for (size_t i = size; i > 0; i--) {
		*--to = text[i - 1];
		if (text[i - 1] == '"')
			*--to = '"';
	}
	*text = '"';
	return size + quotes + 2;
}

/* Newlines among 64 * rows bytes, rows at most 255: counted in bytes, so that the compiler makes vectors of it. */
static uint64_t count_rows(const char *p, size_t rows)
{
	uint8_t counts[64] = {0};
	uint64_t count = 0;
	for (size_t i = 0; i < rows; i++) {
		for (size_t k = 0; k < sizeof counts; k++)
			counts[k] = (uint8_t)(counts[k] + (p[64 * i + k] == '\n'));
	}
	for (size_t k = 0; k < sizeof counts; k++)
		count += counts[k];
	return count;
}

uint64_t line_count(const char *p, const char *end)
{
	uint64_t count = 0;
	while (end - p >= 64) {
		const size_t left = (size_t)(end - p) / 64;
		const size_t rows = left < 255 ? left : 255;
		count += count_rows(p, rows);
		p += 64 * rows;
	}
	for (; p < end; p++)
		count += *p == '\n';
	return count;
}

void line_replace(char *text, size_t size, char from, char to)
{
	for (size_t i = 0; i < size; i++)
		text[i] = text[i] == from ? to : text[i];
}

bool line_part_has_return(const char *p, const char *end, bool can_quote, bool is_quoted)
{
	for (; p < end; p++) {
		if (can_quote && *p == '"')
			is_quoted = !is_quoted;
		if (*p == '\r' && !is_quoted)
			return true;
	}
	return false;
}

bool line_has_return(const struct text_rules *rules, const struct line *line)
{
	const size_t size = (size_t)(line->end - line->start);
	const bool has_quotes = rules->cut == CUT_CSV || rules->cut == CUT_LOG;
	const char *at = NULL;
	struct field f;
	if (memchr(line->start, '\r', size) == NULL ||
	    (rules->cut == CUT_LOGFMT && memchr(line->start, '"', size) != NULL)) /* it may be within these */
		return false;
	while (line_next_field(rules, line, &at, &f)) {
		const char *end = f.start + f.size;
		const bool can_quote = has_quotes && f.size > 0 && f.start[0] == '"';
		if (line_part_has_return(f.start, end == line->end && end > f.start ? end - 1 : end, can_quote, false))
			return true;
	}
	return false;
}
