/* The steps of plan_make for records without a number, and for NaNs: what the options ask for, and whether the run can
 * do it. */
#ifndef PSCAN_CLI_CHECK_MISSING_H
#define PSCAN_CLI_CHECK_MISSING_H

#include "stream/plan.h"

/* The word of --missing for each enum missing except MISSING_VALUE, indexed by the enum. */
extern const char *const missing_words[];

/* Whether the rule is `keep` or `hold`: a record without a number is written, but is not an element. */
bool plan_comes_out(const struct missing_rule *rule);
/* Whether NaNs of binary input are no elements, and their records are written all the same (--nan=keep or hold). */
bool plan_leaves_out_nans(const struct plan *plan);

/* Returns the type of the first result that is not a float, and sets *op to its operator. NULL: all results are floats.
 * Call it when the types are chosen. */
const struct type *plan_integer_result(const struct plan *plan, const struct scan_operator **op);

/* Checks that the numbers of --missing and --nan are elements of the lanes' types. Call it when the lanes have types.
 * STATUS_USAGE after a message if not. */
enum status plan_check_stand_ins(const struct plan *plan) MUST_CHECK;
/* Checks that --missing and --nan do not ask for marks (keep, hold) in binary output of text. STATUS_USAGE after a
 * message if they do. */
enum status plan_check_marks(const struct plan *plan) MUST_CHECK;
/* Checks that --nan is possible for binary elements. STATUS_USAGE after a message if not. */
enum status plan_check_binary_nan(const struct plan *plan) MUST_CHECK;
/* Checks --min-count and --fill-limit. Call it when the segments are chosen. STATUS_USAGE after a message if they are
 * not possible. */
enum status plan_check_counts(const struct plan *plan) MUST_CHECK;

#endif
