/* For lines that name their fields: the tree of these names, and the names of the results. */
#ifndef PSCAN_CLI_PLAN_NAMES_H
#define PSCAN_CLI_PLAN_NAMES_H

#include "stream/plan.h"

/* Makes the members of the plan's fields, and gives the fields their numbers. STATUS_SYSTEM after a message. */
enum status plan_name_members(struct plan *plan) MUST_CHECK;

/* Makes the labels of the results, if they are written with their names, and of keys and resets. STATUS_SYSTEM after a
 * message. */
enum status plan_make_labels(struct plan *plan) MUST_CHECK;

#endif
