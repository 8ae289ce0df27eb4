/* Walks the tree once, from the leaves up. For each part it is known whether its value is an integer, and whether it
 * is constant. */
#include "language/expression_pitfalls.h"

#include <stdio.h>
#include <string.h>

#include "language/types.h"

/* What is known of a part's value. All zero: it may be a float. */
struct known {
	bool is_integer, is_constant;
	enum type_id type; /* of an integer: i32, u32, i64 or u64 */
	int128 value; /* of a constant */
};

/* --- Messages ---------------------------------------------------------------------------------------------------- */

/* The tokens of a part, brackets included. */
struct extent {
	const struct token *first, *last;
};

static void widen(struct extent *x, const struct node *n)
{
	x->first = n->token < x->first ? n->token : x->first;
	x->last = n->token > x->last ? n->token : x->last;
	for (const struct node *child = n->child; child != NULL; child = child->next)
		widen(x, child);
}

/* Brackets are no nodes: those that a node's tokens open or close stand right beside them. */
static struct extent extent_of(const struct node *n)
{
	struct extent x = {n->token, n->token};
	size_t open = 0;
	widen(&x, n);
	const struct token *first = x.first;
	for (const struct token *t = first; t <= x.last; t++) {
		open += token_opens(t);
		if (token_closes(t) && open > 0)
			open--;
		else if (token_closes(t))
			x.first--;
	}
	x.last += open;
	return x;
}

static struct text_part text_of(const struct expression_pitfalls *c, struct extent x)
{
	struct text_part text = expression_text_written(c->text, x.first);
	text.size = (size_t)(x.last->text + x.last->size - x.first->text);
	return text;
}

/* A part that a message shows has at most that many bytes. */
#define SHOWN_MAX 40

/* Refuses a part: "'PART' WHY: ADVICE". */
static bool refuse(const struct expression_pitfalls *c, struct extent x, const char *why, const char *advice)
{
	const struct text_part part = text_of(c, x);
	const bool is_short = part.size <= SHOWN_MAX;
	struct expression_error *error = c->error;
	(void)expression_refuse(error, c->text, x.first, "");
	error->may_be_for_device = false;
	error->size = part.size;
	const char *mark = is_short ? "'" : "";
	(void)snprintf(error->why, sizeof error->why, "%s%s%.*s%s %s%s%s", is_short ? "" : "this", mark,
		       is_short ? (int)part.size : 0, part.text, mark, why, advice[0] != '\0' ? ": " : "", advice);
	return false;
}

/* Whether a token is a decimal integer without a suffix. */
static bool is_plain_integer(const struct token *t)
{
	bool is = t->kind == TOKEN_NUMBER && (t->text[0] != '0' || t->size == 1);
	for (size_t i = 0; i < t->size; i++)
		is = is && t->text[i] >= '0' && t->text[i] <= '9';
	return is;
}

/* Advises to write an operation with a suffix at its first plain integer that has no cast, or is shifted. */
static void advise_suffix(const struct expression_pitfalls *c, const struct node *n, const char *suffix, char *advice,
			  size_t size)
{
	const struct extent x = extent_of(n);
	const struct token *last = token_is(n->token, "<<") ? n->token : x.last;
	const struct text_part part = text_of(c, x);
	const struct token *t = x.first;
	while (t <= last && (!is_plain_integer(t) || (t > x.first && token_is(t - 1, ")"))))
		t++;
	if (t > last || part.size > SHOWN_MAX) {
		(void)snprintf(advice, size, "write a number of it with %s", suffix);
		return;
	}
	const size_t before = (size_t)(t->text + t->size - x.first->text);
	(void)snprintf(advice, size, "write %.*s%s%.*s", (int)before, part.text, suffix, (int)(part.size - before),
		       part.text + before);
}

/* Refuses a constant that does not fit in its type. */
static bool refuse_overflow(const struct expression_pitfalls *c, const struct node *n, enum type_id type, int128 value)
{
	char why[64];
	char advice[128] = "";
	const size_t bits = 8 * type_table[type].size;
	(void)snprintf(why, sizeof why, "does not fit in %zu bits", bits);
	if (bits == 32 && value >= INT64_MIN && value <= INT64_MAX)
		advise_suffix(c, n, "L", advice, sizeof advice);
	else if (c->terms->type->kind == KIND_FLOAT && !token_is(n->token, "<<"))
		advise_suffix(c, n, ".0", advice, sizeof advice);
	return refuse(c, extent_of(n), why, advice);
}

