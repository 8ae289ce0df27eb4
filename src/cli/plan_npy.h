/* What a plan makes of arrays: what an array's header says stands for options, and what the results' header is to
 * say. */
#ifndef PSCAN_CLI_PLAN_NPY_H
#define PSCAN_CLI_PLAN_NPY_H

#include "cli/make_plan.h"

/* Room for the -t that an array has. */
#define PLAN_NPY_TYPE_SIZE 32

/* The options of a run, given ones completed by what the input is: an array is binary elements, in the columns and
 * segments that its axis makes of them. Sets the plan's facts of arrays. type: memory for the options. STATUS_USAGE
 * after a message. */
enum status plan_npy_settle(struct plan *plan, const struct options *given, const struct plan_input *input,
			    struct options *settled, char type[PLAN_NPY_TYPE_SIZE]) MUST_CHECK;

/* Once the lanes have their types: whether they are the array's. STATUS_USAGE after a message. */
enum status plan_npy_check_types(struct plan *plan) MUST_CHECK;

/* Once everything else is known: the result's type, and the shape of what is made of no array. STATUS_SYSTEM after a
 * message. */
enum status plan_npy_describe(struct plan *plan, const struct plan_input *input) MUST_CHECK;

#endif
