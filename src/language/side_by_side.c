/* A program is copied token by token: types become vectors of 16, and its own names get a prefix. Before this, the
 * trees of its declarations are searched for what would mean something else with vectors. */
#include "language/side_by_side.h"

#include <string.h>

#include "language/types.h"

struct copier {
	struct token_list list;
	const struct token *tokens;
	size_t count; /* of the tokens */
	struct bytes externals; /* struct external, all of the text's */
	struct bytes wanted; /* a byte a token: 1 if it belongs to a declaration that is copied */
	struct bytes *out;
	size_t number_size; /* in bytes, of all numbers; 0: none seen yet */
	bool has_signed, has_unsigned, has_float, has_choice;
	bool has_division, has_risky_division; /* any division; one by a value that may be 0 */
	bool has_loop_or_call;
	size_t choices, effects; /* of one expression: how many ?: it has, and how many side effects */
	enum status status;
};

/* Whether the word is a type of numbers that vectors have. */
static bool is_type(const struct token *t)
{
	const struct type *type = type_of_word(t);
	return type != NULL && type->size >= 4;
}

/* Words that mean the same with vectors. */
static bool is_keyword(const struct token *t)
{
	static const char *const words[] = {"const", "static", "inline", "return",   "for",    "if",      "else",
					    "while", "do",     "break",  "continue", "struct", "typedef", "void"};
	return TOKEN_IS_AMONG(t, words);
}

/* Functions that compute for each lane of a vector what they compute for a number. */
static bool is_function(const struct copier *c, const struct token *t)
{
	static const char *const of_floats[] = {"sqrt", "fabs", "fma", "floor", "ceil", "trunc", "rint"};
	static const char *const of_integers[] = {"min", "max"};
	return TOKEN_IS_AMONG(t, of_floats) || (!c->has_float && TOKEN_IS_AMONG(t, of_integers));
}

/* --- Which declarations are copied ------------------------------------------------------------------------------ */

static const struct external *externals(const struct copier *c, size_t *count)
{
	*count = c->externals.size / sizeof(struct external);
	return (const struct external *)(const void *)c->externals.data;
}

static bool is_copied(const struct copier *c, const struct external *e)
{
	return c->wanted.data[e->first - c->tokens] != 0;
}

/* Whether a declaration of that name is copied: combine, state, and every name that occurs in what is copied
 * already. */
static bool is_wanted(const struct copier *c, const struct token *name)
{
	bool found = token_is(name, "combine") || token_is(name, "state");
	for (size_t i = 0; i < c->count && !found; i++)
		found = c->wanted.data[i] != 0 && token_is_same(&c->tokens[i], name);
	return found;
}

/* Whether the declaration is struct TAG {...}; and so declares only its tag. (With another body inside it, such as an
 * enumeration, it could declare more names.) */
static bool is_tagged(const struct external *e)
{
	size_t bodies = 0;
	for (const struct token *t = e->first; t < e->end; t++)
		bodies += token_is(t, "{");
	return bodies == 1 && e->end - e->first > 2 && token_is(e->first, "struct") && token_is(e->first + 2, "{") &&
	       token_is(e->end - 1, "}");
}

/* Marks combine, state, and what they need, from the last declaration to the first. False if some of it cannot be
 * copied. */
static bool want(struct copier *c)
{
	size_t count;
	const struct external *all = externals(c, &count);
	for (size_t i = count; i > 0; i--) {
		const struct external *e = &all[i - 1];
		bool needed = e->name != NULL && is_wanted(c, e->name);
		const struct token *names_end = is_tagged(e) ? e->first + 2 : e->end;
		for (const struct token *t = e->first; t < names_end && e->name == NULL && !needed; t++)
			needed = t->kind == TOKEN_WORD && !is_type(t) && !is_keyword(t) && is_wanted(c, t);
		if (needed && e->name == NULL)
			return false;
		if (needed)
			memset(c->wanted.data + (e->first - c->tokens), 1, (size_t)(e->next - e->first));
	}
	return true;
}

/* Whether the name is that of a type, or of a function, that is copied. */
static bool is_own(const struct copier *c, const struct token *name, bool is_function)
{
	size_t count;
	const struct external *all = externals(c, &count);
	bool found = false;
	for (size_t i = 0; i < count && !found; i++)
		found = all[i].name != NULL && (all[i].body != NULL) == is_function && is_copied(c, &all[i]) &&
			token_is_same(all[i].name, name);
	return found;
}

