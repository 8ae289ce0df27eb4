/* Where chunks are handed to the engine, a device or the host, and their results come back.
 *
 * Chunks are folded in stream order, each once, so the conductor's cursor is the one after the last folded flight.
 * Every flight keeps the cursor before it: when a device fails, the host begins again with the oldest one, as if none
 * had been folded.
 *
 * An engine that folds is given the cursor before the first of its flights, and keeps it from one flight to the next.
 * Each flight brings the cursor after it back. Until then the conductor's cursor is the one before the oldest flight,
 * and no later flight can be folded here. */
#include "scanner/key_scans.h"

#include <string.h>

/* Cuts the lane's elements at its grid's tiles. */
static void cut(struct conductor *c, size_t lane, struct slot_lane *l, size_t count)
{
	const size_t to_edge = conductor_to_edge(c->lanes[lane].submitted);
	l->submitted = c->lanes[lane].submitted;
	c->lanes[lane].submitted += count;
	l->head = l->tiles = l->tail = 0;
	if (c->plan->device.is_pushed)
		return;
	l->head = count < to_edge ? count : to_edge;
	l->tiles = (count - l->head) / GRID_TILE;
	l->tail = (count - l->head) % GRID_TILE;
}

/* Whether the engine shall fold the last flight: if it has the cursor of the flight before, or no flight is before, and
 * the chunk is whole tiles. (The elements around tiles are pushed into the conductor's cursor.) */
static bool engine_folds(const struct conductor *c, const struct flight *f)
{
	bool folds = c->engine->folds && c->part.gathered == NULL && f->by_engine && !c->plan->device.is_pushed &&
		     (c->flight_count == 1 || f[-1].is_away);
	for (size_t i = 0; i < c->lane_count && folds; i++) {
		const struct slot_lane *l = &f->slot->lanes[i];
		folds = l->head == 0 && l->tiles > 0 && l->tail == 0;
	}
	return folds;
}

/* Begins all of the engine's work on a flight that the engine folds. */
static enum status send_away(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	for (size_t i = 0; i < c->lane_count; i++) {
		struct slot_lane *l = &s->lanes[i];
		const struct lane *scan = &c->lanes[i];
		const bool is_first = c->flight_count == 1;
		if (is_first)
			memcpy(l->cursor, scan->cursor, scan->row.code->cursor_size);
		s->works[i].cursor = is_first ? l->cursor : NULL;
		s->works[i].first_has_carry = !is_first || row_has_carry(scan->cursor);
		s->works[i].out = l->results;
		l->bad = SIZE_MAX;
	}
	f->folded = f->is_away = true;
	return c->engine->class->begin(c->engine, SWEEP_BOTH, s->channel, s->works);
}

/* Begins the up-sweep of the flight's tiles, if there are any whose totals are not known. If the engine folds, begins
 * the rest, too. */
static enum status begin_totals(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	const bool sequential = c->plan->device.is_pushed;
	const bool is_counted = c->part.gathered != NULL && c->part.gathered->lanes == NULL;
	if (c->plan->by_cursors || c->plan->is_segmented || is_counted) {
		*f = (struct flight){.slot = s, .totals_known = true};
		return STATUS_OK;
	}
	f->folded = f->is_away = false;
	f->by_engine = false;
	f->totals_known = true;
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct slot_lane *l = &s->lanes[i];
		const struct slot_column *k = conductor_column(s, l);
		const bool is_in_place = conductor_to_edge(s->in.records_before) == conductor_to_edge(l->submitted);
		const bool is_known = s->scan.totals_known && c->engine == c->host && is_in_place;
		if (s->scan.totals_known && !is_in_place)
			atomic_store_explicit(&c->keys->is_shifted, true, memory_order_relaxed);
		s->works[i] = (struct lane_work){.first_bad = SIZE_MAX};
		if (k->count == 0)
			continue;
		s->works[i] = (struct lane_work){
			.in = k->elements + l->head * c->lanes[i].row.element.size,
			.count = sequential ? k->count : l->tiles * GRID_TILE,
			.index = l->submitted + l->head,
			.totals_known = is_known,
			.by_cursor = sequential,
			.total = conductor_total(c, i),
			.totals = l->totals,
			.first_bad = SIZE_MAX,
		};
		f->by_engine = f->by_engine || s->works[i].count > 0;
		f->totals_known = f->totals_known && (s->works[i].count == 0 || is_known || sequential);
	}
	if (f->totals_known)
		return STATUS_OK;
	/* (An engine overwrites the totals that were swept ahead. If it fails, the host must not take its totals.) */
	s->scan.totals_known = false;
	if (engine_folds(c, f))
		return send_away(c, f);
	return c->engine->class->begin(c->engine, SWEEP_TOTALS, s->channel, s->works);
}

void conductor_flights_cancel(struct conductor *c, const struct flight *f)
{
	if (f->by_engine && !c->engine->class->cancel(c->engine, f->slot->channel))
		slot_abandon_results(f->slot);
}

