/* --emit of exact decimals: an expression of a result alone is evaluated on the host, after the scan and before results
 * are written. (scanner/segment_emit.c evaluates --emit for each element. Expressions that are not exact are parts of a
 * program.) */
#ifndef PSCAN_CHUNK_SLOT_EMIT_H
#define PSCAN_CHUNK_SLOT_EMIT_H

#include "chunk/plan.h"
#include "text/result.h"

/* Memory for evaluation, and the results that were last evaluated for each lane. One thread at a time. */
struct slot_emit;
struct exact_number;

/* Makes the memory for a plan with plan->emit.is_late, which is borrowed. NULL after a message if memory is missing.
 * The caller frees it with slot_emit_free. */
struct slot_emit *slot_emit_new(const struct plan *plan);
/* Frees the memory. NULL: does nothing. */
void slot_emit_free(struct slot_emit *e);

/* Returns a result as an operand of exact expressions. 0 if the result is absent. */
struct exact_number slot_emit_operand(const struct result *r);
/* Evaluates the expression for all of a lane's results, which *described describes. Afterwards *described describes the
 * values: exact decimals at their own scales, or f64. Absent results stay absent. The values lie in *e until the next
 * call for this lane. STATUS_SYSTEM after a message if memory is missing. */
enum status slot_emit_lane(struct slot_emit *e, const struct plan *plan, size_t lane,
			   struct lane_results *described) MUST_CHECK;
/* Replaces one result of a lane by the value of the expression. An absent result stays as it is. As a call of
 * slot_emit_lane, this overwrites the lane's values in *e. STATUS_SYSTEM after a message if memory is missing. */
enum status slot_emit_result(struct slot_emit *e, const struct plan *plan, size_t lane, struct result *r) MUST_CHECK;

#endif
