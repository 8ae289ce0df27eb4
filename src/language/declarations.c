/* Tokens are cut into external declarations (each ends with a semicolon, or with a function's body), and
 * only declarations of what is asked for are understood. Directives are passed over: what stands in a branch that a
 * condition leaves out counts as if it stood there. */
#include "language/declarations.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "language/declared_types.h"

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
	struct type_reader types;
	struct declarations *declared;
	unsigned long state_line, lift_line, combine_line, emit_line, identity_line; /* where they stand, or 0 */
	unsigned long carry_line, carry_function_lines[CARRY_FUNCTIONS];
	struct packed emit_inputs;
};

/* Whether it is declared for the first time; if not, what says so has the line. */
static bool is_first(struct reader *r, unsigned long *place, unsigned long line, const char *why)
{
	if (*place != 0)
		return type_refuse(&r->types, line, why);
	*place = line;
	return true;
}

/* What the type is made of. */
static void note_members(struct declared_members *d, const struct named_type *type)
{
	static const char value[] = "value";
	*d = (struct declared_members){.count = type->number_count, .size = type->size, .alignment = type->alignment};
	memcpy(d->members, type->numbers, sizeof d->members);
	if (type->number != NULL) {
		d->members[0] = (struct layout_member){
			.name = value, .name_size = sizeof value - 1, .kind = (enum member_kind)type->number->id};
		d->count = 1;
	}
}

/* A type of ours: it is new, and not too large. */
static bool take_own_type(struct reader *r, const struct token *name, unsigned long *line, size_t *size,
			  struct declared_members *members, const struct named_type *type)
{
	const size_t declared = type->size;
	if (!is_first(r, line, name->line,
		      line == &r->state_line ? "state is declared twice" : "carry is declared twice"))
		return false;
	if (declared > DECLARED_MAX) {
		r->types.error->line = name->line;
		(void)snprintf(r->types.error->why, sizeof r->types.error->why, "the %s has %zu bytes, more than %d",
			       line == &r->state_line ? "state" : "carry", declared, DECLARED_MAX);
		return false;
	}
	*size = declared;
	note_members(members, type);
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
	const struct text_error before = *r->types.error;
	if (!type_take(&r->types, &t, &type)) {
		if (!is_own)
			*r->types.error = before;
		return !is_own;
	}
	if (t.next != name || name->kind != TOKEN_WORD)
		return !is_own || type_expected(&r->types, &t, is_state ? "the name state" : "the name carry");
	type.is_tag = false;
	type.name = (struct text_part){.text = name->text, .size = name->size};
	if (is_state && !take_own_type(r, name, &r->state_line, &r->declared->state_size, &r->declared->state, &type))
		return false;
	if (is_carry && !take_own_type(r, name, &r->carry_line, &r->declared->carry_size, &r->declared->carry, &type))
		return false;
	return type_add(&r->types, &type);
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
		return type_expected(&r->types, &t, "a parameter");
	}
	type_skip_qualifiers(&t);
	const bool is_state = next_is(&t, "state");
	if (!type_take(&r->types, &t, &type))
		return false;
	if (is_state) {
		*kind = PARAMETER_STATE;
		return t.next == t.end || t.next + 1 == t.end ||
		       type_expected(&r->types, &t, "a parameter's name alone");
	}
	if (type.number == NULL) {
		t.next--;
		return type_expected(&r->types, &t, "a number's type, char to double");
	}
	if (t.next == t.end)
		t.end++; /* the parenthesis or comma after it */
	if (t.next->kind != TOKEN_WORD)
		return type_expected(&r->types, &t, "a parameter's name");
	if (t.next + 1 < t.end) {
		t.next++;
		return type_expected(&r->types, &t, "a parameter's name alone");
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
			return type_refuse(&r->types, one.next->line, "more than 8 inputs");
		if (kind == PARAMETER_INPUT)
			packed_add(inputs, number);
		for (size_t i = 0; i < parameters->count && kind != PARAMETER_INPUT; i++) {
			if (parameters->kinds[i] == kind && kind != PARAMETER_STATE)
				return type_refuse(&r->types, one.next->line, "a parameter is there twice");
		}
		if (parameters->count == PARAMETERS_MAX)
			return type_refuse(&r->types, one.next->line, "too many parameters");
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
	       type_refuse(&r->types, name->line, "expected lift(inputs), 1 to 8 of them");
}

static bool read_combine(struct reader *r, const struct token *name, struct tokens parameters)
{
	struct function_parameters p = {0};
	struct packed inputs = {0};
	if (!read_parameters(r, parameters, false, &p, &inputs))
		return false;
	return (p.count == 2 && has_state_at(&p, 0, 2)) ||
	       type_refuse(&r->types, name->line, "expected combine(state earlier, state later)");
}

