/* A text of C as tokens, without comments and directives. */
#ifndef PSCAN_LANGUAGE_TOKENS_H
#define PSCAN_LANGUAGE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_QUOTED, TOKEN_SIGN };

/* A token. A sign is a whole operator, such as <<=. */
struct token {
	const char *text;
	size_t size;
	unsigned long line; /* from 1 */
	enum token_kind kind;
};

/* A part of a text, not owned. */
struct text_part {
	const char *text;
	size_t size;
};

/* A macro that a #define directive defines. */
struct macro {
	struct text_part name;
	struct text_part
		number; /* the number with which its replacement begins; empty if it begins with something else */
	bool is_number; /* the number is its whole replacement */
};

/* The tokens of a text. All zero is an empty list. */
struct token_list {
	struct bytes tokens; /* struct token */
	struct bytes macros; /* struct macro, in the order of their definitions */
	size_t directives; /* how many there are, #define included */
	unsigned long open_comment; /* the first line of a comment that does not end, or 0 */
};

/* Appends the text's tokens, which point into the text. The text has no zero byte. STATUS_SYSTEM after a message.
 * Pure. */
enum status tokens_read(const char *text, size_t size, struct token_list *list) MUST_CHECK;
void tokens_free(struct token_list *list);

static inline const struct token *tokens_first(const struct token_list *list)
{
	return (const struct token *)(const void *)list->tokens.data;
}

static inline size_t tokens_count(const struct token_list *list)
{
	return list->tokens.size / sizeof(struct token);
}

/* The last macro of that name whose replacement begins with a number, or NULL. */
const struct macro *tokens_find_number(const struct token_list *list, const struct token *name);

/* Whether c is a letter, a digit or _. */
bool is_of_word(char c);
/* Whether a text (may be NULL) has the word, even in a comment. */
bool text_has_word(const char *text, const char *word);

/* Whether a backslash before a line's end joins two lines anywhere in the text. Blanks may stand between them: some
 * compilers allow that. */
bool tokens_may_be_spliced(const char *text, size_t size);

static inline bool part_is(const struct text_part *p, const struct token *t)
{
	return p->size == t->size && memcmp(p->text, t->text, t->size) == 0;
}

static inline struct text_part token_part(const struct token *t)
{
	return (struct text_part){.text = t->text, .size = t->size};
}

static inline bool token_is(const struct token *t, const char *text)
{
	return t->size == strlen(text) && memcmp(t->text, text, t->size) == 0;
}

static inline bool token_is_same(const struct token *a, const struct token *b)
{
	return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

/* Whether the token is one of count words. */
bool token_is_among(const struct token *t, const char *const *words, size_t count);
#define TOKEN_IS_AMONG(t, words) token_is_among(t, words, sizeof(words) / sizeof(words)[0])
/* Whether the token is one of these signs of one character. */
bool token_is_one_of(const struct token *t, const char *signs);
#define token_opens(t) token_is_one_of(t, "([{")
#define token_closes(t) token_is_one_of(t, ")]}")
/* The token after the bracket that closes the bracket at t. NULL if it is not closed before end. */
const struct token *token_after_bracket(const struct token *t, const struct token *end);

/* Whether a text is a decimal number of at most some millions. u or U may follow it. *value is set. */
bool token_integer(const char *text, size_t size, size_t *value);

#endif
