/* Whether the host runs the programs of a plan, or a device. */
#ifndef PSCAN_CLI_PLAN_PROGRAMS_H
#define PSCAN_CLI_PLAN_PROGRAMS_H

#include "base/status.h"
#include "stream/plan.h"

struct options;

/* Whether the options name a device, or an algorithm that only devices have, for the programs. */
bool plan_is_for_device(const struct options *o);

/* Whether the numbers are decimals of a text without a type, unless a program declares their types: expressions of them
 * have num's rules (struct expression_terms). The input's format is known. */
bool plan_is_num(const struct plan *plan, const struct options *o);

/* Decides which programs can scan exact decimals on the host (struct program, exact), if the numbers are such. The
 * input's format is known. STATUS_SYSTEM after a message if memory is missing. */
enum status plan_choose_exact(const struct plan *plan, const struct options *o) MUST_CHECK;

/* Decides who runs the lanes' programs, whose types are chosen: the host if all are expressions that it can evaluate
 * and no device was named. Sets plan->device. STATUS_USAGE after a message if an expression is wrong, or needs a device
 * that the options exclude; STATUS_SYSTEM after a message if memory is missing. */
enum status plan_choose_programs(struct plan *plan, const struct options *o) MUST_CHECK;

#endif
