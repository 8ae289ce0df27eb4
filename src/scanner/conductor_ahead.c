/* What the thread that decodes a chunk scans of it, while the bytes are in its cache and before the previous chunk is
 * done: the totals of tiles, and segments.
 *
 * Without keys, a segment does not depend on what came before it. So from the first segment that begins in a chunk, its
 * elements can be scanned ahead. The conductor scans only the elements before that point, and continues with the
 * chunk's last segment. */
#include <string.h>

#include "scan/host_tiles.h"
#include "scanner/key_scans.h"

/* Whether segments of the stream can be scanned so. */
static bool is_possible(const struct plan *plan)
{
	return plan_has_resets(plan) && plan->format.text.key_count == 0 && !plan->has_windows && !plan->has_texts &&
	       !plan->device.has_programs && !plan->emit.is_by_element && !totals_go_by_numbers(plan);
}

void segment_work_free(struct segment_work *w)
{
	bytes_free_all(&w->ended, &w->ended_records, &w->in, &w->out, &w->before, &w->states, &w->begins, &w->covered,
		       &w->whole);
}

void segments_ahead_free(struct segments_ahead *a)
{
	if (a == NULL)
		return;
	for (size_t i = 0; i < a->lane_count; i++)
		memory_free(a->lanes[i].segment);
	segment_work_free(&a->work);
	memory_free(a);
}

/* Returns the slot's segments that are scanned ahead, none yet. NULL after a message. */
static struct segments_ahead *begin_ahead(const struct conductor *c, const struct slot *s)
{
	struct segments_ahead **a = &c->keys->ahead[s->channel];
	if (*a == NULL)
		*a = memory_zeros(1, sizeof **a + c->lane_count * sizeof(*a)->lanes[0]);
	for (; *a != NULL && (*a)->lane_count < c->lane_count; (*a)->lane_count++) {
		const struct lane *l = &c->lanes[(*a)->lane_count];
		struct segment *g = memory_zeros(1, lane_room(l) + l->outside_size);
		if (g == NULL)
			return NULL;
		if (l->outside_size > 0)
			g->outside = (unsigned char *)g + lane_room(l);
		(*a)->lanes[(*a)->lane_count].segment = g;
	}
	if (*a != NULL) {
		(*a)->work.ended.size = (*a)->work.ended_records.size = 0;
		(*a)->work.misfit.record = SIZE_MAX;
	}
	return *a;
}

static enum status scan_lane(struct conductor *c, struct segments_ahead *a, struct slot *s, size_t lane)
{
	struct lane_ahead *l = &a->lanes[lane];
	struct run_scan r = run_of_lane(c, &a->work, s, lane);
	const size_t count = r.column->count;
	r.segment = l->segment;
	l->first = segment_begins_first(&r, count);
	l->ended_first = a->work.ended.size / sizeof(struct ended);
	l->ended_count = 0;
	if (l->first == SIZE_MAX)
		return STATUS_OK;
	a->work.ended_count = 0;
	r.first = l->first;
	r.count = count - l->first;
	segment_clear(r.lane, l->segment);
	l->segment->begun = s->keyed.begun.size > 0 ? begun_at(&r, 0) : 0;
	TRY(segment_begin_results(c, s, lane));
	TRY(segment_scan_all(&r));
	l->ended_count = a->work.ended_count;
	return STATUS_OK;
}

/* Up-sweeps the tiles of binary elements. Their rows never change. */
static enum status scan_totals(struct conductor *c, struct slot *s)
{
	const uint64_t begin = timeline_now_ns();
	const size_t head = conductor_to_edge(s->in.records_before);
	if (c->plan->format.input == FORMAT_TEXT || c->plan->by_cursors || s->decode.decoded.records < head + GRID_TILE)
		return STATUS_OK;
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct row *row = &c->lanes[i].row;
		struct slot_lane *l = &s->lanes[i];
		const struct slot_column *k = conductor_column(s, l);
		const size_t whole = k->count < head ? 0 : (k->count - head) / GRID_TILE * GRID_TILE;
		if (row->tiles == NULL || row->tiles->totals == NULL ||
		    atomic_load_explicit(&c->keys->is_shifted, memory_order_relaxed))
			return STATUS_OK;
		TRY(slot_need_states(s, l));
		if (whole > 0)
			host_scan_totals(row, k->elements + head * k->step, whole, l->totals);
	}
	s->scan.totals_known = true;
	span_add(&s->spans[STAGE_UP_SWEEP], begin);
	return STATUS_OK;
}

enum status conductor_scan_ahead(struct conductor *c, struct slot *s)
{
	if (!c->plan->is_segmented)
		return scan_totals(c, s);
	if (!is_possible(c->plan) || s->decode.decoded.records == 0)
		return STATUS_OK;
	struct segments_ahead *a = begin_ahead(c, s);
	const uint64_t begin = timeline_now_ns();
	if (a == NULL)
		return STATUS_SYSTEM;
	TRY(slot_need_results(s, c->plan));
	for (size_t i = 0; i < c->lane_count; i++)
		TRY(scan_lane(c, a, s, i));
	span_add(&s->spans[STAGE_UP_SWEEP], begin);
	return STATUS_OK;
}

size_t conductor_ahead_from(const struct conductor *c, const struct slot *s, size_t lane)
{
	const struct segments_ahead *a = c->keys->ahead[s->channel];
	return a != NULL ? a->lanes[lane].first : SIZE_MAX;
}

/* Appends the segments that ended in the part scanned ahead to the lane's. */
static enum status append_ended(const struct run_scan *r, const struct segments_ahead *a, const struct lane_ahead *l)
{
	struct segment_work *w = r->work;
	if (r->c->keys->plain_total > 0) {
		w->ended_count += l->ended_count;
		TRY(bytes_append(&w->ended, a->work.ended.data, a->work.ended.size));
		return bytes_append(&w->ended_records, a->work.ended_records.data, a->work.ended_records.size);
	}
	for (size_t i = 0; i < l->ended_count; i++) {
		struct ended ended;
		memcpy(&ended, a->work.ended.data + (l->ended_first + i) * sizeof ended, sizeof ended);
		TRY(segment_note_ended(r, &ended));
	}
	return STATUS_OK;
}

enum status conductor_add_ahead(const struct run_scan *r)
{
	const struct segments_ahead *a = r->c->keys->ahead[r->s->channel];
	const struct lane_ahead *l = &a->lanes[r->lane - r->c->lanes];
	struct run_scan next = *r;
	next.first = l->first;
	TRY(segment_end(&next, r->count));
	TRY(segment_copy(r->c, r->lane, r->segment, l->segment));
	r->segment->begun += r->begun;
	r->segment->is_anew = true;
	TRY(append_ended(r, a, l));
	if (a->work.misfit.record < r->work->misfit.record) {
		r->work->misfit = a->work.misfit;
		r->work->misfit.key = r->key;
	}
	return STATUS_OK;
}