/* --- Integers ---------------------------------------------------------------------------------------------------- */

static struct known integer_of(const struct expression_pitfalls *c, enum type_id type)
{
	const size_t least = c->terms->is_num ? 8 : 4; /* bytes, after promotion */
	const enum type_id promoted = c->terms->is_num ? TYPE_I64 : TYPE_I32;
	return (struct known){.is_integer = true, .type = type_table[type].size < least ? promoted : type};
}

/* Products and powers of two may need all 128 bits where the type is unsigned. */
static int128 product(int128 a, int128 b)
{
	return (int128)((uint128)a * (uint128)b);
}

/* A value as a type has it. */
static int128 wrapped(enum type_id type, int128 value)
{
	union value v = {.u64 = 0};
	const struct type *t = &type_table[type];
	type_put_integer(t, (uint64_t)value, &v);
	return t->kind == KIND_SIGNED ? (int128)(int64_t)type_integer(t, &v) : (int128)type_integer(t, &v);
}

/* Sets *k to a constant that was computed. */
static bool set_constant(const struct expression_pitfalls *c, const struct node *n, int128 value, struct known *k)
{
	k->is_constant = true;
	k->value = wrapped(k->type, value);
	if (type_table[k->type].kind == KIND_SIGNED && k->value != value)
		return refuse_overflow(c, n, k->type, value);
	return true;
}

static struct known common_of(const struct known *a, const struct known *b)
{
	struct known k = {.is_integer = a->is_integer && b->is_integer};
	/* (Types are in this order.) */
	_Static_assert((int)TYPE_I32 < (int)TYPE_U32 && (int)TYPE_U32 < (int)TYPE_I64 && (int)TYPE_I64 < (int)TYPE_U64,
		       "the type that gives way comes first");
	k.type = a->type > b->type ? a->type : b->type;
	return k;
}

static bool refuse_division(const struct expression_pitfalls *c, const struct node *n, int128 quotient)
{
	char why[64];
	char advice[128];
	(void)snprintf(why, sizeof why, "divides integers and gives %lld", (long long)quotient);
	advise_suffix(c, n, ".0", advice, sizeof advice);
	return refuse(c, extent_of(n), why, advice);
}

static bool divide(const struct expression_pitfalls *c, const struct node *n, const struct known *a,
		   const struct known *b, struct known *k)
{
	const bool is_remainder = token_is(n->token, "%");
	char advice[128];
	if (c->terms->is_num && !is_remainder) {
		advise_suffix(c, n, ".0", advice, sizeof advice);
		*k = (struct known){.is_integer = false};
		return !c->is_for_device || refuse(c, extent_of(n), "divides integers on a device", advice);
	}
	if (!a->is_constant || !b->is_constant)
		return true;
	const int128 divisor = wrapped(k->type, b->value);
	const int128 dividend = wrapped(k->type, a->value);
	if (divisor == 0)
		return refuse(c, extent_of(n), "divides by 0", "");
	if (!is_remainder && dividend % divisor != 0)
		return refuse_division(c, n, dividend / divisor);
	return set_constant(c, n, is_remainder ? dividend % divisor : dividend / divisor, k);
}

static bool shift(const struct expression_pitfalls *c, const struct node *n, const struct known *a,
		  const struct known *b, struct known *k)
{
	k->type = a->type;
	if (!a->is_constant || !b->is_constant || b->value < 0)
		return true;
	const int128 value = product(a->value, (int128)1 << (b->value < 64 ? b->value : 64));
	if (b->value >= 8 * (int128)type_table[k->type].size)
		return refuse_overflow(c, n, k->type, value);
	return set_constant(c, n, value, k);
}

