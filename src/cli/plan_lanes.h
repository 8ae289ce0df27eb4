/* The steps of plan_make that choose fields and lanes. Each returns STATUS_USAGE after a message if the options or the
 * input do not allow it. */
#ifndef PSCAN_CLI_PLAN_LANES_H
#define PSCAN_CLI_PLAN_LANES_H

#include <stddef.h>

#include "base/status.h"
#include "stream/plan.h"

struct options;
struct plan_input;

/* Chooses the fields of the numbers of a record. The header that names them is in the first block of the input. */
enum status plan_choose_fields(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;
/* Makes the lanes: each number of a record under each operator, with its seed. */
enum status plan_choose_lanes(struct plan *plan, const struct options *o) MUST_CHECK;
/* Checks that --as names all results, and that each name is one field. */
enum status plan_check_names(const struct plan *plan) MUST_CHECK;
/* Checks that --replace has one result for each field. */
enum status plan_check_replaced(const struct plan *plan) MUST_CHECK;

#endif
