/* The types of elements and accumulators. */
#ifndef PSCAN_CLI_PLAN_TYPES_H
#define PSCAN_CLI_PLAN_TYPES_H

#include "stream/plan.h"

/* Chooses the element and accumulator types of the plan's lanes. Call it when the lanes have operators. text: the value
 * of -t, or NULL. STATUS_USAGE after a message if an operator does not have the types. */
enum status plan_choose_types(struct plan *plan, const char *text) MUST_CHECK;

#endif
