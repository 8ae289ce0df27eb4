/* Only the external declarations that are asked for are parsed. Directives are passed over: code in a branch that a
 * condition leaves out counts as if it were there. */
#include "language/declarations.h"

#include <stdio.h>
#include <string.h>

/* What is asked for: functions, with the types of their values (NULL: any type), and types. */
enum own {
	LIFT,
	COMBINE,
	EMIT,
	IDENTITY,
	CARRY_FIRST,
	CARRY_ADD,
	CARRY_PREFIX,
	FUNCTIONS,
	STATE = FUNCTIONS,
	CARRY,
	OWN
};

static const struct {
	const char *name, *type, *form;
} all_own[OWN] = {
	[LIFT] = {"lift", "state", "lift(inputs), 1 to 8 of them"},
	[COMBINE] = {"combine", "state", "combine(state earlier, state later)"},
	[EMIT] = {"emit", NULL, "emit(state s), or emit(state s, inputs)"},
	[IDENTITY] = {"identity", "state", "identity(void)"},
	[CARRY_FIRST] = {"carry_first", "carry", "carry carry_first(state total)"},
	[CARRY_ADD] = {"carry_add", "carry", "carry carry_add(carry before, state total)"},
	[CARRY_PREFIX] = {"carry_prefix", "state", "state carry_prefix(carry before)"},
	[STATE] = {"state", NULL, "typedef struct { ... } state;"},
	[CARRY] = {"carry", NULL, "typedef struct { ... } carry;"},
};

struct reader {
	struct type_reader types;
	struct declarations *declared;
	unsigned long lines[OWN]; /* of their declarations, or 0 */
	struct packed emit_inputs;
};

/* Refuses a line. The reason is `before`, text and `after` together. */
static bool refuse(struct reader *r, unsigned long line, const char *before, const char *text, const char *after)
{
	char why[sizeof r->types.error->why];
	(void)snprintf(why, sizeof why, "%s%s%s", before, text, after);
	return type_refuse(&r->types, line, why);
}

/* Notes a declaration. Refuses the second one of a name. */
static bool is_first(struct reader *r, enum own which, const struct token *name)
{
	if (r->lines[which] != 0)
		return refuse(r, name->line, all_own[which].name, " is declared twice", "");
	r->lines[which] = name->line;
	return true;
}

/* --- Types ------------------------------------------------------------------------------------------------------- */

/* Checks a typedef of state or carry: it must be the first, and not too large. */
static bool set_own_type(struct reader *r, enum own which, const struct token *name, const struct declared_type *type)
{
	struct declarations *const d = r->declared;
	char size[64];
	if (!is_first(r, which, name))
		return false;
	(void)snprintf(size, sizeof size, " has %zu bytes, more than %d", type->layout.size, DECLARED_MAX);
	if (type->layout.size > DECLARED_MAX)
		return refuse(r, name->line, "the ", all_own[which].name, size);
	*(which == STATE ? &d->state : &d->carry) = type->layout;
	return true;
}

/* typedef TYPE NAME; a type other than state and carry that is not understood is refused only where it is used. */
static bool read_typedef(struct reader *r, const struct external *e)
{
	struct parser *const p = &r->types.parser;
	const struct token *name = e->end - 1;
	const bool is_state = token_is(name, "state");
	const bool is_own = is_state || token_is(name, "carry");
	const struct text_error before = *r->types.error;
	struct declared_type type;
	p->next++;
	if (!type_read(&r->types, &type)) {
		if (!is_own)
			*r->types.error = before;
		return !is_own;
	}
	if (p->next != e->name)
		return !is_own || type_expected(&r->types, p->next, is_state ? "the name state" : "the name carry");
	type.is_tag = false;
	type.name = token_part(name);
	return (!is_own || set_own_type(r, is_state ? STATE : CARRY, name, &type)) && type_add(&r->types, &type);
}

/* --- Functions --------------------------------------------------------------------------------------------------- */

