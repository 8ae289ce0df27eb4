/* Hints at the end of messages about the input: the option or the program that most likely helps. All texts that the
 * functions return are static. Pure functions; any thread. */
#ifndef PSCAN_TEXT_HINT_H
#define PSCAN_TEXT_HINT_H

#include "text/line.h"
#include "text/rules.h"

/* Of a token that is no number, as the end of a message. line: where its line begins, or itself; record: the line whose
 * field it is, or NULL where each token is a record; is_first: no number is before it in its file, and no line but the
 * header; is_later: another token is before it in its line. */
const char *hint_of_token(const struct text_rules *rules, const char *line, const struct line *record,
			  const char *token, size_t size, bool is_first, bool is_later);

/* Of a line that is cut at a delimiter which it does not have, as the end of a message: the option for the one that it
 * has in all its length. NULL: there is no such delimiter. */
const char *hint_of_split(const struct text_rules *rules, const struct line *line);

/* The hint for a line that has carriage returns within it. */
extern const char hint_of_returns[];

/* Returns the hint for a line that is not a JSON object, or "". */
const char *hint_of_json(const struct line *line);

/* Returns the hint for a line that has no field with this number. is_first: no line with numbers is before it in its
 * file. LINE_PADDING bytes after the line must be readable. */
const char *hint_of_absent(const struct text_rules *rules, const struct line *line, uint64_t number, bool is_first);

/* Of a header line that calls no field so: out becomes what is said of the name, size bytes at most, with the fields
 * that there are. */
void hint_of_name(const struct text_rules *rules, const struct line *line, const char *name, char *out, size_t size);

/* Of what is written for fields elsewhere, which is no name: awk's last one, all, a range with a colon. out, of size
 * bytes, becomes the list that -f has for it, or stays. */
void hint_of_numbers(const char *name, char *out, size_t size);

#endif
