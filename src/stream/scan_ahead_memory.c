/* The memory of segments that were scanned ahead (conductor_ahead.c), which a slot owns. */
#include "stream/key_scans.h"

void segment_work_free(struct segment_work *w)
{
	bytes_free_all(&w->ended, &w->ended_records, &w->in, &w->out, &w->before, &w->states, &w->begins, &w->covered,
		       &w->whole);
}

void scan_ahead_free(struct scan_ahead *a)
{
	if (a == NULL)
		return;
	for (size_t i = 0; i < a->lane_count; i++)
		memory_free(a->lanes[i].segment);
	segment_work_free(&a->work);
	memory_free(a);
}

enum status scan_ahead_new(const struct conductor *c, struct slot *s)
{
	s->keyed.ahead = memory_zeros(1, sizeof *s->keyed.ahead + c->lane_count * sizeof s->keyed.ahead->lanes[0]);
	if (s->keyed.ahead == NULL)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct lane *l = &c->lanes[i];
		struct segment *g = memory_zeros(1, lane_room(l) + l->outside_size);
		if (g == NULL)
			return STATUS_SYSTEM;
		if (l->outside_size > 0)
			g->outside = (unsigned char *)g + lane_room(l);
		s->keyed.ahead->lanes[i].segment = g;
		s->keyed.ahead->lane_count = i + 1;
	}
	return STATUS_OK;
}
