/* Bytes in a token that a screen hardly shows, or shows as others: byte order marks, the end of files of DOS, and
 * characters of Unicode that look like those of numbers. */
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "text/hint_parts.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define JOINED_HINT " (joined files? sed 's/^\\xef\\xbb\\xbf//')"
#define DOS_END_HINT " (the end of a DOS file? tr -d '\\032')"
#define DOS_END '\x1a'

/* A longer token gets no such hint. */
#define TOKEN_MAX 64

/* What a character looks like. */
enum look { LOOKS_OTHERWISE, LOOKS_BLANK, LOOKS_INVISIBLE, LOOKS_DIGIT, LOOKS_MARK, LOOKS_DASH, LOOKS_MINUS, LOOKS };

static const struct {
	uint32_t first, last;
	enum look look;
} ranges[] = {
	{0xa0, 0xa0, LOOKS_BLANK},         {0xad, 0xad, LOOKS_INVISIBLE},     {0x660, 0x669, LOOKS_DIGIT},
	{0x6f0, 0x6f9, LOOKS_DIGIT},       {0x966, 0x96f, LOOKS_DIGIT},       {0xe50, 0xe59, LOOKS_DIGIT},
	{0x2000, 0x200a, LOOKS_BLANK},     {0x200b, 0x200f, LOOKS_INVISIBLE}, {0x2010, 0x2015, LOOKS_DASH},
	{0x202a, 0x202e, LOOKS_INVISIBLE}, {0x202f, 0x202f, LOOKS_BLANK},     {0x205f, 0x205f, LOOKS_BLANK},
	{0x2060, 0x2069, LOOKS_INVISIBLE}, {0x2212, 0x2212, LOOKS_MINUS},     {0x3000, 0x3000, LOOKS_BLANK},
	{0xfe58, 0xfe58, LOOKS_DASH},      {0xfe63, 0xfe63, LOOKS_DASH},      {0xff0b, 0xff0c, LOOKS_MARK},
	{0xff0d, 0xff0d, LOOKS_DASH},      {0xff0e, 0xff0e, LOOKS_MARK},      {0xff10, 0xff19, LOOKS_DIGIT},
};

static const char *const hints[LOOKS] = {
	[LOOKS_BLANK] = " (a blank of Unicode beside it)",
	[LOOKS_INVISIBLE] = " (a character of Unicode that is not seen)",
	[LOOKS_DIGIT] = " (digits that are not ASCII)",
	[LOOKS_MARK] = " (a mark that is not ASCII)",
	[LOOKS_DASH] = " (a dash, and no minus sign, before it)",
	[LOOKS_MINUS] = " (a minus sign of Unicode? see --accept=money)",
};

static enum look look_of(uint32_t character)
{
	enum look look = LOOKS_OTHERWISE;
	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
		if (character >= ranges[i].first && character <= ranges[i].last)
			look = ranges[i].look;
	}
	return look;
}

const char *hint_of_look(const char *token, size_t size, bool is_between)
{
	const char *const end = token + size;
	enum look found = LOOKS_OTHERWISE;
	bool has_digit = false;
	bool had_blank = false; /* after a digit */
	bool is_inside = false; /* a blank stands after a digit, and before another character */
	for (const char *p = token; p < end && size <= TOKEN_MAX;) {
		uint32_t character;
		const size_t bytes = utf8_decode(p, end, &character);
		const enum look look = bytes > 0 ? look_of(character) : LOOKS_OTHERWISE;
		const bool is_ascii = bytes == 0 && (is_digit(*p) || memchr("+-.,eE", *p, 6) != NULL);
		const bool is_sign = look == LOOKS_DASH || look == LOOKS_MINUS;
		if ((!is_ascii && look == LOOKS_OTHERWISE) || (is_sign && p > token))
			return NULL;
		is_inside = is_inside || (had_blank && look != LOOKS_BLANK);
		had_blank = had_blank || (has_digit && look == LOOKS_BLANK);
		has_digit = has_digit || look == LOOKS_DIGIT || (is_ascii && is_digit(*p));
		found = found == LOOKS_OTHERWISE ? look : found;
		p += bytes > 0 ? bytes : 1;
	}
	if (found == LOOKS_BLANK && is_inside)
		return is_between ? " (a blank of Unicode between digits)" : NULL;
	return has_digit || found == LOOKS_BLANK ? hints[found] : NULL;
}

const char *hint_of_bytes(const char *token, size_t size)
{
	const char *end = token + size;
	if (begins_with(token, end, BYTE_ORDER_MARK))
		return JOINED_HINT;
	for (const char *p = token; p < end; p++) {
		if (begins_with(p, end, BYTE_ORDER_MARK))
			return " (a byte order mark in it: files that were joined without a newline?)";
	}
	return size > 0 && end[-1] == DOS_END ? DOS_END_HINT : NULL;
}

const char *hint_of_line_bytes(const struct line *line)
{
	if (line->end - line->start == 1 && *line->start == DOS_END)
		return DOS_END_HINT;
	return begins_with(line->start, line->end, BYTE_ORDER_MARK) ? JOINED_HINT : NULL;
}
