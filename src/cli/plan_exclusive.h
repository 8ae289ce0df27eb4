/* Where it is decided whether results are exclusive. */
#ifndef PSCAN_CLI_PLAN_EXCLUSIVE_H
#define PSCAN_CLI_PLAN_EXCLUSIVE_H

#include <stdbool.h>

struct plan_lane;
struct scan_options;

/* Whether each result leaves out its element. Results that begin with the initial one, and totals, are inclusive. */
bool plan_is_exclusive(const struct scan_options *o);
/* Decides how an exclusive lane gets its results. Where they need the element's own inputs its row computes them. Else
 * they are the inclusive ones, moved by one place. */
void plan_choose_exclusive(struct plan_lane *lane);

#endif
