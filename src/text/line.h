/* Cuts text into lines, and lines into fields.
 *
 * Pure functions; any thread. Returned pointers point into the caller's bytes. */
#ifndef PSCAN_TEXT_LINE_H
#define PSCAN_TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "text/rules.h"

#define LINE_PADDING 64
/* Bytes of the longest line whose delimiters or blanks fit one word of bits. */
#define SHORT_LINE_MAX 64

/* A line. In CSV a record, which may contain newlines in quotes. */
struct line {
	const char *start;
	const char *end; /* of its text: before "\n" or "\r\n" */
	const char *next; /* after its newline */
	bool is_plain; /* line_take_plain took it, and delimiters is set */
	uint64_t delimiters; /* a bit for each of the line's bytes: whether it is a delimiter outside quotes */
	uint64_t quotes; /* a bit for each of the line's bytes: whether it is a quote, in CSV */
	const struct field *found; /* line_find_named's, or NULL */
	const char *tail; /* of JSON: the end of its last member, after which new ones have their place */
};

struct field {
	const char *start; /* as it stands in the line, quotes and blanks included */
	size_t size;
	const char *token; /* within start: without the quotes or a log's brackets, and the blanks around */
	size_t token_size;
	bool quoted;
	bool escaped; /* text_names_fields: the token has escapes (line_unescape) */
	bool absent; /* the line has too few fields: start is the line's end */
	uint64_t absent_count; /* of an absent field: how many are missing up to it, itself included */
};

/* Why a line is not of its format (`what`), and the place in the line (`at`). */
struct line_fault {
	const char *what;
	const char *at;
};

/* Whether a line begins as a comment does. */
static inline bool line_is_comment(const struct text_rules *rules, const char *p, const char *end)
{
	return rules->comment != NULL && (size_t)(end - p) >= rules->comment_size &&
	       memcmp(p, rules->comment, rules->comment_size) == 0;
}

/* Takes the line at p. The last line may end at end without a newline. False: CSV, and a quote in it is not closed. The
 * quotes in a comment mean nothing. */
bool line_take(const struct text_rules *rules, const char *p, const char *end, struct line *line);

/* Whether the line has only blanks that are not delimiters, and so is not a record. */
bool line_has_only_blanks(const struct text_rules *rules, const struct line *line);
static inline bool line_is_blank(const struct text_rules *rules, const struct line *line)
{
	/* Few lines begin so: this is the quick way out for the others. */
	return (line->start == line->end || *line->start == ' ' || *line->start == '\t') &&
	       line_has_only_blanks(rules, line);
}

/* Whether the line equals a text that is not empty, such as the header's last line. */
static inline bool line_is_text(const struct line *line, const char *text, size_t size)
{
	return (size_t)(line->end - line->start) == size && size > 0 && memcmp(line->start, text, size) == 0;
}

/* Whether a line, as far as it goes, has its time in brackets, its request in quotes and a status after it, as the
 * Common Log Format has them. False: *fault says what is wrong. */
bool line_is_log(const struct line *line, struct line_fault *fault);

/* For formats in which each line names its fields: finds all of them, for the functions below. found has room for
 * rules->members->field_count. False: the line is not of the format, and *fault says why. LINE_PADDING as below. */
bool line_find_named(const struct text_rules *rules, struct line *line, struct field *found, struct line_fault *fault);

/* Whether what a field says differs from its token: escapes, or in CSV doubled quotes, are in it. */
static inline bool line_has_escapes(const struct text_rules *rules, const struct field *f)
{
	return f->escaped || (f->quoted && !text_names_fields(rules) && memchr(f->token, '"', f->token_size) != NULL);
}
/* Writes what such a field says. to has room for its token. Returns how many bytes that is. */
size_t line_unescape(const struct text_rules *rules, const struct field *f, char *to);

/* Finds the field with this number, from 1, and sets *f. LINE_PADDING bytes after the line must be readable. */
void line_find_field(const struct text_rules *rules, const struct line *line, uint64_t number, struct field *f);

/* Finds `count` fields: fields[i] becomes the field number numbers[i]. order: the indices 0 .. count - 1, sorted by
 * these numbers. LINE_PADDING bytes after the line must be readable. */
void line_find_fields(const struct text_rules *rules, const struct line *line, const uint64_t *numbers,
		      const size_t *order, size_t count, struct field *fields);

/* A line of at most SHORT_LINE_MAX bytes as bits. Bit i stands for byte i. */
struct short_line {
	const char *start;
	uint64_t solid; /* The bytes that are not blanks. */
	uint64_t starts; /* The first bytes of fields that were not passed yet. */
	uint64_t number; /* The number of the first of these fields. */
};

/* Classifies a line's bytes, for CUT_BLANKS. False: the line is too long. LINE_PADDING bytes after the line must be
 * readable. */
bool line_look(const struct line *line, struct short_line *s);

/* Finds a field that was not passed yet, and passes the fields before it. Returns its size and sets *start, or returns
 * 0 if the line has no such field. */
static inline size_t line_pass_to(struct short_line *s, uint64_t number, const char **start)
{
	for (; s->number < number && s->starts != 0; s->number++)
		s->starts &= s->starts - 1;
	if (s->starts == 0)
		return 0;
	const unsigned at = (unsigned)__builtin_ctzll(s->starts);
	const uint64_t blanks = ~s->solid >> at; /* and what is after the line */
	*start = s->start + at;
	return blanks != 0 ? (size_t)__builtin_ctzll(blanks) : SHORT_LINE_MAX - at;
}

/* Sets *f to the next field. Before the first call *at must be NULL. False after the last field. */
bool line_next_field(const struct text_rules *rules, const struct line *line, const char **at, struct field *f);

/* Whether a part of a line has a carriage return outside quotes. can_quote: quotes count in it; is_quoted: it begins
 * within them. */
bool line_part_has_return(const char *p, const char *end, bool can_quote, bool is_quoted);

/* How many fields the line has. */
uint64_t line_count_fields(const struct text_rules *rules, const struct line *line);

/* Whether there are carriage returns within the line, outside quotes, and something after them. */
bool line_has_return(const struct text_rules *rules, const struct line *line);

/* Sets *start to the part of a field that a result replaces: without blanks around it, but with quotes. Returns its
 * bytes. */
size_t line_trim_field(const struct field *f, const char **start);

/* Puts a field of CSV in quotes, in place, if it needs them. `text` must have room for 2 * size + 2 bytes. Returns the
 * new size. */
size_t line_quote_field(const struct text_rules *rules, char *text, size_t size);

/* Returns the number of newlines from p to before `end`. */
uint64_t line_count(const char *p, const char *end);

#endif
