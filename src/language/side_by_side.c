#include "language/side_by_side.h"

#include <string.h>

#include "language/conditions.h"

static const struct {
	const char *name;
	size_t size;
	enum { SORT_SIGNED, SORT_UNSIGNED, SORT_FLOAT } sort;
} vector_types[] = {
	{"int", 4, SORT_SIGNED},     {"uint", 4, SORT_UNSIGNED}, {"long", 8, SORT_SIGNED},
	{"ulong", 8, SORT_UNSIGNED}, {"float", 4, SORT_FLOAT},   {"double", 8, SORT_FLOAT},
};
#define VECTOR_TYPES (sizeof vector_types / sizeof vector_types[0])

static bool is_type(const struct token *t)
{
	bool found = false;
	for (size_t i = 0; i < VECTOR_TYPES && !found; i++)
		found = token_is(t, vector_types[i].name);
	return found;
}

/* Words that mean the same beside vectors. */
static bool is_keyword(const struct token *t)
{
	static const char *const words[] = {"const", "static", "inline", "return",   "for",    "if",      "else",
					    "while", "do",     "break",  "continue", "struct", "typedef", "void"};
	return token_is_among(t, words, sizeof words / sizeof words[0]);
}

/* Functions that give each lane what they give a number. */
static bool is_function(const struct copier *c, const struct token *t)
{
	static const char *const of_floats[] = {"sqrt", "fabs", "fma", "floor", "ceil", "trunc", "rint"};
	static const char *const of_integers[] = {"min", "max"};
	return token_is_among(t, of_floats, sizeof of_floats / sizeof of_floats[0]) ||
	       (!c->has_float && token_is_among(t, of_integers, sizeof of_integers / sizeof of_integers[0]));
}

/* The value of a macro as its text, or NULL. */
static const struct constant *find_constant(const struct copier *c, const struct token *t)
{
	for (size_t i = 0; i < c->constant_count; i++) {
		if (c->constants[i].name.size == t->size && memcmp(c->constants[i].name.text, t->text, t->size) == 0)
			return &c->constants[i];
	}
	return NULL;
}

/* --- What is copied ---------------------------------------------------------------------------------------------- */

/* A declaration: tokens first to end. body is the index of its body's bracket, or end. */
struct declaration {
	size_t first, end, body;
	size_t name; /* of what it declares; end: of nothing that could be copied */
};

static struct declaration next_declaration(const struct copier *c, size_t first)
{
	struct declaration d = {.first = first, .end = first};
	while (d.end < c->count && !token_is(&c->tokens[d.end], ";")) {
		const struct token *t = &c->tokens[d.end];
		const bool is_body = token_is(t, "{") && d.end > first && token_is(t - 1, ")") &&
				     !token_is(&c->tokens[first], "typedef");
		d.body = d.end;
		d.end = token_opens(t) ? copier_closing(c, d.end) + 1 : d.end + 1;
		if (is_body && d.end <= c->count) {
			d.name = copier_opening(c, d.body - 1);
			d.name = d.name > first ? d.name - 1 : d.end;
			return d;
		}
	}
	d.end += d.end < c->count;
	d.body = d.end;
	d.name = token_is(&c->tokens[first], "typedef") && d.end - first > 2 ? d.end - 2 : d.end;
	return d;
}

/* Whether a later declaration that is copied has the word. */
static bool is_wanted(const struct copier *c, const struct token *name, size_t after)
{
	bool found = token_is(name, "combine") || token_is(name, "state");
	for (size_t i = after; i < c->count && !found; i++)
		found = c->wanted.data[i] != 0 && token_is_same(&c->tokens[i], name);
	return found;
}

/* Whether the declaration is struct TAG {...}; of which others know the tag alone: within a body an enumeration would
 * have names. */
