/* Folds a chunk's tile totals, and its elements outside whole tiles, into each lane's cursor; then the engine's second
 * sweep can begin. */
#include "stream/conductor_private.h"

enum status conductor_fold_lane(struct conductor *c, struct slot *s, size_t lane)
{
	struct slot_lane *l = &s->lanes[lane];
	const struct lane *scan = &c->lanes[lane];
	struct lane_work *work = &s->works[lane];
	memcpy(l->cursor, scan->cursor, scan->row.code->cursor_size);
	size_t bad_tile = SIZE_MAX;
	l->bad = SIZE_MAX;
	if (conductor_column(s, l)->count == 0)
		return STATUS_OK;
	TRY(conductor_push_part(c, s, lane, 0, l->head));
	if (l->tiles > 0)
		TRY(conductor_fold_totals(c, lane, l->totals, l->tiles, l->carry_ins, &l->has_carry, &bad_tile));
	/* (Without a carry, the last element of its tile is the first one that cannot be taken in.) */
	if (bad_tile != SIZE_MAX && l->bad == SIZE_MAX)
		l->bad = l->head + (bad_tile + 1) * GRID_TILE - 1;
	TRY(conductor_push_part(c, s, lane, l->head + l->tiles * GRID_TILE, l->tail));
	work->carry_in = l->carry_ins;
	work->first_has_carry = l->has_carry;
	work->cursor = scan->cursor;
	work->out = l->results + l->head * scan->row.results.size;
	return STATUS_OK;
}

enum status conductor_fold(struct conductor *c, struct flight *f)
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
