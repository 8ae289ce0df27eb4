#include "scan/side_by_side.h"

#include <string.h>

#include "scan/tokens.h"

struct copier {
	const struct token *tokens;
	size_t count;
	const struct constant *constants;
	size_t constant_count, directive_count;
	struct bytes wanted; /* a byte a token: it belongs to a declaration that is copied */
	struct bytes judged; /* a byte a token: a comparison whose value is nothing but a condition */
	struct bytes *out;
	size_t number_size; /* of the numbers; 0: none yet */
	bool has_signed, has_unsigned, has_float, has_choice, has_division; /* (by what may be 0) */
	bool is_dear; /* to combine costs more than to bring numbers into vectors */
	enum status status;
};

static const struct {
	const char *name;
	size_t size;
	enum { SORT_SIGNED, SORT_UNSIGNED, SORT_FLOAT } sort;
} vector_types[] = {
	{"int", 4, SORT_SIGNED},     {"uint", 4, SORT_UNSIGNED}, {"long", 8, SORT_SIGNED},
	{"ulong", 8, SORT_UNSIGNED}, {"float", 4, SORT_FLOAT},   {"double", 8, SORT_FLOAT},
};
#define VECTOR_TYPES (sizeof vector_types / sizeof vector_types[0])

static bool is(const struct token *t, const char *text)
{
	return t->size == strlen(text) && memcmp(t->text, text, t->size) == 0;
}

static bool is_in(const struct token *t, const char *const *words, size_t count)
{
	bool found = false;
	for (size_t i = 0; i < count && !found; i++)
		found = is(t, words[i]);
	return found;
}

static bool same(const struct token *a, const struct token *b)
{
	return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

static bool touches(const struct token *a, const struct token *b)
{
	return a->text + a->size == b->text;
}

static bool is_type(const struct token *t)
{
	bool found = false;
	for (size_t i = 0; i < VECTOR_TYPES && !found; i++)
		found = is(t, vector_types[i].name);
	return found;
}

/* Words that mean the same beside vectors. */
static bool is_keyword(const struct token *t)
{
	static const char *const words[] = {"const", "static", "inline", "return",   "for",    "if",      "else",
					    "while", "do",     "break",  "continue", "struct", "typedef", "void"};
	return is_in(t, words, sizeof words / sizeof words[0]);
}

/* Functions that give each lane what they give a number. */
static bool is_function(const struct copier *c, const struct token *t)
{
	static const char *const of_floats[] = {"sqrt", "fabs", "fma", "floor", "ceil", "trunc", "rint"};
	static const char *const of_integers[] = {"min", "max"};
	return is_in(t, of_floats, sizeof of_floats / sizeof of_floats[0]) ||
	       (!c->has_float && is_in(t, of_integers, sizeof of_integers / sizeof of_integers[0]));
}

static bool is_other(const struct token *t, const char *bytes)
{
	return t->kind == TOKEN_OTHER && strchr(bytes, *t->text) != NULL;
}

static bool opens(const struct token *t)
{
	return is_other(t, "([{");
}

static bool closes(const struct token *t)
{
	return is_other(t, ")]}");
}

/* The index of the bracket that closes the one at i; all are closed. */
static size_t closing(const struct copier *c, size_t i)
{
	size_t depth = 0;
	for (; i < c->count; i++) {
		depth += opens(&c->tokens[i]);
		depth -= closes(&c->tokens[i]);
		if (depth == 0)
			break;
	}
	return i;
}

static size_t opening(const struct copier *c, size_t i)
{
	size_t depth = 0;
	for (;; i--) {
		depth += closes(&c->tokens[i]);
		depth -= opens(&c->tokens[i]);
		if (depth == 0 || i == 0)
			return i;
	}
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
	while (d.end < c->count && !is(&c->tokens[d.end], ";")) {
		const struct token *t = &c->tokens[d.end];
		const bool is_body = is(t, "{") && d.end > first && is(t - 1, ")") && !is(&c->tokens[first], "typedef");
		d.body = d.end;
		d.end = opens(t) ? closing(c, d.end) + 1 : d.end + 1;
		if (is_body && d.end <= c->count) {
			d.name = opening(c, d.body - 1);
			d.name = d.name > first ? d.name - 1 : d.end;
			return d;
		}
	}
	d.end += d.end < c->count;
	d.body = d.end;
	d.name = is(&c->tokens[first], "typedef") && d.end - first > 2 ? d.end - 2 : d.end;
	return d;
}

/* Whether a later declaration that is copied has the word. */
static bool is_wanted(const struct copier *c, const struct token *name, size_t after)
{
	bool found = is(name, "combine") || is(name, "state");
	for (size_t i = after; i < c->count && !found; i++)
		found = c->wanted.data[i] != 0 && same(&c->tokens[i], name);
	return found;
}

/* Whether the declaration is struct TAG {...}; of which others know the tag alone: within a body an enumeration would have names. */
static bool is_tagged(const struct copier *c, const struct declaration *d)
{
	const struct token *t = &c->tokens[d->first];
	size_t bodies = 0;
	for (size_t i = d->first; i < d->end; i++)
		bodies += is(&c->tokens[i], "{");
	return bodies == 1 && d->end - d->first > 3 && is(t, "struct") && is(t + 2, "{") &&
	       is(&c->tokens[d->end - 2], "}");
}

/* Marks combine, state, and what they need, from the last declaration to the first. False if that is what cannot be copied. */
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
		if (is_other(&c->tokens[i], "*["))
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
		found = d.body < d.end && c->wanted.data[d.first] != 0 && same(&c->tokens[d.name], name);
		first = d.end;
	}
	return found;
}

