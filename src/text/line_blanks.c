/* Fields between runs of blanks. Sixteen bytes at a time are looked at, and a short line at once, as bits. */
#include "text/line_parts.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

bool line_next_by_blanks(const struct line *line, const char *p, struct field *f)
{
	while (p < line->end && is_blank(*p))
		p++;
	const char *start = p;
	while (p < line->end && !is_blank(*p))
		p++;
	*f = (struct field){
		.start = start, .size = (size_t)(p - start), .token = start, .token_size = (size_t)(p - start)};
	return f->size > 0;
}

#ifdef __SSE2__
/* Bit i: p[i] is no blank. */
static unsigned solid_bytes(const char *p)
{
	__m128i bytes;
	memcpy(&bytes, p, sizeof bytes);
	const __m128i blanks =
		_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')));
	return ~(unsigned)_mm_movemask_epi8(blanks) & 0xffff;
}

/* Where field number begins: a byte that is no blank after one that is. At or after the line's end: nowhere; *number
 * becomes what is missing, this one included. */
static const char *find_start(const struct line *line, uint64_t *number)
{
	unsigned carry = 0;
	for (const char *p = line->start; p < line->end; p += 16) {
		const unsigned solid = solid_bytes(p);
		for (unsigned starts = solid & ~(solid << 1 | carry); starts != 0; starts &= starts - 1) {
			const char *start = p + __builtin_ctz(starts);
			if (start >= line->end || --*number == 0)
				return start;
		}
		carry = solid >> 15;
	}
	return line->end;
}

/* Where the field that begins at p ends. */
static const char *find_end(const struct line *line, const char *p)
{
	for (; p < line->end; p += 16) {
		const unsigned blanks = ~solid_bytes(p) & 0xffff;
		if (blanks != 0) {
			p += __builtin_ctz(blanks);
			break;
		}
	}
	return p < line->end ? p : line->end;
}
#else
static const char *find_start(const struct line *line, uint64_t *number)
{
	bool before = true;
	for (const char *p = line->start; p < line->end; p++) {
		const bool blank = is_blank(*p);
		if (before && !blank && --*number == 0)
			return p;
		before = blank;
	}
	return line->end;
}

static const char *find_end(const struct line *line, const char *p)
{
	while (p < line->end && !is_blank(*p))
		p++;
	return p;
}
#endif

#define WORD SHORT_LINE_MAX

#ifdef __SSE2__
static uint64_t solid_word(const char *p)
{
	return solid_bytes(p) | (uint64_t)solid_bytes(p + 16) << 16 | (uint64_t)solid_bytes(p + 32) << 32 |
	       (uint64_t)solid_bytes(p + 48) << 48;
}
#else
static uint64_t solid_word(const char *p)
{
	uint64_t solid = 0;
	for (unsigned i = 0; i < WORD; i++)
		solid |= (uint64_t)!is_blank(p[i]) << i;
	return solid;
}
#endif

bool line_look(const struct line *line, struct short_line *s)
{
	const size_t size = (size_t)(line->end - line->start);
	if (size > WORD)
		return false;
	const uint64_t inside = size < WORD ? (UINT64_C(1) << size) - 1 : UINT64_MAX;
	const uint64_t solid = solid_word(line->start) & inside;
	*s = (struct short_line){.start = line->start, .solid = solid, .starts = solid & ~(solid << 1), .number = 1};
	return true;
}

void line_find_in_short(const struct line *line, struct short_line *s, uint64_t number, struct field *f)
{
	const char *start;
	const size_t size = line_pass_to(s, number, &start);
	if (size == 0)
		set_absent(line, number - s->number + 1, f);
	else
		*f = (struct field){.start = start, .size = size, .token = start, .token_size = size};
}

void line_find_by_blanks(const struct line *line, uint64_t number, struct field *f)
{
	uint64_t missing = number;
	struct short_line s;
	if (line_look(line, &s)) {
		line_find_in_short(line, &s, number, f);
		return;
	}
	const char *start = find_start(line, &missing);
	if (start >= line->end) {
		set_absent(line, missing, f);
		return;
	}
	const size_t size = (size_t)(find_end(line, start) - start);
	*f = (struct field){.start = start, .size = size, .token = start, .token_size = size};
}
