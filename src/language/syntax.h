/* The syntax of C, which OpenCL C shares: splits a text into external declarations, and makes a tree of one of them. */
#ifndef PSCAN_LANGUAGE_SYNTAX_H
#define PSCAN_LANGUAGE_SYNTAX_H

#include "language/tokens.h"

/* Why a text is refused. */
struct text_error {
	unsigned long line; /* from 1; 0: the reason concerns the text as a whole */
	char why[160];
};

/* A declaration or a function's definition at the outermost level. */
struct external {
	const struct token *first, *end; /* its tokens, without the semicolon */
	const struct token *next; /* the first token of the next external declaration */
	const struct token *name; /* of the typedef or the function; NULL for any other declaration */
	const struct token *body; /* the { of a function's definition; else NULL */
};

/* Takes the external declaration that begins at first (first < end). False if brackets do not match: *error says where.
 * Pure. */
bool external_take(const struct token *first, const struct token *end, struct external *e, struct text_error *error);

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
	const struct token *next, *end;
	struct bytes nodes; /* struct node: the nodes of the last tree */
	size_t depth, nesting; /* how many structs, and how many expressions, are open */
	/* The first token that was not understood, and what was expected in its place. NULL: there was none. */
	const struct token *failed;
	const char *expected;
	bool is_too_deep; /* it was not understood because of too many nested structs */
	/* Whether a word names a type: (word) is a cast then. NULL: no word does. */
	bool (*is_type)(const void *context, const struct token *word);
	const void *context;
};

/* Begins anew with the tokens from first to end. Frees the trees that the parser made before. STATUS_SYSTEM after a
 * message. */
enum status parser_begin(struct parser *p, const struct token *first, const struct token *end) MUST_CHECK;
void parser_free(struct parser *p);

static inline bool parser_is_at(const struct parser *p, const char *text)
{
	return p->next < p->end && token_is(p->next, text);
}

/* Passes over qualifiers and attributes. */
void parser_skip_qualifiers(struct parser *p);

/* Each parses what begins at p->next and moves p->next past it. Returns its tree, which the parser owns until the next
 * parser_begin; NULL if it is not understood. Not understood are pointers, sizeof, goto, switch, labels, compound
 * literals, and expressions nested more than 1000 deep. Nested statements are nested calls: a user's text of more than
 * some thousand tokens must not be given to parse_statement. */
struct node *parse_expression(struct parser *p);
struct node *parse_statement(struct parser *p);
struct node *parse_type(struct parser *p);
/* Texts of `expected` for a type, a struct's body and a length. */
#define TYPE_EXPECTED "a type, char to double or a struct of them"
#define MEMBERS_EXPECTED "{ and the struct's members"
#define LENGTH_EXPECTED "a number above 0, or a macro that is one"
/* The tree of a typedef (as a NODE_DECLARE) or of a function's definition (NODE_FUNCTION). The parser's tokens must be
 * those of e. NULL for anything else. */
struct node *parse_external(struct parser *p, const struct external *e);

#endif
