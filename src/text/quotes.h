/* Where lines end in CSV that is looked at from any place on. Pure functions. */
#ifndef PSCAN_TEXT_QUOTES_H
#define PSCAN_TEXT_QUOTES_H

#include <stdint.h>

#include "text/rules.h"

/* What a place is in; of text that is no CSV it is always in plain text. */
enum quotes {
	QUOTES_NONE,
	QUOTES_COMMENT, /* within a line that is one */
	QUOTES_OPEN, /* within a quoted field, */
	QUOTES_ENDING, /* perhaps after its last quote: the next byte tells */
	QUOTES_COUNT
};

/* A place in a text. */
struct quotes_place {
	enum quotes quotes;
	char before; /* the byte before it; a newline where the text begins */
};

/* Goes on over size bytes, of which the first one is at *place; ahead more can be read. Returns how many of them are
 * before the end of the first line that ends among them (0: it ended before them), or SIZE_MAX. */
size_t quotes_pass(const struct text_rules *rules, const char *bytes, size_t size, size_t ahead,
		   struct quotes_place *place);

#endif
