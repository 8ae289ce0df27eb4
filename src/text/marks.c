/* The list stays text: only tokens that are not plain numbers are looked for in it, and these are few. */
#include "text/marks.h"

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool marks_have(const char *list, const char *token, size_t size)
{
	const char *word = list;
	bool has = size == 0;
	while (!has && *word != '\0') {
		size_t i = 0;
		while (i < size && word[i] != ',' && word[i] != '\0' && lower(word[i]) == lower(token[i]))
			i++;
		has = i == size && (word[i] == ',' || word[i] == '\0');
		while (word[i] != ',' && word[i] != '\0')
			i++;
		word += word[i] == ',' ? i + 1 : i;
	}
	return has;
}

bool marks_is_nan(const char *token, size_t size)
{
	const bool is_signed = size == 4 && (token[0] == '+' || token[0] == '-');
	const char *word = token + is_signed;
	return (size == 3 || is_signed) && lower(word[0]) == 'n' && lower(word[1]) == 'a' && lower(word[2]) == 'n';
}
