/* Recursive descent; expressions by the precedence of their operators. */
#include "language/syntax.h"

#include <stdio.h>

/* --- External declarations --------------------------------------------------------------------------------------- */

static bool refuse(struct text_error *error, const struct token *t, const char *why)
{
	error->line = t->line;
	(void)snprintf(error->why, sizeof error->why, "%s", why);
	return false;
}

bool external_read(const struct token *first, const struct token *end, struct external *e, struct text_error *error)
{
	const bool is_type = token_is(first, "typedef");
	const struct token *bracket = NULL; /* the last one that was opened */
	const struct token *t = first;
	*e = (struct external){.first = first};
	while (t < end && !token_is(t, ";") && e->body == NULL) {
		const struct token *after = token_opens(t) ? token_after_bracket(t, end) : t + 1;
		if (token_closes(t))
			return refuse(error, t, "a bracket is closed that is not open");
		if (after == NULL)
			return refuse(error, t, "a bracket is not closed");
		/* (In a typedef a ) before the { ends an attribute.) */
		if (token_is(t, "{") && t > first && token_is(t - 1, ")") && !is_type) {
			e->body = t;
			e->name = bracket > first ? bracket - 1 : NULL;
		}
		bracket = token_opens(t) ? t : bracket;
		t = after;
	}
	e->end = t;
	e->next = e->body == NULL && t < end ? t + 1 : t;
	if (is_type && t - first > 1 && t[-1].kind == TOKEN_WORD)
		e->name = t - 1;
	return true;
}

/* --- The tree ---------------------------------------------------------------------------------------------------- */

static bool accept(struct parser *p, const char *text)
{
	const bool is = parser_is_at(p, text);
	p->next += is;
	return is;
}

/* Notes that p->next is not understood. Only the first failure counts: the others follow from it. */
static struct node *fail(struct parser *p, const char *expected)
{
	if (p->expected == NULL) {
		p->expected = expected;
		p->failed = p->next;
	}
	return NULL;
}

/* The most nodes of a tree. A longer text has none. */
#define NODES_MAX 65536

enum status parser_begin(struct parser *p, const struct token *first, const struct token *end)
{
	/* (A token makes at most two nodes. A few nodes have no token.) */
	const size_t tokens = (size_t)(end - first);
	p->next = first;
	p->end = end;
	p->depth = p->nesting = 0;
	p->failed = NULL;
	p->expected = NULL;
	p->is_too_deep = false;
	return bytes_make(&p->nodes, tokens < NODES_MAX / 2 ? 2 * tokens + 8 : NODES_MAX, sizeof(struct node));
}

void parser_free(struct parser *p)
{
	bytes_free(&p->nodes);
}

static struct node *make(struct parser *p, enum node_kind kind, const struct token *t)
{
	if (p->nodes.capacity - p->nodes.size < sizeof(struct node))
		return fail(p, PARSER_TOO_LONG);
	struct node *n = (struct node *)(void *)(p->nodes.data + p->nodes.size);
	p->nodes.size += sizeof *n;
	*n = (struct node){.kind = kind, .token = t};
	return n;
}

/* A node with count children. NULL if one of them is NULL. */
static struct node *over(struct parser *p, enum node_kind kind, const struct token *t, struct node *const *children,
			 size_t count)
{
	struct node *n = make(p, kind, t);
	struct node **last = n != NULL ? &n->child : NULL;
	for (size_t i = 0; i < count && last != NULL; i++) {
		*last = children[i];
		last = children[i] != NULL ? &children[i]->next : NULL;
	}
	return last != NULL ? n : NULL;
}

#define OVER(p, kind, t, ...)                                 \
	over(p, kind, t, (struct node *const[]){__VA_ARGS__}, \
	     sizeof((struct node *[]){__VA_ARGS__}) / sizeof(struct node *))

/* A node with the items up to the token `end` as its children. one() parses an item; `between` is the token that
 * separates items, or NULL. */
static struct node *parse_list(struct parser *p, enum node_kind kind, struct node *(*one)(struct parser *),
			       const char *between, const char *end)
{
	struct node *list = make(p, kind, p->next - 1);
	struct node **last = list != NULL ? &list->child : NULL;
	while (last != NULL && !accept(p, end)) {
		if (list->child != NULL && between != NULL && !accept(p, between))
			return fail(p, kind == NODE_DECLARE ? "; after a member" : end);
		*last = one(p);
		last = *last != NULL ? &(*last)->next : NULL;
	}
	return last != NULL ? list : NULL;
}

