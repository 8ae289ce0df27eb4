/* Tokens are cut into external declarations (each ends with a semicolon, or with a function's body), and
 * only declarations of what is asked for are understood. Directives are passed over: what stands in a branch that a
 * condition leaves out counts as if it stood there. */
#include "scan/declarations.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "scan/row.h"
#include "scan/tokens.h"

/* A type that has a name: a number's, or a struct's. */
struct named_type {
	struct text_part name;
	bool is_tag; /* after the word struct */
	const struct type *number; /* or NULL: a struct */
	size_t size, alignment;
	/* Of a struct: */
	size_t member_count; /* those that are numbers, if is_plain */
	bool is_plain; /* at most PACKED_MAX numbers, and nothing else */
	struct text_part names[PACKED_MAX];
	const struct type *types[PACKED_MAX];
};

/* What a carry wants, if there is one. */
static const struct {
	const char *name, *result, *parameters[2];
	const char *whole;
} carry_functions[] = {
	{"carry_first", "carry", {"state"}, "carry carry_first(state total)"},
	{"carry_add", "carry", {"carry", "state"}, "carry carry_add(carry before, state total)"},
	{"carry_prefix", "state", {"carry"}, "state carry_prefix(carry before)"},
};
#define CARRY_FUNCTIONS (sizeof carry_functions / sizeof carry_functions[0])

struct reader {
	struct token_list list;
	struct bytes types; /* struct named_type */
	struct declarations *declared;
	struct declaration_error *error;
	unsigned long state_line, lift_line, combine_line, emit_line, identity_line; /* where they stand, or 0 */
	unsigned long carry_line, carry_function_lines[CARRY_FUNCTIONS];
	struct packed emit_inputs;
	size_t depth; /* of structs within each other */
};

/* Tokens of one declaration. */
struct tokens {
	const struct token *next, *end;
};

static const struct {
	const char *name;
	enum type_id id;
} number_names[] = {
	{"char", TYPE_I8},  {"uchar", TYPE_U8}, {"short", TYPE_I16}, {"ushort", TYPE_U16}, {"int", TYPE_I32},
	{"uint", TYPE_U32}, {"long", TYPE_I64}, {"ulong", TYPE_U64}, {"float", TYPE_F32},  {"double", TYPE_F64},
};
#define NUMBER_NAMES (sizeof number_names / sizeof number_names[0])

static bool part_is(const struct text_part *p, const char *text, size_t size)
{
	return p->size == size && memcmp(p->text, text, size) == 0;
}

static bool token_is(const struct token *t, const char *text)
{
	return t->size == strlen(text) && memcmp(t->text, text, t->size) == 0;
}

static bool next_is(const struct tokens *t, const char *text)
{
	return t->next < t->end && token_is(t->next, text);
}

/* Says what was expected in the place of a token, or at a text's end. */
static bool expected(struct reader *r, const struct tokens *t, const char *what)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	const struct token *last = t->next < t->end ? t->next : t->end - 1;
	r->error->line = last->line;
	if (t->next < t->end)
		(void)snprintf(r->error->why, sizeof r->error->why, "expected %s, not %s", what,
			       message_quote(quoted, t->next->text, t->next->size));
	else
		(void)snprintf(r->error->why, sizeof r->error->why, "expected %s", what);
	return false;
}

static bool refuse(struct reader *r, unsigned long line, const char *why)
{
	r->error->line = line;
	(void)snprintf(r->error->why, sizeof r->error->why, "%s", why);
	return false;
}

static bool is_one_of(const struct token *t, const char *bytes)
{
	return t->kind == TOKEN_OTHER && strchr(bytes, *t->text) != NULL;
}

/* The place after what closes the bracket there, or NULL. */
static const struct token *after_bracket(const struct token *t, const struct token *end)
{
	size_t depth = 0;
	for (; t < end; t++) {
		depth += is_one_of(t, "([{");
		depth -= is_one_of(t, ")]}");
		if (depth == 0)
			return t + 1;
	}
	return NULL;
}

/* --- Types ------------------------------------------------------------------------------------------------------- */

static const struct named_type *find_type(const struct reader *r, const struct token *name, bool is_tag)
{
	const struct named_type *types = (const struct named_type *)(const void *)r->types.data;
	for (size_t i = r->types.size / sizeof *types; i > 0; i--) {
		if (types[i - 1].is_tag == is_tag && part_is(&types[i - 1].name, name->text, name->size))
			return &types[i - 1];
	}
	return NULL;
}

