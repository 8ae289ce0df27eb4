/* From an expression's tree to steps. */
#include "language/expression.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/word.h"
#include "language/expression_pitfalls.h"
#include "language/expression_steps.h"
#include "language/types.h"

/* The kinds of functions, by their operands. */
enum function_kind {
	OF_ANY, /* Numbers of any type, all of the same. */
	OF_FLOATS,
};

static const struct function {
	const char *name;
	enum step_code code;
	enum function_kind kind;
	size_t operands;
	bool is_exact;
} functions[] = {
	{"abs", STEP_ABS, OF_ANY, 1, true},         {"min", STEP_MIN, OF_ANY, 2, true},
	{"max", STEP_MAX, OF_ANY, 2, true},         {"floor", STEP_FLOOR, OF_FLOATS, 1, true},
	{"ceil", STEP_CEIL, OF_FLOATS, 1, true},    {"trunc", STEP_TRUNC, OF_FLOATS, 1, true},
	{"round", STEP_ROUND, OF_FLOATS, 1, true},  {"sqrt", STEP_SQRT, OF_FLOATS, 1, false},
	{"fma", STEP_FMA, OF_FLOATS, 3, false},     {"exp", STEP_EXP, OF_FLOATS, 1, false},
	{"log", STEP_LOG, OF_FLOATS, 1, false},     {"log2", STEP_LOG2, OF_FLOATS, 1, false},
	{"log10", STEP_LOG10, OF_FLOATS, 1, false}, {"pow", STEP_POW, OF_FLOATS, 2, false},
	{"sin", STEP_SIN, OF_FLOATS, 1, false},     {"cos", STEP_COS, OF_FLOATS, 1, false},
	{"tan", STEP_TAN, OF_FLOATS, 1, false},     {"atan2", STEP_ATAN2, OF_FLOATS, 2, false},
	{"hypot", STEP_HYPOT, OF_FLOATS, 2, false}, {"isnan", STEP_IS_NAN, OF_FLOATS, 1, false},
};

/* Operators of two operands. */
static const struct binary {
	const char *sign;
	enum step_code code;
	bool is_swapped; /* a > b is b < a. */
	bool is_truth;
	bool is_exact;
	bool of_integers;
} binaries[] = {
	{"+", STEP_ADD, false, false, true, false},         {"-", STEP_SUBTRACT, false, false, true, false},
	{"*", STEP_MULTIPLY, false, false, true, false},    {"/", STEP_DIVIDE, false, false, false, false},
	{"%", STEP_REMAINDER, false, false, false, true},   {"&", STEP_AND, false, false, false, true},
	{"|", STEP_OR, false, false, false, true},          {"^", STEP_XOR, false, false, false, true},
	{"<<", STEP_SHIFT_LEFT, false, false, false, true}, {">>", STEP_SHIFT_RIGHT, false, false, false, true},
	{"==", STEP_EQUAL, false, true, true, false},       {"!=", STEP_NOT_EQUAL, false, true, true, false},
	{"<", STEP_LESS, false, true, true, false},         {"<=", STEP_LESS_EQUAL, false, true, true, false},
	{">", STEP_LESS, true, true, true, false},          {">=", STEP_LESS_EQUAL, true, true, true, false},
};

static bool refuse(struct compiler *c, const struct node *n, const char *why)
{
	return expression_refuse(c->error, c->text, n->token, why);
}

/* --- The tree ---------------------------------------------------------------------------------------------------- */

static bool compile(struct compiler *c, const struct node *n, uint16_t mask, struct operand *o);

/* Refuses an operator or a function, with its name before `why`. */
static bool refuse_word(struct compiler *c, const struct node *n, const char *why)
{
	char text[sizeof c->error->why];
	(void)snprintf(text, sizeof text, "%.*s %s", (int)(n->token->size < 40 ? n->token->size : 40), n->token->text,
		       why);
	return refuse(c, n, text);
}

