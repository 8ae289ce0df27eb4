/* The usual marks, for the models, and the words that are one where a number is no float. */
#ifndef PSCAN_TESTS_FUZZ_PLAIN_MARKS_H
#define PSCAN_TESTS_FUZZ_PLAIN_MARKS_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* is_float: nan is a number; else, or if is_exact, it is a mark, whatever its sign. */
static bool is_mark(const char *text, size_t size, bool is_float, bool is_exact)
{
	static const char *const marks[] = {"", "-", "NA", "N/A", "#N/A", "null", "none", "nil", "\\N"};
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		if (strlen(marks[i]) == size && strncasecmp(marks[i], text, size) == 0)
			return true;
	}
	if ((is_exact || !is_float) && size == 4 && (text[0] == '-' || text[0] == '+'))
		return strncasecmp(text + 1, "nan", 3) == 0;
	return size == 3 && (is_exact || !is_float) && strncasecmp(text, "nan", 3) == 0;
}

#endif
