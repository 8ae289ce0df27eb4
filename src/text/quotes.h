/* The rule of quotes in CSV (RFC 4180). A quote where a field begins opens quotes, unless it stands in a comment. The
 * next quote that is not doubled closes them. Any other quote is an ordinary character. A newline outside quotes ends a
 * record.
 *
 * A text may be examined in pieces. A struct quotes_state then carries the state from one piece to the next.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_TEXT_QUOTES_H
#define PSCAN_TEXT_QUOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/rules.h"

/* Where a place in a text is. In a text that is not CSV it is never QUOTES_OPEN. */
enum quotes {
	QUOTES_NONE, /* Outside quotes and comments. */
	QUOTES_COMMENT, /* Within a line that is a comment. */
	QUOTES_OPEN, /* Within a quoted field. */
	QUOTES_ENDING, /* After a quote in a quoted field. The next byte decides whether the quote is doubled. */
	QUOTES_COUNT
};

/* A place in a text. */
struct quotes_state {
	enum quotes quotes;
	char before; /* The byte before the place. At the beginning of the text: a newline. */
};

#define QUOTES_BEGIN ((struct quotes_state){.quotes = QUOTES_NONE, .before = '\n'})

/* Whether the place is outside quotes, so that a newline after it ends a record. False for QUOTES_ENDING, although a
 * newline would end a record there: the next byte must first be seen (quotes_pass). */
static inline bool quotes_are_closed(const struct quotes_state *place)
{
	return place->quotes == QUOTES_NONE || place->quotes == QUOTES_COMMENT;
}

/* Goes from p (before `end`) to a place after a quote that opens or closes a field, or to `end`. Returns that place. It
 * may pass several quoted fields that follow each other. *place is the state at p; it becomes the state at the returned
 * place. If *place was outside quotes (quotes_are_closed), each newline that is passed ends a record; otherwise none
 * does. May return p with a changed *place: the caller calls again. Bytes before `readable` (at least `end`) may be
 * read. */
const char *quotes_pass(const struct text_rules *rules, struct quotes_state *place, const char *p, const char *end,
			const char *readable);

/* Goes from p to the end of the record and returns the place after its newline, at most `end`. *place is the state at
 * p; it becomes the state at the returned place. Returns NULL if no newline before `end` ends the record; *place is
 * then the state at `end`. Bytes before `readable` (at least `end`) may be read. */
const char *quotes_pass_record(const struct text_rules *rules, struct quotes_state *place, const char *p,
			       const char *end, const char *readable);

/* The bytes of a block. */
#define QUOTES_BLOCK 64

/* Goes over the block of QUOTES_BLOCK bytes at p, which must be readable. *place is the state at p; it becomes the
 * state after the block. Bit i of *newlines becomes whether byte i is a newline that ends a record. False, and nothing
 * changes: the caller must use quotes_pass, because a quote in the block may be an ordinary character, because there
 * may be comments, or because quotes_pass is faster. */
bool quotes_pass_block(const struct text_rules *rules, struct quotes_state *place, const char *p, uint64_t *newlines);

/* Returns the place after the character at p (before `end`) in a quoted field. A doubled quote is one character. */
static inline const char *quotes_next(const char *p, const char *end)
{
	return p + (*p == '"' && p + 1 < end && p[1] == '"' ? 2 : 1);
}

/* Returns the end of the CSV field that begins at p: the place of its delimiter, or `end`, the end of its record. */
const char *quotes_field_end(const struct text_rules *rules, const char *p, const char *end);

#endif
