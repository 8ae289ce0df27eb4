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

/* Bytes after a line that some functions here read. They must be readable, but may be any bytes. */
#define LINE_PADDING 64
/* Bytes of the longest line whose delimiters or blanks fit one word of bits. */
#define SHORT_LINE_MAX 64

/* A line. For CSV it is a record, which may contain newlines in quotes. */
struct line {
	const char *start;
	const char *end; /* The end of the line's text: before "\n" or "\r\n", or before a "\r" that ends all text. */
	const char *next; /* The place after the newline. Without a newline: the end of all text. */
	bool is_plain; /* The line was taken by line_read_plain, and `delimiters` is set. */
	uint64_t delimiters; /* Bit i is set if byte i of the line is a delimiter outside quotes. */
	uint64_t quotes; /* CSV: bit i is set if byte i of the line is a quote. */
	const struct field *found; /* The fields that line_find_named has found. NULL: it was not called. */
	/* A log: the end of its field LOG_STATUS, so that a later field is found sooner. NULL: it is not known. */
	const char *past_status;
	const char *tail; /* JSON: the end of the line's last member. New members are written there. */
};

/* A field of a line. */
struct field {
	const char *start; /* The whole field, with its quotes and blanks. */
	size_t size;
	const char *token; /* The field without quotes, without a log's brackets, and without blanks around it. */
	size_t token_size;
	bool quoted;
	bool escaped; /* The format is JSON or logfmt, and the token has escapes (line_unescape). */
	bool absent; /* The line has too few fields. `start` and `token` are the line's end. */
	uint64_t absent_count; /* If absent: the number of missing fields up to this one, itself included. */
};

/* Why a line is not of its format. */
struct line_fault {
	const char *what; /* The reason (static). */
	const char *at; /* The place in the line. */
};

/* Whether the bytes from p to `end` begin with the text that begins a comment. */
static inline bool line_is_comment(const struct text_rules *rules, const char *p, const char *end)
{
	return rules->comment != NULL && (size_t)(end - p) >= rules->comment_size &&
	       memcmp(p, rules->comment, rules->comment_size) == 0;
}

/* Sets *line to the line that begins at p. The last line may end at `end` without a newline. False if the format is CSV
 * and a quote in the line is not closed before `end`: *line then has all bytes up to `end`, without a carriage return
 * at the end. (Quotes in a comment open nothing.) */
bool line_read(const struct text_rules *rules, const char *p, const char *end, struct line *line);

/* Whether the line has only blanks (or nothing) and therefore is no record. A blank that is the delimiter counts as
 * text. Always false if blank lines are records (rules->records.are_blank). */
bool line_has_only_blanks(const struct text_rules *rules, const struct line *line);
/* line_has_only_blanks, faster. */
static inline bool line_is_blank(const struct text_rules *rules, const struct line *line)
{
	/* Few lines begin so: this is the quick way out for the others. */
	return (line->start == line->end || *line->start == ' ' || *line->start == '\t') &&
	       line_has_only_blanks(rules, line);
}

/* The numbers of a log's fields whose texts show that they are in their places. */
enum log_field { LOG_TIME = 4, LOG_REQUEST, LOG_STATUS, LOG_BYTES, LOG_REFERER, LOG_AGENT };

/* Whether the line has the fields of the Common Log Format in their places, up to field `last`: the time in brackets,
 * the request in quotes, the status, and the bytes. Referer and agent must be in quotes; a line may end before them.
 * False if not; *fault is then the reason. last: LOG_STATUS to LOG_AGENT. Sets line->past_status if the status is in
 * its place. */
bool line_is_log(struct line *line, uint64_t last, struct line_fault *fault);

/* For JSON and logfmt (text_names_fields): finds the fields of rules->members in a line. Field number n becomes
 * found[n - 1]; found has room for rules->members->field_count fields. Sets line->found, so that the functions below
 * can be used. names: see json_find. False if the line is not of the format; *fault is then the reason. LINE_PADDING
 * bytes after the line must be readable. */
struct json_names;
bool line_find_named(const struct text_rules *rules, struct line *line, struct field *found, struct json_names *names,
		     struct line_fault *fault);

/* Whether a field's token must be unescaped (line_unescape): it has escapes, or in CSV doubled quotes. */
static inline bool line_has_escapes(const struct text_rules *rules, const struct field *f)
{
	return f->escaped || (f->quoted && !text_names_fields(rules) && memchr(f->token, '"', f->token_size) != NULL);
}
/* Writes the token of a field for which line_has_escapes is true, without escapes, to `to`, which has room for
 * f->token_size bytes. Returns the bytes written. */
size_t line_unescape(const struct text_rules *rules, const struct field *f, char *to);

/* Sets *f to the field with this number, from 1. f->absent tells whether the line has none. LINE_PADDING bytes after
 * the line must be readable. */
void line_find_field(const struct text_rules *rules, const struct line *line, uint64_t number, struct field *f);

/* Finds `count` fields: fields[i] becomes the field number numbers[i]. Equal numbers are allowed. order: the indices of
 * numbers, 0 .. count - 1, in ascending order of the numbers. LINE_PADDING bytes after the line must be readable. */
void line_find_fields(const struct text_rules *rules, const struct line *line, const uint64_t *numbers,
		      const size_t *order, size_t count, struct field *fields);

/* A line of at most SHORT_LINE_MAX bytes as bits. Bit i stands for byte i. */
struct short_line {
	const char *start;
	uint64_t solid; /* The bytes that are not blanks. */
	uint64_t starts; /* The first bytes of fields that were not passed yet. */
	uint64_t number; /* The number of the first of these fields. */
};

/* Sets *s for a line whose fields are separated by blanks (CUT_BLANKS). False if the line is longer than SHORT_LINE_MAX
 * bytes. LINE_PADDING bytes after the line must be readable. */
bool line_look(const struct line *line, struct short_line *s);

/* Finds field `number`, which is at least s->number, and passes the fields before it. Returns the field's size and sets
 * *start, or returns 0 if the line has no such field. */
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

/* Sets *f to the line's next field. *at is private to this function; it must be NULL before the first call. False after
 * the last field. */
bool line_next_field(const struct text_rules *rules, const struct line *line, const char **at, struct field *f);

/* Whether the bytes from p to before `end`, a part of a line, have a carriage return outside quotes. One as the last
 * byte counts, too. can_quote: quotes open and close. is_quoted: the part begins within quotes. */
bool line_part_has_return(const char *p, const char *end, bool can_quote, bool is_quoted);

/* Returns the number of the line's fields. */
uint64_t line_count_fields(const struct text_rules *rules, const struct line *line);

/* Whether the line has a carriage return outside quotes that is not its last byte. Quotes count only in CSV and logs,
 * in fields that begin with a quote. Always false for a line of logfmt that has a quote. */
bool line_has_return(const struct text_rules *rules, const struct line *line);

/* Sets *start to the part of a field that a result replaces: the field without blanks around it, but with quotes or
 * brackets. Returns the bytes of the part. */
size_t line_trim_field(const struct field *f, const char **start);

/* Puts a field of CSV in quotes, in place, and doubles the quotes in it, if it needs that. `text` must have room for
 * 2 * size + 2 bytes in all. Returns the new size. */
size_t line_quote_field(const struct text_rules *rules, char *text, size_t size);

/* Returns the number of newlines from p to before `end`. */
uint64_t line_count(const char *p, const char *end);

/* Makes every byte `from` of a text a byte `to`. */
void line_replace(char *text, size_t size, char from, char to);

#endif