/* --- Comparisons ------------------------------------------------------------------------------------------------- */

/* How many tokens the comparison or logical operator at i has; 0: it is none. */
static size_t logical_size(const struct copier *c, size_t i, size_t end)
{
	const struct token *t = &c->tokens[i];
	const struct token *next = i + 1 < end && touches(t, t + 1) ? t + 1 : NULL;
	const bool follows = i > 0 && touches(t - 1, t);
	if (is_other(t, "=!") && next != NULL && is(next, "="))
		return 2;
	if (is(t, "!"))
		return 1;
	if (is_other(t, "&|") && next != NULL && same(t, next))
		return 2;
	if (!is_other(t, "<>") || (next != NULL && same(t, next)) || (follows && same(t - 1, t)))
		return 0;
	return next != NULL && is(next, "=") ? 2 : 1;
}

static bool has_logical(const struct copier *c, size_t first, size_t end)
{
	bool has = false;
	for (size_t i = first; i < end && !has; i++)
		has = logical_size(c, i, end) > 0;
	return has;
}

/* Whether the value of the tokens is true or false and no number, and what makes it so is nothing else; these are judged. */
static bool is_condition(struct copier *c, size_t first, size_t end)
{
	size_t comparison = end;
	if (first == end)
		return false;
	if (is(&c->tokens[first], "(") && closing(c, first) + 1 == end)
		return is_condition(c, first + 1, end - 1);
	for (size_t i = first; i < end; i++) {
		const struct token *t = &c->tokens[i];
		if (opens(t)) {
			i = closing(c, i);
			continue;
		}
		const size_t size = logical_size(c, i, end);
		if (size == 2 && is_other(t, "&|")) {
			c->judged.data[i] = c->judged.data[i + 1] = 1;
			return is_condition(c, first, i) && is_condition(c, i + 2, end);
		}
		if (size > 0 && (size == 2 || !is(t, "!"))) {
			if (comparison < end)
				return false;
			comparison = i;
			i += size - 1;
		} else if (is_other(t, "=?:,&|^")) {
			return false;
		}
	}
	if (comparison == end) {
		c->judged.data[first] = 1;
		return is(&c->tokens[first], "!") && is_condition(c, first + 1, end);
	}
	const size_t size = logical_size(c, comparison, end);
	memset(c->judged.data + comparison, 1, size);
	return !has_logical(c, first, comparison) && !has_logical(c, comparison + size, end);
}

/* Whether the = at i assigns. */
static bool assigns(const struct copier *c, size_t i)
{
	const struct token *t = &c->tokens[i];
	const bool is_second = i > 0 && touches(t - 1, t) && is_other(t - 1, "=!<>") &&
			       !(i > 1 && is_other(t - 1, "<>") && touches(t - 2, t - 1) && same(t - 2, t - 1));
	const bool is_first = i + 1 < c->count && touches(t, t + 1) && is(t + 1, "=");
	return is(t, "=") && !is_second && !is_first;
}

/* The condition of the ? at i: from *first on. Where it cannot be found out nothing is a condition. */
static bool judge_choice(struct copier *c, size_t question)
{
	size_t i = question;
	for (; i > 0; i--) {
		const struct token *t = &c->tokens[i - 1];
		if (closes(t) && !is(t, "}"))
			i = opening(c, i - 1) + 1;
		else if (opens(t) || is_other(t, ",;}?:") || is(t, "return") || assigns(c, i - 1))
			break;
	}
	return is_condition(c, i, question);
}