static bool compute(const struct expression_pitfalls *c, const struct node *n, const struct known *a,
		    const struct known *b, struct known *k)
{
	const char sign = n->token->text[0];
	*k = common_of(a, b);
	if (!k->is_integer)
		return true;
	if (sign == '/' || sign == '%')
		return divide(c, n, a, b, k);
	if (token_is(n->token, "<<"))
		return shift(c, n, a, b, k);
	if (token_is(n->token, ">>"))
		k->type = a->type;
	if (!a->is_constant || !b->is_constant || strchr("+-*", sign) == NULL)
		return true;
	const int128 x = wrapped(k->type, a->value);
	const int128 y = wrapped(k->type, b->value);
	return set_constant(c, n, sign == '+' ? x + y : sign == '-' ? x - y : product(x, y), k);
}

/* --- Comparisons ------------------------------------------------------------------------------------------------- */

static bool is_comparison(const struct node *n)
{
	static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
	return n->kind == NODE_BINARY && TOKEN_IS_AMONG(n->token, signs);
}

/* Whether an operand stands in brackets: one is closed, or opened, between its sign and that of its parent. */
static bool is_in_brackets(const struct node *operand, const struct node *parent)
{
	const bool is_left = operand->token < parent->token;
	const struct token *first = is_left ? operand->token : parent->token;
	const struct token *end = is_left ? parent->token : operand->token;
	long open = 0;
	long least = 0;
	for (const struct token *t = first; t < end; t++) {
		open += token_opens(t);
		open -= token_closes(t);
		least = open < least ? open : least;
	}
	return is_left ? least < 0 : open > 0;
}

static bool check_comparison(const struct expression_pitfalls *c, const struct node *n)
{
	const struct node *left = n->child;
	const struct node *right = left->next;
	char advice[128] = "put brackets around one of them, or write two of them with &&";
	if (is_comparison(right) && !is_in_brackets(right, n))
		return refuse(c, extent_of(n), "compares a comparison", advice);
	if (!is_comparison(left) || is_in_brackets(left, n))
		return true;
	const struct text_part first = text_of(c, extent_of(left));
	const struct text_part middle = text_of(c, extent_of(left->child->next));
	const struct text_part second = text_of(c, (struct extent){n->token, extent_of(right).last});
	if (first.size + middle.size + second.size <= 2 * SHOWN_MAX)
		(void)snprintf(advice, sizeof advice, "write %.*s && %.*s %.*s", (int)first.size, first.text,
			       (int)middle.size, middle.text, (int)second.size, second.text);
	return refuse(c, extent_of(n), "compares a comparison", advice);
}

/* --- The tree ---------------------------------------------------------------------------------------------------- */

static bool find(const struct expression_pitfalls *c, const struct node *n, struct known *k);

static bool find_number(const struct expression_pitfalls *c, const struct node *n, struct known *k)
{
	struct expression_constant constant;
	struct expression_error unknown = {.place = 0};
	const bool is_plain = is_plain_integer(n->token);
	if (c->terms->type->id == TYPE_I128)
		return true;
	if (!expression_number(c->text, n->token, c->terms->is_num, &constant, &unknown)) {
		*c->error = c->terms->is_num && is_plain ? unknown : *c->error;
		return !c->terms->is_num || !is_plain;
	}
	const struct type *t = &type_table[constant.type];
	if (t->kind == KIND_FLOAT)
		return true;
	*k = integer_of(c, constant.type);
	k->is_constant = true;
	k->value = wrapped(constant.type, (int128)type_integer(t, &constant.value));
	return true;
}

static void find_name(const struct expression_pitfalls *c, const struct node *n, struct known *k)
{
	const struct text_part written = expression_text_written(c->text, n->token);
	for (size_t i = 0; i < c->terms->name_count; i++) {
		const struct text_part *name = &c->terms->names[i].name;
		const struct type *t = c->terms->names[i].type;
		if (name->size != written.size || memcmp(name->text, written.text, name->size) != 0)
			continue;
		if (t->kind != KIND_FLOAT && t->id != TYPE_I128)
			*k = integer_of(c, c->terms->is_num && t->id == TYPE_U64 ? TYPE_I64 : t->id);
		return;
	}
}

static bool find_prefix(const struct expression_pitfalls *c, const struct node *n, const struct known *a,
			struct known *k)
{
	if (token_is(n->token, "!")) {
		*k = integer_of(c, TYPE_I32);
		return true;
	}
	*k = *a;
	k->is_constant = a->is_constant && n->token->size == 1 && !token_is(n->token, "~");
	return !k->is_constant || set_constant(c, n, token_is(n->token, "-") ? -a->value : a->value, k);
}