static bool is_type_name(const void *context, const struct token *word)
{
	return is_type(word) || is_own(context, word, false);
}

/* --- What a copy may have ---------------------------------------------------------------------------------------- */

/* Whether the type stands in the first part of a for(;;). A counter's type stays a number's, not a vector's. */
static bool is_counter(const struct copier *c, const struct token *type)
{
	return type - c->tokens >= 2 && token_is(type - 1, "(") && token_is(type - 2, "for");
}

static bool is_counter_name(const struct copier *c, const struct token *name)
{
	bool found = false;
	for (size_t i = 3; i < c->count && !found; i++)
		found = is_counter(c, &c->tokens[i - 1]) && is_type(&c->tokens[i - 1]) &&
			token_is_same(&c->tokens[i], name);
	return found;
}

/* Whether the value is a vector: a name in it is neither a counter nor a macro. (In a list a number would be taken for
 * the first lane of a vector.) */
static bool is_vector(const struct copier *c, const struct node *n)
{
	bool found =
		n->kind == NODE_NAME && tokens_find_number(&c->list, n->token) == NULL && !is_counter_name(c, n->token);
	for (const struct node *child = n->child; child != NULL && !found; child = child->next)
		found = is_vector(c, child);
	return found;
}

/* Notes the type of a number or of a struct. */
static bool may_be_type(struct copier *c, const struct token *t)
{
	if (!is_type(t))
		return is_own(c, t, false);
	const struct type *type = type_of_word(t);
	/* (C would make a number that meets an unsigned counter unsigned.) */
	c->has_unsigned = c->has_unsigned || type->kind == KIND_UNSIGNED;
	if (is_counter(c, t))
		return true;
	c->has_signed = c->has_signed || type->kind == KIND_SIGNED;
	c->has_float = c->has_float || type->kind == KIND_FLOAT;
	const bool fits = c->number_size == 0 || c->number_size == type->size;
	c->number_size = type->size;
	return fits;
}

static bool may_be_number(struct copier *c, const struct text_part *number)
{
	const bool is_hexadecimal =
		number->size > 1 && number->text[0] == '0' && strchr("xX01234567", number->text[1]) != NULL;
	c->has_unsigned = c->has_unsigned || is_hexadecimal || memchr(number->text, 'u', number->size) != NULL ||
			  memchr(number->text, 'U', number->size) != NULL;
	return !is_hexadecimal || memchr(number->text, '.', number->size) == NULL;
}

static bool may_be_word(const struct copier *c, const struct token *t)
{
	static const char *const others[] = {"true", "false", "volatile", "extern", "private"};
	/* (A macro has a meaning only after its definition.) */
	const struct macro *m = tokens_find_number(&c->list, t);
	return t->text[0] != '_' && !TOKEN_IS_AMONG(t, others) && (m == NULL || m->name.text < t->text);
}

/* Notes a division. Unless the divisor is a number, it may be 0. */
static void note_division(struct copier *c, const struct node *by)
{
	c->has_division = true;
	c->has_risky_division =
		c->has_risky_division || !(by->kind == NODE_NUMBER ||
					   (by->kind == NODE_NAME && tokens_find_number(&c->list, by->token) != NULL));
}

/* How a value is used. A comparison of vectors gives -1 where one of numbers gives 1. So it may stand only where only
 * its truth counts: in the condition of ?:, or in that of a statement, where the compiler refuses vectors. */
enum use { USE_VALUE, USE_TRUTH, USE_STATEMENT };

static bool may_be_value(struct copier *c, const struct node *n, enum use use);

static bool may_be_operator(struct copier *c, const struct node *n, enum use use)
{
	static const char *const logical[] = {"&&", "||", "!"};
	static const char *const comparing[] = {"<", ">", "<=", ">=", "==", "!="};
	const bool is_logical = TOKEN_IS_AMONG(n->token, logical);
	const bool is_true_or_false = is_logical || TOKEN_IS_AMONG(n->token, comparing);
	if (use == USE_STATEMENT ? n->kind == NODE_ASSIGN : (use == USE_TRUTH) != is_true_or_false)
		return false;
	if (*n->token->text == '/' || *n->token->text == '%')
		note_division(c, n->child->next);
	c->effects += n->kind == NODE_ASSIGN || n->kind == NODE_POSTFIX || token_is(n->token, "++") ||
		      token_is(n->token, "--");
	const enum use of_operands = use == USE_TRUTH && !is_logical ? USE_VALUE : use;
	return may_be_value(c, n->child, of_operands) &&
	       (n->child->next == NULL || may_be_value(c, n->child->next, of_operands));
}

