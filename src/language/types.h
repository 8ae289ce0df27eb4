/* The types that a text declares: numbers and structs of them, laid out as the compiler does. */
#ifndef PSCAN_LANGUAGE_TYPES_H
#define PSCAN_LANGUAGE_TYPES_H

#include "base/layout.h"
#include "language/syntax.h"
#include "number/type.h"

/* The most bytes of a state, and so the most numbers. */
#define DECLARED_MAX 128

/* The numbers in a type, as C and OpenCL C lay them out. */
struct declared_members {
	struct layout_member members[DECLARED_MAX]; /* only the first ones if there are more */
	size_t count, size, alignment;
};

struct declared_type {
	struct text_part name;
	bool is_tag; /* its name is a struct's tag */
	const struct type *number; /* NULL: a struct */
	bool is_plain; /* a struct of at most PACKED_MAX numbers, without arrays and structs */
	struct declared_members layout;
};

/* A text that is being read. */
struct type_reader {
	struct token_list list;
	struct bytes types; /* struct declared_type: the types declared so far */
	struct parser parser;
	struct text_error *error; /* borrowed; set where false is returned, unless memory ran out */
};

void type_reader_free(struct type_reader *r);

/* Both set the error and return false. type_refuse: why a line is refused. type_expected: what was expected in the
 * place of token t. */
bool type_refuse(struct type_reader *r, unsigned long line, const char *why);
bool type_expected(struct type_reader *r, const struct token *t, const char *what);

/* Takes the type at the parser's next token. A struct with a tag is added to the known types. False: r->error says
 * why. */
bool type_take(struct type_reader *r, struct declared_type *type);
/* Adds a type to the known types. False after a message: out of memory. */
bool type_add(struct type_reader *r, const struct declared_type *type);

#endif
