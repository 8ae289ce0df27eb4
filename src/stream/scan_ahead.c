/* The memory of segments that were scanned ahead (conductor_ahead.c), which a slot owns. */
#include <string.h>

#include "stream/key_scans.h"

void segment_work_free(struct segment_work *w)
{
	bytes_free(&w->ended);
	bytes_free(&w->ended_records);
	bytes_free(&w->in);
	bytes_free(&w->out);
	bytes_free(&w->before);
	bytes_free(&w->uniform);
	bytes_free(&w->covered);
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
	s->keyed.ahead = memory_new(sizeof *s->keyed.ahead + c->lane_count * sizeof s->keyed.ahead->lanes[0]);
	if (s->keyed.ahead == NULL)
		return STATUS_SYSTEM;
	memset(s->keyed.ahead, 0, sizeof *s->keyed.ahead);
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct key_lane *l = &c->keys->lanes[i];
		struct ahead_lane *ahead = &s->keyed.ahead->lanes[i];
		struct segment *g = memory_new(key_lane_room(l) + l->outside_size);
		if (g == NULL)
			return STATUS_SYSTEM;
		if (l->outside_size > 0)
			g->outside = (unsigned char *)g + key_lane_room(l);
		*ahead = (struct ahead_lane){.key_lane = *l, .segment = g};
		ahead->key_lane.rows = ahead->rows;
		memcpy(ahead->rows, c->keys->first_rows + i * c->keys->width_count,
		       c->keys->width_count * sizeof ahead->rows[0]);
		s->keyed.ahead->lane_count = i + 1;
	}
	return STATUS_OK;
}
