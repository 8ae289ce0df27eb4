/* How tokens are read, and how that changes in mid-stream: exact decimals grow in scale and width, and end in f64.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_CHUNK_ELEMENT_FORMAT_H
#define PSCAN_CHUNK_ELEMENT_FORMAT_H

#include "number/decimal.h"
#include "chunk/plan.h"
#include "text/encode.h"

/* How a lane's first token is read. */
struct element_format element_format_first(const struct plan *plan, const struct plan_lane *lane);

/* How a lane's tokens are read if each number keeps the scale that it is written with (own_scale of struct
 * element_format): as mantissas of 128 bits. For a lane without exact decimals, returns element_format_first. */
struct element_format element_format_own(const struct plan *plan, const struct plan_lane *lane);

/* Reads the seed of exact decimals, lane->seed. *reading becomes the format that it needs (its scale, 128 bits or f64),
 * and *seed is of that type. False after a message if it is not a number, or the plan does not allow it. */
bool element_format_seed(struct element_format *reading, const struct plan *plan, const struct plan_lane *lane,
			 union value *seed);

/* Converts the members of an operator's state, which are exact decimals, from one format to another. False if they do
 * not fit. */
bool element_format_bring(const struct scan_operator *op, const union value *from, const struct element_format *now,
			  const struct element_format *to, union value *members);

/* An element of exact decimals, as it was written. (It lies in memory as struct saved_element does.) */
struct written_element {
	union value value; /* an i128, the mantissa at its own scale; or an f64 */
	unsigned char own; /* enum own_scale */
};

/* A change of format. */
struct format_change {
	struct element_format reading;
	union value members[SCALED_MEMBERS_MAX]; /* of the state, in the new type and at the new scale */
	const char *why; /* the reason if it is not possible */
};

/* Finds the format with which the scan can continue at element *e, which could not be read in the present one, or whose
 * result did not fit (overflowed). state: the members of the state before it, as many as the operator has, in the
 * present format's type. False if there is none: change->why is the reason. */
bool element_format_next(const struct element_format *now, const struct plan *plan, const struct plan_lane *lane,
			 const union value *state, bool overflowed, const struct written_element *e,
			 struct format_change *change);

#endif
