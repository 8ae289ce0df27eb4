#include "cli/plan_exclusive.h"

#include "cli/args.h"
#include "stream/plan.h"

bool plan_is_exclusive(const struct scan_options *o)
{
	return o->exclusive && !o->include_initial && !o->total;
}

void plan_choose_exclusive(struct plan_lane *lane)
{
	lane->exclusive_row = lane->exclusive && lane->op->emits_inputs;
	lane->exclusive = lane->exclusive && !lane->op->emits_inputs;
}
