/* A range's number in the stream is the upper bits of its indices. So if curves of different parts are added, the edges
 * of wide ranges are also edges of narrow ones. */
#include "plot/curve.h"

#include <string.h>

enum status curves_make(struct curves *c, size_t count, bool are_times)
{
	*c = (struct curves){
		.count = count, .are_times = are_times, .ranges = memory_new(count * CURVE_RANGES * sizeof *c->ranges)};
	return c->ranges != NULL ? STATUS_OK : STATUS_SYSTEM;
}

void curves_free(struct curves *c)
{
	memory_free(c->ranges);
	*c = (struct curves){0};
}

void curves_begin(struct curves *c, uint64_t first)
{
	c->shift = 0;
	c->first = first;
	c->end = first;
	c->timeless = 0;
}

size_t curves_range_count(const struct curves *c)
{
	return c->end == c->first ? 0 : (size_t)(((c->end - 1) >> c->shift) - (c->first >> c->shift)) + 1;
}

/* Makes all ranges 2^shift wide, in place. A range's new place is never after its old one. */
static void widen(struct curves *c, unsigned shift)
{
	const size_t count = curves_range_count(c);
	const uint64_t first = c->first >> c->shift;
	for (size_t curve = 0; curve < c->count; curve++) {
		struct range *ranges = &c->ranges[curve * CURVE_RANGES];
		size_t before = SIZE_MAX;
		for (size_t i = 0; i < count; i++) {
			const struct range r = ranges[i];
			const size_t to = (size_t)(((first + i) >> (shift - c->shift)) - (c->first >> shift));
			if (to != before)
				ranges[to] = range_gap;
			range_add(&ranges[to], r);
			before = to;
		}
	}
	c->shift = shift;
}

/* Widens the ranges so that there is room for those from one index to before another. Room for indices is made from 0
 * on, and then does not depend on where a run begins. */
static void make_room(struct curves *c, uint64_t first, uint64_t end)
{
	unsigned shift = c->shift;
	while (((end - 1) >> shift) - ((c->are_times ? first : 0) >> shift) >= CURVE_RANGES)
		shift++;
	if (shift > c->shift)
		widen(c, shift);
}

void curves_reach_times(struct curves *c, uint64_t first, uint64_t end)
{
	if (c->end == c->first) {
		c->first = first;
		c->end = first;
	}
	if (first < c->first) {
		make_room(c, first, c->end);
		const size_t count = curves_range_count(c);
		const size_t more = (size_t)((c->first >> c->shift) - (first >> c->shift));
		for (size_t curve = 0; curve < c->count; curve++) {
			struct range *ranges = &c->ranges[curve * CURVE_RANGES];
			memmove(ranges + more, ranges, count * sizeof *ranges);
			for (size_t i = 0; i < more; i++)
				ranges[i] = range_gap;
		}
		c->first = first;
	}
	curves_reach(c, end);
}

void curves_reach(struct curves *c, uint64_t end)
{
	if (end <= c->end)
		return;
	make_room(c, c->first, end);
	const size_t before = curves_range_count(c);
	c->end = end;
	const size_t count = curves_range_count(c);
	for (size_t curve = 0; curve < c->count; curve++) {
		for (size_t i = before; i < count; i++)
			c->ranges[curve * CURVE_RANGES + i] = range_gap;
	}
}

void curves_put(struct curves *c, size_t curve, uint64_t index, const struct type *type, const void *results,
		size_t step, size_t count, double divisor)
{
	const unsigned char *from = results;
	struct range *ranges = &c->ranges[curve * CURVE_RANGES];
	while (count > 0) {
		const uint64_t number = index >> c->shift;
		const uint64_t left = ((number + 1) << c->shift) - index;
		const size_t part = left < count ? (size_t)left : count;
		struct range r = extremes(type, from, step, part);
		r.least /= divisor;
		r.greatest /= divisor;
		range_add(&ranges[number - (c->first >> c->shift)], r);
		index += part;
		from += part * step;
		count -= part;
	}
}

void curves_put_range(struct curves *c, size_t curve, uint64_t index, struct range results)
{
	range_add(&c->ranges[curve * CURVE_RANGES + ((index >> c->shift) - (c->first >> c->shift))], results);
}

void curves_add(struct curves *c, const struct curves *other)
{
	const size_t count = curves_range_count(other);
	const uint64_t first = other->first >> other->shift;
	c->timeless += other->timeless;
	if (c->are_times && count > 0)
		curves_reach_times(c, other->first, other->end);
	else if (count > 0)
		curves_reach(c, other->end);
	for (size_t curve = 0; curve < c->count; curve++) {
		for (size_t i = 0; i < count; i++)
			curves_put_range(c, curve, (first + i) << other->shift, curves_range(other, curve, i));
	}
}

double curves_index(const struct curves *c, size_t i)
{
	const uint64_t number = (c->first >> c->shift) + i;
	const uint64_t first = number << c->shift;
	const uint64_t next = (number + 1) << c->shift;
	const uint64_t last = (next < c->end ? next : c->end) - 1;
	const uint64_t base = c->are_times ? c->first : 0;
	return ((double)((first > c->first ? first : c->first) - base) + (double)(last - base)) / 2;
}

struct range curves_extremes(const struct curves *c)
{
	struct range all = range_gap;
	for (size_t curve = 0; curve < c->count; curve++) {
		for (size_t i = 0; i < curves_range_count(c); i++)
			range_add(&all, curves_range(c, curve, i));
	}
	return all;
}