/* Words that say nothing of a type. */
static bool is_qualifier(const struct token *t)
{
	static const char *const words[] = {"const",    "volatile", "static",  "inline",
					    "__inline", "extern",   "private", "__private"};
	bool is = false;
	for (size_t i = 0; i < sizeof words / sizeof words[0] && !is; i++)
		is = token_is(t, words[i]);
	return is;
}

static void skip_qualifiers(struct tokens *t)
{
	while (t->next < t->end) {
		const struct token *after = NULL;
		if (next_is(t, "__attribute__") && t->next + 1 < t->end && token_is(t->next + 1, "("))
			after = after_bracket(t->next + 1, t->end);
		else if (is_qualifier(t->next))
			after = t->next + 1;
		if (after == NULL)
			return;
		t->next = after;
	}
}

static struct named_type number_type(enum type_id id)
{
	const struct type *t = &type_table[id];
	return (struct named_type){.number = t, .size = t->size, .alignment = t->size};
}

/* unsigned, signed, and the words after them. */
static bool take_signed(struct tokens *t, struct named_type *type)
{
	static const enum type_id ids[][2] = {
		{TYPE_I8, TYPE_U8}, {TYPE_I16, TYPE_U16}, {TYPE_I32, TYPE_U32}, {TYPE_I64, TYPE_U64}};
	static const char *const words[] = {"char", "short", "int", "long"};
	if (!next_is(t, "unsigned") && !next_is(t, "signed"))
		return false;
	const bool is_unsigned = token_is(t->next++, "unsigned");
	size_t which = 0;
	while (which < 4 && !next_is(t, words[which]))
		which++;
	t->next += which < 4;
	*type = number_type(ids[which < 4 ? which : 2][is_unsigned]);
	return true;
}

#define TYPE_EXPECTED "a type, char to double or a struct of them"

static bool take_struct(struct reader *r, struct tokens *t, struct named_type *type);

/* The type at which a declaration begins. */
static bool take_type(struct reader *r, struct tokens *t, struct named_type *type)
{
	skip_qualifiers(t);
	if (t->next == t->end || t->next->kind != TOKEN_WORD)
		return expected(r, t, TYPE_EXPECTED);
	if (token_is(t->next, "struct"))
		return take_struct(r, t, type);
	bool known = take_signed(t, type);
	for (size_t i = 0; i < NUMBER_NAMES && !known; i++) {
		if (!token_is(t->next, number_names[i].name))
			continue;
		*type = number_type(number_names[i].id);
		t->next++;
		known = true;
		/* "short int" and "long int". */
		if ((type->number->id == TYPE_I16 || type->number->id == TYPE_I64) && next_is(t, "int"))
			t->next++;
	}
	if (!known) {
		const struct named_type *found = find_type(r, t->next, false);
		if (found == NULL)
			return expected(r, t, TYPE_EXPECTED);
		*type = *found;
		t->next++;
	}
	skip_qualifiers(t);
	return true;
}

/* A product of numbers, or of macros that stand for one. */
static bool take_length(struct reader *r, struct tokens *t, size_t *length)
{
	static const char what[] = "a number above 0, or a macro that is one";
	*length = 1;
	for (bool more = true; more; more = next_is(t, "*") && t->next++ != NULL) {
		size_t factor = 0;
		if (t->next == t->end)
			return expected(r, t, what);
		const struct constant *c = (const struct constant *)(const void *)r->list.constants.data;
		for (size_t i = 0; i < r->list.constants.size / sizeof *c; i++)
			factor = part_is(&c[i].name, t->next->text, t->next->size) ? c[i].value : factor;
		const bool is_number = t->next->kind == TOKEN_NUMBER;
		if ((is_number && !token_integer(t->next->text, t->next->size, &factor)) || factor == 0)
			return expected(r, t, what);
		t->next++;
		*length = *length > STATE_SIZE_MAX ? *length : *length * factor;
	}
	return true;
}

/* So large a struct is no state: sizes stop to grow there. */
#define SIZE_ENOUGH ((size_t)1 << 24)

