/* What the options say of records without a number, and whether a run can do it. */
#include "cli/plan_steps.h"

#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "cli/args_value.h"
#include "number/parse.h"
#include "scan/program.h"

const char *const missing_words[] = {
	[MISSING_FAIL] = "fail", [MISSING_SKIP] = "skip",           [MISSING_KEEP] = "keep",
	[MISSING_HOLD] = "hold", [MISSING_PROPAGATE] = "propagate",
};

/* The stand-in for missing numbers must itself be an element. */
static enum status check_stand_in(const struct plan *plan, const char *option, const struct missing_rule *rule)
{
	union value value;
	const struct plan_lane *l = plan->lanes;
	while (l < plan->lanes + plan->lane_count && l->is_text)
		l++;
	if (l == plan->lanes + plan->lane_count)
		return STATUS_OK;
	/* Exact decimals may go on in f64. */
	const bool decimal = l->decimal;
	const struct packed numbers = operator_element(l->op, decimal ? &type_table[TYPE_F64] : l->in);
	for (size_t i = 0; i < numbers.count && rule->how == MISSING_VALUE; i++) {
		const struct type *type = numbers.numbers[i].type;
		if (plan->format.input == FORMAT_BINARY && type->kind != KIND_FLOAT)
			continue; /* it is never asked for */
		if (number_parse(rule->value, strlen(rule->value), type, &value) == NUMBER_OK)
			continue;
		return message_refuse("%s: %s is not a value of %s", option, message_quoted(rule->value),
				      decimal ? "num" : type->name);
	}
	return STATUS_OK;
}

enum status plan_check_stand_ins(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	if (plan->format.input == FORMAT_TEXT)
		TRY(check_stand_in(plan, "--missing", &t->tokens.missing));
	return check_stand_in(plan, "--nan", &t->tokens.nan);
}

enum status plan_check_marks(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	for (int i = 0; i < 2 && plan->format.input == FORMAT_TEXT && plan->format.output == FORMAT_BINARY; i++) {
		const enum missing how = i == 0 ? t->tokens.missing.how : t->tokens.nan.how;
		if (how != MISSING_KEEP && how != MISSING_HOLD)
			continue;
		return message_refuse("%s=%s writes text: it cannot be combined with --output-format=%s",
				      i == 0 ? "--missing" : "--nan", how == MISSING_KEEP ? "keep" : "hold",
				      plan->npy.writes ? "npy" : "binary");
	}
	return STATUS_OK;
}

bool plan_comes_out(const struct missing_rule *rule)
{
	return rule->how == MISSING_KEEP || rule->how == MISSING_HOLD;
}

bool plan_leaves_out_nans(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	return plan->format.input == FORMAT_BINARY && t->tokens.has_nan && plan_comes_out(&t->tokens.nan);
}

const struct type *plan_integer_result(const struct plan *plan, const struct scan_operator **op)
{
	for (size_t i = 0; i < plan->lane_count; i++) {
		const struct packed results = operator_results(plan->lanes[i].op, plan->lanes[i].acc);
		*op = plan->lanes[i].op;
		for (size_t k = 0; k < results.count; k++) {
			if (results.numbers[k].type->kind != KIND_FLOAT)
				return results.numbers[k].type;
		}
	}
	return NULL;
}

enum status plan_check_binary_nan(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	const char *how = t->tokens.nan.how == MISSING_KEEP ? "keep" : "hold";
	bool floats = false;
	for (size_t i = 0; i < plan->element.count; i++)
		floats = floats || plan->element.numbers[i].type->kind == KIND_FLOAT;
	if (plan->format.input == FORMAT_BINARY && t->tokens.has_nan && t->tokens.nan.how == MISSING_SKIP)
		return message_refuse(
			"--nan=skip is for text: every binary element has a result (see --nan=keep, hold)");
	const struct scan_operator *op;
	const struct type *integer = plan_integer_result(plan, &op);
	if (integer != NULL && floats && plan_leaves_out_nans(plan) && plan->format.output == FORMAT_BINARY)
		return message_refuse("--nan=%s: %s has no value for a missing result of %s (see -t, --nan=fail)", how,
				      integer->name, op->name);
	return STATUS_OK;
}