static bool is_tagged(const struct copier *c, const struct declaration *d)
{
	const struct token *t = &c->tokens[d->first];
	size_t bodies = 0;
	for (size_t i = d->first; i < d->end; i++)
		bodies += token_is(&c->tokens[i], "{");
	return bodies == 1 && d->end - d->first > 3 && token_is(t, "struct") && token_is(t + 2, "{") &&
	       token_is(&c->tokens[d->end - 2], "}");
}

/* Marks combine, state, and what they need, from the last declaration to the first. False if that is what cannot be
 * copied. */
static bool want(struct copier *c, size_t first)
{
	const struct declaration d = next_declaration(c, first);
	if (d.end < c->count && !want(c, d.end))
		return false;
	bool needed = false;
	if (d.name < d.end)
		needed = is_wanted(c, &c->tokens[d.name], d.end);
	const size_t names_end = is_tagged(c, &d) ? d.first + 2 : d.end;
	for (size_t i = d.first; i < names_end && d.name == d.end && !needed; i++)
		needed = c->tokens[i].kind == TOKEN_WORD && !is_type(&c->tokens[i]) && !is_keyword(&c->tokens[i]) &&
			 is_wanted(c, &c->tokens[i], d.end);
	if (needed)
		memset(c->wanted.data + d.first, 1, d.end - d.first);
	/* Functions get values alone. */
	for (size_t i = d.name; i < d.body && needed; i++) {
		if (token_is_one_of(&c->tokens[i], "*["))
			return false;
	}
	return !needed || d.name < d.end;
}

/* Whether a function that is copied has that name. */
static bool is_own_function(const struct copier *c, const struct token *name)
{
	bool found = false;
	for (size_t first = 0; first < c->count && !found;) {
		const struct declaration d = next_declaration(c, first);
		found = d.body < d.end && c->wanted.data[d.first] != 0 && token_is_same(&c->tokens[d.name], name);
		first = d.end;
	}
	return found;
}

/* --- What a copy may have ---------------------------------------------------------------------------------------- */

/* Whether the statement with the ? changes nothing but by the assignment that it may be, and calls nothing that may:
 * both sides are computed. */
static bool is_pure_choice(const struct copier *c, size_t question)
{
	size_t first = question;
	size_t depth = 0;
	bool may_assign = true;
	while (first > 0 && !token_is_one_of(&c->tokens[first - 1], ";{}")) {
		const size_t open = token_is(&c->tokens[first - 1], ")") ? copier_opening(c, first - 1) : first - 1;
		if (open < first - 1 && open > 0 && conditions_asks(&c->tokens[open - 1]))
			break;
		first = open;
	}
	for (size_t i = first; i < c->count && !token_is_one_of(&c->tokens[i], ";{}"); i++) {
		const struct token *t = &c->tokens[i];
		const struct token *next = i + 1 < c->count ? t + 1 : t;
		if (conditions_assigns(c, i) && (!may_assign || depth > 0))
			return false;
		may_assign = may_assign && !conditions_assigns(c, i) && !token_is_one_of(t, "?&|");
		depth += token_opens(t);
		depth -= token_closes(t) && depth > 0;
		if (token_is_one_of(t, "+-") && next != t && token_touches(t, next) && token_is_same(t, next))
			return false;
		if (t->kind == TOKEN_WORD && token_is(next, "(") && is_own_function(c, t))
			return false;
	}
	/* (What is left out between ? and : would be the condition's own value.) */
	return question + 1 < c->count && !token_is(&c->tokens[question + 1], ":");
}

/* In the first part of a for(;;): a counter, which is no vector. */
static bool is_counter(const struct copier *c, size_t i)
{
	return i >= 2 && token_is(&c->tokens[i - 1], "(") && token_is(&c->tokens[i - 2], "for");
}

static bool is_counter_name(const struct copier *c, const struct token *name)
{
	bool found = false;
	for (size_t i = 3; i < c->count && !found; i++)
		found = c->tokens[i].kind == TOKEN_WORD && is_type(&c->tokens[i - 1]) && is_counter(c, i - 1) &&
			token_is_same(&c->tokens[i], name);
	return found;
}

