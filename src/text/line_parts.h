/* Helpers for the files line*.c and decode*.c, and for quotes.c. No other file includes this. */
#ifndef PSCAN_TEXT_LINE_PARTS_H
#define PSCAN_TEXT_LINE_PARTS_H

#include <string.h>

#include "text/line.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Sets *f to an absent field. count: the number of missing fields up to it, itself included. */
static inline void set_absent(const struct line *line, uint64_t count, struct field *f)
{
	*f = (struct field){.start = line->end, .token = line->end, .absent = true, .absent_count = count};
}

/* Returns the bytes from p to stop without the blanks around them, and sets *size to their number. */
static inline const char *line_trim(const char *p, const char *stop, size_t *size)
{
	if (p < stop && (*p <= ' ' || stop[-1] <= ' ')) {
		while (p < stop && is_blank(*p))
			p++;
		while (stop > p && is_blank(stop[-1]))
			stop--;
	}
	*size = (size_t)(stop - p);
	return p;
}

/* Sets a field's token to the bytes from p to stop without the blanks around them. */
static inline void line_set_token(const char *p, const char *stop, struct field *f)
{
	f->token = line_trim(p, stop, &f->token_size);
}

/* The kinds of SHORT_LINE_MAX bytes. Bit i of a word is set if byte i is a newline, a delimiter or a quote. */
struct byte_bits {
	uint64_t newlines, delimiters, quotes;
};

#ifdef __SSE2__
/* Returns a word with bit i set if byte i is c. Bytes 0 .. 15 are in first, bytes 16 .. 31 in second. */
static inline uint64_t line_equal_bytes(__m128i first, __m128i second, char c)
{
	const __m128i all = _mm_set1_epi8(c);
	const unsigned a = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(first, all));
	const unsigned b = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(second, all));
	return a | b << 16;
}

/* Returns the kinds of 32 bytes. */
static inline struct byte_bits line_look_at_half(const char *p, char delimiter)
{
	__m128i first;
	__m128i second;
	memcpy(&first, p, sizeof first);
	memcpy(&second, p + sizeof first, sizeof second);
	return (struct byte_bits){.newlines = line_equal_bytes(first, second, '\n'),
				  .delimiters = line_equal_bytes(first, second, delimiter),
				  .quotes = line_equal_bytes(first, second, '"')};
}

#else
static inline struct byte_bits line_look_at_half(const char *p, char delimiter)
{
	struct byte_bits b = {0};
	for (unsigned i = 0; i < SHORT_LINE_MAX / 2; i++) {
		b.newlines |= (uint64_t)(p[i] == '\n') << i;
		b.delimiters |= (uint64_t)(p[i] == delimiter) << i;
		b.quotes |= (uint64_t)(p[i] == '"') << i;
	}
	return b;
}
#endif

/* Adds the kinds of the second half of the SHORT_LINE_MAX bytes at p. */
static inline void line_look_at_rest(const char *p, char delimiter, struct byte_bits *b)
{
	const struct byte_bits second = line_look_at_half(p + SHORT_LINE_MAX / 2, delimiter);
	b->newlines |= second.newlines << SHORT_LINE_MAX / 2;
	b->delimiters |= second.delimiters << SHORT_LINE_MAX / 2;
	b->quotes |= second.quotes << SHORT_LINE_MAX / 2;
}

/* Returns the kinds of the SHORT_LINE_MAX bytes at p. If the first half has a newline, the bits of the second half are
 * 0. (Most lines end in the first half.) */
static inline struct byte_bits line_look_at_bytes(const char *p, char delimiter)
{
	struct byte_bits b = line_look_at_half(p, delimiter);
	if (b.newlines == 0)
		line_look_at_rest(p, delimiter, &b);
	return b;
}

/* If the line's last byte is a carriage return, moves line->end before it. */
static inline void line_leave_return(struct line *line)
{
	if (line->end > line->start && line->end[-1] == '\r')
		line->end--;
}

/* Clears the bits of newlines and delimiters within quotes. *inside becomes the bits of the bytes within quotes, and of
 * those that open them. A byte is within quotes where an odd number of quotes is before it: a doubled quote closes them
 * and opens them again. is_open: the first byte is within quotes, or closes them. */
static inline void line_find_quoted(struct byte_bits *b, bool is_open, uint64_t *inside)
{
	*inside = b->quotes;
	for (unsigned shift = 1; shift < SHORT_LINE_MAX; shift *= 2)
		*inside ^= *inside << shift;
	*inside ^= 0 - (uint64_t)is_open;
	b->newlines &= ~*inside;
	b->delimiters &= ~*inside;
}

/* line_find_quoted for a line. False: there may be quotes that do not open a field, or the line's end may be after the
 * bytes that were looked at. */