/* One name of a member's declaration, with its lengths. */
static bool take_member(struct reader *r, struct tokens *t, const struct named_type *type, struct named_type *of)
{
	size_t count = 1;
	if (t->next == t->end || t->next->kind != TOKEN_WORD)
		return expected(r, t, "a member's name");
	const struct token *name = t->next++;
	while (next_is(t, "[")) {
		size_t length;
		t->next++;
		if (!take_length(r, t, &length))
			return false;
		if (!next_is(t, "]"))
			return expected(r, t, "]");
		t->next++;
		of->is_plain = false;
		count = count < SIZE_ENOUGH ? count * length : count;
	}
	if (type->number == NULL || of->member_count == PACKED_MAX)
		of->is_plain = false;
	if (of->is_plain) {
		of->names[of->member_count] = (struct text_part){.text = name->text, .size = name->size};
		of->types[of->member_count] = type->number;
	}
	of->member_count++;
	of->alignment = type->alignment > of->alignment ? type->alignment : of->alignment;
	if (of->size < SIZE_ENOUGH)
		of->size = (of->size + type->alignment - 1) / type->alignment * type->alignment + count * type->size;
	return true;
}

/* { members } */
static bool take_members(struct reader *r, struct tokens *t, struct named_type *type)
{
	*type = (struct named_type){.alignment = 1, .is_plain = true};
	t->next++;
	while (!next_is(t, "}")) {
		struct named_type member;
		if (!take_type(r, t, &member))
			return false;
		for (bool more = true; more; more = next_is(t, ",") && t->next++ != NULL) {
			if (!take_member(r, t, &member, type))
				return false;
		}
		if (!next_is(t, ";"))
			return expected(r, t, "; after a member");
		t->next++;
	}
	if (type->member_count == 0)
		return expected(r, t, "a member");
	t->next++;
	skip_qualifiers(t);
	type->size = (type->size + type->alignment - 1) / type->alignment * type->alignment;
	return true;
}

static bool add_type(struct reader *r, const struct named_type *type)
{
	return bytes_append(&r->types, type, sizeof *type) == STATUS_OK;
}

#define STRUCT_DEPTH_MAX 64

/* struct TAG, struct { ... } or struct TAG { ... }, which declares it. */
static bool take_struct(struct reader *r, struct tokens *t, struct named_type *type)
{
	const struct token *tag = NULL;
	t->next++;
	skip_qualifiers(t);
	if (t->next < t->end && t->next->kind == TOKEN_WORD)
		tag = t->next++;
	if (next_is(t, "{")) {
		if (r->depth == STRUCT_DEPTH_MAX)
			return refuse(r, t->next->line, "too many structs within each other");
		r->depth++;
		const bool taken = take_members(r, t, type);
		r->depth--;
		if (!taken)
			return false;
		if (tag == NULL)
			return true;
		struct named_type tagged = *type;
		tagged.is_tag = true;
		tagged.name = (struct text_part){.text = tag->text, .size = tag->size};
		return add_type(r, &tagged);
	}
	const struct named_type *found = tag != NULL ? find_type(r, tag, true) : NULL;
	if (found == NULL)
		return expected(r, t, "{ and the struct's members");
	*type = *found;
	return true;
}

/* --- Declarations ------------------------------------------------------------------------------------------------ */

/* Whether it is declared for the first time; if not, what says so has the line. */
static bool is_first(struct reader *r, unsigned long *place, unsigned long line, const char *why)
{
	if (*place != 0)
		return refuse(r, line, why);
	*place = line;
	return true;
}

/* A type of ours: it is new, and not too large. */
static bool take_own_type(struct reader *r, const struct token *name, unsigned long *line, size_t *size,
			  size_t declared)
{
	if (!is_first(r, line, name->line,
		      line == &r->state_line ? "state is declared twice" : "carry is declared twice"))
		return false;
	if (declared > STATE_SIZE_MAX) {
		r->error->line = name->line;
		(void)snprintf(r->error->why, sizeof r->error->why, "the %s has %zu bytes, more than %d",
			       line == &r->state_line ? "state" : "carry", declared, STATE_SIZE_MAX);
		return false;
	}
	*size = declared;
	return true;
}

/* typedef TYPE NAME; of types that are none of ours nothing is said until they are used. */
static bool read_typedef(struct reader *r, struct tokens t)
{
	const struct token *name = t.end - 1;
	const bool is_state = token_is(name, "state");
	const bool is_carry = token_is(name, "carry");
	const bool is_own = is_state || is_carry;
	struct named_type type = {0};
	t.next++;
	const struct declaration_error before = *r->error;
	if (!take_type(r, &t, &type)) {
		if (!is_own)
			*r->error = before;
		return !is_own;
	}
	if (t.next != name || name->kind != TOKEN_WORD)
		return !is_own || expected(r, &t, is_state ? "the name state" : "the name carry");
	type.is_tag = false;
	type.name = (struct text_part){.text = name->text, .size = name->size};
	if (is_state && !take_own_type(r, name, &r->state_line, &r->declared->state_size, type.size))
		return false;
	if (is_carry && !take_own_type(r, name, &r->carry_line, &r->declared->carry_size, type.size))
		return false;
	return add_type(r, &type);
}

