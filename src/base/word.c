/* The distance is computed by dynamic programming with one row, whose length is that of the first word. */
#include "base/word.h"

#include <stdint.h>
#include <string.h>

#define WORD_MAX 64
#define NEAR_DISTANCE 2

static char small(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

size_t word_distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
	size_t row[WORD_MAX + 1]; /* row[i]: distance between the first i letters of a and the letters of b so far */
	if (a_size > WORD_MAX)
		return SIZE_MAX;
	for (size_t i = 0; i <= a_size; i++)
		row[i] = i;
	for (size_t j = 0; j < b_size; j++) {
		size_t diagonal = row[0];
		row[0] = j + 1;
		for (size_t i = 1; i <= a_size; i++) {
			const size_t changed = diagonal + (small(a[i - 1]) != small(b[j]));
			const size_t other = (row[i] < row[i - 1] ? row[i] : row[i - 1]) + 1;
			diagonal = row[i];
			row[i] = changed < other ? changed : other;
		}
	}
	return row[a_size];
}

size_t word_near_limit(size_t size)
{
	const size_t half = size / 2 + 1;
	return half <= NEAR_DISTANCE ? half : NEAR_DISTANCE + 1;
}

/* Moves past the next word of a list. False: the list is over. */
static bool next_word(const char **list, const char **word, size_t *size)
{
	*word = *list;
	*size = strcspn(*list, " ");
	*list += *size + ((*list)[*size] == ' ');
	return *size > 0;
}

bool word_is_listed(const char *word, size_t size, const char *list)
{
	const char *known;
	size_t known_size;
	bool is = false;
	while (!is && next_word(&list, &known, &known_size))
		is = known_size == size && word_distance(word, size, known, size) == 0;
	return is;
}

bool word_is_near_listed(const char *wanted, size_t wanted_size, const char *list, size_t *limit)
{
	const char *word;
	size_t size;
	bool is = false;
	while (next_word(&list, &word, &size))
		is = word_is_nearer(wanted, wanted_size, word, size, limit) || is;
	return is;
}

bool word_is_nearer(const char *wanted, size_t wanted_size, const char *word, size_t size, size_t *limit)
{
	const size_t distance = word_distance(wanted, wanted_size, word, size);
	if (distance >= *limit || (distance > 1 && distance >= size))
		return false;
	*limit = distance;
	return true;
}
