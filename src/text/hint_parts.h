/* What the files of hint.h share; only they include this. */
#ifndef PSCAN_TEXT_HINT_PARTS_H
#define PSCAN_TEXT_HINT_PARTS_H

#include <string.h>

#include "text/hint.h"

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Bytes beyond ASCII are parts of letters. */
static inline bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static inline const char *skip_digits(const char *p, const char *end)
{
	while (p < end && is_digit(*p))
		p++;
	return p;
}

static inline const char *skip_sign(const char *p, const char *end)
{
	return p < end && (*p == '-' || *p == '+') ? p + 1 : p;
}

/* Where digits, perhaps with a point among them, end; p if there are no digits. */
static inline const char *skip_number(const char *p, const char *end)
{
	const char *q = skip_digits(p, end);
	if (q < end && *q == '.')
		q = skip_digits(q + 1, end);
	return q - p == 1 && *p == '.' ? p : q;
}

static inline bool begins_with(const char *p, const char *end, const char *text)
{
	return (size_t)(end - p) >= strlen(text) && memcmp(p, text, strlen(text)) == 0;
}

/* hint_of_kind's for a unit. */
extern const char hint_of_unit[];

/* Of values of another kind than a scan's, as the end of a message: the field that was meant, where there are
 * fields (by_field). NULL: it is of no such kind. */
const char *hint_of_kind(const char *token, size_t size, bool by_field);
/* As above, for a range, a fraction, a list and the like. */
const char *hint_of_several(const char *token, size_t size, bool by_field);

#endif
