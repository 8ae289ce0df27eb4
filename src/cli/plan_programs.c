/* The host runs programs wherever it can. A device is needed if one is named, or if a program is more than an
 * expression that the host evaluates. */
#include "cli/plan_steps.h"

#include <string.h>

#include "base/message.h"
#include "cli/args_value.h"
#include "scan/program.h"

static enum status refuse(const struct program_refusal *why)
{
	const struct expression_error *e = &why->error;
	return bad_expression(why->option, why->text.text, why->text.size, e->place, e->size, e->why);
}

bool plan_is_for_device(const struct options *o)
{
	const bool is_named = strcmp(o->run.device, "auto") != 0 && strcmp(o->run.device, "none") != 0;
	return is_named || o->scan.algorithm != ALGORITHM_BLELLOCH;
}

bool plan_is_num(const struct plan *plan, const struct options *o)
{
	const char *type = o->numbers.type;
	return plan->format.input == FORMAT_TEXT &&
	       (type == NULL || strcmp(type, "num") == 0 || strcmp(type, "dec") == 0);
}

/* Refuses a program with t in --emit that the host does not run. */
static enum status refuse_total(const struct program_refusal *why)
{
	if (why == NULL)
		return args_usage("t in --emit is for the host: -D none, and the usual --algorithm");
	if (why->option == NULL)
		return args_usage("t in --emit is for the host, and an operator from a file needs a device");
	message_error("t in --emit is for the host, but a device is needed, because:");
	return refuse(why);
}

static enum status refuse_without_device(const struct program_refusal *why)
{
	if (why->option == NULL)
		return args_usage("-D none: an operator of your own needs a device");
	message_error("-D none, but a device is needed, because:");
	return refuse(why);
}

enum status plan_choose_exact(const struct plan *plan, const struct options *o)
{
	for (size_t i = 0; i < o->scan.op_count; i++) {
		struct program *p = o->scan.ops[i].program;
		if (p == NULL)
			continue;
		memory_free(p->exact);
		p->exact = NULL;
		if (plan->format.input == FORMAT_TEXT && o->scan.window == 0 && !plan_is_for_device(o))
			TRY(program_compile_exact(p, &p->exact));
	}
	return STATUS_OK;
}

/* The type for which a lane's program is compiled. */
static const struct type *type_of(const struct plan_lane *l)
{
	return l->decimal ? &type_table[TYPE_F64] : l->acc;
}

/* Checks a program that a device's compiler compiles. */
static enum status check_for_device(struct program *p, const struct plan_lane *l)
{
	struct program_refusal why;
	bool can = true;
	const enum status status = program_check_for_device(p, type_of(l), &can, &why);
	return status != STATUS_OK || can ? status : refuse(&why);
}

/* Refuses what does not go with a window of a program. */
static enum status check_windows(const struct plan *plan)
{
	const struct token_rules *t = &plan->format.text.tokens;
	const bool keeps = plan_comes_out(&t->missing) || (t->has_nan && plan_comes_out(&t->nan));
	for (size_t i = 0; i < plan->operator_count && plan->lanes[i].window > 0; i++) {
		const struct plan_lane *l = &plan->lanes[i];
		const char *what = l->op->program == NULL           ? NULL
				   : plan->device.is_needed         ? "an operator of your own on a device"
				   : plan->format.text.span.given   ? "FIELD:N and an operator of your own"
				   : l->row_is_exclusive            ? "-e and x or i in --emit"
				   : plan->emit.uses_total          ? "t in --emit"
				   : plan->device.check_associative ? "--check-associative"
				   : l->moves_results && keeps
					   ? "an operator of your own, -e, and --missing=keep or hold"
					   : NULL;
		if (what != NULL)
			return message_refuse("--window with %s" ARGS_LATER, what);
	}
	return STATUS_OK;
}

enum status plan_choose_programs(struct plan *plan, const struct options *o)
{
	const struct operator_choice *ops = o->scan.ops;
	const bool excludes_devices = strcmp(o->run.device, "none") == 0;
	bool needs_device = false;
	for (size_t i = 0; i < plan->operator_count; i++) {
		struct program_refusal why;
		bool can = false;
		if (plan->lanes[i].op->program == NULL)
			continue;
		const struct plan_lane *l = &plan->lanes[i];
		plan->device.has_programs = true;
		ops[i].program->is_num = plan_is_num(plan, o) && !program_has_types(ops[i].program);
		plan->emit.uses_total = plan->emit.uses_total || ops[i].program->uses_total;
		const bool is_mapped =
			ops[i].program->operands != ops[i].program->op.inputs || ops[i].program->names[0].size > 0;
		if (is_mapped && plan->npy.writes)
			return message_refuse("--map of several columns of an array" ARGS_LATER);
		if (is_mapped && plan_is_for_device(o))
			return message_refuse("--map of several fields, or of names beside i, on a device" ARGS_LATER);
		if (plan_is_for_device(o)) {
			if (plan->emit.uses_total)
				return refuse_total(NULL);
			if (excludes_devices)
				return args_usage("-D none: an operator of your own needs a device with "
						  "--algorithm=hillis-steele");
			needs_device = true;
			TRY(check_for_device(ops[i].program, l));
			continue;
		}
		TRY(program_compile(ops[i].program, type_of(l), &can, &why));
		if (!can && why.option != NULL && !why.error.may_be_for_device)
			return refuse(&why);
		if (!can && is_mapped && why.option == NULL)
			return message_refuse("--map of several fields with -op @FILE" ARGS_LATER);
		if (!can && is_mapped)
			return refuse(&why);
		if (!can && plan->emit.uses_total)
			return refuse_total(&why);
		if (!can && excludes_devices)
			return refuse_without_device(&why);
		if (!can)
			TRY(check_for_device(ops[i].program, l));
		needs_device = needs_device || !can;
	}
	plan->device.is_needed = needs_device;
	TRY(check_windows(plan));
	for (size_t i = 0; i < plan->lane_count && !needs_device; i++)
		plan->device.is_pushed = plan->device.is_pushed ||
					 (plan->lanes[i].op->program != NULL && plan->lanes[i].row_is_exclusive);
	return STATUS_OK;
}