/* The tokens of a parameter, or of what else stands between commas. */
static struct tokens take_between_commas(struct tokens *t)
{
	struct tokens part = {.next = t->next};
	size_t depth = 0;
	while (t->next < t->end && (depth > 0 || !token_is(t->next, ","))) {
		depth += token_is(t->next, "(") || token_is(t->next, "[");
		depth -= depth > 0 && (token_is(t->next, ")") || token_is(t->next, "]"));
		t->next++;
	}
	part.end = t->next;
	t->next += t->next < t->end;
	return part;
}

/* One parameter: its type, which is state's or a number's, and its name. */
static bool read_parameter(struct reader *r, struct tokens t, bool has_count, enum parameter_kind *kind,
			   const struct type **number)
{
	struct named_type type;
	if (t.next == t.end) {
		t.end = t.next + 1;
		return expected(r, &t, "a parameter");
	}
	skip_qualifiers(&t);
	const bool is_state = next_is(&t, "state");
	if (!take_type(r, &t, &type))
		return false;
	if (is_state) {
		*kind = PARAMETER_STATE;
		return t.next == t.end || t.next + 1 == t.end || expected(r, &t, "a parameter's name alone");
	}
	if (type.number == NULL) {
		t.next--;
		return expected(r, &t, "a number's type, char to double");
	}
	if (t.next == t.end)
		t.end++; /* the parenthesis or comma after it */
	if (t.next->kind != TOKEN_WORD)
		return expected(r, &t, "a parameter's name");
	if (t.next + 1 < t.end) {
		t.next++;
		return expected(r, &t, "a parameter's name alone");
	}
	const bool is_ulong = type.number->id == TYPE_U64;
	*number = type.number;
	*kind = is_ulong && token_is(t.next, "i")                ? PARAMETER_INDEX
		: is_ulong && has_count && token_is(t.next, "n") ? PARAMETER_COUNT
								 : PARAMETER_INPUT;
	return true;
}

/* A function's parameters. */
static bool read_parameters(struct reader *r, struct tokens t, bool has_count, struct function_parameters *parameters,
			    struct packed *inputs)
{
	while (t.next < t.end) {
		const struct type *number = NULL;
		enum parameter_kind kind;
		const struct tokens one = take_between_commas(&t);
		if (!read_parameter(r, one, has_count, &kind, &number))
			return false;
		if (kind == PARAMETER_INPUT && inputs->count == PACKED_MAX)
			return refuse(r, one.next->line, "more than 8 inputs");
		if (kind == PARAMETER_INPUT)
			packed_add(inputs, number);
		for (size_t i = 0; i < parameters->count && kind != PARAMETER_INPUT; i++) {
			if (parameters->kinds[i] == kind && kind != PARAMETER_STATE)
				return refuse(r, one.next->line, "a parameter is there twice");
		}
		if (parameters->count == PARAMETERS_MAX)
			return refuse(r, one.next->line, "too many parameters");
		parameters->kinds[parameters->count++] = kind;
	}
	return true;
}

static bool has_state_at(const struct function_parameters *p, size_t first, size_t count)
{
	bool has = true;
	for (size_t i = 0; i < p->count && has; i++)
		has = (p->kinds[i] == PARAMETER_STATE) == (i >= first && i < first + count);
	return has && p->count >= first + count;
}

static bool read_lift(struct reader *r, const struct token *name, struct tokens parameters)
{
	struct declarations *d = r->declared;
	if (!read_parameters(r, parameters, false, &d->lift, &d->element))
		return false;
	return (has_state_at(&d->lift, 0, 0) && d->element.count > 0) ||
	       refuse(r, name->line, "expected lift(inputs), 1 to 8 of them");
}

static bool read_combine(struct reader *r, const struct token *name, struct tokens parameters)
{
	struct function_parameters p = {0};
	struct packed inputs = {0};
	if (!read_parameters(r, parameters, false, &p, &inputs))
		return false;
	return (p.count == 2 && has_state_at(&p, 0, 2)) ||
	       refuse(r, name->line, "expected combine(state earlier, state later)");
}

