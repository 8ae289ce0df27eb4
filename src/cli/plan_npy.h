/* The steps of plan_make for arrays (.npy). The header of an input array replaces options for the type and the columns.
 * The plan describes the header of the output. */
#ifndef PSCAN_CLI_PLAN_NPY_H
#define PSCAN_CLI_PLAN_NPY_H

#include "cli/make_plan.h"

/* Bytes of room for the value of -t that the header of an array replaces. */
#define PLAN_NPY_TYPE_SIZE 32

/* Sets *settled to the given options, changed to fit the input, and sets plan->npy. If the input is an array, *settled
 * asks for raw binary elements of the array's type, with the columns and segments that follow from --axis. Otherwise
 * only .npy as a format becomes raw binary. type: memory that settled->numbers.type may point to; it must live as long
 * as *settled. STATUS_USAGE after a message if the options do not fit the array, or if --axis is given without an
 * array. */
enum status plan_npy_settle(struct plan *plan, const struct options *given, const struct plan_input *input,
			    struct options *settled, char type[PLAN_NPY_TYPE_SIZE]) MUST_CHECK;

/* Checks that the lanes' elements have the input array's type, and sets plan->format's byte orders to the array's if a
 * program declares its types. Does nothing if the input is no array. Call it when the lanes have types. STATUS_USAGE
 * after a message if the types differ. */
enum status plan_npy_check_types(struct plan *plan) MUST_CHECK;

/* Sets the type in the output array's header, and the shape if the input is not an array. Call it when the rest of the
 * plan is complete. STATUS_SYSTEM after a message if memory is missing. */
enum status plan_npy_describe(struct plan *plan, const struct plan_input *input) MUST_CHECK;

#endif