static void find_cast(const struct expression_pitfalls *c, const struct node *n, const struct known *a, struct known *k)
{
	const struct type *t = type_of_word(n->token);
	if (t == NULL || t->kind == KIND_FLOAT)
		return;
	*k = integer_of(c, t->id);
	k->is_constant = a->is_constant;
	k->value = a->is_constant ? wrapped(t->id, a->value) : 0;
}

/* Functions whose type is that of their operands, and those that give truth. Others give floats, as far as is known. */
static bool find_call(const struct expression_pitfalls *c, const struct node *n, const struct known *all,
		      struct known *k)
{
	static const char *const same[] = {"abs", "min", "max"};
	if (token_is(n->token, "isnan"))
		*k = integer_of(c, TYPE_I32);
	else if (n->child != NULL && TOKEN_IS_AMONG(n->token, same))
		*k = n->child->next != NULL ? common_of(&all[0], &all[1]) : all[0];
	k->is_constant = false;
	if (token_is(n->token, "abs") && k->is_integer && type_table[k->type].kind == KIND_SIGNED && c->terms->is_num &&
	    c->is_for_device)
		return refuse(c, extent_of(n), "has no sign on a device", "write fabs((double)(...))");
	if (token_is(n->token, "abs") && k->is_integer && !c->terms->is_num)
		k->type = type_unsigned(&type_table[k->type])->id;
	return true;
}

/* Finds what is known of a part, after its own parts. */
static bool find(const struct expression_pitfalls *c, const struct node *n, struct known *k)
{
	struct known all[3];
	size_t count = 0;
	memset(all, 0, sizeof all);
	*k = all[0];
	for (const struct node *child = n->child; child != NULL; child = child->next, count++) {
		struct known one;
		if (!find(c, child, &one))
			return false;
		all[count < 3 ? count : 2] = one;
	}
	if (is_comparison(n) || (n->kind == NODE_BINARY && n->token->size == 2 && strchr("&|", n->token->text[0]))) {
		*k = integer_of(c, TYPE_I32);
		return !is_comparison(n) || check_comparison(c, n);
	}
	if (n->kind == NODE_NUMBER)
		return find_number(c, n, k);
	if (n->kind == NODE_BINARY)
		return compute(c, n, &all[0], &all[1], k);
	if (n->kind == NODE_PREFIX)
		return find_prefix(c, n, &all[0], k);
	if (n->kind == NODE_CALL)
		return find_call(c, n, all, k);
	if (n->kind == NODE_NAME)
		find_name(c, n, k);
	else if (n->kind == NODE_CAST)
		find_cast(c, n, &all[0], k);
	else if (n->kind == NODE_CHOICE)
		*k = common_of(&all[1], &all[2]);
	return true;
}

bool expression_avoids_pitfalls(const struct expression_pitfalls *c, const struct node *tree)
{
	struct known k;
	return find(c, tree, &k);
}

/* --- Texts ------------------------------------------------------------------------------------------------------- */

static bool is_type(const void *context, const struct token *word)
{
	(void)context;
	return word->kind == TOKEN_WORD && type_of_word(word) != NULL;
}

enum status expression_begin(const char *text, size_t size, struct expression_text *t, struct parser *parser,
			     struct expression_error *error)
{
	*parser = (struct parser){.next = NULL};
	const enum status status = expression_text_read(text, size, t, error);
	const struct token *first = tokens_first(&t->tokens);
	if (status != STATUS_OK)
		return status;
	parser->is_type = is_type;
	return parser_begin(parser, first, first + tokens_count(&t->tokens));
}

enum status expression_check_for_device(const char *text, size_t size, const struct expression_terms *terms,
					struct expression_error *error)
{
	struct expression_text t;
	struct parser parser;
	const struct expression_pitfalls pitfalls = {.text = &t, .terms = terms, .is_for_device = true, .error = error};
	enum status status = expression_begin(text, size, &t, &parser, error);
	const struct node *tree = status == STATUS_OK ? parse_expression(&parser) : NULL;
	if (tree != NULL && parser.next == parser.end && !expression_avoids_pitfalls(&pitfalls, tree))
		status = STATUS_USAGE;
	parser_free(&parser);
	expression_text_free(&t);
	return status;
}
