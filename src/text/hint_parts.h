/* Helpers for the files hint*.c. No other file includes it. */
#ifndef PSCAN_TEXT_HINT_PARTS_H
#define PSCAN_TEXT_HINT_PARTS_H

#include <string.h>

#include "number/parse.h"
#include "text/hint.h"

/* Bytes beyond ASCII count as letters. */
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

/* Returns where digits, perhaps with a point among them, end. Returns p if there are no digits. */
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

/* Whether the bytes are four numbers below 256 between points. */
bool hint_is_address(const char *p, const char *end);

/* The hint of hint_of_kind for a number with a unit. */
extern const char hint_of_unit[];

/* Returns the hint for a token that is a value of another kind than a number, such as a date, or NULL. by_field: the
 * input has fields, so that another field may have been meant. */
const char *hint_of_kind(const char *token, size_t size, bool by_field);
/* Returns the hint for a compact time, or, if the notation accepts times, for another token that looks like a time but
 * cannot be read as one. NULL: it is anything else. */
const char *hint_of_time(const struct notation *notation, const char *token, size_t size);
/* Returns the hint that names options with which the token would be a number: marks, or one word of --accept but time.
 * NULL: no such options, or the token is longer than 64 bytes. by_blanks: blanks separate the fields. */
const char *hint_of_notation(const struct notation *notation, const char *token, size_t size, bool by_blanks);
/* Returns the hint for a token of digits and marks that is not a number: the rule for the notation's marks that the
 * token breaks. NULL: it breaks none. */
const char *hint_of_given_marks(const struct notation *notation, const char *token, size_t size);
/* Returns the hint for a token with a byte order mark, or with the byte that ends files of DOS, or NULL. */
const char *hint_of_bytes(const char *token, size_t size);
/* Returns the hint for a token that would be a number without characters of Unicode that look like those of numbers, or
 * are not seen, or NULL. is_between: also for a blank between digits, which may separate thousands. */
const char *hint_of_look(const char *token, size_t size, bool is_between);
/* Returns the hint for a token that is a range, a fraction, a list and the like, or NULL. by_field: as for
 * hint_of_kind. */
const char *hint_of_several(const char *token, size_t size, bool by_field);

#endif