/* After a device failed: the host takes over, from the oldest chunk under way on. */
static enum status fall_back(struct conductor *c)
{
	if (c->named)
		return STATUS_DEVICE;
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct lane *l = &c->lanes[i];
		if (c->flight_count > 0 && c->flights[0].folded && !c->flights[0].is_away)
			memcpy(l->cursor, c->flights[0].slot->lanes[i].cursor, l->row.code->cursor_size);
	}
	for (size_t i = 0; i < c->flight_count; i++)
		conductor_flights_cancel(c, &c->flights[i]);
	c->engine = c->host;
	c->offered = NULL;
	TRY(conductor_set_rows(c));
	for (size_t i = 0; i < c->flight_count; i++) {
		if (c->flights[i].slot->in.size > 0)
			TRY(slot_need_results(c->flights[i].slot, c->plan));
		TRY(begin_totals(c, &c->flights[i]));
	}
	return STATUS_OK;
}

enum status conductor_flights_begin(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	if (s->in.size > 0 && slot_need_results(s, c->plan) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < c->lane_count; i++)
		cut(c, i, &s->lanes[i], conductor_column(s, &s->lanes[i])->count);
	const enum status status = begin_totals(c, f);
	return status == STATUS_DEVICE ? fall_back(c) : status;
}

/* Whether the next finish call for a flight would not wait. */
static bool is_ready(const struct conductor *c, const struct flight *f)
{
	return !f->by_engine || (!f->folded && f->totals_known) || c->engine->class->is_ready == NULL ||
	       c->engine->class->is_ready(c->engine, f->slot->channel);
}

/* Takes the flight into the cursors, unless it is folded already, and begins its down-sweep; waits for its totals. */
static enum status fold(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	if (f->folded)
		return STATUS_OK;
	if (!f->totals_known)
		TRY(c->engine->class->finish(c->engine, SWEEP_TOTALS, s->channel, NULL));
	if (c->part.gathered != NULL)
		return conductor_gather(c, f);
	const uint64_t begin = timeline_now_ns();
	if (c->plan->is_segmented)
		TRY(conductor_keys_scan(c, s));
	if (c->plan->by_cursors)
		TRY(conductor_push_records(c, s, 0, s->decode.decoded.records));
	for (size_t i = 0; i < c->lane_count && !c->plan->by_cursors && !c->plan->is_segmented; i++)
		TRY(conductor_fold_lane(c, s, i));
	f->folded = true;
	span_add(&s->spans[STAGE_FOLD], begin);
	return f->by_engine ? c->engine->class->begin(c->engine, SWEEP_RESULTS, s->channel, s->works) : STATUS_OK;
}

enum status conductor_flights_fold(struct conductor *c, size_t count, bool waits)
{
	for (size_t i = 0; i < count; i++) {
		if (!waits && !c->flights[i].folded && !is_ready(c, &c->flights[i]))
			break;
		if (!c->flights[i].folded && i > 0 && c->flights[i - 1].is_away)
			break;
		const enum status status = fold(c, &c->flights[i]);
		if (status == STATUS_DEVICE)
			i = (size_t)-1; /* start over with flight 0 (the loop adds 1) */
		TRY(status == STATUS_DEVICE ? fall_back(c) : status);
	}
	return STATUS_OK;
}

bool conductor_advance(struct conductor *c, enum status *status)
{
	*status = STATUS_OK;
	if (c->flight_count == 0)
		return false;
	if (c->engine->class->is_ready == NULL)
		return true; /* finishing folds what must be folded */
	*status = conductor_flights_fold(c, c->flight_count, false);
	return c->flights[0].folded && is_ready(c, &c->flights[0]);
}

/* The cursors that the oldest flight brings back become the lanes'. */
static void bring_back(struct conductor *c, struct flight *f)
{
	for (size_t i = 0; i < c->lane_count && f->is_away; i++) {
		const struct lane *l = &c->lanes[i];
		memcpy(l->cursor, f->slot->works[i].cursor_after, l->row.code->cursor_size);
	}
	f->is_away = false;
}

enum status conductor_flights_await(struct conductor *c)
{
	struct flight *f = &c->flights[0];
	struct slot *s = f->slot;
	TRY(conductor_flights_fold(c, 1, true));
	if (!f->by_engine)
		return STATUS_OK;
	enum status status =
		c->engine->class->finish(c->engine, f->is_away ? SWEEP_BOTH : SWEEP_RESULTS, s->channel, s->spans);
	if (status == STATUS_OK && c->plan->device.verify && c->engine->device != NULL)
		status = conductor_verify(c, f);
	if (status == STATUS_DEVICE) {
		TRY(fall_back(c));
		return conductor_flights_await(c);
	}
	if (status != STATUS_OK)
		return status;
	bring_back(c, f);
	for (size_t i = 0; i < c->lane_count; i++) {
		struct slot_lane *l = &s->lanes[i];
		const size_t bad = s->works[i].first_bad;
		if (bad != SIZE_MAX && bad + l->head < l->bad)
			l->bad = bad + l->head;
	}
	return STATUS_OK;
}
