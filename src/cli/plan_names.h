/* The names of results, and the steps of plan_make for formats whose lines name their fields (JSON, logfmt). */
#ifndef PSCAN_CLI_PLAN_NAMES_H
#define PSCAN_CLI_PLAN_NAMES_H

#include "stream/plan.h"

/* Makes the tree of the chosen fields' names (text/members.h), and numbers the fields by it. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status plan_name_members(struct plan *plan) MUST_CHECK;

/* Appends to *out what result i of a record is called: as --as says, or as in a header, with the number in the place of
 * a field's name that is not known. *as: the names of --as for this result and those after it; moved on to the next
 * one. NULL: --as was not given. STATUS_SYSTEM after a message if memory is missing. */
enum status plan_name_result(const struct plan *plan, size_t i, const char **as, struct bytes *out) MUST_CHECK;

/* Makes the labels (struct label) of the results, keys and resets, if results are written with their names.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status plan_make_labels(struct plan *plan) MUST_CHECK;

#endif
