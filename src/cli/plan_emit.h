/* Whether --emit is evaluated after the scan (stream/slot_emit.h) or is a part of a program. */
#ifndef PSCAN_CLI_PLAN_EMIT_H
#define PSCAN_CLI_PLAN_EMIT_H

#include "stream/plan.h"

struct options;

/* Whether --emit may be evaluated apart from programs, as far as the options say: the host may evaluate it, and what
 * combines is operators of the table, or expressions that the host may evaluate, too. */
bool plan_emit_may_be_late(const struct options *o);

/* Decides it for an input whose format is known, and sets plan->emit. (Only the results of text without a type may be
 * exact decimals; those of other types are parts of a program, whose bits are a device's.) STATUS_USAGE after a message
 * if the expression is wrong, STATUS_SYSTEM after a message if memory is missing. */
enum status plan_choose_emit(struct plan *plan, const struct options *o) MUST_CHECK;

#endif
