/* The steps of plan_make that choose fields and lanes. Each function returns STATUS_USAGE after a message if the
 * options or the input do not allow the choice, STATUS_SYSTEM after a message if memory is missing. */
#ifndef PSCAN_CLI_PLAN_LANES_H
#define PSCAN_CLI_PLAN_LANES_H

#include "base/status.h"
#include "stream/plan.h"

struct options;
struct plan_input;

/* Chooses the fields of a record: the numbers, keys and resets. The names of the header are looked up in the input's
 * first block. */
enum status plan_choose_fields(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;
/* Makes the lanes and their seeds. Each element of a record under each operator is a lane. */
enum status plan_choose_lanes(struct plan *plan, const struct options *o) MUST_CHECK;
/* Checks that --as has a name for each result, and that no name would be cut into several fields. */
enum status plan_check_names(const struct plan *plan) MUST_CHECK;
/* Checks, for --replace, that each field of numbers has one result. */
enum status plan_check_replaced(const struct plan *plan) MUST_CHECK;

#endif