static bool not_exact(struct compiler *c, const struct node *n)
{
	c->error->is_not_exact = true;
	return refuse_word(c, n, "has no exact decimal result (see -t f64)");
}

static bool only_for_device(struct compiler *c, const struct node *n, const char *why)
{
	c->error->may_be_for_device = true;
	return refuse(c, n, why);
}

/* Makes *o, a number, a truth: whether it is not 0. */
static bool make_truth(struct compiler *c, const struct node *n, struct operand *o)
{
	if (o->is_truth)
		return true;
	if (!expression_promote(c, n, o))
		return false;
	struct operand both[2] = {*o};
	const uint8_t type = o->type;
	*o = (struct operand){.type = TYPE_I32, .is_truth = true};
	return expression_put_small(c, n, (enum type_id)type, 0, &both[1]) &&
	       expression_put(c, n, step_of(STEP_NOT_EQUAL, type), both, 2, o);
}

/* Whether an element may be bad because of an expression. */
static bool may_be_bad(const struct node *n)
{
	bool may = n->kind == NODE_CAST ||
		   (n->kind == NODE_BINARY && (token_is(n->token, "/") || token_is(n->token, "%")));
	for (const struct node *child = n->child; child != NULL && !may; child = child->next)
		may = may_be_bad(child);
	return may;
}

static struct operand borrow(const struct operand *o)
{
	struct operand borrowed = *o;
	borrowed.is_borrowed = true;
	return borrowed;
}

/* The opposite of a truth. */
static bool put_opposite(struct compiler *c, const struct node *n, const struct operand *truth, struct operand *o)
{
	struct operand both[2] = {*truth};
	*o = (struct operand){.type = TYPE_I32, .is_truth = true};
	return expression_put_small(c, n, TYPE_I32, 0, &both[1]) &&
	       expression_put(c, n, step_of(STEP_EQUAL, TYPE_I32), both, 2, o);
}

static bool put_both(struct compiler *c, const struct node *n, enum step_code code, const struct operand *a,
		     const struct operand *b, struct operand *o)
{
	const struct operand both[2] = {*a, *b};
	*o = (struct operand){.type = TYPE_I32, .is_truth = true};
	return expression_put(c, n, step_of(code, TYPE_I32), both, 2, o);
}

/* Compiles a part that is evaluated only where `truth` is as `wanted`, and only inside of `mask`. */
static bool compile_guarded(struct compiler *c, const struct node *n, const struct operand *truth, bool wanted,
			    uint16_t mask, struct operand *o)
{
	struct operand guard = borrow(truth);
	if (!may_be_bad(n))
		return compile(c, n, SLOT_NONE, o);
	if (!wanted && !put_opposite(c, n, &guard, &guard))
		return false;
	if (mask != SLOT_NONE) {
		const struct operand outer = {.slot = mask, .type = TYPE_I32, .is_truth = true, .is_borrowed = true};
		if (!put_both(c, n, STEP_AND, &guard, &outer, &guard))
			return false;
	}
	if (!compile(c, n, guard.slot, o))
		return false;
	expression_release(c, &guard);
	return true;
}

/* && and ||. */
static bool compile_logical(struct compiler *c, const struct node *n, bool is_and, uint16_t mask, struct operand *o)
{
	struct operand a;
	struct operand b;
	return compile(c, n->child, mask, &a) && make_truth(c, n, &a) &&
	       compile_guarded(c, n->child->next, &a, is_and, mask, &b) && make_truth(c, n, &b) &&
	       put_both(c, n, is_and ? STEP_AND : STEP_OR, &a, &b, o);
}

