/* The types of elements and accumulators. */
#ifndef PSCAN_CLI_PLAN_TYPES_H
#define PSCAN_CLI_PLAN_TYPES_H

#include "stream/plan.h"

/* Chooses them for the plan's lanes, which have their operators: -t's value, or NULL. STATUS_USAGE after a message. */
enum status plan_choose_types(struct plan *plan, const char *text) MUST_CHECK;

#endif