static bool may_be_list(struct copier *c, const struct node *list)
{
	bool may = list->child != NULL;
	for (const struct node *n = list->child; n != NULL && may; n = n->next)
		may = n->kind == NODE_LIST ? may_be_list(c, n) : is_vector(c, n) && may_be_value(c, n, USE_VALUE);
	return may;
}

static bool may_be_value(struct copier *c, const struct node *n, enum use use)
{
	const bool is_own_call = n->kind == NODE_CALL && is_own(c, n->token, true);
	if (n->kind == NODE_PREFIX || n->kind == NODE_POSTFIX || n->kind == NODE_BINARY || n->kind == NODE_ASSIGN)
		return may_be_operator(c, n, use);
	if (n->kind == NODE_LIST)
		return may_be_list(c, n);
	if (use == USE_TRUTH || (n->kind == NODE_CALL && !is_own_call && !is_function(c, n->token)) ||
	    (n->kind == NODE_CAST && !may_be_type(c, n->token)))
		return false;
	c->has_loop_or_call = c->has_loop_or_call || n->kind == NODE_CALL;
	c->effects += is_own_call;
	c->choices += n->kind == NODE_CHOICE;
	bool may = true;
	for (const struct node *child = n->child; child != NULL && may; child = child->next)
		may = may_be_value(c, child, n->kind == NODE_CHOICE && child == n->child ? USE_TRUTH : use);
	return may;
}

/* Whether a whole expression means the same with vectors. Both sides of ?: are computed, so an expression with ?: may
 * have no side effect other than being an assignment. */
static bool may_be_expression(struct copier *c, const struct node *n, enum use use)
{
	c->choices = c->effects = 0;
	const bool may = may_be_value(c, n, use);
	c->has_choice = c->has_choice || c->choices > 0;
	return may && (c->choices == 0 || c->effects == (n->kind == NODE_ASSIGN));
}

/* Whether a tree that is not an expression means the same with vectors. use: how the expressions of a sequence are
 * used. */
static bool may_be_part(struct copier *c, const struct node *n, enum use use)
{
	const bool is_loop = n->kind == NODE_FOR || n->kind == NODE_WHILE || n->kind == NODE_DO;
	size_t condition = n->kind == NODE_IF || n->kind == NODE_WHILE ? 0 : 1;
	c->has_loop_or_call = c->has_loop_or_call || is_loop;
	/* (Types of several words, and structs that are named only by their tag, are not copied.) */
	if (n->kind == NODE_TYPE)
		return may_be_type(c, n->token) && !is_type(n->token + 1);
	if (n->kind == NODE_STRUCT && n->child == NULL)
		return false;
	/* Several counters, or several expressions in a condition, are not copied. */
	if (n->kind == NODE_FOR && n->child->kind == NODE_DECLARE && n->child->child->next->next != NULL)
		return false;
	if (n->kind == NODE_SEQUENCE && use == USE_STATEMENT && n->child != NULL && n->child->next != NULL)
		return false;
	bool may = true;
	for (const struct node *child = n->child; child != NULL && may; child = child->next, condition--) {
		if (n->kind != NODE_SEQUENCE)
			use = condition == 0 && (is_loop || n->kind == NODE_IF) ? USE_STATEMENT : USE_VALUE;
		may = NODE_IS_EXPRESSION(child->kind) ? may_be_expression(c, child, use) : may_be_part(c, child, use);
	}
	return may;
}

/* Whether everything that would be copied means the same with vectors, and vectors pay. */
static bool may_be_copied(struct copier *c)
{
	size_t count;
	const struct external *all = externals(c, &count);
	struct parser p = {.is_type = is_type_name, .context = c};
	bool may = true;
	for (size_t i = 0; i < count && may; i++) {
		if (!is_copied(c, &all[i]))
			continue;
		c->status = parser_begin(&p, all[i].first, all[i].end);
		const struct node *n = c->status == STATUS_OK ? parse_external(&p, &all[i]) : NULL;
		may = n != NULL && may_be_part(c, n, USE_VALUE);
	}
	parser_free(&p);
	for (size_t i = 0; i < c->count && may; i++) {
		const struct token *t = &c->tokens[i];
		const struct text_part part = token_part(t);
		if (c->wanted.data[i] != 0)
			may = (t->kind != TOKEN_NUMBER || may_be_number(c, &part)) &&
			      (t->kind != TOKEN_WORD || may_be_word(c, t));
	}
	/* (A vector of divisions of doubles takes as long as the single divisions.) */
	const bool is_dear = c->has_loop_or_call || (c->has_division && (!c->has_float || c->number_size == 4));
	return may && is_dear && c->number_size != 0 && !(c->has_signed && c->has_unsigned) &&
	       !(c->has_choice && c->has_risky_division && (c->has_signed || c->has_unsigned));
}