/* Whether a NaN leaves no trace: it is skipped, or another number stands for it. */
static bool loses_nans(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	const struct plan_lane *lane = &plan->lanes[0];
	const bool is_mark = plan->format.input == FORMAT_TEXT && (lane->decimal || lane->in->kind != KIND_FLOAT);
	const enum missing how = t->tokens.has_nan ? t->tokens.nan.how
				 : is_mark         ? t->tokens.missing.how
						   : MISSING_PROPAGATE;
	return how == MISSING_SKIP || how == MISSING_VALUE;
}

/* Whether each integer result covers at least the number of its own element, whatever the input. (A total may be of no
 * input. Where NaNs have no results there are no integers in binary: plan_check_binary_nan.) */
static bool covers_a_number(const struct plan *plan)
{
	bool exclusive = false;
	for (size_t i = 0; i < plan->lane_count; i++)
		exclusive = exclusive || plan->lanes[i].moves_results || plan->lanes[i].row_is_exclusive;
	return !exclusive && !plan->total;
}

enum status plan_check_places(const struct plan *plan)
{
	const struct token_rules *t = &plan->format.text.tokens;
	const bool is_nan = plan->format.input != FORMAT_TEXT || !plan_comes_out(&t->missing);
	const enum missing how = is_nan ? t->nan.how : t->missing.how;
	for (size_t i = 0; i < plan->operator_count && plan->lacking.keeps_records; i++) {
		const struct scan_operator *op = plan->lanes[i].op;
		const bool is_place = op->id == OPERATOR_ARGMAX || op->id == OPERATOR_ARGMIN;
		if (is_place && op->program != NULL)
			return message_refuse("-op %s with --%s=%s and a compiled %s" ARGS_LATER, op->name,
					      is_nan ? "nan" : "missing", missing_words[how],
					      op->program->emit != NULL ? "--emit" : "--map");
	}
	return STATUS_OK;
}

enum status plan_check_counts(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	if (plan->resets.at_nan && loses_nans(plan))
		return message_refuse("--reset-at=nan: %s removes every NaN (see --nan=keep, --nan=hold)",
				      t->tokens.has_nan ? "--nan" : "--missing");
	if (plan->lacking.fill_limit > 0 && t->tokens.missing.how != MISSING_HOLD &&
	    !(t->tokens.has_nan && t->tokens.nan.how == MISSING_HOLD))
		return message_refuse("--fill-limit works only with --missing=hold or --nan=hold");
	if (plan->resets.after_missing && !plan->lacking.keeps_records)
		return message_refuse(
			"--reset-at=missing works only with --missing=keep or hold, or --nan=keep or hold");
	if (plan->lacking.min_count > 0 && plan->include_initial)
		return message_refuse(
			"--min-count cannot be combined with --include-initial, whose first result has no number");
	for (size_t i = 0; i < plan->operator_count; i++) {
		const uint64_t window = plan->lanes[i].lags ? 0 : plan->lanes[i].window;
		if (window > 0 && plan->lacking.min_count > window)
			return message_refuse("--min-count is larger than the window: %" PRIu64 " numbers are the most",
					      window);
	}
	const struct scan_operator *op;
	const struct type *integer = plan_integer_result(plan, &op);
	const uint64_t sure = covers_a_number(plan) ? 1 : 0;
	if (integer != NULL && plan->lacking.min_count > sure && plan->format.output == FORMAT_BINARY)
		return message_refuse("--min-count: %s has no value for a missing result of %s (see -t)", integer->name,
				      op->name);
	return STATUS_OK;
}
