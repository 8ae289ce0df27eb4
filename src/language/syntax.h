/* The syntax of C, which OpenCL C shares: splits source code into external declarations, and makes a tree of one. */
#ifndef PSCAN_LANGUAGE_SYNTAX_H
#define PSCAN_LANGUAGE_SYNTAX_H

#include <string.h>

#include "language/tokens.h"

/* Why source code is refused. */
struct text_error {
	unsigned long line; /* The line, from 1. 0: the reason concerns the code as a whole. */
	char why[160]; /* The reason, for a message. Empty: there is no error. */
};

/* A declaration or a function's definition at the outermost level. */
struct external {
	const struct token *first, *end; /* Its tokens, from first to before end, without the semicolon. */
	const struct token *next; /* The first token of the next external declaration. */
	const struct token *name; /* The name of the typedef or function. NULL for any other declaration. */
	const struct token *body; /* The { of a function's definition. NULL for any other declaration. */
};

/* Sets *e to the external declaration that begins at `first`, which must be before `end`. *e points to the tokens.
 * Returns false if brackets do not match; *error is then the reason, and *e is of no use. Pure. */
bool external_read(const struct token *first, const struct token *end, struct external *e, struct text_error *error);

/* The kind of a node. Each comment names the node's token; the node's children, in order. */
enum node_kind {
	/* Expressions. */
	NODE_NUMBER,
	NODE_NAME,
	NODE_CALL, /* the function's name; the arguments */
	NODE_MEMBER, /* the member's name; the struct's value */
	NODE_INDEX, /* [; the array and the index */
	NODE_CAST, /* the type's name; the value */
	NODE_PREFIX, /* the operator; the operand */
	NODE_POSTFIX, /* ++ or --; the operand */
	NODE_BINARY, /* the operator; both operands */
	NODE_CHOICE, /* ?; the condition and both values */
	NODE_ASSIGN, /* the operator; the target and the value */
	NODE_LIST, /* { of an initial value; the values */
	/* Parts of statements. */
	NODE_SEQUENCE, /* the token before it; any number of expressions, with commas between them */
	NODE_TYPE, /* the first word of the type's name */
	NODE_STRUCT, /* its tag, or struct; a NODE_DECLARE for each type of its members, if they are listed */
	NODE_VARIABLE, /* its name; its lengths, and its initial value if it has one */
	NODE_LENGTH, /* [; the length */
	/* Statements. */
	NODE_DECLARE, /* the type's last token; the type, and variables */
	NODE_EMPTY,
	NODE_BLOCK, /* {; statements */
	NODE_IF, /* if; the condition, a statement, and the statement after else if there is one */
	NODE_WHILE, /* while; the condition and a statement */
	NODE_DO, /* do; a statement and the condition */
	NODE_FOR, /* for; a declaration or a sequence, two more sequences, and a statement */
	NODE_JUMP, /* return, break or continue; the value if there is one */
	NODE_FUNCTION, /* its name; the type of its value, a declaration for each parameter, and a block */
};
#define NODE_IS_EXPRESSION(kind) ((kind) <= NODE_LIST)

struct node {
	enum node_kind kind;
	const struct token *token;
	struct node *child, *next; /* the first child; the next child of this node's parent */
};

/* A parser of some tokens. Begins all zero. */
struct parser {
	const struct token *next, *end; /* The tokens that were not parsed yet. Borrowed. */
	struct bytes nodes; /* An array of struct node: the trees made since parser_begin. Owned. */
	size_t depth; /* The number of structs that contain the next token. */
	/* The number of expressions and prefix operators that contain the next token. Casts do not count. */
	size_t nesting;
	/* The first token since parser_begin that was not understood; `end` if one was missing. NULL: there was
	 * none. */
	const struct token *failed;
	const char *expected; /* The words for what was expected in place of `failed`, or one of the texts below. */
	bool is_too_deep; /* The cause of the failure is that too many structs are nested. `expected` is then empty. */
	/* Whether a word names a type, so that (word) is a cast. NULL: no word does. */
	bool (*is_type)(const void *context, const struct token *word);
	const void *context;
};

/* Makes the parser begin with the tokens from `first` to before `end`, which are borrowed. is_type and context stay.
 * Trees that it made before are no longer valid. STATUS_SYSTEM after a message if memory is missing. */
enum status parser_begin(struct parser *p, const struct token *first, const struct token *end) MUST_CHECK;
/* Frees the parser's trees. */
void parser_free(struct parser *p);

/* Whether the next token is `text`. */
static inline bool parser_is_at(const struct parser *p, const char *text)
{
	return p->next < p->end && token_is(p->next, text);
}

/* Texts of `expected` that say what is wrong, and not what was expected. */
#define PARSER_TOO_LONG "it is too long"
#define PARSER_TOO_DEEP "it is nested too deeply"
/* Whether a text of `expected` is one of PARSER_TOO_LONG and PARSER_TOO_DEEP. */
static inline bool parser_is_over_limit(const char *expected)
{
	return strcmp(expected, PARSER_TOO_LONG) == 0 || strcmp(expected, PARSER_TOO_DEEP) == 0;
}

/* Moves p->next past qualifiers and attributes. */
void parser_skip_qualifiers(struct parser *p);

/* The next functions return a tree, which the parser owns until the next parser_begin. NULL if the tokens are not
 * understood: p->failed and p->expected are then set, and nothing more can be parsed before parser_begin. The functions
 * recurse for casts and for nested statements, so the caller must refuse code of more than some thousand tokens. */

/* Parses the expression at p->next and moves p->next past it. Not understood are pointers, sizeof, compound literals,
 * and expressions nested more than 1000 deep. */
struct node *parse_expression(struct parser *p);
/* Parses the statement at p->next, up to and including its ; or }, and moves p->next past it. Not understood are also
 * labels and the block of a switch. (goto X; becomes a declaration whose type is goto.) */
struct node *parse_statement(struct parser *p);
/* Parses the name of a type, or a struct with its members, at p->next, and moves p->next past it. Not understood are
 * structs nested more than 64 deep. */
struct node *parse_type(struct parser *p);
/* Texts of `expected` for a type, a struct's body and a length. */
#define TYPE_EXPECTED "a type, char to double or a struct of them"
#define MEMBERS_EXPECTED "{ and the struct's members"
#define LENGTH_EXPECTED "a number above 0, or a macro that is one"
/* Returns the tree of an external declaration: a NODE_DECLARE for a typedef, a NODE_FUNCTION for a function's
 * definition. NULL if *e is neither or is not understood; p->failed is not always set then. Call it right after
 * parser_begin with the tokens of *e. */
struct node *parse_external(struct parser *p, const struct external *e);

#endif