/* --- The copy ---------------------------------------------------------------------------------------------------- */

#define put(c, ...) FORMAT_INTO(c, (c)->out, __VA_ARGS__)

static void put_token(struct copier *c, const struct token *t)
{
	const struct macro *m = t->kind == TOKEN_WORD ? tokens_find_number(&c->list, t) : NULL;
	const struct text_part part = m != NULL ? m->number : token_part(t);
	const bool is_name = t->kind == TOKEN_WORD && m == NULL && !is_type(t) && !is_keyword(t) && !is_function(c, t);
	const bool is_vector_type = t->kind == TOKEN_WORD && is_type(t) && !is_counter(c, t);
	const bool is_first = t == c->tokens || t[-1].text + t[-1].size == t->text;
	put(c, "%s%s%.*s%s",
	    is_first                ? ""
	    : t->line == t[-1].line ? " "
				    : "\n",
	    is_name ? "pscan_v_" : "", (int)part.size, part.text, is_vector_type ? "16" : "");
}

/* Whether all directives define macros that stand for numbers, each once, and the compiler sees the same tokens as
 * tokens_read: no spliced lines, digraphs, trigraphs or pragmas. */
static bool is_plain(struct copier *c, const char *text, size_t size)
{
	static const char *const others[] = {"%:", "%>", "<%", "<:", ":>", "??"};
	const struct macro *macros = (const struct macro *)(const void *)c->list.macros.data;
	const size_t count = c->list.macros.size / sizeof *macros;
	bool plain = c->list.directives == count && !tokens_may_be_spliced(text, size);
	for (size_t i = 0; i + 1 < size; i++) {
		for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
			plain = plain && memcmp(text + i, others[k], 2) != 0;
	}
	for (size_t i = 0; i < c->count && plain; i++)
		plain = !token_is(&c->tokens[i], "_Pragma") && !token_is(&c->tokens[i], "__pragma");
	for (size_t i = 0; i < count && plain; i++) {
		const struct token name = {.text = macros[i].name.text, .size = macros[i].name.size};
		plain = macros[i].is_number && may_be_number(c, &macros[i].number) &&
			tokens_find_number(&c->list, &name) == &macros[i];
	}
	return plain;
}

static bool read_externals(struct copier *c)
{
	struct text_error error;
	struct external e = {.next = c->tokens};
	bool taken = true;
	while (taken && c->status == STATUS_OK && e.next < c->tokens + c->count) {
		taken = external_read(e.next, c->tokens + c->count, &e, &error);
		c->status = bytes_append(&c->externals, &e, sizeof e);
	}
	return taken && c->status == STATUS_OK;
}

/* Longer texts are not copied: the text is searched again for each of its words, which must take no time. */
#define TOKENS_MAX 4096

enum status side_by_side_write(const char *text, size_t size, struct bytes *copy, bool *written)
{
	struct copier c = {.out = copy};
	*written = false;
	c.status = tokens_read(text, size, &c.list);
	c.tokens = tokens_first(&c.list);
	c.count = tokens_count(&c.list);
	if (c.status == STATUS_OK)
		c.status = bytes_reserve(&c.wanted, c.count + 1);
	if (c.status == STATUS_OK && c.count > 0 && c.count <= TOKENS_MAX && is_plain(&c, text, size)) {
		memset(c.wanted.data, 0, c.count);
		*written = read_externals(&c) && want(&c) && may_be_copied(&c);
	}
	if (*written)
		put(&c, "\n#line 1 \"side by side\"\n");
	for (size_t i = 0; i < c.count && *written; i++) {
		if (c.wanted.data[i] != 0)
			put_token(&c, &c.tokens[i]);
	}
	if (*written)
		put(&c,
		    "\ntypedef %s pscan_v_word;\n"
		    "typedef char pscan_v_state_is_as_declared[sizeof(pscan_v_state) == 16 * sizeof(state) ? 1 : "
		    "-1];\n",
		    c.number_size == 8 ? "ulong" : "uint");
	bytes_free(&c.externals);
	bytes_free(&c.wanted);
	tokens_free(&c.list);
	return c.status;
}