/* Whether the tokens have a vector's value: they name something that is one, as what is no counter, no macro and no
 * function is. (A number would be taken for the first lane of one.) */
static bool is_vector(const struct copier *c, size_t first, size_t end)
{
	bool found = false;
	for (size_t i = first; i < end && !found; i++) {
		const struct token *t = &c->tokens[i];
		found = t->kind == TOKEN_WORD && !is_type(t) && !is_keyword(t) && find_constant(c, t) == NULL &&
			!is_counter_name(c, t) && (i + 1 == end || !token_is(t + 1, "("));
	}
	return found;
}

/* Whether each part of the list that { at i begins is a vector or a list. */
static bool is_vector_list(const struct copier *c, size_t open)
{
	const size_t end = copier_closing(c, open);
	for (size_t first = open + 1; first < end;) {
		size_t last = first;
		while (last < end && !token_is(&c->tokens[last], ","))
			last = token_opens(&c->tokens[last]) ? copier_closing(c, last) + 1 : last + 1;
		if (token_is(&c->tokens[first], "{") ? !is_vector_list(c, first) : !is_vector(c, first, last))
			return false;
		first = last + 1;
	}
	return end > open + 1;
}

/* What may stand where a { does. */
static bool may_open(const struct copier *c, size_t i)
{
	const struct token *before = &c->tokens[i - 1];
	if (token_is(before, "="))
		return is_vector_list(c, i);
	/* A body, and no value after its type in brackets. */
	if (token_is(before, ")")) {
		const size_t open = copier_opening(c, i - 1);
		const struct token *head = open > 0 ? &c->tokens[open - 1] : before;
		return head->kind == TOKEN_WORD && !token_is(head, "return");
	}
	return before->kind == TOKEN_WORD || token_is_one_of(before, "{};,");
}

static bool may_be_number(struct copier *c, const struct token *t)
{
	const bool is_hexadecimal = t->size > 1 && t->text[0] == '0' && strchr("xX01234567", t->text[1]) != NULL;
	const bool is_float = memchr(t->text, '.', t->size) != NULL;
	c->has_unsigned = c->has_unsigned || is_hexadecimal || memchr(t->text, 'u', t->size) != NULL ||
			  memchr(t->text, 'U', t->size) != NULL;
	return !is_hexadecimal || !is_float;
}

static bool may_be_word(struct copier *c, size_t i)
{
	const struct token *t = &c->tokens[i];
	static const char *const others[] = {
		"char",   "uchar",  "short", "ushort",   "bool",    "half",   "size_t",  "unsigned", "signed",
		"switch", "case",   "goto",  "default",  "union",   "enum",   "sizeof",  "volatile", "restrict",
		"extern", "global", "local", "constant", "private", "kernel", "event_t", "true",     "false"};
	/* (A macro means something from its place on.) */
	const struct constant *constant = find_constant(c, t);
	if (constant != NULL && constant->name.text > t->text)
		return false;
	if (t->text[0] == '_' || token_is_among(t, others, sizeof others / sizeof others[0]))
		return false;
	for (size_t k = i; is_type(t) && is_counter(c, i) && k < c->count && !token_is(&c->tokens[k], ";"); k++) {
		if (token_is(&c->tokens[k], ","))
			return false;
	}
	for (size_t k = 0; k < VECTOR_TYPES; k++) {
		if (!token_is(t, vector_types[k].name))
			continue;
		if (is_counter(c, i)) {
			/* C would make the other number unsigned. */
			c->has_unsigned = c->has_unsigned || vector_types[k].sort == SORT_UNSIGNED;
			continue;
		}
		if (c->number_size != 0 && c->number_size != vector_types[k].size)
			return false;
		c->number_size = vector_types[k].size;
		c->has_signed = c->has_signed || vector_types[k].sort == SORT_SIGNED;
		c->has_unsigned = c->has_unsigned || vector_types[k].sort == SORT_UNSIGNED;
		c->has_float = c->has_float || vector_types[k].sort == SORT_FLOAT;
	}
	return true;
}

