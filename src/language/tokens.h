/* Splits C source code into tokens, without comments and directives. */
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
	/* The number at the beginning of the macro's replacement. Empty: the replacement begins with something else. */
	struct text_part number;
	bool is_number; /* The number is the whole replacement. */
};

/* The tokens of some source code. All zero: empty. */
struct token_list {
	struct bytes tokens; /* An array of struct token. Owned. */
	struct bytes macros; /* An array of struct macro, in the order of their definitions. Owned. */
	size_t directives; /* The number of directives, #define included. */
	unsigned long open_comment; /* The first line of a comment that does not end. 0: none. */
};

/* Appends the tokens and macros of `size` bytes of source code, which must have no zero byte. They point into the code.
 * The caller frees the list with tokens_free, also after a failure. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status tokens_read(const char *text, size_t size, struct token_list *list) MUST_CHECK;
/* Frees the list's memory. */
void tokens_free(struct token_list *list);

/* Returns the array of tokens (borrowed). NULL without tokens. */
static inline const struct token *tokens_first(const struct token_list *list)
{
	return (const struct token *)(const void *)list->tokens.data;
}

static inline size_t tokens_count(const struct token_list *list)
{
	return list->tokens.size / sizeof(struct token);
}

/* Returns the last macro with this name whose replacement begins with a number, or NULL. The macro is the list's. */
const struct macro *tokens_find_number(const struct token_list *list, const struct token *name);

/* Whether c is a letter, a digit or _. */
bool is_of_word(char c);
/* Whether source code contains a word, also if only in a comment. text may be NULL. */
bool text_has_word(const char *text, const char *word);

/* Whether a line of the code ends in a backslash, which may join it with the next line. Blanks may follow the
 * backslash, as some compilers allow that. The end of the code counts as the end of a line. */
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

/* Whether the token is one of `count` words. */
bool token_is_among(const struct token *t, const char *const *words, size_t count);
#define TOKEN_IS_AMONG(t, words) token_is_among(t, words, sizeof(words) / sizeof(words)[0])
/* Whether the token is a single character that is among `signs`. */
bool token_is_one_of(const struct token *t, const char *signs);
#define token_opens(t) token_is_one_of(t, "([{")
#define token_closes(t) token_is_one_of(t, ")]}")
/* Returns the token after the bracket that closes the bracket at t, which may be `end`. NULL if the bracket is not
 * closed before `end`. */
const struct token *token_after_bracket(const struct token *t, const struct token *end);

/* Reads a decimal number of at most 10000009, perhaps with letters u or U after it, from `size` bytes into *value.
 * Returns false if the bytes are anything else, or have a leading zero (017 is octal); *value is then undefined. */
bool token_integer(const char *text, size_t size, size_t *value);

#endif
