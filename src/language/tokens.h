/* A text of C as tokens, without comments and directives. */
#ifndef PSCAN_LANGUAGE_TOKENS_H
#define PSCAN_LANGUAGE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_QUOTED, TOKEN_OTHER };

struct token {
	const char *text;
	size_t size;
	unsigned long line; /* from 1 */
	enum token_kind kind;
};

/* A part of a text. */
struct text_part {
	const char *text;
	size_t size;
};

/* A macro of which a number is the first thing that it stands for. */
struct constant {
	struct text_part name;
	size_t value; /* 0: no whole number, or a large one */
	struct text_part whole; /* all that it stands for; empty: there is more than the number */
};

/* All zero: empty. */
struct token_list {
	struct bytes tokens; /* struct token */
	struct bytes constants; /* struct constant */
	size_t directives; /* those that define constants, too */
	unsigned long open_comment; /* the line of a comment that does not end, or 0 */
};

/* Appends a text's tokens, which point into it. There is no byte of zero in it. macros, unless it is NULL, gets the
 * names that it defines, each ended by a byte of zero. STATUS_SYSTEM after a message. Pure. */
enum status tokens_read(const char *text, size_t size, struct token_list *list, struct bytes *macros) MUST_CHECK;
void tokens_free(struct token_list *list);

/* Whether a backslash anywhere in a text takes a line's end away, for compilers that allow blanks between them, too. */
bool tokens_may_be_spliced(const char *text, size_t size);

static inline bool token_is(const struct token *t, const char *text)
{
	return t->size == strlen(text) && memcmp(t->text, text, t->size) == 0;
}

static inline bool token_is_same(const struct token *a, const struct token *b)
{
	return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

/* Whether nothing is between a token and the next one. */
static inline bool token_touches(const struct token *a, const struct token *b)
{
	return a->text + a->size == b->text;
}

bool token_is_among(const struct token *t, const char *const *words, size_t count);
/* Whether it is one of these signs. */
bool token_is_one_of(const struct token *t, const char *signs);
#define token_opens(t) token_is_one_of(t, "([{")
#define token_closes(t) token_is_one_of(t, ")]}")
/* The token after the bracket that closes the one at t, or NULL. */
const struct token *token_after_bracket(const struct token *t, const struct token *end);

/* Whether a token is a decimal number of at most some millions. */
bool token_integer(const char *text, size_t size, size_t *value);

#endif
