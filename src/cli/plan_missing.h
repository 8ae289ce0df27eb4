#ifndef PSCAN_CLI_PLAN_MISSING_H
#define PSCAN_CLI_PLAN_MISSING_H

#include "stream/plan.h"

/* The option's word for each enum missing except MISSING_VALUE. */
extern const char *const plan_missing_words[];

/* Whether records under the rule are written without being elements. */
bool plan_comes_out(const struct missing_rule *rule);
/* Whether NaNs of binary input are left out of the columns, and another value is written for their results. */
bool plan_leaves_out_nans(const struct plan *plan);

/* Returns the type of the first result that is no float, or NULL; *op becomes its operator. The types are chosen. */
const struct type *plan_integer_result(const struct plan *plan, const struct scan_operator **op);

/* The functions return STATUS_USAGE after a message. */

/* Checks that the values in place of missing numbers are valid elements. Call it when the lanes are chosen. */
enum status plan_check_stand_ins(const struct plan *plan) MUST_CHECK;
/* Checks that the output can have marks in place of results. */
enum status plan_check_marks(const struct plan *plan) MUST_CHECK;
/* Checks that --nan is possible for binary elements. */
enum status plan_check_binary_nan(const struct plan *plan) MUST_CHECK;
/* Checks --min-count and --fill-limit. Call it when the segments are chosen. */
enum status plan_check_counts(const struct plan *plan) MUST_CHECK;

#endif
