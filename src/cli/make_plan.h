/* The plan of a run. */
#ifndef PSCAN_CLI_MAKE_PLAN_H
#define PSCAN_CLI_MAKE_PLAN_H

#include <stddef.h>

#include "base/status.h"
#include "stream/plan.h"

struct options;
/* The worker threads that the options ask for, and the slots that so many need. Asked for once in a run: how many
 * processors there are may change at any time. */
size_t plan_threads(const struct options *options);
size_t plan_slots(size_t threads);
/* Completes the plan for so many worker threads; plan_free is due afterwards, whatever the status. It borrows strings of the options, and is made from them and the first
 * block (size bytes, whole if it is all there is) of the input. STATUS_USAGE after a message: the input or the options do
 * not go together. */
enum status plan_make(struct plan *plan, const struct options *options, size_t threads, const unsigned char *block,
		      size_t size) MUST_CHECK;

void plan_free(struct plan *plan);

#endif