static bool read_emit(struct reader *r, const struct token *name, struct tokens parameters,
		      const struct named_type *result, struct text_part type)
{
	struct declarations *d = r->declared;
	if (!read_parameters(r, parameters, true, &d->emit, &r->emit_inputs))
		return false;
	if (!has_state_at(&d->emit, 0, 1))
		return type_refuse(&r->types, name->line, "expected emit(state s), or emit(state s, inputs)");
	if (result->number == NULL && !result->is_plain)
		return type_refuse(&r->types, name->line,
				   "expected a result of one number, or of a struct of 1 to 8 numbers");
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
	type_skip_qualifiers(&type);
	if (parameters.end - parameters.next == 1 && token_is(parameters.next, "void"))
		parameters.next++;
	if (r->state_line == 0)
		return type_refuse(&r->types, name->line,
				   "expected \"typedef struct { ... } state;\" before the functions");
	const struct token *first = type.next;
	if (type.next == name)
		return type_refuse(&r->types, name->line, "a function's type is missing");
	if (!is_emit && (!token_is(type.next, "state") || type.next + 1 != name))
		return type_expected(&r->types, &type, "a function of type state");
	if (!type_take(&r->types, &type, &result))
		return false;
	if (type.next != name)
		return type_expected(&r->types, &type, "a function's name");
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
		return type_refuse(&r->types, name->line, "expected identity(void)");
	r->declared->has_identity = true;
	return is_first(r, &r->identity_line, name->line, "identity is declared twice");
}

/* Whether a parameter, or what stands before a function's name, is that type, perhaps with a name after it. */
static bool is_of_type(struct tokens t, const char *type, size_t names)
{
	type_skip_qualifiers(&t);
	if (!next_is(&t, type))
		return false;
	t.next++;
	type_skip_qualifiers(&t);
	const size_t left = (size_t)(t.end - t.next);
	return left == 0 || (left <= names && t.next->kind == TOKEN_WORD);
}

/* One of the carry's functions. */
static bool read_carry_function(struct reader *r, size_t which, struct tokens t, const struct token *name,
				struct tokens parameters)
{
	char why[80];
	if (r->state_line == 0 || r->carry_line == 0)
		return type_refuse(
			&r->types, name->line,
			"expected \"typedef struct { ... } carry;\", after that of state, before its functions");
	bool is_right = is_of_type((struct tokens){t.next, name}, carry_functions[which].result, 0);
	for (size_t i = 0; i < 2 && carry_functions[which].parameters[i] != NULL && is_right; i++)
		is_right = is_of_type(take_between_commas(&parameters), carry_functions[which].parameters[i], 1);
	if (!is_right || parameters.next != parameters.end) {
		(void)snprintf(why, sizeof why, "expected %s", carry_functions[which].whole);
		return type_refuse(&r->types, name->line, why);
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
				return read_function(r, t, p,
						     (struct tokens){p + 2, token_after_bracket(p + 1, t.end) - 1});
		}
		for (size_t i = 0; i < CARRY_FUNCTIONS && may_be; i++) {
			if (token_is(p, carry_functions[i].name))
				return read_carry_function(
					r, i, t, p, (struct tokens){p + 2, token_after_bracket(p + 1, t.end) - 1});
		}
		p = token_is_one_of(p, "([{") ? token_after_bracket(p, t.end) : p + 1;
	}
	/* Of structs with a tag those that are none of ours are passed over. */
	const struct text_error before = *r->types.error;
	if (token_is(t.next, "struct") && !type_take(&r->types, &t, &type))
		*r->types.error = before;
	return true;
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
			return type_refuse(&r->types, 0, parts[i].why);
	}
	for (size_t i = 0; i < CARRY_FUNCTIONS && r->carry_line != 0; i++) {
		char why[80];
		if (r->carry_function_lines[i] != 0)
			continue;
		(void)snprintf(why, sizeof why, "of the carry there is no function \"%s\"", carry_functions[i].whole);
		return type_refuse(&r->types, r->carry_line, why);
	}
	return r->emit_inputs.count == 0 || packed_is_same(&r->emit_inputs, &r->declared->element) ||
	       type_refuse(&r->types, r->emit_line, "the inputs of emit are not those of lift");
}

enum status declarations_read(const char *text, size_t size, struct declarations *declared, struct text_error *error)
{
	struct reader r = {.declared = declared, .types = {.error = error}};
	*declared = (struct declarations){0};
	*error = (struct text_error){0};
	if (memchr(text, '\0', size) != NULL) {
		(void)type_refuse(&r.types, 0, "it is no text: there is a byte of zero in it");
		return STATUS_USAGE;
	}
	enum status status = tokens_read(text, size, &r.types.list);
	if (status == STATUS_OK && r.types.list.open_comment > 0) {
		(void)type_refuse(&r.types, r.types.list.open_comment, "a comment is not closed");
		status = STATUS_USAGE;
	}
	const struct token *end = tokens_first(&r.types.list) + tokens_count(&r.types.list);
	struct external e = {.next = tokens_first(&r.types.list)};
	while (status == STATUS_OK && e.next < end) {
		if (!external_take(e.next, end, &e, error) ||
		    (e.end > e.first && !read_declaration(&r, (struct tokens){e.first, e.end})))
			status = error->why[0] != '\0' ? STATUS_USAGE : STATUS_SYSTEM;
	}
	if (status == STATUS_OK && !check_whole(&r))
		status = STATUS_USAGE;
	type_reader_free(&r.types);
	return status;
}
