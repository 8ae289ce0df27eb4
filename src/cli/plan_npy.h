/* Arrays in a plan: the header of an input array stands for options, and the plan describes the header of the
 * results. */
#ifndef PSCAN_CLI_PLAN_NPY_H
#define PSCAN_CLI_PLAN_NPY_H

#include "cli/make_plan.h"

/* Bytes for the value of -t that an array stands for. */
#define PLAN_NPY_TYPE_SIZE 32

/* Completes the given options from the input: an array is binary elements, in the columns and segments that its axis
 * gives. Sets the plan's facts about arrays. type: memory for settled->numbers.type. STATUS_USAGE after a message. */
enum status plan_npy_settle(struct plan *plan, const struct options *given, const struct plan_input *input,
			    struct options *settled, char type[PLAN_NPY_TYPE_SIZE]) MUST_CHECK;

/* Checks that the lanes' types are the array's. Call it when the lanes have their types. STATUS_USAGE after a
 * message. */
enum status plan_npy_check_types(struct plan *plan) MUST_CHECK;

/* Sets the type of the result, and its shape if the input is not an array. Call it when everything else is known.
 * STATUS_SYSTEM after a message. */
enum status plan_npy_describe(struct plan *plan, const struct plan_input *input) MUST_CHECK;

#endif