static bool compile_choice(struct compiler *c, const struct node *n, uint16_t mask, struct operand *o)
{
	struct operand all[3];
	const struct node *yes = n->child->next;
	if (!compile(c, n->child, mask, &all[0]) || !make_truth(c, n, &all[0]) ||
	    !compile_guarded(c, yes, &all[0], true, mask, &all[1]) || !expression_promote(c, n, &all[1]) ||
	    !compile_guarded(c, yes->next, &all[0], false, mask, &all[2]) || !expression_promote(c, n, &all[2]) ||
	    !expression_bring_together(c, n, false, all + 1, 2))
		return false;
	*o = (struct operand){.type = all[1].type, .is_truth = all[1].is_truth && all[2].is_truth};
	return expression_put(c, n, step_of(STEP_CHOOSE, o->type), all, 3, o);
}

static bool compile_binary(struct compiler *c, const struct node *n, uint16_t mask, struct operand *o)
{
	struct operand both[2];
	const struct binary *b = NULL;
	if (token_is(n->token, "&&") || token_is(n->token, "||"))
		return compile_logical(c, n, token_is(n->token, "&&"), mask, o);
	for (size_t i = 0; i < sizeof binaries / sizeof binaries[0] && b == NULL; i++)
		b = token_is(n->token, binaries[i].sign) ? &binaries[i] : NULL;
	assert(b != NULL);
	if (c->is_exact && !b->is_exact)
		return not_exact(c, n);
	if (!compile(c, n->child, mask, &both[0]) || !expression_promote(c, n, &both[0]) ||
	    !compile(c, n->child->next, mask, &both[1]) || !expression_promote(c, n, &both[1]))
		return false;
	if (b->of_integers && (expression_is_float(both[0].type) || expression_is_float(both[1].type)))
		return refuse_word(c, n, "needs integers");
	const bool shifts = b->code == STEP_SHIFT_LEFT || b->code == STEP_SHIFT_RIGHT;
	const bool to_floats = c->is_num && b->code == STEP_DIVIDE && !expression_is_float(both[0].type) &&
			       !expression_is_float(both[1].type);
	if (shifts ? !expression_convert(c, n, (enum type_id)both[0].type, SLOT_NONE, &both[1])
		   : !expression_bring_together(c, n, to_floats, both, 2))
		return false;
	const bool may_fail = b->code == STEP_DIVIDE || b->code == STEP_REMAINDER;
	const struct step step = {.code = (uint8_t)b->code, .type = both[0].type, .mask = may_fail ? mask : SLOT_NONE};
	*o = (struct operand){.type = b->is_truth ? TYPE_I32 : both[0].type, .is_truth = b->is_truth};
	if (b->is_swapped)
		return expression_put(c, n, step, (struct operand[]){both[1], both[0]}, 2, o);
	return expression_put(c, n, step, both, 2, o);
}

static bool compile_prefix(struct compiler *c, const struct node *n, uint16_t mask, struct operand *o)
{
	const char sign = n->token->text[0];
	struct operand a;
	if (n->token->size > 1)
		return refuse(c, n, "an expression cannot assign (to compare, write ==)");
	if (c->is_exact && sign == '~')
		return not_exact(c, n);
	if (!compile(c, n->child, mask, &a))
		return false;
	if (sign == '!')
		return make_truth(c, n, &a) && put_opposite(c, n, &a, o);
	if (!expression_promote(c, n, &a))
		return false;
	if (sign == '~' && expression_is_float(a.type))
		return refuse_word(c, n, "needs integers");
	if (c->is_exact && !expression_convert(c, n, TYPE_I128, SLOT_NONE, &a))
		return false;
	*o = (struct operand){.slot = a.slot, .type = a.type, .is_borrowed = a.is_borrowed};
	if (sign == '+')
		return true;
	return expression_put(c, n, step_of(sign == '-' ? STEP_MINUS : STEP_NOT, a.type), &a, 1, o);
}