/* Reads one parameter: its type, which is state, a number's type or (where carry is allowed) carry, and its name. */
static bool read_parameter(struct reader *r, enum own which, enum parameter_kind *kind, const struct type **number)
{
	struct parser *const p = &r->types.parser;
	struct declared_type type;
	parser_skip_qualifiers(p);
	const struct token *word = p->next;
	if (parser_is_at(p, ",") || parser_is_at(p, ")"))
		return type_expected(&r->types, p->next, "a parameter");
	if (!type_read(&r->types, &type))
		return false;
	const bool is_carry = which > IDENTITY && token_is(word, "carry");
	*number = token_is(word, "state") || is_carry ? NULL : type.number;
	*kind = is_carry ? PARAMETER_CARRY : token_is(word, "state") ? PARAMETER_STATE : PARAMETER_INPUT;
	if (*kind == PARAMETER_INPUT && *number == NULL)
		return type_expected(&r->types, p->next - 1, "a number's type, char to double");
	const struct token *name = p->next < p->end && p->next->kind == TOKEN_WORD ? p->next++ : NULL;
	if (name == NULL && *kind == PARAMETER_INPUT)
		return type_expected(&r->types, p->next, "a parameter's name");
	if (!parser_is_at(p, ",") && !parser_is_at(p, ")"))
		return type_expected(&r->types, p->next, "a parameter's name alone");
	if (*number == &type_table[TYPE_U64] && token_is(name, "i"))
		*kind = PARAMETER_INDEX;
	if (*number == &type_table[TYPE_U64] && which == EMIT && token_is(name, "n"))
		*kind = PARAMETER_COUNT;
	return true;
}

/* Reads a function's parameters, up to the closing bracket. */
static bool read_parameters(struct reader *r, enum own which, struct function_parameters *parameters,
			    struct packed *inputs)
{
	struct parser *const p = &r->types.parser;
	if (parser_is_at(p, "void") && token_is(p->next + 1, ")"))
		p->next++;
	while (!parser_is_at(p, ")")) {
		const unsigned long line = p->next->line;
		const struct type *number = NULL;
		enum parameter_kind kind = PARAMETER_STATE;
		if (!read_parameter(r, which, &kind, &number))
			return false;
		if (kind == PARAMETER_INPUT && inputs->count == PACKED_MAX)
			return type_refuse(&r->types, line, "more than 8 inputs");
		if (kind == PARAMETER_INPUT)
			packed_add(inputs, number);
		for (size_t i = 0; i < parameters->count && kind > PARAMETER_INPUT; i++) {
			if (parameters->kinds[i] == kind)
				return type_refuse(&r->types, line, "a parameter is declared twice");
		}
		if (parameters->count == PARAMETERS_MAX)
			return type_refuse(&r->types, line, "too many parameters");
		parameters->kinds[parameters->count++] = kind;
		p->next += parser_is_at(p, ",");
	}
	return true;
}

/* Whether the parameters are those that the function must have: certain kinds first, and after them at most inputs. */
static bool are_right(enum own which, const struct function_parameters *p, const struct packed *inputs)
{
	static const struct {
		size_t count;
		enum parameter_kind kinds[2];
	} first[FUNCTIONS] = {
		[COMBINE] = {2, {PARAMETER_STATE, PARAMETER_STATE}},
		[EMIT] = {1, {PARAMETER_STATE}},
		[CARRY_FIRST] = {1, {PARAMETER_STATE}},
		[CARRY_ADD] = {2, {PARAMETER_CARRY, PARAMETER_STATE}},
		[CARRY_PREFIX] = {1, {PARAMETER_CARRY}},
	};
	const bool has_more = which == LIFT || which == EMIT;
	bool right = p->count >= first[which].count && (has_more || p->count == first[which].count) &&
		     (which != LIFT || inputs->count > 0);
	for (size_t i = 0; i < p->count && right; i++)
		right = i < first[which].count ? p->kinds[i] == first[which].kinds[i] : p->kinds[i] >= PARAMETER_INPUT;
	return right;
}

/* Notes emit's type, and the numbers in it. */
static bool read_results(struct reader *r, const struct token *name, const struct declared_type *type,
			 const struct token *type_begin)
{
	struct declarations *const d = r->declared;
	if (type->number == NULL && !type->is_plain)
		return type_refuse(&r->types, name->line,
				   "expected a result of one number, or of a struct of 1 to 8 numbers");
	d->result_type = (struct text_part){type_begin->text, (size_t)(name->text - type_begin->text)};
	d->names_results = type->number == NULL;
	for (size_t i = 0; i < type->layout.count; i++) {
		const struct layout_member *m = &type->layout.members[i];
		packed_add(&d->results, &type_table[m->kind]);
		if (d->names_results)
			d->result_names[i] = (struct text_part){.text = m->name, .size = m->name_size};
	}
	return true;
}