static bool may_be_other(struct copier *c, size_t i)
{
	const struct token *t = &c->tokens[i];
	const struct token *before = i > 0 ? t - 1 : t;
	const struct token *after = i + 1 < c->count ? t + 1 : t;
	const bool ends_value = before->kind == TOKEN_NUMBER || token_is(before, ")") || token_is(before, "]") ||
				(before->kind == TOKEN_WORD && !is_keyword(before) && !is_type(before));
	if (token_is_one_of(t, "\\#$@`"))
		return false;
	/* Pointers. */
	if (token_is_one_of(t, "*&") && !ends_value &&
	    !(token_is(t, "&") && token_touches(before, t) && token_is(before, "&")))
		return false;
	if (token_is(t, ">") && token_touches(before, t) && token_is(before, "-"))
		return false;
	if (token_is_one_of(t, "/%")) {
		c->has_division = c->has_division || (after->kind != TOKEN_NUMBER && find_constant(c, after) == NULL);
		/* (Of doubles a vector of divisions takes as long as the divisions.) */
		c->is_dear = c->is_dear || !c->has_float || c->number_size == 4;
	}
	/* Several expressions in one. */
	if (token_is(t, "(") && i > 0 && !(before->kind == TOKEN_WORD && !token_is(before, "return"))) {
		const size_t end = copier_closing(c, i);
		for (size_t k = i + 1; k < end; k++) {
			if (token_opens(&c->tokens[k]))
				k = copier_closing(c, k);
			else if (token_is(&c->tokens[k], ","))
				return false;
		}
	}
	if (token_is(t, "?")) {
		c->has_choice = true;
		return is_pure_choice(c, i) && conditions_judge_choice(c, i);
	}
	return !token_is(t, "{") || i == 0 || may_open(c, i);
}

/* Whether the tokens that are copied mean the same with vectors. */
static bool may_be_copied(struct copier *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct token *t = &c->tokens[i];
		if (c->wanted.data[i] == 0)
			continue;
		if (!conditions_judge_statement(c, i))
			return false;
		if (t->kind == TOKEN_QUOTED || (t->kind == TOKEN_NUMBER && !may_be_number(c, t)) ||
		    (t->kind == TOKEN_WORD && !may_be_word(c, i)) || (t->kind == TOKEN_OTHER && !may_be_other(c, i)))
			return false;
	}
	for (size_t i = 0; i < c->count; i++) {
		const struct token *t = &c->tokens[i];
		if (c->wanted.data[i] == 0)
			continue;
		const size_t size = conditions_operator_size(c, i, c->count);
		if (size > 0 && c->judged.data[i] == 0)
			return false;
		i += size > 1;
		const bool is_call = t->kind == TOKEN_WORD && i + 1 < c->count && token_is(t + 1, "(") &&
				     !is_keyword(t) && !token_is(t, "combine");
		if (is_call && !is_function(c, t) && !is_own_function(c, t))
			return false;
		c->is_dear = c->is_dear || is_call || token_is(t, "for") || token_is(t, "while");
	}
	return c->is_dear && c->number_size != 0 && !(c->has_signed && c->has_unsigned) &&
	       !(c->has_choice && c->has_division && (c->has_signed || c->has_unsigned));
}

/* --- The copy ---------------------------------------------------------------------------------------------------- */

static void put(struct copier *c, const char *text, size_t size)
{
	if (c->status == STATUS_OK)
		c->status = bytes_append(c->out, text, size);
}

static void put_text(struct copier *c, const char *text)
{
	put(c, text, strlen(text));
}