/* --- What a copy may have ---------------------------------------------------------------------------------------- */

/* Words before brackets after which a statement begins. */
static bool asks(const struct token *t)
{
	return is(t, "for") || is(t, "if") || is(t, "while");
}

/* Whether the statement with the ? changes nothing but by the assignment that it may be, and calls nothing that may: both sides are
 * computed. */
static bool is_pure_choice(const struct copier *c, size_t question)
{
	size_t first = question;
	size_t depth = 0;
	bool may_assign = true;
	while (first > 0 && !is_other(&c->tokens[first - 1], ";{}")) {
		const size_t open = is(&c->tokens[first - 1], ")") ? opening(c, first - 1) : first - 1;
		if (open < first - 1 && open > 0 && asks(&c->tokens[open - 1]))
			break;
		first = open;
	}
	for (size_t i = first; i < c->count && !is_other(&c->tokens[i], ";{}"); i++) {
		const struct token *t = &c->tokens[i];
		const struct token *next = i + 1 < c->count ? t + 1 : t;
		if (assigns(c, i) && (!may_assign || depth > 0))
			return false;
		may_assign = may_assign && !assigns(c, i) && !is_other(t, "?&|");
		depth += opens(t);
		depth -= closes(t) && depth > 0;
		if (is_other(t, "+-") && next != t && touches(t, next) && same(t, next))
			return false;
		if (t->kind == TOKEN_WORD && is(next, "(") && is_own_function(c, t))
			return false;
	}
	/* (What is left out between ? and : would be the condition's own value.) */
	return question + 1 < c->count && !is(&c->tokens[question + 1], ":");
}

/* In the first part of a for(;;): a counter, which is no vector. */
static bool is_counter(const struct copier *c, size_t i)
{
	return i >= 2 && is(&c->tokens[i - 1], "(") && is(&c->tokens[i - 2], "for");
}

static bool is_counter_name(const struct copier *c, const struct token *name)
{
	bool found = false;
	for (size_t i = 3; i < c->count && !found; i++)
		found = c->tokens[i].kind == TOKEN_WORD && is_type(&c->tokens[i - 1]) && is_counter(c, i - 1) &&
			same(&c->tokens[i], name);
	return found;
}

/* Whether the tokens have a vector's value: they name something that is one, as what is no counter, no macro and no function is.
 * (A number would be taken for the first lane of one.) */
static bool is_vector(const struct copier *c, size_t first, size_t end)
{
	bool found = false;
	for (size_t i = first; i < end && !found; i++) {
		const struct token *t = &c->tokens[i];
		found = t->kind == TOKEN_WORD && !is_type(t) && !is_keyword(t) && find_constant(c, t) == NULL &&
			!is_counter_name(c, t) && (i + 1 == end || !is(t + 1, "("));
	}
	return found;
}

/* Whether each part of the list that { at i begins is a vector or a list. */
static bool is_vector_list(const struct copier *c, size_t open)
{
	const size_t end = closing(c, open);
	for (size_t first = open + 1; first < end;) {
		size_t last = first;
		while (last < end && !is(&c->tokens[last], ","))
			last = opens(&c->tokens[last]) ? closing(c, last) + 1 : last + 1;
		if (is(&c->tokens[first], "{") ? !is_vector_list(c, first) : !is_vector(c, first, last))
			return false;
		first = last + 1;
	}
	return end > open + 1;
}

