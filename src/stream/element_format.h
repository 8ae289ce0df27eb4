/* How tokens are read, and how that changes in mid-stream: exact decimals grow in scale and width, and end in f64.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_STREAM_ELEMENT_FORMAT_H
#define PSCAN_STREAM_ELEMENT_FORMAT_H

#include "number/decimal.h"
#include "stream/plan.h"
#include "text/encode.h"

/* How a lane's first token is read. */
struct element_format element_format_first(const struct plan_lane *lane);

/* How tokens are read where each keeps its own scale (element_format's own_scale), if they are exact decimals. */
struct element_format element_format_own(const struct plan_lane *lane);

/* The seed of exact decimals, lane->seed, in the reading's type; *reading becomes what it asks for: its scale, 128
 * bits or f64. False after a message if it is no number, or not one that the plan allows. */
bool element_format_seed(struct element_format *reading, const struct plan *plan, const struct plan_lane *lane,
			 union value *seed);

/* The members of an operator's state, exact decimals in one format, in another one; false if they are too large for
 * it. */
bool element_format_bring(const struct scan_operator *op, const union value *from, const struct element_format *now,
			  const struct element_format *to, union value *members);

/* What a change brings. */
struct format_change {
	struct element_format reading;
	union value members[SCALED_MEMBERS_MAX]; /* of the state, in the new type and at the new scale */
	const char *why; /* it cannot be */
};

/* The reading with which the scan can go on at a token that could not be read under the present one, or whose result
 * did not fit (overflowed); d is what it says. state holds the members of the state before it (of as many as the
 * operator has), in the present reading's type. False, with change->why, if there is none. */
bool element_format_next(const struct element_format *now, const struct plan *plan, const struct plan_lane *lane,
			 const union value *state, bool overflowed, const struct decimal *d,
			 struct format_change *change);

#endif
