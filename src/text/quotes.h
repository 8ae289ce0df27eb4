/* The rule of quotes in CSV (RFC 4180). A quote where a field begins opens quotes, unless it stands in a comment. The
 * next quote that is not doubled closes them. Any other quote is an ordinary character. A newline outside quotes ends a
 * record.
 *
 * A text may be passed in pieces: a struct quotes_place says what the next byte stands in.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_TEXT_QUOTES_H
#define PSCAN_TEXT_QUOTES_H

#include <stddef.h>

#include "text/rules.h"

/* What a place in a text is in. In a text that is not CSV it is never QUOTES_OPEN. */
enum quotes {
	QUOTES_NONE,
	QUOTES_COMMENT, /* within a line that is a comment */
	QUOTES_OPEN, /* within a quoted field */
	QUOTES_ENDING, /* after a quote in a quoted field: the next byte says whether it is doubled */
	QUOTES_COUNT
};

/* A place in a text. */
struct quotes_place {
	enum quotes quotes;
	char before; /* the byte before it, or a newline where the text begins */
};

#define QUOTES_BEGIN ((struct quotes_place){.quotes = QUOTES_NONE, .before = '\n'})

/* Whether a newline that follows the place would end a record. */
static inline bool quotes_are_closed(const struct quotes_place *place)
{
	return place->quotes == QUOTES_NONE || place->quotes == QUOTES_COMMENT;
}

/* Passes from p, which is at *place, to a place after a quote that opens or closes a field, or to end. If *place was
 * outside quotes, all newlines that were passed end records; else none does. Bytes up to readable can be read. Returns
 * where it stopped, and sets *place to that. It may stop at p with another *place. p < end. */
const char *quotes_pass(const struct text_rules *rules, struct quotes_place *place, const char *p, const char *end,
			const char *readable);

/* Passes from p, which is at *place, to the end of the record, after its newline. Returns that end, or NULL if no
 * record ends before end; *place is at end then. */
const char *quotes_pass_record(const struct text_rules *rules, struct quotes_place *place, const char *p,
			       const char *end, const char *readable);

/* The place after the character at p in a quoted text. A doubled quote is one character. */
static inline const char *quotes_next(const char *p, const char *end)
{
	return p + (*p == '"' && p + 1 < end && p[1] == '"' ? 2 : 1);
}

/* Where the CSV field that begins at p ends: at its delimiter, or at end, where its record ends. */
const char *quotes_field_end(const struct text_rules *rules, const char *p, const char *end);

#endif
