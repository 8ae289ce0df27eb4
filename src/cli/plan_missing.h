#ifndef PSCAN_CLI_PLAN_MISSING_H
#define PSCAN_CLI_PLAN_MISSING_H

#include "stream/plan.h"

/* What an option says for each enum missing but MISSING_VALUE. */
extern const char *const plan_missing_words[];

/* Whether what a rule is about comes out, and is no element. */
bool plan_comes_out(const struct missing_rule *rule);
/* Whether NaNs of binary input leave the columns, and something stands for their results. */
bool plan_leaves_out_nans(const struct plan *plan);

/* Returns the type of the first result that is no float, or NULL; *op becomes its operator. The types are chosen. */
const struct type *plan_integer_result(const struct plan *plan, const struct scan_operator **op);

/* The functions return STATUS_USAGE after a message. */

/* Whether what stands for missing numbers is itself an element. The lanes are chosen. */
enum status plan_check_stand_ins(const struct plan *plan) MUST_CHECK;
/* Whether what stands for results has a place in the output. */
enum status plan_check_marks(const struct plan *plan) MUST_CHECK;
/* Whether --nan can be obeyed among binary elements. */
enum status plan_check_binary_nan(const struct plan *plan) MUST_CHECK;
/* Whether results may be absent for want of numbers, or stand for records without one. The segments are chosen. */
enum status plan_check_counts(const struct plan *plan) MUST_CHECK;

#endif