/* --- Expressions ------------------------------------------------------------------------------------------------- */

static struct node *parse_operand(struct parser *p)
{
	const struct token *t = p->next;
	struct node *n = NULL;
	if (t->kind == TOKEN_NUMBER)
		return make(p, NODE_NUMBER, p->next++);
	if (accept(p, "(")) {
		n = parse_expression(p);
		n = accept(p, ")") ? n : fail(p, ")");
	} else if (t->kind == TOKEN_WORD) {
		p->next++;
		n = accept(p, "(") ? parse_list(p, NODE_CALL, parse_expression, ",", ")") : make(p, NODE_NAME, t);
		if (n != NULL)
			n->token = t;
	} else {
		return fail(p, "a value");
	}
	while (n != NULL) {
		t = p->next;
		if (accept(p, "++") || accept(p, "--")) {
			n = OVER(p, NODE_POSTFIX, t, n);
		} else if (accept(p, "[")) {
			n = OVER(p, NODE_INDEX, t, n, parse_expression(p));
			n = accept(p, "]") ? n : fail(p, "]");
		} else if (accept(p, ".")) {
			t = p->next;
			n = t < p->end && t->kind == TOKEN_WORD ? OVER(p, NODE_MEMBER, p->next++, n)
								: fail(p, "a member's name");
		} else {
			break;
		}
	}
	return n;
}

/* The most expressions within each other. */
#define NESTING_MAX 1000

static struct node *parse_prefix(struct parser *p)
{
	static const char *const signs[] = {"+", "-", "!", "~", "++", "--"};
	const struct token *t = p->next;
	if (t == p->end || p->nesting == NESTING_MAX)
		return fail(p, t == p->end ? "a value" : PARSER_TOO_DEEP);
	if (TOKEN_IS_AMONG(t, signs)) {
		p->next++;
		p->nesting++;
		struct node *n = OVER(p, NODE_PREFIX, t, parse_prefix(p));
		p->nesting--;
		return n;
	}
	if (token_is(t, "(") && p->end - t > 2 && token_is(t + 2, ")") && p->is_type != NULL &&
	    p->is_type(p->context, t + 1)) {
		p->next += 3;
		return OVER(p, NODE_CAST, t + 1, parse_prefix(p));
	}
	return parse_operand(p);
}

