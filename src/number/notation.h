/* Numbers as people write them (--decimal, --thousands, --accept). They are rewritten as numbers of parse.h, so that
 * whatever reads those reads these exactly.
 *
 *     amount  = [+-] digits [mark digits] [exponent] | [+-] groups [mark digits]
 *     groups  = 1 to 3 digits, not beginning with 0, and groups of three; or as in India: 1 or 2 digits, groups of two,
 *               and a last group of three. The thousands mark is between them.
 *     money   = an amount with a currency before or after it: a sign of Unicode's, perhaps after letters ("US$"), or a
 *               code such as EUR (notation_is_currency). Negative are also (amount), amount-, and amounts with U+2212
 *               for the minus sign. There may be blanks between the parts.
 *     percent = amount %, with or without blanks between them; the value is the amount.
 *     size    = amount [(K|k|M|G|T|P|E|Z|Y|R|Q) [i]] [B], as numfmt --from=auto: powers of 1000, and of 1024 with i.
 *               With a currency there is no B: it may mean a billion.
 *     duration = [+-] [[days :] hours :] minutes : seconds [mark digits], in seconds. All but the first have two digits
 *               (hours after days one or two) and are below 60 (24).
 *     time    = as time_parse and, of 8 or 14 digits, time_parse_digits say, in seconds since 1970. (A fraction may
 *               follow 14 digits.)
 *
 * A blank is a space, U+00A0, U+2009 or U+202F. Pure functions; any thread. */
#ifndef PSCAN_NUMBER_NOTATION_H
#define PSCAN_NUMBER_NOTATION_H

#include <stdbool.h>
#include <stddef.h>

/* The values of --accept: how numbers may look besides. */
enum accept {
	ACCEPT_MONEY = 1,
	ACCEPT_PERCENT = 2,
	ACCEPT_SIZE = 4,
	ACCEPT_DURATION = 8,
	ACCEPT_TIME = 16,
};
#define ACCEPT_WORDS 5
extern const char *const accept_words[ACCEPT_WORDS]; /* Word i stands for the value 1 << i. */

/* How numbers are written. All zero: only as parse.h says. */
struct notation {
	bool given; /* Some member below is not zero. */
	char decimal; /* The decimal mark, if it is not the point. 0: it is the point. */
	char thousands; /* The mark between groups of digits: , . ' or a blank (any of them). 0: there is none. */
	unsigned accept; /* A combination of enum accept. */
};

/* Returns what --decimal and --thousands say of a notation. */
static inline struct notation notation_marks(const struct notation *n)
{
	return (struct notation){
		.given = n->decimal != 0 || n->thousands != 0, .decimal = n->decimal, .thousands = n->thousands};
}

/* Whether every number of parse.h means itself in this notation. */
static inline bool notation_has_plain(const struct notation *n)
{
	return n->decimal == 0 && (n->accept & ACCEPT_TIME) == 0;
}

/* A rewritten number has at most this many bytes more than its token. */
#define NOTATION_GROWTH 48

/* Rewrites a token of `size` bytes to `out`, which has room for size + NOTATION_GROWTH bytes, as a number of parse.h.
 * Returns the bytes written. 0: in this notation the token certainly is not a number. A token that looks like no number
 * of this notation is copied, so the caller must read the written bytes as parse.h says, which may fail. If is_time is
 * not NULL, *is_time becomes whether the token was read as a time. */
size_t notation_read(const struct notation *n, const char *token, size_t size, char *out, bool *is_time);

/* Whether a token that notation_read has read is a duration. False if it has more than 256 bytes. */
bool notation_is_duration(const struct notation *n, const char *token, size_t size);

/* Whether a word of `size` bytes is a unit that would multiply the number before it, if no blank was between them. */
bool notation_is_unit(const struct notation *n, const char *word, size_t size);

/* Whether a token that notation_read has read is a time. */
bool notation_is_time(const struct notation *n, const char *token, size_t size);

/* Returns the bytes of the currency's sign at p, or 0 if p up to `end` does not begin with one. */
static inline size_t notation_sign_size(const char *p, const char *end)
{
	const unsigned char *u = (const unsigned char *)p;
	const size_t left = (size_t)(end - p);
	if (left == 0 || (*p != '$' && u[0] < 0x80))
		return 0;
	if (*p == '$')
		return 1;
	if (left > 1 && u[0] == 0xc2 && u[1] >= 0xa3 && u[1] <= 0xa5) /* pound, any currency, yen */
		return 2;
	if (left > 2 && u[0] == 0xe2 && (u[1] == 0x82 || u[1] == 0x83)) /* U+20A0 .. U+20CF */
		return u[1] == 0x82 ? (u[2] >= 0xa0 ? 3 : 0) : (u[2] <= 0x8f ? 3 : 0);
	return left > 2 && u[0] == 0xe0 && u[1] == 0xb8 && u[2] == 0xbf ? 3 : 0; /* baht */
}

static inline bool is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* Whether three capital letters are a currency's code. */
bool notation_is_currency(const char *word);

/* Whether a token of `size` bytes is a number in this notation. One of more than 256 bytes must be a number of
 * parse.h. */
bool notation_is_number(const struct notation *n, const char *token, size_t size);
/* Whether a token is a number in this notation or nearly one, and so neither a name nor a text: with money, an amount
 * beside any three capital letters; with times, one with too many decimals. */
bool notation_is_nearly_number(const struct notation *n, const char *token, size_t size);
/* Whether `accept` is not 0 and a token begins as an amount does. It may then be a name, or a number that is written in
 * some other way: "30 days". */
bool notation_begins_with_number(const struct notation *n, const char *token, size_t size);

#endif
