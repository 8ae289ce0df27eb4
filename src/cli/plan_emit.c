/* --emit is evaluated after the scan if s is its only name. With other names it is evaluated for each element when its
 * result is put, which is for exact decimals only. Otherwise it is a part of a program. */
#include "cli/plan_steps.h"

#include <string.h>

#include "base/message.h"
#include "cli/args_value.h"
#include "language/expression.h"
#include "scan/program.h"

/* Whether an expression has one of the names. */
static bool has_name(const char *emit, const char *const *names, size_t count)
{
	bool has = false;
	for (size_t i = 0; i < count && !has; i++)
		has = text_has_word(emit, names[i]);
	return has;
}

/* The names that are not the result's: those of one element, and those of the numbers of an element of several. */
static const char *const of_element[] = {"x", "i", "n", "t"};
static const char *const numbered[] = {"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7"};
#define COUNT_OF(names) (sizeof(names) / sizeof(names)[0])

/* Whether what else the options ask for lets each result be replaced as it is put: it is the only one at its place. */
static bool may_be_by_element(const struct options *o)
{
	const struct token_rules *t = &o->text.tokens;
	const bool has_total = text_has_word(o->scan.emit, "t");
	return !plan_is_for_device(o) && !o->scan.total && !o->scan.include_initial && t->missing.how != MISSING_HOLD &&
	       t->nan.how != MISSING_HOLD && (o->scan.window == 0 || (!o->scan.exclusive && !has_total)) &&
	       (o->scan.map == NULL || !text_has_word(o->scan.emit, "x")) && (!has_total || o->state.file == NULL);
}

bool plan_emit_may_be_late(const struct options *o)
{
	bool may = o->scan.emit != NULL && !has_name(o->scan.emit, numbered, COUNT_OF(numbered)) &&
		   (!has_name(o->scan.emit, of_element, COUNT_OF(of_element)) || may_be_by_element(o));
	for (size_t i = 0; i < o->scan.op_count; i++)
		may = may && (o->scan.ops[i].program == NULL ||
			      (o->scan.ops[i].program->file == NULL && !plan_is_for_device(o)));
	return may;
}

static enum status compile(const char *emit, const struct type *type, struct expression **e,
			   struct expression_error *error)
{
	const struct expression_name name = {.name = {.text = "s", .size = 1}, .type = type};
	const struct expression_terms terms = {.names = &name, .name_count = 1, .type = type, .is_num = true};
	return expression_new(emit, strlen(emit), &terms, e, error);
}

/* Whether all operators give exact results of exact decimals. */
static bool are_exact(const struct plan *plan, const struct options *o)
{
	bool are = o->scan.map == NULL || (plan->map.field_count > 0 && plan->map.is_exact);
	for (size_t i = 0; i < o->scan.op_count; i++)
		are = are && o->scan.ops[i].op->inputs == 1 && !o->scan.ops[i].op->of_texts &&
		      operator_has_decimals(o->scan.ops[i].op);
	return are;
}

/* Chooses to evaluate an exact expression for each element, where that is possible. */
static enum status choose_by_element(struct plan *plan, const struct options *o)
{
	static const char *const texts[EMIT_INPUTS] = {"s", "x", "i", "n", "t"};
	struct expression_name names[EMIT_INPUTS];
	struct expression_error error;
	for (size_t i = 0; i < EMIT_INPUTS; i++)
		names[i] =
			(struct expression_name){.name = {.text = texts[i], .size = 1}, .type = &type_table[TYPE_I128]};
	if (!are_exact(plan, o))
		return STATUS_OK;
	const struct expression_terms terms = {
		.names = names, .name_count = EMIT_INPUTS, .type = &type_table[TYPE_I128]};
	const enum status status =
		expression_new(o->scan.emit, strlen(o->scan.emit), &terms, &plan->emit.exact, &error);
	plan->emit.is_by_element = status == STATUS_OK;
	plan->emit.uses_total = plan->emit.is_by_element && plan->emit.exact->used[EMIT_TOTAL];
	plan->emit.uses_element = plan->emit.is_by_element && plan->emit.exact->used[EMIT_ELEMENT];
	return status == STATUS_USAGE ? STATUS_OK : status;
}

/* Whether a slot of an exact expression of integers is an integer after the first `count` steps. */
static bool slot_is_integer(const struct expression *e, size_t count, uint16_t slot)
{
	while (count > 0 && e->steps[count - 1].to != slot)
		count--;
	if (count == 0)
		return slot < e->input_count || e->constants[slot - e->input_count].scale == 0;
	const struct step *s = &e->steps[count - 1];
	const bool is_truth = s->type != TYPE_I128 || (s->code >= STEP_EQUAL && s->code <= STEP_LESS_EQUAL);
	bool is = true;
	for (size_t i = 0; i < 3 && is && !is_truth && (s->code < STEP_FLOOR || s->code > STEP_ROUND); i++)
		is = s->in[i] == SLOT_NONE || slot_is_integer(e, count - 1, s->in[i]);
	return is;
}

/* Refuses -F %d for results that may not be integers: these are not looked at before they are written. */
static enum status check_integers(const struct plan *plan)
{
	const struct number_spec *spec = plan->format.number_format;
	const struct expression *exact = plan->emit.exact;
	if (spec == NULL || !number_spec_is_integer(spec) || (!plan->emit.is_late && !plan->emit.is_by_element))
		return STATUS_OK;
	if (exact == NULL)
		return message_refuse("-F: %%d is for integers, but this --emit gives f64");
	if (!slot_is_integer(exact, exact->step_count, exact->result))
		return message_refuse(
			"-F: %%d is for integers, but this --emit may give fractions (see floor and round)");
	return STATUS_OK;
}

/* Decides it, but for -F. */
static enum status choose_emit(struct plan *plan, const struct options *o)
{
	const char *type = o->numbers.type;
	const char *emit = o->scan.emit;
	struct expression_error error;
	/* (A product may need more digits than a decimal has: its record is not known when it is computed.) */
	if (emit != NULL && plan->format.input == FORMAT_TEXT && type != NULL && strcmp(type, "dec") == 0)
		return message_refuse("--emit with -t dec" ARGS_LATER);
	if (!plan_emit_may_be_late(o) || !plan_is_num(plan, o))
		return STATUS_OK;
	if (has_name(emit, of_element, COUNT_OF(of_element)))
		return choose_by_element(plan, o);
	enum status status = compile(emit, &type_table[TYPE_I128], &plan->emit.exact, &error);
	if (status == STATUS_USAGE && error.is_not_exact)
		status = compile(emit, &type_table[TYPE_F64], &plan->emit.floats, &error);
	/* What may have no value is left to a program, which knows the place. */
	bool may_be_bad = false;
	if (status == STATUS_OK)
		expression_note_bad(plan->emit.floats, &may_be_bad, &may_be_bad);
	plan->emit.is_late = status == STATUS_OK && !may_be_bad;
	if (status != STATUS_USAGE)
		return status;
	/* A device may know what the host does not. */
	if (error.may_be_for_device)
		return STATUS_OK;
	return bad_expression("--emit", emit, strlen(emit), error.place, error.size, error.why);
}

enum status plan_choose_emit(struct plan *plan, const struct options *o)
{
	TRY(choose_emit(plan, o));
	return check_integers(plan);
}
