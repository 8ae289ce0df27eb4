#define _GNU_SOURCE /* memrchr */
/* The general way goes from quote to quote (memchr). quotes_pass_block looks at 64 bytes as bits: a byte is within
 * quotes if an odd number of quotes is before it. */
#include "text/quotes.h"

#include <string.h>

#include "text/line.h"
#include "text/line_parts.h"

_Static_assert(QUOTES_BLOCK == SHORT_LINE_MAX, "the bits of a block are those of a short line");

/* Passes from p, within quotes, to the place after the quote that closes them, or to end. A field in quotes after that
 * quote and a delimiter is passed, too; a delimiter that is a quote follows none. */
static inline const char *pass_quoted(char delimiter, enum quotes *quotes, const char *p, const char *end)
{
	for (;;) {
		const char *quote = memchr(p, '"', (size_t)(end - p));
		*quotes = quote == NULL ? QUOTES_OPEN : quote + 1 == end ? QUOTES_ENDING : QUOTES_NONE;
		if (*quotes != QUOTES_NONE)
			return end;
		if (quote[1] == '"')
			p = quote + 2;
		else if (quote[1] == delimiter && quote + 2 < end && quote[2] == '"')
			p = quote + 3;
		else
			return quote + 1;
	}
}

/* Whether a place is within a comment. is_comment is the answer for *seen, an earlier place. *seen becomes `at`. */
static bool is_in_comment(const struct text_rules *rules, const char **seen, const char *at, const char *readable,
			  bool is_comment)
{
	const char *newline = rules->comment != NULL ? memrchr(*seen, '\n', (size_t)(at - *seen)) : NULL;
	*seen = at;
	return newline != NULL ? line_is_comment(rules, newline + 1, readable) : is_comment;
}

/* Passes from p, outside quotes, to the place after a quote that opens some, or to end. */
static const char *pass_plain(const struct text_rules *rules, struct quotes_state *place, const char *p,
			      const char *end, const char *readable)
{
	const char *seen = p;
	const char *quote = rules->cut == CUT_CSV ? p : NULL;
	bool is_comment =
		place->quotes == QUOTES_COMMENT || (place->before == '\n' && line_is_comment(rules, p, readable));
	for (; quote != NULL && (quote = memchr(quote, '"', (size_t)(end - quote))) != NULL; quote++) {
		const char before = quote > p ? quote[-1] : place->before;
		if (before != '\n' && before != rules->delimiter)
			continue;
		is_comment = is_in_comment(rules, &seen, quote, readable, is_comment);
		if (is_comment)
			continue;
		place->quotes = QUOTES_OPEN;
		return quote + 1;
	}
	is_comment = is_in_comment(rules, &seen, end, readable, is_comment);
	place->quotes = is_comment ? QUOTES_COMMENT : QUOTES_NONE;
	return end;
}

const char *quotes_pass(const struct text_rules *rules, struct quotes_state *place, const char *p, const char *end,
			const char *readable)
{
	const char *stop = p;
	if (place->quotes == QUOTES_OPEN)
		stop = pass_quoted(rules->delimiter, &place->quotes, p, end);
	else if (place->quotes != QUOTES_ENDING)
		stop = pass_plain(rules, place, p, end, readable);
	else if (*p == '"')
		stop = pass_quoted(rules->delimiter, &place->quotes, p + 1, end);
	else
		place->quotes = QUOTES_NONE;
	if (stop > p)
		place->before = stop[-1];
	return stop;
}

bool quotes_pass_block(const struct text_rules *rules, struct quotes_state *place, const char *p, uint64_t *newlines)
{
	struct byte_bits b = line_look_at_half(p, rules->delimiter);
	uint64_t inside;
	if (rules->cut != CUT_CSV || rules->comment != NULL || rules->delimiter == '"')
		return false;
	line_look_at_rest(p, rules->delimiter, &b);
	const bool is_plain = place->quotes == QUOTES_NONE;
	const bool may_open = !is_plain || place->before == '\n' || place->before == rules->delimiter;
	if (is_plain && b.quotes == 0)
		return false;
	line_find_quoted(&b, place->quotes == QUOTES_OPEN, &inside);
	const uint64_t before = b.newlines | b.delimiters | (b.quotes & ~inside);
	if ((b.quotes & inside & ~(before << 1 | may_open)) != 0)
		return false;
	*newlines = b.newlines;
	place->quotes = inside >> 63 != 0 ? QUOTES_OPEN : b.quotes >> 63 != 0 ? QUOTES_ENDING : QUOTES_NONE;
	place->before = p[QUOTES_BLOCK - 1];
	return true;
}

const char *quotes_pass_record(const struct text_rules *rules, struct quotes_state *place, const char *p,
			       const char *end, const char *readable)
{
	while (p < end) {
		const bool is_outside = quotes_are_closed(place);
		const char *newline = is_outside ? memchr(p, '\n', (size_t)(end - p)) : NULL;
		const char *stop = newline != NULL ? newline + 1 : end;
		p = quotes_pass(rules, place, p, stop, readable);
		if (newline != NULL && p == stop)
			return p;
	}
	return NULL;
}

const char *quotes_field_end(const struct text_rules *rules, const char *p, const char *end)
{
	enum quotes quotes;
	if (p < end && *p == '"')
		p = pass_quoted('"', &quotes, p + 1, end);
	if (p == end || *p == rules->delimiter)
		return p;
	const char *delimiter = memchr(p, rules->delimiter, (size_t)(end - p));
	return delimiter != NULL ? delimiter : end;
}
