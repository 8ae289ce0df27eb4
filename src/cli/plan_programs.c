#include "cli/plan_programs.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/args.h"
#include "cli/args_value.h"
#include "scan/program.h"

/* The most bytes of an expression that is shown with a mark below it. */
#define SHOWN_MAX 200

/* On a terminal: the expression, and a mark below the place. */
static void show_place(const struct text_part *text, const struct expression_error *error)
{
	char line[2 * SHOWN_MAX + 16];
	if (!message_is_on_terminal() || text->size > SHOWN_MAX || error->place > text->size)
		return;
	for (size_t i = 0; i < text->size; i++) {
		/* (A character beyond ASCII may take more or fewer columns than bytes.) */
		if (text->text[i] < ' ' || text->text[i] > '~')
			return;
	}
	(void)snprintf(line, sizeof line, "  %.*s\n  %*s^\n", (int)text->size, text->text, (int)error->place, "");
	message_text(line);
}

enum status plan_refuse_expression(const char *option, const struct text_part *text,
				   const struct expression_error *error)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	char at[MESSAGE_QUOTED_SIZE];
	message_quote(quoted, text->text, text->size);
	if (error->size == 0 || error->size == text->size || error->place + error->size > text->size)
		message_error("%s: %s: %s", option, quoted, error->why);
	else
		message_error("%s: %s, at %s: %s", option, quoted,
			      message_quote(at, text->text + error->place, error->size), error->why);
	show_place(text, error);
	return STATUS_USAGE;
}

/* Whether a device runs the programs although the host might be able to. */
static bool is_for_device(const struct plan *plan, const struct options *o)
{
	const bool is_named = strcmp(o->run.device, "auto") != 0 && strcmp(o->run.device, "none") != 0;
	return is_named || plan->algorithm != ALGORITHM_BLELLOCH;
}

static enum status refuse_without_device(const struct program_refusal *why)
{
	if (why->option == NULL)
		return args_usage("-D none: an operator of your own needs a device");
	message_error("-D none: what follows needs a device");
	return plan_refuse_expression(why->option, &why->text, &why->error);
}

enum status plan_choose_programs(struct plan *plan, const struct options *o)
{
	const struct operator_choice *ops = (const struct operator_choice *)(const void *)o->scan.operators.data;
	const bool excludes_devices = strcmp(o->run.device, "none") == 0;
	bool needs_device = false;
	for (size_t i = 0; i < plan->operator_count; i++) {
		struct program_refusal why;
		bool can = false;
		if (plan->lanes[i].op->program == NULL)
			continue;
		plan->device.has_programs = true;
		if (is_for_device(plan, o)) {
			if (excludes_devices)
				return args_usage("-D none: an operator of your own needs a device with "
						  "--algorithm=hillis-steele");
			needs_device = true;
			break;
		}
		if (program_compile(ops[i].program, plan->lanes[i].acc, &can, &why) != STATUS_OK)
			return STATUS_SYSTEM;
		if (!can && why.option != NULL && !why.error.may_be_for_device)
			return plan_refuse_expression(why.option, &why.text, &why.error);
		if (!can && excludes_devices)
			return refuse_without_device(&why);
		needs_device = needs_device || !can;
	}
	plan->device.is_needed = needs_device;
	for (size_t i = 0; i < plan->lane_count && !needs_device; i++)
		plan->is_pushed =
			plan->is_pushed || (plan->lanes[i].op->program != NULL && plan->lanes[i].exclusive_row);
	return STATUS_OK;
}
