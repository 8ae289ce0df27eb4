/* The types of C that a program's text declares: numbers, and structs of types. For declarations.c, which nobody else
 * is. */
#ifndef PSCAN_LANGUAGE_DECLARED_TYPES_H
#define PSCAN_LANGUAGE_DECLARED_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "language/declarations.h"
#include "language/tokens.h"

/* A type that has a name: a number's, or a struct's. */
struct named_type {
	struct text_part name;
	bool is_tag; /* after the word struct */
	const struct type *number; /* or NULL: a struct */
	size_t size, alignment;
	/* Of a struct: */
	size_t member_count; /* those that are numbers, if is_plain */
	bool is_plain; /* at most PACKED_MAX numbers, and nothing else */
	struct text_part names[PACKED_MAX];
	const struct type *types[PACKED_MAX];
	struct layout_member numbers[DECLARED_MAX]; /* all that are in it, if there are not more */
	size_t number_count;
};

/* Tokens of one declaration. */
struct tokens {
	const struct token *next, *end;
};

struct type_reader {
	struct token_list list;
	struct bytes types; /* struct named_type: those that were declared so far */
	struct text_error *error; /* set where false is returned, unless there is no memory */
	size_t depth; /* of structs within each other */
};

void type_reader_free(struct type_reader *r);

static inline bool next_is(const struct tokens *t, const char *text)
{
	return t->next < t->end && token_is(t->next, text);
}

/* Says what was expected in the place of a token, or at a text's end; or why a line is refused. False. */
bool type_expected(struct type_reader *r, const struct tokens *t, const char *what);
bool type_refuse(struct type_reader *r, unsigned long line, const char *why);

void type_skip_qualifiers(struct tokens *t);
/* Takes the type at which a declaration begins; structs with tags become known. */
bool type_take(struct type_reader *r, struct tokens *t, struct named_type *type);
/* The type becomes known. False: there is no memory, which was told. */
bool type_add(struct type_reader *r, const struct named_type *type);

#endif