/* Reads the type, name and parameters of one of the functions that are asked for. */
static bool read_function(struct reader *r, enum own which, const struct token *name)
{
	struct parser *const p = &r->types.parser;
	struct declarations *const d = r->declared;
	struct function_parameters others = {0};
	struct packed other_inputs = {0};
	struct function_parameters *parameters = which == LIFT ? &d->lift : which == EMIT ? &d->emit : &others;
	struct packed *inputs = which == LIFT ? &d->element : which == EMIT ? &r->emit_inputs : &other_inputs;
	const bool is_of_carry = which > IDENTITY;
	struct declared_type type;
	if (r->lines[STATE] == 0 || (is_of_carry && r->lines[CARRY] == 0))
		return refuse(r, name->line, "expected \"", all_own[is_of_carry ? CARRY : STATE].form,
			      is_of_carry ? "\", after that of state, before its functions"
					  : "\" before the functions");
	parser_skip_qualifiers(p);
	const struct token *begin = p->next;
	if (begin == name && !is_of_carry)
		return type_refuse(&r->types, name->line, "a function's type is missing");
	const bool is_own_type = which != EMIT && token_is(begin, all_own[which].type) && begin + 1 == name;
	if (which != EMIT && !is_own_type && !is_of_carry)
		return type_expected(&r->types, begin, "a function of type state");
	if (!type_read(&r->types, &type) && !is_of_carry)
		return false;
	if (which == EMIT && p->next != name)
		return type_expected(&r->types, p->next, "a function's name");
	if (!is_first(r, which, name))
		return false;
	p->next = name + 2;
	const bool is_read = (which == EMIT || is_own_type) && read_parameters(r, which, parameters, inputs);
	if (!is_read && which < IDENTITY)
		return false;
	if (!is_read || !are_right(which, parameters, inputs))
		return refuse(r, name->line, "expected ", all_own[which].form, "");
	return which != EMIT || read_results(r, name, &type, begin);
}

/* --- The text ---------------------------------------------------------------------------------------------------- */

static bool read_external(struct reader *r, const struct external *e)
{
	const struct text_error before = *r->types.error;
	struct declared_type type;
	if (parser_begin(&r->types.parser, e->first, e->end) != STATUS_OK)
		return false;
	if (token_is(e->first, "typedef"))
		return read_typedef(r, e);
	for (const struct token *t = e->first; t < e->end;) {
		for (size_t i = 0; i < FUNCTIONS && t + 1 < e->end && token_is(t + 1, "("); i++) {
			if (token_is(t, all_own[i].name))
				return read_function(r, (enum own)i, t);
		}
		t = token_opens(t) ? token_after_bracket(t, e->end) : t + 1;
	}
	/* A struct with a tag that is not understood is passed over. */
	if (token_is(e->first, "struct") && !type_read(&r->types, &type))
		*r->types.error = before;
	return true;
}

static bool check_whole(struct reader *r)
{
	static const struct {
		enum own which;
		const char *whole;
	} parts[] = {
		{STATE, "typedef struct { ... } state;"},
		{LIFT, "function \"state lift(inputs)"},
		{COMBINE, "function \"state combine(state earlier, state later)"},
		{EMIT, "function \"emit(state s)"},
	};
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (r->lines[parts[i].which] == 0)
			return refuse(r, 0, i == 0 ? "there is no \"" : "there is no ", parts[i].whole, "\"");
	}
	for (size_t i = CARRY_FIRST; i <= CARRY_PREFIX && r->lines[CARRY] != 0; i++) {
		if (r->lines[i] == 0)
			return refuse(r, r->lines[CARRY], "the carry lacks the function \"", all_own[i].form, "\"");
	}
	return r->emit_inputs.count == 0 || packed_is_same(&r->emit_inputs, &r->declared->element) ||
	       type_refuse(&r->types, r->lines[EMIT], "the inputs of emit are not those of lift");
}

enum status declarations_read(const char *text, size_t size, struct declarations *declared, struct text_error *error)
{
	struct reader r = {.declared = declared, .types = {.error = error}};
	struct token_list *const list = &r.types.list;
	*declared = (struct declarations){0};
	*error = (struct text_error){0};
	if (memchr(text, '\0', size) != NULL) {
		(void)type_refuse(&r.types, 0, "it is not text: it has a zero byte");
		return STATUS_USAGE;
	}
	bool good = tokens_read(text, size, list) == STATUS_OK;
	if (good && list->open_comment > 0)
		good = type_refuse(&r.types, list->open_comment, "a comment is not closed");
	const size_t count = tokens_count(list);
	const struct token *end = count > 0 ? tokens_first(list) + count : NULL;
	struct external e = {.next = count > 0 ? tokens_first(list) : NULL};
	while (good && e.next < end)
		good = external_read(e.next, end, &e, error) && (e.end == e.first || read_external(&r, &e));
	good = good && check_whole(&r);
	declared->has_identity = r.lines[IDENTITY] != 0;
	type_reader_free(&r.types);
	return good ? STATUS_OK : error->why[0] != '\0' ? STATUS_USAGE : STATUS_SYSTEM;
}
