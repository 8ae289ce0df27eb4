/* The types that a program declares: numbers, and structs of numbers, laid out as the compiler does. */
#ifndef PSCAN_LANGUAGE_TYPES_H
#define PSCAN_LANGUAGE_TYPES_H

#include "base/layout.h"
#include "language/syntax.h"
#include "number/type.h"

/* The most bytes of a state, and so the most numbers. */
#define DECLARED_MAX 128

/* The numbers in a type, as C and OpenCL C lay them out. */
struct declared_members {
	struct layout_member members[DECLARED_MAX]; /* The type's first numbers: `count` of them. */
	size_t count; /* The type's numbers, but at most DECLARED_MAX. */
	size_t size; /* Bytes of the type. From 16 MiB on it may have more. */
	size_t alignment; /* Bytes. */
};

/* A number's type, or a type that a program declares. */
struct declared_type {
	struct text_part name; /* The name by which type_read finds the type, if it was added to the known types. */
	bool is_tag; /* `name` is a struct's tag. */
	const struct type *number; /* The type, if it is a number. NULL: a struct. */
	bool is_plain; /* The type is a struct of at most PACKED_MAX numbers, without arrays and structs. */
	struct declared_members layout;
};

/* The state of reading a program. */
struct type_reader {
	struct token_list list; /* The program's tokens. Owned. */
	struct bytes types; /* An array of struct declared_type: the types known so far. Owned. */
	struct parser parser; /* Owned. */
	struct text_error *error; /* Borrowed. Set if a function here returns false, unless memory is missing. */
};

/* Frees everything that the reader owns. */
void type_reader_free(struct type_reader *r);

/* Returns the type of numbers that OpenCL C calls by one word, char to double. NULL: the word is no such name. */
const struct type *type_of_word(const struct token *word);

/* Sets the error: why the code at `line` is refused. The text is copied, and cut at 159 bytes. Always false. */
bool type_refuse(struct type_reader *r, unsigned long line, const char *why);
/* Sets the error: `what` was expected in place of token t, one of the parser's. t may be parser.end: nothing more came,
 * and the line is that of the token before. If `what` is PARSER_TOO_LONG or PARSER_TOO_DEEP, it is the whole reason.
 * Always false. */
bool type_expected(struct type_reader *r, const struct token *t, const char *what);

/* Reads the type at the parser's next token into *type and moves past it. A struct with a tag and members is added to
 * the known types. False with r->error if there is no known type, or after a message if memory is missing; *type is
 * then of no use. */
bool type_read(struct type_reader *r, struct declared_type *type);
/* Adds a copy of a type to the known types. False after a message if memory is missing. */
bool type_add(struct type_reader *r, const struct declared_type *type);

#endif
