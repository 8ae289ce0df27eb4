/* The steps of plan_make for formats whose lines name their fields (JSON, logfmt). */
#ifndef PSCAN_CLI_PLAN_NAMES_H
#define PSCAN_CLI_PLAN_NAMES_H

#include "stream/plan.h"

/* Makes the tree of the chosen fields' names (text/members.h), and numbers the fields by it. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status plan_name_members(struct plan *plan) MUST_CHECK;

/* Makes the labels (struct label) of the results, keys and resets, if results are written with their names.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status plan_make_labels(struct plan *plan) MUST_CHECK;

#endif
