/* The curves of a picture: results against their index or their time, in constant memory.
 *
 * The indices are divided into ranges. A range has 2^shift indices. There are at most CURVE_RANGES ranges. If more are
 * needed, every two neighbouring ranges become one. For each range and curve the least and the greatest result are
 * kept. NaN, infinite and missing results are not drawn. A range that has only such results is a gap.
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

/* The least and the greatest of some results, without those that are not finite. */
struct range {
	double least, greatest; /* greatest < least: no result is finite. */
};
static const struct range range_gap = {.least = HUGE_VAL, .greatest = -HUGE_VAL};
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

struct curves {
	size_t count;
	unsigned shift; /* A range has 2^shift indices. Range k of the stream begins at index k * 2^shift. */
	uint64_t first; /* The first index. Results before it belong to other curves. */
	uint64_t end; /* The last index plus 1. Equal to `first` if there is none yet. */
	bool are_times; /* Indices are times. `first` is then the earliest so far. */
	uint64_t timeless; /* Records that have no time, and so are not drawn. */
	struct range *ranges; /* CURVE_RANGES for each curve, beginning with the range that contains `first`. Owned. */
};

/* Makes room for `count` curves, against times if are_times, which have no results yet. *c must own nothing; the caller
 * ends it with curves_free. STATUS_SYSTEM after a message if memory is missing. */
enum status curves_make(struct curves *c, size_t count, bool are_times) MUST_CHECK;
void curves_free(struct curves *c);

/* Forgets all results. Later results have indices from `first` on. (Times may be any.) */
void curves_begin(struct curves *c, uint64_t first);
/* Raises c->end to `end`; a smaller `end` does nothing. New ranges are gaps until results are put there. Ranges may
 * become wider. */
void curves_reach(struct curves *c, uint64_t end);
/* Lowers c->first to `first` and raises c->end to `end`, for curves of times. Otherwise like curves_reach. */
void curves_reach_times(struct curves *c, uint64_t first, uint64_t end);
/* Adds `count` results of type `type`, which lie `step` bytes apart, to a curve at `index` and the following indices.
 * All these must be at least c->first and before c->end (curves_reach). Results are divided by `divisor`, which must be
 * above 0, for the picture. */
void curves_put(struct curves *c, size_t curve, uint64_t index, const struct type *type, const void *results,
		size_t step, size_t count, double divisor);
/* Adds results to one range of a curve: the range that contains `index`. The results must all belong to this range.
 * curves_reach must have reached a part of this range. */
void curves_put_range(struct curves *c, size_t curve, uint64_t index, struct range results);
/* Adds all results of *other, which must have as many curves as *c. */
void curves_add(struct curves *c, const struct curves *other);

/* Returns the number of ranges that were reached, gaps included. curves_range returns the range number i of them. */
size_t curves_range_count(const struct curves *c);
static inline struct range curves_range(const struct curves *c, size_t curve, size_t i)
{
	return c->ranges[curve * CURVE_RANGES + i];
}
/* Returns the middle of the indices of range number i. Times are counted from c->first. */
double curves_index(const struct curves *c, size_t i);
/* Returns the least and the greatest result of all curves. */
struct range curves_extremes(const struct curves *c);

/* --- extremes.c: numbers of any type ------------------------------------------------------------------------------ */

/* Returns the least and the greatest of `count` numbers that lie `step` bytes apart, without those that are not finite.
 * Integers of more than 53 bits are rounded to doubles. */
struct range extremes(const struct type *type, const void *numbers, size_t step, size_t count);
/* Converts `count` numbers that lie `step` bytes apart to doubles, divides them by `divisor` and writes them to to[0],
 * to[stride], and so on. A number that is not finite becomes NaN. */
void finite_doubles(const struct type *type, const void *numbers, size_t step, size_t count, double divisor, double *to,
		    size_t stride);

#endif