/* A function that the host does not have: perhaps another one is meant. */
static bool no_function(struct compiler *c, const struct node *n)
{
	size_t limit = 2; /* (cbrt is OpenCL C's, not sqrt misspelt.) */
	const char *nearest = NULL;
	char why[sizeof c->error->why];
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
		const char *name = functions[i].name;
		if (word_is_nearer(n->token->text, n->token->size, name, strlen(name), &limit))
			nearest = name;
	}
	(void)snprintf(why, sizeof why, "the host has no function of this name%s%s",
		       nearest != NULL ? ": perhaps " : "", nearest != NULL ? nearest : "");
	return only_for_device(c, n, why);
}

static bool compile_call(struct compiler *c, const struct node *n, uint16_t mask, struct operand *o)
{
	const struct function *f = NULL;
	struct operand arguments[3];
	size_t count = 0;
	for (size_t i = 0; i < sizeof functions / sizeof functions[0] && f == NULL; i++)
		f = token_is(n->token, functions[i].name) ? &functions[i] : NULL;
	if (f == NULL)
		return no_function(c, n);
	for (const struct node *child = n->child; child != NULL; child = child->next)
		count++;
	if (count != f->operands) {
		(void)snprintf(c->error->why, sizeof c->error->why, "%s has %zu operand%s, not %zu", f->name,
			       f->operands, f->operands == 1 ? "" : "s", count);
		char why[sizeof c->error->why];
		memcpy(why, c->error->why, sizeof why);
		return refuse(c, n, why);
	}
	if (c->is_exact && !f->is_exact)
		return not_exact(c, n);
	uint8_t given = TYPE_I32; /* The type of all arguments, or one that is not narrow. */
	count = 0;
	for (const struct node *child = n->child; child != NULL; child = child->next, count++) {
		if (!compile(c, child, mask, &arguments[count]))
			return false;
		given = count == 0 || arguments[count].type == given ? arguments[count].type : TYPE_I32;
		if (!expression_promote(c, n, &arguments[count]))
			return false;
	}
	if (!expression_bring_together(c, n, f->kind == OF_FLOATS, arguments, count))
		return false;
	const struct step step = step_of(f->code, arguments[0].type);
	*o = (struct operand){.type = step.type};
	if (f->code == STEP_IS_NAN)
		*o = (struct operand){.type = TYPE_I32, .is_truth = true};
	else if (f->code == STEP_ABS && !c->is_num)
		o->type = (uint8_t)type_unsigned(&type_table[step.type])->id;
	if (!expression_put(c, n, step, arguments, count, o))
		return false;
	/* abs, min and max of narrow integers are narrow, too. */
	const struct type *t = &type_table[given];
	return f->kind != OF_ANY || t->size >= 4 ||
	       expression_convert(c, n, (f->code == STEP_ABS ? type_unsigned(t) : t)->id, SLOT_NONE, o);
}

static bool compile_name(struct compiler *c, const struct node *n, uint16_t mask, struct operand *o)
{
	(void)mask;
	const struct text_part written = expression_text_written(c->text, n->token);
	for (size_t i = 0; i < c->name_count; i++) {
		const struct text_part *name = &c->names[i].name;
		if (name->size != written.size || memcmp(name->text, written.text, name->size) != 0)
			continue;
		c->used[i] = true;
		const enum type_id type = c->names[i].type->id;
		*o = (struct operand){.slot = (uint16_t)i,
				      .type = (uint8_t)(c->is_num && type == TYPE_U64 ? TYPE_I64 : type)};
		return true;
	}
	c->error->is_unknown_name = true;
	c->error->may_be_for_device = expression_is_constant(&written);
	if (type_of_word(n->token) != NULL) {
		char why[sizeof c->error->why];
		(void)snprintf(why, sizeof why, "this is a type; in --map a field of this name is {%.*s}",
			       (int)n->token->size, n->token->text);
		return refuse(c, n, why);
	}
	return refuse(c, n, written.text[0] == '{' ? "no field has this name" : "this name means nothing here");
}

