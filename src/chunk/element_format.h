/* How tokens are read, and how that changes in mid-stream: exact decimals grow in scale and width, and end in f64.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_CHUNK_ELEMENT_FORMAT_H
#define PSCAN_CHUNK_ELEMENT_FORMAT_H

#include "number/decimal.h"
#include "chunk/plan.h"
#include "text/encode.h"

/* Returns the format in which a lane's first token is read. Exact decimals begin with scale 0 and 64 bits. */
struct element_format element_format_first(const struct plan *plan, const struct plan_lane *lane);

/* Returns the format in which a lane's tokens are decoded if each number keeps the scale that it is written with
 * (own_scale of struct element_format): a mantissa of 128 bits, or an f64 if the number is not an exact decimal.
 * integers_only is not set. For a lane without exact decimals, returns element_format_first. */
struct element_format element_format_own(const struct plan *plan, const struct plan_lane *lane);

/* Reads lane->seed, the seed of a lane of exact decimals. *reading must be element_format_first. It becomes the format
 * that the seed needs: the seed's scale, and 64 bits, 128 bits or f64. *seed becomes the seed in reading->type. Returns
 * false after a message if the text is not a number, or a number that the plan or operator does not allow; *reading and
 * *seed are then undefined. */
bool element_format_seed(struct element_format *reading, const struct plan *plan, const struct plan_lane *lane,
			 union value *seed);

/* Converts the op->scaled_members exact decimals of an operator's state from the format *now to *to: f64, or exact
 * decimals of at least the scale of *now. members: room for SCALED_MEMBERS_MAX. Returns false if a member does not fit;
 * `members` is then undefined. */
bool element_format_bring(const struct scan_operator *op, const union value *from, const struct element_format *now,
			  const struct element_format *to, union value *members);

/* An element of exact decimals, as it was written. Laid out as struct saved_element. */
struct written_element {
	union value value; /* The mantissa, an i128, at the own scale. With OWN_SCALE_FLOAT: an f64. */
	unsigned char own; /* The own scale, with flags (enum own_scale). */
};

/* A change of format. */
struct format_change {
	struct element_format reading; /* The new format. */
	union value members[SCALED_MEMBERS_MAX]; /* The state's members, in the new format. */
	const char *why; /* Set if no change is possible: the reason. */
};

/* Finds the format in which a scan of exact decimals continues at element *e. now: the present format, in which *e
 * cannot be read or, if `overflowed`, *e's result does not fit. state: the lane->op->scaled_members members of the
 * state before *e, in the present format. Returns false if there is no such format: change->why is then the reason
 * (static), and the rest of *change is undefined. */
bool element_format_next(const struct element_format *now, const struct plan *plan, const struct plan_lane *lane,
			 const union value *state, bool overflowed, const struct written_element *e,
			 struct format_change *change);

#endif