static void put_token(struct copier *c, size_t i)
{
	const struct token *t = &c->tokens[i];
	const struct constant *constant = t->kind == TOKEN_WORD ? find_constant(c, t) : NULL;
	if (i > 0 && !token_touches(t - 1, t))
		put_text(c, t->line == t[-1].line ? " " : "\n");
	if (constant != NULL) {
		put(c, constant->whole.text, constant->whole.size);
		return;
	}
	if (t->kind == TOKEN_WORD && !is_type(t) && !is_keyword(t) && !is_function(c, t))
		put_text(c, "pscan_v_");
	put(c, t->text, t->size);
	if (t->kind == TOKEN_WORD && is_type(t) && !is_counter(c, i))
		put_text(c, "16");
}

static void put_copy(struct copier *c)
{
	put_text(c, "\n#line 1 \"side by side\"\n");
	for (size_t i = 0; i < c->count; i++) {
		if (c->wanted.data[i] != 0)
			put_token(c, i);
	}
	put_text(c, c->number_size == 8 ? "\ntypedef ulong pscan_v_word;\n" : "\ntypedef uint pscan_v_word;\n");
	put_text(c,
		 "typedef char pscan_v_state_is_as_declared[sizeof(pscan_v_state) == 16 * sizeof(state) ? 1 : -1];\n");
}

/* Whether directives are nothing but macros that stand for numbers, each once, and tokens are what the compiler takes
 * for them: no lines are spliced, and nothing is written in other signs than its own. */
static bool is_plain(struct copier *c, const char *text, size_t size)
{
	static const char *const others[] = {"%:", "%>", "<%", "<:", ":>", "??"};
	bool plain = c->directive_count == c->constant_count && !tokens_may_be_spliced(text, size);
	for (size_t i = 0; i + 1 < size; i++) {
		for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
			plain = plain && memcmp(text + i, others[k], 2) != 0;
	}
	for (size_t i = 0; i < c->count && plain; i++)
		plain = !token_is(&c->tokens[i], "_Pragma") && !token_is(&c->tokens[i], "__pragma");
	for (size_t i = 0; i < c->constant_count && plain; i++) {
		const struct text_part *whole = &c->constants[i].whole;
		const struct text_part *name = &c->constants[i].name;
		const struct token number = {.text = whole->text, .size = whole->size, .kind = TOKEN_NUMBER};
		const struct token word = {.text = name->text, .size = name->size, .kind = TOKEN_WORD};
		plain = whole->size > 0 && may_be_number(c, &number) && find_constant(c, &word) == &c->constants[i];
	}
	return plain;
}

/* What is written twice is looked through in no time. */
#define TOKENS_MAX 4096

enum status side_by_side_write(const char *text, size_t size, struct bytes *copy, bool *written)
{
	struct token_list list = {0};
	struct copier c = {.out = copy, .status = tokens_read(text, size, &list, NULL)};
	*written = false;
	c.tokens = (const struct token *)(const void *)list.tokens.data;
	c.count = list.tokens.size / sizeof *c.tokens;
	c.constants = (const struct constant *)(const void *)list.constants.data;
	c.directive_count = list.directives;
	c.constant_count = list.constants.size / sizeof *c.constants;
	if (c.status == STATUS_OK)
		c.status = bytes_reserve(&c.wanted, c.count + 1);
	if (c.status == STATUS_OK)
		c.status = bytes_reserve(&c.judged, c.count + 1);
	if (c.status == STATUS_OK && c.count > 0 && c.count <= TOKENS_MAX && is_plain(&c, text, size)) {
		memset(c.wanted.data, 0, c.count);
		memset(c.judged.data, 0, c.count);
		*written = want(&c, 0) && may_be_copied(&c);
		if (*written)
			put_copy(&c);
	}
	bytes_free(&c.wanted);
	bytes_free(&c.judged);
	tokens_free(&list);
	return c.status;
}
