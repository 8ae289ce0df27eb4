/* Whether results leave their element out, and what then stands before the first one. */
#include <string.h>

#include "base/message.h"
#include "cli/plan_steps.h"

bool plan_is_exclusive(const struct scan_options *o)
{
	return o->exclusive && !o->include_initial && !o->total;
}

/* Whether the lane's first result has a value: the seed, the operator's identity, or the first number. */
static enum status check_seed(const struct plan *plan, const struct plan_lane *lane, bool exclusive)
{
	const struct scan_operator *op = lane->op;
	const bool shows_initial = exclusive || plan->include_initial;
	const bool allows_seed = op->takes_seed && lane->window == 0 && !lane->by_time;
	if (lane->seed != NULL && !op->takes_seed)
		return message_refuse("--seed: %s does not take a start value", lane->name);
	if (lane->seed == NULL && op->identity == IDENTITY_NONE && shows_initial)
		return message_refuse("%s: %.*s has no start value of its own%s",
				      exclusive ? "-e" : "--include-initial", (int)strcspn(lane->name, ":"), lane->name,
				      allows_seed ? " (see --seed)" : "");
	/* An absent result has no bytes. */
	const struct type *out = operator_result(op, lane->acc);
	const bool lacks_some = op->lacks_first ? lane->seed == NULL || shows_initial
						: op->identity == IDENTITY_ABSENT && shows_initial;
	if ((lacks_some || lane->lags) && plan->format.output == FORMAT_BINARY && out->kind != KIND_FLOAT &&
	    !plan->total)
		return message_refuse("%s: the first result is missing, and %s has no value for that%s", lane->name,
				      out->name, allows_seed ? " (see --seed)" : " (see --output-format=text)");
	return STATUS_OK;
}

enum status plan_exclusive_lanes(struct plan *plan, const struct scan_options *o)
{
	const bool exclusive = plan_is_exclusive(o);
	for (size_t i = 0; i < plan->lane_count; i++) {
		struct plan_lane *l = &plan->lanes[i];
		TRY(check_seed(plan, l, exclusive));
		/* A row computes inclusive results, which are then moved. Where an exclusive one needs the inputs of
		 * its own element, the row must compute it. */
		l->row_is_exclusive = exclusive && l->op->emits_inputs;
		l->moves_results = exclusive && !l->op->emits_inputs;
	}
	return STATUS_OK;
}
