/* Hints at the options for numbers as people write them. Each is found by reading the token with these options. */
#include "number/notation.h"
#include "text/hint_parts.h"

/* A longer token gets no such hint. */
#define TOKEN_MAX 64

/* Options for marks, in the order in which they are tried. */
struct marks_option {
	char decimal, thousands;
};
static const struct marks_option marks_options[] = {{0, 0},   {0, ','},   {',', 0},  {',', '.'},
						    {0, ' '}, {',', ' '}, {0, '\''}, {',', '\''}};
#define MARKS_COUNT (sizeof marks_options / sizeof marks_options[0])

/* The hints for one value of --accept, by the index of the options for marks. blank: how --thousands has it. */
#define HINTS(what, option, blank)                                                            \
	{                                                                                     \
		" (" what "? see " option ")", " (" what "? see " option " --thousands=',')", \
			" (" what "? see " option " --decimal=',')",                          \
			" (" what "? see " option " --decimal=',' --thousands='.')",          \
			" (" what "? see " option " --thousands=" blank ")",                  \
			" (" what "? see " option " --decimal=',' --thousands=" blank ")",    \
			" (" what "? see " option " --thousands=\"'\")",                      \
			" (" what "? see " option " --decimal=',' --thousands=\"'\")"         \
	}
/* The hints without --accept. */
#define MARK_HINTS(blank)                                                                           \
	{                                                                                           \
		NULL, " (thousands? see --thousands=',')", " (a decimal comma? see --decimal=',')", \
			" (a decimal comma? see --decimal=',' --thousands='.')",                    \
			" (thousands? see --thousands=" blank ")",                                  \
			" (a decimal comma? see --decimal=',' --thousands=" blank ")",              \
			" (thousands? see --thousands=\"'\")",                                      \
			" (a decimal comma? see --decimal=',' --thousands=\"'\")"                   \
	}
/* Where blanks separate fields, a space is not taken for a mark. */
#define NO_BREAK_SPACE "$'\\xc2\\xa0'"
#define BOTH(what, option)                                                      \
	{                                                                       \
		HINTS(what, option, "' '"), HINTS(what, option, NO_BREAK_SPACE) \
	}
static const struct {
	enum accept accept;
	const char *hints[2][MARKS_COUNT]; /* otherwise, and where blanks separate fields */
} words[] = {
	{0, {MARK_HINTS("' '"), MARK_HINTS(NO_BREAK_SPACE)}},
	{ACCEPT_DURATION, BOTH("a duration", "--accept=duration")},
	{ACCEPT_PERCENT, BOTH("a percentage", "--accept=percent")},
	{ACCEPT_SIZE, BOTH("a size", "--accept=size")},
	{ACCEPT_MONEY, BOTH("money", "--accept=money")},
};

const char *hint_of_notation(const struct notation *notation, const char *token, size_t size, bool by_blanks)
{
	for (size_t w = 0; w < sizeof words / sizeof words[0] && size > 0 && size <= TOKEN_MAX; w++) {
		for (size_t m = 0; m < MARKS_COUNT; m++) {
			const struct marks_option *marks = &marks_options[m];
			struct notation n = *notation;
			n.given = true;
			n.accept |= (unsigned)words[w].accept;
			n.decimal = m > 0 ? marks->decimal : n.decimal;
			n.thousands = m > 0 ? marks->thousands : n.thousands;
			if ((notation->decimal == 0 || n.decimal == notation->decimal) &&
			    (notation->thousands == 0 || n.thousands == notation->thousands) &&
			    notation_is_number(&n, token, size))
				return words[w].hints[by_blanks][m];
		}
	}
	return NULL;
}

const char *hint_of_given_marks(const struct notation *notation, const char *token, size_t size)
{
	bool has_digit = false;
	bool has_other = false;
	for (size_t i = 0; i < size; i++) {
		has_digit = has_digit || is_digit(token[i]);
		has_other = has_other || is_letter(token[i]);
	}
	if (!has_digit || has_other)
		return NULL;
	const char *mark = notation->thousands != 0 ? memchr(token, notation->thousands, size) : NULL;
	const char *first = token;
	while (first < token + size && !is_digit(*first))
		first++;
	if (mark != NULL && mark > first && *first == '0')
		return " (with thousands marks a number does not begin with 0; see --thousands, --decimal)";
	if (mark != NULL)
		return " (between thousands marks there are three digits; see --thousands)";
	if (notation->decimal == ',' && memchr(token, '.', size) != NULL)
		return " (the decimal mark is a comma; see --decimal)";
	return NULL;
}