static bool compile_number(struct compiler *c, const struct node *n, uint16_t mask, struct operand *o)
{
	(void)mask;
	struct expression_constant constant;
	if (c->is_exact ? !expression_decimal(n->token, &constant)
			: !expression_number(c->text, n->token, c->is_num, &constant, c->error))
		return c->is_exact && not_exact(c, n);
	return expression_put_constant(c, n, &constant, o);
}

static bool compile_cast(struct compiler *c, const struct node *n, uint16_t mask, struct operand *o)
{
	if (c->is_exact)
		return not_exact(c, n);
	return compile(c, n->child, mask, o) && expression_convert(c, n, type_of_word(n->token)->id, mask, o);
}

/* Compiles an expression. *o is its value, of any type. mask: see struct step. */
static bool compile(struct compiler *c, const struct node *n, uint16_t mask, struct operand *o)
{
	static bool (*const parts[])(struct compiler *, const struct node *, uint16_t, struct operand *) = {
		[NODE_NUMBER] = compile_number, [NODE_NAME] = compile_name,     [NODE_CALL] = compile_call,
		[NODE_CAST] = compile_cast,     [NODE_PREFIX] = compile_prefix, [NODE_BINARY] = compile_binary,
		[NODE_CHOICE] = compile_choice, [NODE_FUNCTION] = NULL,
	};
	if (n->kind == NODE_ASSIGN || n->kind == NODE_POSTFIX)
		return refuse(c, n, "an expression cannot assign (to compare, write ==)");
	if (parts[n->kind] == NULL)
		return only_for_device(c, n, "the host does not evaluate this");
	return parts[n->kind](c, n, mask, o);
}

/* --- The whole --------------------------------------------------------------------------------------------------- */

/* The number of a slot when that of constants is known. */
static uint16_t final_slot(const struct compiler *c, uint16_t slot)
{
	const size_t constants = c->constants.size / sizeof(struct expression_constant);
	if (slot == SLOT_NONE || slot < SLOTS_CONSTANTS)
		return slot;
	if (slot < SLOTS_RESULTS)
		return (uint16_t)(c->name_count + slot - SLOTS_CONSTANTS);
	return (uint16_t)(c->name_count + constants + slot - SLOTS_RESULTS);
}

/* Makes the expression of what was compiled: one block of memory. NULL after a message. */
static struct expression *make_expression(const struct compiler *c, const struct operand *value)
{
	const size_t steps = c->steps.size / sizeof(struct step);
	const size_t size = sizeof(struct expression) + c->constants.size + c->steps.size + c->name_count;
	struct expression *e = memory_new(size);
	if (e == NULL)
		return NULL;
	struct expression_constant *constants = (struct expression_constant *)(void *)(e + 1);
	struct step *all = (struct step *)(void *)((unsigned char *)constants + c->constants.size);
	bool *used = (bool *)((unsigned char *)all + c->steps.size);
	if (c->constants.size > 0)
		memcpy(constants, c->constants.data, c->constants.size);
	if (c->steps.size > 0)
		memcpy(all, c->steps.data, c->steps.size);
	memcpy(used, c->used, c->name_count);
	for (size_t i = 0; i < steps; i++) {
		all[i].to = final_slot(c, all[i].to);
		all[i].mask = final_slot(c, all[i].mask);
		for (size_t k = 0; k < 3; k++)
			all[i].in[k] = final_slot(c, all[i].in[k]);
	}
	*e = (struct expression){.input_count = c->name_count,
				 .constant_count = c->constants.size / sizeof *constants,
				 .step_count = steps,
				 .result = final_slot(c, value->slot),
				 .type = &type_table[value->type],
				 .is_exact = c->is_exact,
				 .constants = constants,
				 .steps = all,
				 .used = used};
	e->slot_count = c->name_count + e->constant_count + c->results;
	return e;
}

/* Whether `at` closes a bracket that no token from `first` on has opened. */
static bool is_lone_bracket(const struct token *first, const struct token *at)
{
	size_t open = 0;
	for (const struct token *t = first; t < at; t++)
		open += token_opens(t) ? 1 : token_closes(t) && open > 0 ? SIZE_MAX : 0;
	return token_closes(at) && open == 0;
}

