/* The types of elements and accumulators. */
#ifndef PSCAN_CLI_PLAN_TYPES_H
#define PSCAN_CLI_PLAN_TYPES_H

#include "stream/plan.h"

/* Chooses the types of the plan's lanes, which have their operators. text: the value of -t, or NULL. STATUS_USAGE after
 * a message. */
enum status plan_choose_types(struct plan *plan, const char *text) MUST_CHECK;

#endif
