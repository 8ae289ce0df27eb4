/* The decoder counts a column's elements before the first one that was not written as a duration. This file joins these
 * counts over the chunks of the stream. */
#include "chunk/durations.h"

#include "number/notation.h"

bool durations_are_results(const struct plan *plan, size_t lane)
{
	const struct scan_operator *op = plan->lanes[lane].op;
	if ((plan->format.text.tokens.notation.accept & ACCEPT_DURATION) == 0 || plan->map.field_count > 0 ||
	    plan->emit.is_late || plan->is_reversed || op->program != NULL)
		return false;
	static const enum operator_id ids[] = {OPERATOR_SUM,   OPERATOR_MAX,      OPERATOR_MIN, OPERATOR_RANGE,
					       OPERATOR_FIRST, OPERATOR_LAST,     OPERATOR_LAG, OPERATOR_DELTA,
					       OPERATOR_MEAN,  OPERATOR_DRAWDOWN, OPERATOR_EMA};
	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
		if (op->id == ids[i])
			return true;
	}
	return false;
}

void durations_accept(const struct plan *plan, size_t lane, struct slot *s, struct duration_lane *d)
{
	struct slot_column *k = &s->columns[s->lanes[lane].column];
	if (!durations_are_results(plan, lane))
		return;
	d->has_some = d->has_some || k->durations > 0;
	k->durations = d->has_plain ? 0 : k->durations;
	d->has_plain = d->has_plain || k->plain_record != SIZE_MAX;
}

bool durations_of_total(const struct plan *plan, size_t lane, const struct slot *s, size_t record,
			const struct duration_lane *d)
{
	if (!durations_are_results(plan, lane) || d->has_plain)
		return false;
	if (s == NULL)
		return d->has_some;
	return record <= s->columns[s->lanes[lane].column].plain_record;
}