/* What may stand where a { does. */
static bool may_open(const struct copier *c, size_t i)
{
	const struct token *before = &c->tokens[i - 1];
	if (is(before, "="))
		return is_vector_list(c, i);
	/* A body, and no value after its type in brackets. */
	if (is(before, ")")) {
		const size_t open = opening(c, i - 1);
		const struct token *head = open > 0 ? &c->tokens[open - 1] : before;
		return head->kind == TOKEN_WORD && !is(head, "return");
	}
	return before->kind == TOKEN_WORD || is_other(before, "{};,");
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
	if (t->text[0] == '_' || is_in(t, others, sizeof others / sizeof others[0]))
		return false;
	for (size_t k = i; is_type(t) && is_counter(c, i) && k < c->count && !is(&c->tokens[k], ";"); k++) {
		if (is(&c->tokens[k], ","))
			return false;
	}
	for (size_t k = 0; k < VECTOR_TYPES; k++) {
		if (!is(t, vector_types[k].name))
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
	const bool ends_value = before->kind == TOKEN_NUMBER || is(before, ")") || is(before, "]") ||
				(before->kind == TOKEN_WORD && !is_keyword(before) && !is_type(before));
	if (is_other(t, "\\#$@`"))
		return false;
	/* Pointers. */
	if (is_other(t, "*&") && !ends_value && !(is(t, "&") && touches(before, t) && is(before, "&")))
		return false;
	if (is(t, ">") && touches(before, t) && is(before, "-"))
		return false;
	if (is_other(t, "/%")) {
		c->has_division = c->has_division || (after->kind != TOKEN_NUMBER && find_constant(c, after) == NULL);
		/* (Of doubles a vector of divisions takes as long as the divisions.) */
		c->is_dear = c->is_dear || !c->has_float || c->number_size == 4;
	}
	/* Several expressions in one. */
	if (is(t, "(") && i > 0 && !(before->kind == TOKEN_WORD && !is(before, "return"))) {
		const size_t end = closing(c, i);
		for (size_t k = i + 1; k < end; k++) {
			if (opens(&c->tokens[k]))
				k = closing(c, k);
			else if (is(&c->tokens[k], ","))
				return false;
		}
	}
	if (is(t, "?")) {
		c->has_choice = true;
		return is_pure_choice(c, i) && judge_choice(c, i);
	}
	return !is(t, "{") || i == 0 || may_open(c, i);
}

/* Judges what if, while and for ask, if one of them is at i: a comparison there is one of numbers, for of vectors it is no C. But the last
 * one alone is asked for, and what is assigned may be anything. */
static bool judge_statement(struct copier *c, size_t i)
{
	const bool is_loop = is(&c->tokens[i], "for");
	size_t first = i + 2;
	if (!asks(&c->tokens[i]) || i + 1 == c->count)
		return true;
	size_t end = closing(c, i + 1);
	if (is_loop) {
		while (first < end && !is(&c->tokens[first], ";"))
			first++;
		for (size_t k = end; k > first; k--)
			end = is(&c->tokens[k - 1], ";") && k - 1 > first ? k - 1 : end;
	}
	for (size_t k = first; k < end; k++) {
		if (is(&c->tokens[k], ",") || assigns(c, k))
			return false;
		c->judged.data[k] = 1;
	}
	return true;
}

/* Whether the tokens that are copied mean the same with vectors. */
static bool may_be_copied(struct copier *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct token *t = &c->tokens[i];
		if (c->wanted.data[i] == 0)
			continue;
		if (!judge_statement(c, i))
			return false;
		if (t->kind == TOKEN_QUOTED || (t->kind == TOKEN_NUMBER && !may_be_number(c, t)) ||
		    (t->kind == TOKEN_WORD && !may_be_word(c, i)) || (t->kind == TOKEN_OTHER && !may_be_other(c, i)))
			return false;
	}
	for (size_t i = 0; i < c->count; i++) {
		const struct token *t = &c->tokens[i];
		if (c->wanted.data[i] == 0)
			continue;
		const size_t size = logical_size(c, i, c->count);
		if (size > 0 && c->judged.data[i] == 0)
			return false;
		i += size > 1;
		const bool is_call = t->kind == TOKEN_WORD && i + 1 < c->count && is(t + 1, "(") && !is_keyword(t) &&
				     !is(t, "combine");
		if (is_call && !is_function(c, t) && !is_own_function(c, t))
			return false;
		c->is_dear = c->is_dear || is_call || is(t, "for") || is(t, "while");
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
	if (i > 0 && !touches(t - 1, t))
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

/* Whether directives are nothing but macros that stand for numbers, each once, and tokens are what the compiler takes for them: no lines
 * are spliced, and nothing is written in other signs than its own. */
static bool is_plain(struct copier *c, const char *text, size_t size)
{
	static const char *const others[] = {"%:", "%>", "<%", "<:", ":>", "??"};
	bool plain = c->directive_count == c->constant_count && !tokens_may_be_spliced(text, size);
	for (size_t i = 0; i + 1 < size; i++) {
		for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
			plain = plain && memcmp(text + i, others[k], 2) != 0;
	}
	for (size_t i = 0; i < c->count && plain; i++)
		plain = !is(&c->tokens[i], "_Pragma") && !is(&c->tokens[i], "__pragma");
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
