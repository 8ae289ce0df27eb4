/* Fields between runs of blanks. The bytes are looked at as words of 64 bits, of which a short line is one. */
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

#define WORD SHORT_LINE_MAX

#ifdef __SSE2__
/* Bit i: p[i] is not blank. Of 16 bytes. */
static unsigned solid_bytes(const char *p)
{
	__m128i bytes;
	memcpy(&bytes, p, sizeof bytes);
	const __m128i blanks =
		_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')));
	return ~(unsigned)_mm_movemask_epi8(blanks) & 0xffff;
}

/* Of WORD bytes. */
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

/* The bits of the bytes at p that are within the line. */
static uint64_t inside_line(const struct line *line, const char *p)
{
	const size_t size = (size_t)(line->end - p);
	return size < WORD ? (UINT64_C(1) << size) - 1 : UINT64_MAX;
}

bool line_look(const struct line *line, struct short_line *s)
{
	if (line->end - line->start > WORD)
		return false;
	const uint64_t solid = solid_word(line->start) & inside_line(line, line->start);
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

/* How many bytes from p on are not blank. */
static size_t solid_size(const struct line *line, const char *p)
{
	size_t size = 0;
	for (; p + size < line->end; size += WORD) {
		const uint64_t blanks = ~(solid_word(p + size) & inside_line(line, p + size));
		if (blanks != 0)
			return size + (size_t)__builtin_ctzll(blanks);
	}
	return size;
}

void line_find_by_blanks(const struct line *line, uint64_t number, struct field *f)
{
	uint64_t carry = 0; /* 1: the word before ends within a field */
	for (const char *p = line->start; p < line->end; p += WORD) {
		const uint64_t solid = solid_word(p) & inside_line(line, p);
		uint64_t starts = solid & ~(solid << 1 | carry); /* a field begins where the byte before is blank */
		const unsigned count = (unsigned)__builtin_popcountll(starts);
		if (count < number) {
			number -= count;
			carry = solid >> (WORD - 1);
			continue;
		}
		for (; number > 1; number--)
			starts &= starts - 1;
		const unsigned at = (unsigned)__builtin_ctzll(starts);
		const uint64_t blanks = ~solid >> at;
		const size_t size =
			blanks != 0 ? (size_t)__builtin_ctzll(blanks) : WORD - at + solid_size(line, p + WORD);
		*f = (struct field){.start = p + at, .size = size, .token = p + at, .token_size = size};
		return;
	}
	set_absent(line, number, f);
}
