/* The list stays text: few tokens are looked for in it, those that are no plain number. */
#include "text/marks.h"

#include <string.h>

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_same(const char *a, const char *b, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (lower(a[i]) != lower(b[i]))
			return false;
	}
	return true;
}

bool marks_have(const char *list, const char *token, size_t size)
{
	bool has = size == 0;
	for (const char *end; !has && *list != '\0'; list = *end == ',' ? end + 1 : end) {
		end = list + strcspn(list, ",");
		has = (size_t)(end - list) == size && is_same(list, token, size);
	}
	return has;
}

bool marks_is_nan(const char *token, size_t size)
{
	const bool is_signed = size == 4 && (token[0] == '+' || token[0] == '-');
	return (size == 3 || is_signed) && is_same(token + size - 3, "nan", 3);
}