/* Says where the tokens stop being an expression. */
static bool refuse_syntax(struct expression_error *error, const struct expression_text *t, const struct parser *p)
{
	const struct token *at = p->failed != NULL ? p->failed : p->next;
	const bool is_end = at >= p->end;
	for (const struct token *word = tokens_first(&t->tokens); word < p->end; word++) {
		const struct text_part name = token_part(word);
		error->may_be_for_device = error->may_be_for_device || expression_is_other_type(&name);
	}
	const char *expected = p->failed != NULL && p->expected != NULL ? p->expected : "an operator";
	if (parser_is_over_limit(expected))
		return expression_refuse(error, t, is_end ? p->end - 1 : at, expected);
	if (!is_end && is_lone_bracket(tokens_first(&t->tokens), at))
		return expression_refuse(error, t, at, "a bracket is closed that is not open");
	char why[sizeof error->why];
	(void)snprintf(why, sizeof why, is_end ? "%s is missing at the end" : "expected %s here", expected);
	(void)expression_refuse(error, t, is_end ? p->end - 1 : at, why);
	if (is_end) {
		error->place += error->size;
		error->size = 0;
	}
	return false;
}

/* Parses and compiles the tokens. */
static bool compile_all(struct compiler *c, struct parser *p, const struct expression_terms *terms,
			struct operand *value)
{
	const struct expression_pitfalls pitfalls = {.text = c->text, .terms = terms, .error = c->error};
	if (c->name_count > SLOTS_MAX)
		return expression_refuse(c->error, c->text, tokens_first(&c->text->tokens), "there are too many names");
	memset(c->used, 0, c->name_count);
	struct node *tree = parse_expression(p);
	if (tree == NULL || p->next < p->end)
		return refuse_syntax(c->error, c->text, p);
	return expression_avoids_pitfalls(&pitfalls, tree) && compile(c, tree, SLOT_NONE, value) &&
	       expression_convert(c, tree, terms->type->id, SLOT_NONE, value);
}

enum status expression_new(const char *text, size_t size, const struct expression_terms *terms,
			   struct expression **expression, struct expression_error *error)
{
	struct expression_text t;
	struct compiler *c = memory_new(sizeof *c);
	struct parser parser;
	struct operand value;
	*expression = NULL;
	if (c == NULL)
		return STATUS_SYSTEM;
	memset(c, 0, offsetof(struct compiler, used));
	c->text = &t;
	c->names = terms->names;
	c->name_count = terms->name_count;
	c->is_exact = terms->type->id == TYPE_I128;
	c->is_num = terms->is_num && !c->is_exact;
	c->error = error;
	enum status status = expression_begin(text, size, &t, &parser, error);
	if (status == STATUS_OK && !compile_all(c, &parser, terms, &value))
		status = c->lacks_memory ? STATUS_SYSTEM : STATUS_USAGE;
	if (status == STATUS_OK) {
		*expression = make_expression(c, &value);
		status = *expression != NULL ? STATUS_OK : STATUS_SYSTEM;
	}
	parser_free(&parser);
	expression_text_free(&t);
	bytes_free(&c->steps);
	bytes_free(&c->constants);
	memory_free(c);
	return status;
}

void expression_note_bad(const struct expression *e, bool *divides, bool *converts)
{
	for (size_t i = 0; e != NULL && i < e->step_count; i++) {
		const struct step *s = &e->steps[i];
		const bool is_integer = type_table[s->type].kind != KIND_FLOAT;
		const bool is_exact = s->type == TYPE_I128;
		*divides = *divides || (is_integer && (s->code == STEP_DIVIDE || s->code == STEP_REMAINDER));
		*converts = *converts || (is_integer && !is_exact && s->code == STEP_CONVERT &&
					  type_table[s->from].kind == KIND_FLOAT);
	}
}
