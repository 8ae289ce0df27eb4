/* The part that both kinds of pictures need. */
#include "plot/picture.h"

void picture_make_along(const struct picture *p, size_t wanted, size_t wanted_times, struct axis *along)
{
	const struct curves *c = p->curves;
	const uint64_t first = c->first;
	if (c->are_times && c->end > first)
		axis_make_times(along, first, c->end - 1, wanted_times);
	else
		axis_make(along, AXIS_OF_INDICES, (double)first, (double)(c->end > first + 1 ? c->end - 1 : first + 1),
			  wanted);
}