static inline bool line_leave_quoted(struct byte_bits *b, char delimiter)
{
	uint64_t inside;
	line_find_quoted(b, false, &inside);
	const uint64_t within = b->newlines != 0 ? (b->newlines & -b->newlines) - 1 : UINT64_MAX;
	const uint64_t opened = b->quotes & inside & within;
	const uint64_t before = b->delimiters | (b->quotes & ~inside);
	const bool is_delimiter = delimiter == '"' && (b->quotes & within) != 0;
	return b->newlines != 0 && (opened & ~(before << 1 | 1)) == 0 && !is_delimiter;
}

/* line_read for rules of text_by_delimiters. Also sets line->is_plain, line->delimiters and line->quotes. False if the
 * line has more than SHORT_LINE_MAX bytes, its newline included, or if its quotes need a closer look; *line is then
 * unchanged. LINE_PADDING bytes after `end` must be readable. */
static inline __attribute__((always_inline)) bool line_read_plain(const struct text_rules *rules, const char *p,
								  const char *end, struct line *line)
{
	struct byte_bits b = line_look_at_bytes(p, rules->delimiter);
	const size_t rest = (size_t)(end - p);
	/* (Bytes after the end are no quotes.) */
	if (b.quotes != 0 &&
	    (rules->cut != CUT_CSV || (rest < SHORT_LINE_MAX && b.quotes << (SHORT_LINE_MAX - rest) == 0)))
		b.quotes = 0;
	if (b.quotes != 0 && !line_leave_quoted(&b, rules->delimiter))
		return false;
	size_t size = b.newlines != 0 ? (size_t)__builtin_ctzll(b.newlines) : SHORT_LINE_MAX;
	if (size == SHORT_LINE_MAX && rest > size)
		return false;
	const bool is_last = rest <= size;
	size = is_last ? rest : size;
	const uint64_t inside = size < SHORT_LINE_MAX ? (UINT64_C(1) << size) - 1 : UINT64_MAX;
	/* Quotes of the last line may be closed by bytes after it. */
	if (is_last && (b.quotes & inside) != 0)
		return false;
	*line = (struct line){.start = p,
			      .end = p + size,
			      .next = p + size + !is_last,
			      .is_plain = true,
			      .delimiters = b.delimiters & inside,
			      .quotes = b.quotes & inside};
	line_leave_return(line);
	/* The carriage return may be a delimiter. */
	if (line->end < p + size)
		line->delimiters &= ~(UINT64_C(1) << (size - 1));
	return true;
}

/* Sets a quoted field's token to what is within its quotes without the blanks around it. The field begins with a quote
 * and ends at stop. */
void line_set_quoted_token(const char *p, const char *stop, struct field *f);

/* Finds where field `number` of a line that line_read_plain has taken begins and ends. Returns 0, or the number of
 * missing fields up to it, itself included. */
static inline uint64_t line_cut_plain(const struct line *line, uint64_t number, const char **start, const char **stop)
{
	const char *from = line->start;
	uint64_t left = line->delimiters;
	for (uint64_t i = 1; i < number; i++, left &= left - 1) {
		if (left == 0)
			return number - i;
		from = line->start + __builtin_ctzll(left) + 1;
	}
	*start = from;
	*stop = left != 0 ? line->start + __builtin_ctzll(left) : line->end;
	return 0;
}

/* Whether a field of such a line begins with a quote. */
static inline bool line_is_quoted(const struct line *line, const char *start, const char *stop)
{
	return stop > start && *start == '"' && line->quotes != 0;
}

/* line_find_field for a line that line_read_plain has taken. */
static inline void line_find_in_plain(const struct line *line, uint64_t number, struct field *f)
{
	const char *start;
	const char *stop;
	const uint64_t missing = line_cut_plain(line, number, &start, &stop);
	if (missing > 0) {
		set_absent(line, missing, f);
		return;
	}
	*f = (struct field){.start = start, .size = (size_t)(stop - start)};
	if (line_is_quoted(line, start, stop))
		line_set_quoted_token(start, stop, f);
	else
		line_set_token(start, stop, f);
}

/* Sets *f to the field that begins after the blanks at p. False if the line has no field there. (line_blanks.c has this
 * function and the next two.) */
bool line_next_by_blanks(const struct line *line, const char *p, struct field *f);
/* line_find_field for fields that are separated by runs of blanks. */
void line_find_by_blanks(const struct line *line, uint64_t number, struct field *f);
/* line_find_field for a line of which line_look has made *s. Fields must be asked for in the order of their numbers,
 * because *s moves on to this field. The same field may be asked for again. */
void line_find_in_short(const struct line *line, struct short_line *s, uint64_t number, struct field *f);

/* Sets *f to the field of a log that begins after the blanks at p. False if the line has no field there. (line_log.c
 * has this function and the next one.) */
bool line_next_in_log(const struct line *line, const char *p, struct field *f);
/* line_find_field for a log. */
void line_find_in_log(const struct line *line, uint64_t number, struct field *f);

#endif