static bool read_emit(struct reader *r, const struct token *name, struct tokens parameters,
		      const struct named_type *result, struct text_part type)
{
	struct declarations *d = r->declared;
	if (!read_parameters(r, parameters, true, &d->emit, &r->emit_inputs))
		return false;
	if (!has_state_at(&d->emit, 0, 1))
		return refuse(r, name->line, "expected emit(state s), or emit(state s, inputs)");
	if (result->number == NULL && !result->is_plain)
		return refuse(r, name->line, "expected a result of one number, or of a struct of 1 to 8 numbers");
	d->result_type = type;
	if (result->number != NULL) {
		packed_add(&d->results, result->number);
		return true;
	}
	d->names_results = true;
	for (size_t i = 0; i < result->member_count; i++) {
		packed_add(&d->results, result->types[i]);
		d->result_names[i] = result->names[i];
	}
	return true;
}

/* One of ours: its type, name and parameters. */
static bool read_function(struct reader *r, struct tokens t, const struct token *name, struct tokens parameters)
{
	struct named_type result = {0};
	const bool is_emit = token_is(name, "emit");
	struct tokens type = {.next = t.next, .end = name};
	skip_qualifiers(&type);
	if (parameters.end - parameters.next == 1 && token_is(parameters.next, "void"))
		parameters.next++;
	if (r->state_line == 0)
		return refuse(r, name->line, "expected \"typedef struct { ... } state;\" before the functions");
	const struct token *first = type.next;
	if (type.next == name)
		return refuse(r, name->line, "a function's type is missing");
	if (!is_emit && (!token_is(type.next, "state") || type.next + 1 != name))
		return expected(r, &type, "a function of type state");
	if (!take_type(r, &type, &result))
		return false;
	if (type.next != name)
		return expected(r, &type, "a function's name");
	if (is_emit) {
		const struct text_part text = {.text = first->text, .size = (size_t)(name->text - first->text)};
		return is_first(r, &r->emit_line, name->line, "emit is declared twice") &&
		       read_emit(r, name, parameters, &result, text);
	}
	if (token_is(name, "lift"))
		return is_first(r, &r->lift_line, name->line, "lift is declared twice") &&
		       read_lift(r, name, parameters);
	if (token_is(name, "combine"))
		return is_first(r, &r->combine_line, name->line, "combine is declared twice") &&
		       read_combine(r, name, parameters);
	if (parameters.next != parameters.end)
		return refuse(r, name->line, "expected identity(void)");
	r->declared->has_identity = true;
	return is_first(r, &r->identity_line, name->line, "identity is declared twice");
}

/* Whether a parameter, or what stands before a function's name, is that type, perhaps with a name after it. */
static bool is_of_type(struct tokens t, const char *type, size_t names)
{
	skip_qualifiers(&t);
	if (!next_is(&t, type))
		return false;
	t.next++;
	skip_qualifiers(&t);
	const size_t left = (size_t)(t.end - t.next);
	return left == 0 || (left <= names && t.next->kind == TOKEN_WORD);
}

/* One of the carry's functions. */
static bool read_carry_function(struct reader *r, size_t which, struct tokens t, const struct token *name,
				struct tokens parameters)
{
	char why[80];
	if (r->state_line == 0 || r->carry_line == 0)
		return refuse(r, name->line,
			      "expected \"typedef struct { ... } carry;\", after that of state, before its functions");
	bool is_right = is_of_type((struct tokens){t.next, name}, carry_functions[which].result, 0);
	for (size_t i = 0; i < 2 && carry_functions[which].parameters[i] != NULL && is_right; i++)
		is_right = is_of_type(take_between_commas(&parameters), carry_functions[which].parameters[i], 1);
	if (!is_right || parameters.next != parameters.end) {
		(void)snprintf(why, sizeof why, "expected %s", carry_functions[which].whole);
		return refuse(r, name->line, why);
	}
	(void)snprintf(why, sizeof why, "%s is declared twice", carry_functions[which].name);
	return is_first(r, &r->carry_function_lines[which], name->line, why);
}

