/* The types that a text declares, numbers and structs of them, as the compiler lays them out. */
#ifndef PSCAN_LANGUAGE_TYPES_H
#define PSCAN_LANGUAGE_TYPES_H

#include "base/layout.h"
#include "language/syntax.h"
#include "number/type.h"

/* The most bytes, and so numbers, of a state. */
#define DECLARED_MAX 128

/* The numbers of a type, as C and OpenCL C lay them out. */
struct declared_members {
	struct layout_member members[DECLARED_MAX]; /* the first of them, if there are more */
	size_t count, size, alignment;
};

struct declared_type {
	struct text_part name;
	bool is_tag; /* its name is one after the word struct */
	const struct type *number; /* NULL: a struct */
	bool is_plain; /* a struct of at most PACKED_MAX numbers, and of nothing else */
	struct declared_members layout;
};

/* A text that is being read. */
struct type_reader {
	struct token_list list;
	struct bytes types; /* struct declared_type: those that were declared so far */
	struct parser parser;
	struct text_error *error; /* set where false is returned, unless there is no memory */
};

void type_reader_free(struct type_reader *r);

/* False after it said why a line is refused; or what was expected in the place of a token of the parser's. */
bool type_refuse(struct type_reader *r, unsigned long line, const char *why);
bool type_expected(struct type_reader *r, const struct token *t, const char *what);

/* Takes the type that the parser is at. Structs with tags become known. */
bool type_take(struct type_reader *r, struct declared_type *type);
/* The type becomes known. False: there is no memory, which was reported. */
bool type_add(struct type_reader *r, const struct declared_type *type);

#endif
