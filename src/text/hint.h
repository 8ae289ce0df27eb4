/* Hints at the end of messages about the input: the option or the program that most likely helps. All texts that the
 * functions return are static. Pure functions; any thread. */
#ifndef PSCAN_TEXT_HINT_H
#define PSCAN_TEXT_HINT_H

#include "text/line.h"
#include "text/rules.h"

/* Returns the hint for a token, of at least one byte, that is not a number; never NULL. line: where the token's line
 * begins, or, if each token is a record, the token itself. record: the line whose field the token is; NULL if each
 * token is a record. is_first: no number and no line except the header is before the token in its file. is_later:
 * another token is before the token in its line. */
const char *hint_of_token(const struct text_rules *rules, const char *line, const struct line *record,
			  const char *token, size_t size, bool is_first, bool is_later);

/* Returns the hint for a number in a field whose first value is not a number; never NULL. is_second: the number is in
 * one of the first two lines, of which the first may be a header. */
const char *hint_among_texts(const struct text_rules *rules, bool is_second);

/* Returns the hint for a line whose fields are probably separated otherwise than by the rules' delimiter: the option
 * for its delimiter. NULL: the line does not look so, or the rules have no delimiter. */
const char *hint_of_split(const struct text_rules *rules, const struct line *line);

/* The hint for a line that has carriage returns within it. */
extern const char hint_of_returns[];
/* The hint for a line with more fields than names where numbers may contain the delimiter, in quotes
 * (text_delimiter_is_mark). */
extern const char hint_of_split_number[];

/* Returns the hint for a line that is the byte that ends files of DOS, or begins with a byte order mark, or NULL. */
const char *hint_of_line_bytes(const struct line *line);

/* Returns the hint for a line that is not a log's; never NULL. */
const char *hint_of_log(const struct text_rules *rules, const struct line *line);
/* Returns the hint for a line that is not a JSON object, or "". */
const char *hint_of_json(const struct line *line);

/* Returns the hint for a line that has no field with this number, from 1; never NULL. is_first: no line with numbers is
 * before the line in its file. LINE_PADDING bytes after the line must be readable. */
const char *hint_of_absent(const struct text_rules *rules, const struct line *line, uint64_t number, bool is_first);

/* Writes what follows "no field is called " to out, at most `size` bytes with the NUL: the quoted name, a similar name
 * if there is one, the list of the line's names, and perhaps advice. */
void hint_of_name(const struct text_rules *rules, const struct line *line, const char *name, char *out, size_t size);

#endif
