/* The curves of a picture: results against their index or their time, in constant memory.
 *
 * The indices are divided into ranges of 2^shift indices. There are at most CURVE_RANGES ranges. If more are needed,
 * every two neighbouring ranges become one. For each range and curve the least and the greatest finite result are kept.
 * NaN, infinite and missing results are not drawn. A range without a finite result is a gap.
 *
 * A time is an index, too: its microseconds from the beginning of year 1. Several records may have one time, and times
 * may come in any order.
 *
 * Several threads can make the curves of parts of the stream. The sum of these curves does not depend on the order in
 * which they are added. */
#ifndef PSCAN_PLOT_CURVE_H
#define PSCAN_PLOT_CURVE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "number/type.h"

/* The most ranges of a curve. A power of two. */
#define CURVE_RANGES 2048
/* The most curves of a picture. */
#define CURVES_MAX 10

/* The least and the greatest finite result of a range. */
struct range {
	double least, greatest; /* greatest < least: the range is a gap. */
};
static const struct range range_gap = {.least = HUGE_VAL, .greatest = -HUGE_VAL};
/* Whether no result of a range is finite. */
static inline bool range_is_gap(struct range r)
{
	return r.greatest < r.least;
}
/* Extends *r by the results of another range. */
static inline void range_add(struct range *r, struct range other)
{
	r->least = other.least < r->least ? other.least : r->least;
	r->greatest = other.greatest > r->greatest ? other.greatest : r->greatest;
}

/* The curves of a stream, or of a part of it. All curves have the same indices. */
struct curves {
	size_t count; /* Number of curves. */
	unsigned shift; /* Range number k of the stream has the indices from k * 2^shift to (k + 1) * 2^shift - 1. */
	/* The first index of these curves. Times: the earliest so far. */
	uint64_t first;
	uint64_t end; /* The last index so far, plus 1. Equal to `first` before the first index. */
	bool are_times; /* Indices are times. */
	uint64_t timeless; /* Records without a time, which are not drawn. */
	/* CURVE_RANGES for each curve. The first one contains `first`; those from curves_range_count on are undefined.
	 * Owned. */
	struct range *ranges;
};

/* Makes room for `count` curves without results, against times if are_times. `first` is 0. *c must own nothing. The
 * caller ends *c with curves_free. STATUS_SYSTEM after a message if memory is missing; curves_free may be called then,
 * too. */
enum status curves_make(struct curves *c, size_t count, bool are_times) MUST_CHECK;
/* Frees the memory of *c. *c may be all zero, and becomes so. */
void curves_free(struct curves *c);

/* Forgets all results and timeless records. Later results have indices from `first` on. Times may be any. */
void curves_begin(struct curves *c, uint64_t first);
/* For indices that are not times: raises c->end to `end`; a smaller `end` does nothing. New ranges are gaps until
 * results are put there. All ranges may become wider. */
void curves_reach(struct curves *c, uint64_t end);
/* For times: lowers c->first to `first` and raises c->end to `end`, which is after `first`. Otherwise like
 * curves_reach. */
void curves_reach_times(struct curves *c, uint64_t first, uint64_t end);
/* Adds `count` results of type `type`, which lie `step` bytes apart, to curve number `curve` (from 0) at `index` and
 * the following indices. All these indices must be at least c->first and before c->end. Results are divided by
 * `divisor`, which must be above 0, for the picture. */
void curves_put(struct curves *c, size_t curve, uint64_t index, const struct type *type, const void *results,
		size_t step, size_t count, double divisor);
/* Adds the least and the greatest of some results to the range of a curve that contains `index`. The indices of all
 * these results must be in this range. At least one index of the range must be from c->first to c->end - 1. */
void curves_put_range(struct curves *c, size_t curve, uint64_t index, struct range results);
/* Adds all results and timeless records of *other, which must have as many curves as *c, and also times or also none.
 * Unless indices are times, other->first must be at least c->first. */
void curves_add(struct curves *c, const struct curves *other);

/* Returns the number of ranges from c->first to c->end, gaps included. */
size_t curves_range_count(const struct curves *c);
/* Returns range number i (from 0) of a curve; i must be below curves_range_count. */
static inline struct range curves_range(const struct curves *c, size_t curve, size_t i)
{
	return c->ranges[curve * CURVE_RANGES + i];
}
/* Returns the middle of the indices of range number i that are from c->first to c->end - 1. Times are counted from
 * c->first. */
double curves_index(const struct curves *c, size_t i);
/* Returns the least and the greatest finite result of all curves; range_gap if no result is finite. */
struct range curves_extremes(const struct curves *c);

/* --- extremes.c: numbers of any type ------------------------------------------------------------------------------ */

/* Returns the least and the greatest finite number of `count` numbers that lie `step` bytes apart; range_gap if no
 * number is finite. Integers of more than 53 bits are rounded to doubles. */
struct range extremes(const struct type *type, const void *numbers, size_t step, size_t count);
/* Converts `count` numbers that lie `step` bytes apart to doubles, divides them by `divisor` and writes them to to[0],
 * to[stride], and so on. A number that is not finite becomes NaN. */
void finite_doubles(const struct type *type, const void *numbers, size_t step, size_t count, double divisor, double *to,
		    size_t stride);

#endif