/* A declaration or a definition, whole, without the semicolon. */
static bool read_declaration(struct reader *r, struct tokens t)
{
	static const char *const functions[] = {"lift", "combine", "emit", "identity"};
	struct named_type type;
	if (token_is(t.next, "typedef"))
		return read_typedef(r, t);
	for (const struct token *p = t.next; p < t.end;) {
		const bool may_be = p + 1 < t.end && token_is(p + 1, "(");
		for (size_t i = 0; i < 4 && may_be; i++) {
			if (token_is(p, functions[i]))
				return read_function(r, t, p, (struct tokens){p + 2, after_bracket(p + 1, t.end) - 1});
		}
		for (size_t i = 0; i < CARRY_FUNCTIONS && may_be; i++) {
			if (token_is(p, carry_functions[i].name))
				return read_carry_function(r, i, t, p,
							   (struct tokens){p + 2, after_bracket(p + 1, t.end) - 1});
		}
		p = is_one_of(p, "([{") ? after_bracket(p, t.end) : p + 1;
	}
	/* Of structs with a tag those that are none of ours are passed over. */
	const struct declaration_error before = *r->error;
	if (token_is(t.next, "struct") && !take_type(r, &t, &type))
		*r->error = before;
	return true;
}

/* The end of the declaration that begins at t; *next is where the next one does. NULL after an error. */
static const struct token *find_end(struct reader *r, const struct token *t, const struct token *end,
				    const struct token **next)
{
	const struct token *first = t;
	while (t < end) {
		const bool opens = is_one_of(t, "([{");
		if (is_one_of(t, ")]}")) {
			(void)refuse(r, t->line, "a bracket is closed that is not open");
			return NULL;
		}
		if (token_is(t, ";")) {
			*next = t + 1;
			return t;
		}
		/* (In a typedef it is an attribute that ends before the members.) */
		const bool is_body =
			token_is(t, "{") && t > first && token_is(t - 1, ")") && !token_is(first, "typedef");
		const struct token *after = opens ? after_bracket(t, end) : t + 1;
		if (after == NULL) {
			(void)refuse(r, t->line, "a bracket is not closed");
			return NULL;
		}
		t = after;
		if (is_body) {
			*next = t;
			return t;
		}
	}
	*next = end;
	return end;
}

static bool check_whole(struct reader *r)
{
	const struct {
		unsigned long line;
		const char *why;
	} parts[] = {
		{r->state_line, "there is no \"typedef struct { ... } state;\""},
		{r->lift_line, "there is no function \"state lift(inputs)\""},
		{r->combine_line, "there is no function \"state combine(state earlier, state later)\""},
		{r->emit_line, "there is no function \"emit(state s)\""},
	};
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (parts[i].line == 0)
			return refuse(r, 0, parts[i].why);
	}
	for (size_t i = 0; i < CARRY_FUNCTIONS && r->carry_line != 0; i++) {
		char why[80];
		if (r->carry_function_lines[i] != 0)
			continue;
		(void)snprintf(why, sizeof why, "of the carry there is no function \"%s\"", carry_functions[i].whole);
		return refuse(r, r->carry_line, why);
	}
	return r->emit_inputs.count == 0 || packed_is_same(&r->emit_inputs, &r->declared->element) ||
	       refuse(r, r->emit_line, "the inputs of emit are not those of lift");
}

static void reader_free(struct reader *r)
{
	tokens_free(&r->list);
	bytes_free(&r->types);
}

enum status declarations_read(const char *text, size_t size, struct declarations *declared,
			      struct declaration_error *error)
{
	struct reader r = {.declared = declared, .error = error};
	*declared = (struct declarations){0};
	*error = (struct declaration_error){0};
	if (memchr(text, '\0', size) != NULL) {
		(void)refuse(&r, 0, "it is no text: there is a byte of zero in it");
		return STATUS_USAGE;
	}
	enum status status = tokens_read(text, size, &r.list, NULL);
	if (status == STATUS_OK && r.list.open_comment > 0) {
		(void)refuse(&r, r.list.open_comment, "a comment is not closed");
		status = STATUS_USAGE;
	}
	const struct token *next = (const struct token *)(const void *)r.list.tokens.data;
	const struct token *end = next != NULL ? next + r.list.tokens.size / sizeof *next : NULL;
	while (status == STATUS_OK && next < end) {
		const struct token *first = next;
		const struct token *last = find_end(&r, first, end, &next);
		if (last == NULL || (last > first && !read_declaration(&r, (struct tokens){first, last})))
			status = error->why[0] != '\0' ? STATUS_USAGE : STATUS_SYSTEM;
	}
	if (status == STATUS_OK && !check_whole(&r))
		status = STATUS_USAGE;
	reader_free(&r);
	return status;
}

enum status declarations_macros(const char *text, size_t size, struct bytes *names)
{
	struct token_list list = {0};
	const enum status status = tokens_read(text, size, &list, names);
	tokens_free(&list);
	return status;
}
