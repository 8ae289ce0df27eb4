/* How tokens are read, and how that changes in mid-stream: exact decimals grow in scale and width, and end in f64.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_READING_H
#define PSCAN_READING_H

#include "encode.h"
#include "plan.h"
#include "problem.h"

/* How the first token is read. */
struct reading reading_first(const struct plan *plan);

/* The seed of exact decimals, plan->seed, as a result; *reading becomes what it asks for: its scale, 128 bits or f64.
 * False after a message if it is no number, or not one that the plan allows. */
bool reading_seed(struct reading *reading, const struct plan *plan, struct result *seed);

/* What a change brings. */
struct reading_change {
	struct reading reading;
	bool has_first; /* decimals go on: the grid begins anew with this element, the exact result at the token */
	union value first;
	bool has_seed; /* they end: the grid begins anew from this f64 */
	union value seed;
	char why[PROBLEM_TEXT_SIZE]; /* why it cannot be */
};

/* The reading with which a token can be taken in that could not be read, or whose result did not fit, under the present
 * one. last is the result before it, NULL if there is none. False, with change->why, if there is none. */
bool reading_next(const struct reading *now, const struct plan *plan, const struct result *last, const char *token,
		  size_t size, struct reading_change *change);

#endif