/* How strongly the operator at p->next binds; 0 if it does not take two operands. */
static size_t strength(const struct parser *p)
{
	static const char *const signs[][4] = {
		{"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="},
		{"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
	for (size_t level = 0; level < sizeof signs / sizeof signs[0]; level++) {
		for (size_t i = 0; i < 4 && signs[level][i] != NULL; i++) {
			if (parser_is_at(p, signs[level][i]))
				return level + 1;
		}
	}
	return 0;
}

/* Parses operands and operators that bind at least as strongly as `least`. */
static struct node *parse_binary(struct parser *p, size_t least)
{
	struct node *n = parse_prefix(p);
	for (size_t found = strength(p); n != NULL && found >= least; found = strength(p)) {
		const struct token *t = p->next++;
		n = OVER(p, NODE_BINARY, t, n, parse_binary(p, found + 1));
	}
	return n;
}

struct node *parse_expression(struct parser *p)
{
	static const char *const assigning[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "<<=", ">>=", "^=", "|="};
	p->nesting++;
	struct node *n = parse_binary(p, 1);
	const struct token *t = p->next;
	if (n != NULL && accept(p, "?")) {
		struct node *const yes = parse_expression(p);
		struct node *const no = accept(p, ":") ? parse_expression(p) : fail(p, ":");
		n = OVER(p, NODE_CHOICE, t, n, yes, no);
	} else if (n != NULL && t < p->end && TOKEN_IS_AMONG(t, assigning)) {
		p->next++;
		n = OVER(p, NODE_ASSIGN, t, n, parse_expression(p));
	}
	p->nesting--;
	return n;
}

static struct node *parse_initial_value(struct parser *p)
{
	return accept(p, "{") ? parse_list(p, NODE_LIST, parse_initial_value, ",", "}") : parse_expression(p);
}

/* --- Declarations and statements --------------------------------------------------------------------------------- */

static struct node *parse_word(struct parser *p, enum node_kind kind, const char *what)
{
	return p->next < p->end && p->next->kind == TOKEN_WORD ? make(p, kind, p->next++) : fail(p, what);
}

void parser_skip_qualifiers(struct parser *p)
{
	static const char *const words[] = {"const",    "volatile", "static",  "inline",
					    "__inline", "extern",   "private", "__private"};
	for (const struct token *after = p->next; after != NULL;) {
		p->next = after;
		after = NULL;
		if (p->end - p->next > 1 && token_is(p->next, "__attribute__") && token_is(p->next + 1, "("))
			after = token_after_bracket(p->next + 1, p->end);
		else if (p->next < p->end && TOKEN_IS_AMONG(p->next, words))
			after = p->next + 1;
	}
}

/* A name with its lengths, if it is an array. */
static struct node *parse_member(struct parser *p)
{
	struct node *n = parse_word(p, NODE_VARIABLE, "a member's name");
	struct node **last = n != NULL ? &n->child : NULL;
	for (const struct token *t = p->next; last != NULL && accept(p, "["); t = p->next) {
		struct node *length = parse_expression(p);
		p->expected = length == NULL ? LENGTH_EXPECTED : p->expected;
		if (length == NULL || !accept(p, "]"))
			return fail(p, "]");
		*last = OVER(p, NODE_LENGTH, t, length);
		last = *last != NULL ? &(*last)->next : NULL;
	}
	return last != NULL ? n : NULL;
}

static struct node *parse_variable(struct parser *p)
{
	struct node *n = parse_member(p);
	if (n == NULL || !accept(p, "="))
		return n;
	struct node **last = &n->child;
	while (*last != NULL)
		last = &(*last)->next;
	*last = parse_initial_value(p);
	return *last != NULL ? n : NULL;
}

/* A type and its variables or members, up to the semicolon. */
static struct node *parse_names(struct parser *p, struct node *(*one)(struct parser *))
{
	struct node *type = parse_type(p);
	struct node *n = type != NULL ? parse_list(p, NODE_DECLARE, one, ",", ";") : NULL;
	if (n == NULL)
		return NULL;
	type->next = n->child;
	n->child = type;
	return n;
}

static struct node *parse_declaration(struct parser *p)
{
	return parse_names(p, parse_variable);
}

static struct node *parse_members(struct parser *p)
{
	return parse_names(p, parse_member);
}

#define STRUCT_DEPTH_MAX 64

static struct node *parse_struct(struct parser *p)
{
	const struct token *t = p->next - 1;
	parser_skip_qualifiers(p);
	const bool has_tag = p->next < p->end && p->next->kind == TOKEN_WORD;
	t = has_tag ? p->next++ : t;
	if (!parser_is_at(p, "{"))
		return has_tag ? make(p, NODE_STRUCT, t) : fail(p, MEMBERS_EXPECTED);
	p->is_too_deep = p->depth == STRUCT_DEPTH_MAX;
	if (p->is_too_deep)
		return fail(p, "");
	p->depth++;
	p->next++;
	struct node *n =
		parser_is_at(p, "}") ? fail(p, "a member") : parse_list(p, NODE_STRUCT, parse_members, NULL, "}");
	p->depth--;
	if (n != NULL)
		n->token = t;
	return n;
}

struct node *parse_type(struct parser *p)
{
	static const char *const signs[] = {"signed", "unsigned"};
	static const char *const with_int[] = {"short", "long"};
	static const char *const words[] = {"char", "short", "int", "long"};
	parser_skip_qualifiers(p);
	const struct token *t = p->next;
	struct node *n = accept(p, "struct") ? parse_struct(p) : parse_word(p, NODE_TYPE, TYPE_EXPECTED);
	if (n != NULL && p->next < p->end && n->kind == NODE_TYPE &&
	    ((TOKEN_IS_AMONG(t, signs) && TOKEN_IS_AMONG(p->next, words)) ||
	     (TOKEN_IS_AMONG(t, with_int) && token_is(p->next, "int"))))
		p->next++;
	if (n != NULL)
		parser_skip_qualifiers(p);
	return n;
}

static struct node *parse_parameter(struct parser *p)
{
	struct node *type = parse_type(p);
	const struct token *t = p->next - 1;
	return OVER(p, NODE_DECLARE, t, type, parse_word(p, NODE_VARIABLE, "a name"));
}

static bool is_declaration(const struct parser *p)
{
	return parser_is_at(p, "const") || parser_is_at(p, "struct") ||
	       (p->end - p->next > 1 && p->next->kind == TOKEN_WORD && p->next[1].kind == TOKEN_WORD);
}

static struct node *parse_condition(struct parser *p)
{
	struct node *n = accept(p, "(") ? parse_expression(p) : fail(p, "(");
	return accept(p, ")") ? n : fail(p, ")");
}

static struct node *parse_sequence(struct parser *p, const char *end)
{
	return parse_list(p, NODE_SEQUENCE, parse_expression, ",", end);
}

static struct node *parse_for(struct parser *p, const struct token *t)
{
	struct node *parts[4] = {NULL};
	if (!accept(p, "("))
		return fail(p, "(");
	parts[0] = is_declaration(p) ? parse_declaration(p) : parse_sequence(p, ";");
	parts[1] = parts[0] != NULL ? parse_sequence(p, ";") : NULL;
	parts[2] = parts[1] != NULL ? parse_sequence(p, ")") : NULL;
	parts[3] = parts[2] != NULL ? parse_statement(p) : NULL;
	return over(p, NODE_FOR, t, parts, 4);
}

struct node *parse_statement(struct parser *p)
{
	const struct token *t = p->next;
	struct node *n = NULL;
	if (accept(p, "{"))
		return parse_list(p, NODE_BLOCK, parse_statement, NULL, "}");
	if (accept(p, "for"))
		return parse_for(p, t);
	if (accept(p, "if") || accept(p, "while")) {
		struct node *parts[3] = {parse_condition(p)};
		parts[1] = parts[0] != NULL ? parse_statement(p) : NULL;
		const bool has_else = token_is(t, "if") && accept(p, "else");
		parts[2] = has_else ? parse_statement(p) : NULL;
		return over(p, token_is(t, "if") ? NODE_IF : NODE_WHILE, t, parts, has_else ? 3 : 2);
	}
	if (accept(p, ";"))
		return make(p, NODE_EMPTY, t);
	if (accept(p, "do")) {
		struct node *body = parse_statement(p);
		n = OVER(p, NODE_DO, t, body, accept(p, "while") ? parse_condition(p) : fail(p, "while"));
	} else if (accept(p, "return")) {
		n = parser_is_at(p, ";") ? make(p, NODE_JUMP, t) : OVER(p, NODE_JUMP, t, parse_expression(p));
	} else if (accept(p, "break") || accept(p, "continue")) {
		n = make(p, NODE_JUMP, t);
	} else if (is_declaration(p)) {
		return parse_declaration(p);
	} else {
		n = parse_expression(p);
	}
	return accept(p, ";") ? n : fail(p, ";");
}

/* Parses a function after its type, up to the end of its body. */
static struct node *parse_function(struct parser *p, struct node *type)
{
	const struct token *name = p->next;
	struct node *n = NULL;
	p->next++;
	if (accept(p, "(")) {
		p->next += parser_is_at(p, "void") && token_is(p->next + 1, ")");
		n = parse_list(p, NODE_FUNCTION, parse_parameter, ",", ")");
	}
	struct node *body = n != NULL ? parse_statement(p) : NULL;
	if (body == NULL)
		return NULL;
	n->token = name;
	type->next = n->child;
	n->child = type;
	for (; type->next != NULL; type = type->next)
		;
	type->next = body;
	return n;
}

struct node *parse_external(struct parser *p, const struct external *e)
{
	const bool is_typedef = accept(p, "typedef");
	struct node *n = parse_type(p);
	const struct token *t = p->next - 1;
	if (n == NULL || e->name == NULL || p->next != e->name)
		return NULL;
	n = is_typedef ? OVER(p, NODE_DECLARE, t, n, parse_word(p, NODE_VARIABLE, "a name")) : parse_function(p, n);
	return p->next == p->end ? n : NULL;
}
