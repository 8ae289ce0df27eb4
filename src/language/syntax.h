/* The syntax of C, of which OpenCL C's is made: a text's external declarations, and the tree of one of them. */
#ifndef PSCAN_LANGUAGE_SYNTAX_H
#define PSCAN_LANGUAGE_SYNTAX_H

#include "language/tokens.h"

/* Why a text is refused. */
struct text_error {
	unsigned long line; /* from 1; 0: of the text as a whole */
	char why[160];
};

/* A declaration, or a function's definition, outside of all others. */
struct external {
	const struct token *first, *end; /* its tokens, without the semicolon */
	const struct token *next; /* where the next one begins */
	const struct token *name; /* of a typedef or a function's definition; NULL: it is another declaration */
	const struct token *body; /* of a function's definition: its {. Else NULL */
};

/* Takes the external declaration that begins at first, which is before end. False: brackets do not match, and *error
 * says where. Pure. */
bool external_take(const struct token *first, const struct token *end, struct external *e, struct text_error *error);

/* What a node is, its token, and its children. */
enum node_kind {
	/* Expressions. */
	NODE_NUMBER,
	NODE_NAME,
	NODE_CALL, /* the function's name; the arguments */
	NODE_MEMBER, /* the member's name; what it is a member of */
	NODE_INDEX, /* [; the array and the index */
	NODE_CAST, /* the type's name; the value */
	NODE_PREFIX, /* the operator; the operand */
	NODE_POSTFIX, /* ++ or --; the operand */
	NODE_BINARY, /* the operator; both operands */
	NODE_CHOICE, /* ?; the condition and both values */
	NODE_ASSIGN, /* the operator; what is assigned to and the value */
	NODE_LIST, /* { of an initial value; the values */
	/* Parts of statements. */
	NODE_SEQUENCE, /* the token before it; expressions that have commas between them, or none */
	NODE_TYPE, /* the first word of the type's name */
	NODE_STRUCT, /* its tag, or struct; a declaration for each type of its members, if they are there */
	NODE_VARIABLE, /* its name; its lengths, and its initial value if it has one */
	NODE_LENGTH, /* [; the length */
	/* Statements. */
	NODE_DECLARE, /* the type's last token; the type, and variables */
	NODE_EMPTY,
	NODE_BLOCK, /* {; statements */
	NODE_IF, /* if; the condition, a statement, and what stands after else if it has one */
	NODE_WHILE, /* while; the condition and a statement */
	NODE_DO, /* do; a statement and the condition */
	NODE_FOR, /* for; a declaration or a sequence, two sequences and a statement */
	NODE_JUMP, /* return, break or continue; the value if there is one */
	NODE_FUNCTION, /* its name; the type of its value, a declaration for each parameter, and a block */
};
#define NODE_IS_EXPRESSION(kind) ((kind) <= NODE_LIST)

struct node {
	enum node_kind kind;
	const struct token *token;
	struct node *child, *next; /* the first child, and what comes after this one among those of its parent */
};

/* Some tokens while their tree is made. All zero to begin with. */
struct parser {
	const struct token *next, *end;
	struct bytes nodes; /* struct node: those of the last tree */
	size_t depth, nesting; /* of structs, and of expressions, within each other */
	/* Of the first thing that is not understood: the token in whose place it is, and what was expected there. */
	const struct token *failed;
	const char *expected;
	bool is_too_deep; /* what is not understood are the structs within each other */
	/* Whether a word is a type's name: in brackets it is a cast. NULL: no word is. */
	bool (*is_type)(const void *context, const struct token *word);
	const void *context;
};

/* The parser begins with these tokens; the trees that it made are gone. STATUS_SYSTEM after a message. */
enum status parser_begin(struct parser *p, const struct token *first, const struct token *end) MUST_CHECK;
void parser_free(struct parser *p);

static inline bool parser_is_at(const struct parser *p, const char *text)
{
	return p->next < p->end && token_is(p->next, text);
}

/* Passes over qualifiers and attributes. */
void parser_skip_qualifiers(struct parser *p);

/* The tree of what begins at p->next, which moves to what comes after it; NULL if it is not understood. Pointers,
 * sizeof, goto, switch, labels and compound literals are not. Expressions deeper than
 * 1000 within each other are not, either. Statements within each other are nested calls: no text of a user's with more
 * than some thousand tokens may be given to parse_statement. */
struct node *parse_expression(struct parser *p);
struct node *parse_statement(struct parser *p);
struct node *parse_type(struct parser *p);
/* What is expected in the places of a type, a struct's body and a length. */
#define TYPE_EXPECTED "a type, char to double or a struct of them"
#define MEMBERS_EXPECTED "{ and the struct's members"
#define LENGTH_EXPECTED "a number above 0, or a macro that is one"
/* The tree of a typedef (as a declaration) or of a function's definition, all of which are the parser's tokens; NULL
 * for all else. */
struct node *parse_external(struct parser *p, const struct external *e);

#endif
