#include "cli/plan_emit.h"

#include <string.h>

#include "base/message.h"
#include "cli/args.h"
#include "cli/args_value.h"
#include "cli/bad_expression.h"
#include "cli/plan_programs.h"
#include "language/expression.h"
#include "scan/program.h"

bool plan_emit_may_be_late(const struct options *o)
{
	const struct operator_choice *ops = (const struct operator_choice *)(const void *)o->scan.operators.data;
	static const char *const others[] = {"x", "i", "n", "t", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7"};
	bool may = o->scan.emit != NULL;
	for (size_t i = 0; i < sizeof others / sizeof others[0] && may; i++)
		may = !text_has_word(o->scan.emit, others[i]);
	for (size_t i = 0; i < o->scan.operators.size / sizeof *ops; i++)
		may = may && (ops[i].program == NULL || (ops[i].program->file == NULL && !plan_is_for_device(o)));
	return may;
}

static enum status compile(const char *emit, const struct type *type, struct expression **e,
			   struct expression_error *error)
{
	const struct expression_name name = {.name = {.text = "s", .size = 1}, .type = type};
	return expression_new(emit, strlen(emit), &name, 1, type, e, error);
}

enum status plan_choose_emit(struct plan *plan, const struct options *o)
{
	const char *type = o->numbers.type;
	const char *emit = o->scan.emit;
	struct expression_error error;
	/* (A product may need more digits than a decimal has: its record is not known when it is computed.) */
	if (emit != NULL && plan->format.input == FORMAT_TEXT && type != NULL && strcmp(type, "dec") == 0)
		return message_refuse("--emit with -t dec" ARGS_LATER);
	if (!plan_emit_may_be_late(o) || plan->format.input != FORMAT_TEXT ||
	    (type != NULL && strcmp(type, "num") != 0))
		return STATUS_OK;
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

void plan_free_emit(struct plan_emit *emit)
{
	memory_free(emit->exact);
	memory_free(emit->floats);
}
