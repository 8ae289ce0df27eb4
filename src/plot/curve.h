/* The curves of a picture: what results are against their index, in constant memory. Indices are in ranges of 2^shift,
 * of which there are at most CURVE_RANGES: where more results come than these hold, each two ranges become one. Of
 * each range and curve the least and the greatest result are kept. What is NaN or infinite, and what is not there, has
 * no place in a picture: a range that has nothing else is a gap. Curves of parts of the stream, made by several
 * threads, are put together in any order, with the same outcome. */
#ifndef PSCAN_PLOT_CURVE_H
#define PSCAN_PLOT_CURVE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "number/type.h"

/* Of each curve. A power of two. */
#define CURVE_RANGES 2048
/* In a picture. */
#define CURVES_MAX 10

/* Results: the least and the greatest of those that are finite. */
struct range {
	double least, greatest; /* greatest < least: there is none */
};
static const struct range range_gap = {.least = HUGE_VAL, .greatest = -HUGE_VAL};
static inline bool range_is_gap(struct range r)
{
	return r.greatest < r.least;
}
/* The results of both. */
static inline void range_add(struct range *r, struct range other)
{
	r->least = other.least < r->least ? other.least : r->least;
	r->greatest = other.greatest > r->greatest ? other.greatest : r->greatest;
}

struct curves {
	size_t count;
	unsigned shift; /* a range has 2^shift indices */
	uint64_t first; /* index: what is before it is in other curves */
	uint64_t end; /* the last index, plus 1 */
	struct range *ranges; /* CURVE_RANGES of each curve, from that of first on. Owned */
};

/* Makes room for count curves, without results. STATUS_SYSTEM after a message. */
enum status curves_make(struct curves *c, size_t count) MUST_CHECK;
void curves_free(struct curves *c);

/* Forgets all results. What comes has indices from first on. */
void curves_begin(struct curves *c, uint64_t first);
/* The indices up to end (not with it) are those of results, or gaps. */
void curves_reach(struct curves *c, uint64_t end);
/* Takes count results of a curve, step bytes apart, whose indices were reached, from index on. They are of that type,
 * and divisor times as great as what is to be seen. */
void curves_put(struct curves *c, size_t curve, uint64_t index, const struct type *type, const void *results,
		size_t step, size_t count, double divisor);
/* The same of results that have the same range as a reached index. */
void curves_put_range(struct curves *c, size_t curve, uint64_t index, struct range results);
/* Takes all that other curves have, as many of them. */
void curves_add(struct curves *c, const struct curves *other);

/* How many ranges have results or are gaps, counted from index first on. */
size_t curves_range_count(const struct curves *c);
static inline struct range curves_range(const struct curves *c, size_t curve, size_t i)
{
	return c->ranges[curve * CURVE_RANGES + i];
}
/* The middle of a range's indices. */
double curves_index(const struct curves *c, size_t i);
/* The least and greatest result of all curves. */
struct range curves_extremes(const struct curves *c);

#endif
