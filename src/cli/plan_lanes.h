/* The steps of plan_make that choose fields and lanes. Each returns STATUS_USAGE after a message if the options or the
 * input do not allow it. */
#ifndef PSCAN_CLI_PLAN_LANES_H
#define PSCAN_CLI_PLAN_LANES_H

#include <stddef.h>

#include "base/status.h"
#include "stream/plan.h"

struct options;
struct plan_input;

/* The numbers of a record; the first block (size bytes) has the header that names them. */
enum status plan_choose_fields(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;
/* Each of them under each operator, with its seed. */
enum status plan_choose_lanes(struct plan *plan, const struct options *o) MUST_CHECK;
/* Whether --as names all results, and each is one field. */
enum status plan_check_names(const struct plan *plan) MUST_CHECK;
/* Whether --replace has one result for each field. */
enum status plan_check_replaced(const struct plan *plan) MUST_CHECK;

#endif
