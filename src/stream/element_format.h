/* How tokens are read, and how that changes in mid-stream: exact decimals grow in scale and width, and end in f64.
 *
 * Pure functions; any thread. */
#ifndef PSCAN_STREAM_ELEMENT_FORMAT_H
#define PSCAN_STREAM_ELEMENT_FORMAT_H

#include "base/problem.h"
#include "stream/plan.h"
#include "text/encode.h"

/* How the first token is read. */
struct element_format element_format_first(const struct plan *plan);

/* The seed of exact decimals, plan->seed, as a result; *reading becomes what it asks for: its scale, 128 bits or f64.
 * False after a message if it is no number, or not one that the plan allows. */
bool element_format_seed(struct element_format *reading, const struct plan *plan, struct result *seed);

/* What a change brings. */
struct format_change {
	struct element_format reading;
	bool has_first; /* decimals go on: the grid begins anew with this element, the exact result at the token */
	union value first;
	bool has_seed; /* they end: the grid begins anew from this f64 */
	union value seed;
	char why[PROBLEM_TEXT_SIZE]; /* why it cannot be */
};

/* The reading with which a token can be taken in that could not be read, or whose result did not fit, under the present
 * one. last is the result before it, NULL if there is none. False, with change->why, if there is none. */
bool element_format_next(const struct element_format *now, const struct plan *plan, const struct result *last,
			 const char *token, size_t size, struct format_change *change);

#endif
