/* Pushes single elements and records into the lanes' cursors, and folds the totals of whole tiles into them. */
#include "scan/host_tiles.h"
#include "scanner/conductor_private.h"

enum status conductor_push(struct conductor *c, size_t lane, const void *in, size_t count, void *out, size_t *first_bad)
{
	const struct lane *l = &c->lanes[lane];
	struct cursor_work work = {.call = CURSOR_PUSH,
				   .cursor = l->cursor,
				   .in = in,
				   .count = count,
				   .total = conductor_total(c, lane),
				   .out = out,
				   .first_bad = SIZE_MAX};
	enum status status = STATUS_OK;
	if (l->row.op->program != NULL)
		status = c->engine->class->run_cursor(c->engine, lane, &work);
	else
		work.first_bad = host_scan_push(&l->row, l->cursor, in, count, out);
	*first_bad = work.first_bad;
	return status;
}

enum status conductor_push_part(struct conductor *c, struct slot *s, size_t lane, size_t first, size_t count)
{
	struct slot_lane *l = &s->lanes[lane];
	const struct slot_column *k = conductor_column(s, l);
	const struct row *row = &c->lanes[lane].row;
	size_t bad;
	if (count == 0)
		return STATUS_OK;
	const enum status status = conductor_push(c, lane, k->elements + first * row->element.size, count,
						  l->results + first * row->results.size, &bad);
	if (bad != SIZE_MAX && l->bad == SIZE_MAX)
		l->bad = first + bad;
	return status;
}

enum status conductor_push_records(struct conductor *c, struct slot *s, size_t first, size_t count)
{
	const struct row *row = &c->lanes[0].row;
	const struct slot_column *k = &s->columns[0];
	const struct slot_lane *l = &s->lanes[0];
	TRY(bytes_make(&s->decode.scratch, c->lane_count, sizeof(void *) + sizeof(size_t)));
	void **cursors = (void **)(void *)s->decode.scratch.data;
	size_t *bad = (size_t *)(void *)(cursors + c->lane_count);
	for (size_t i = 0; i < c->lane_count; i++) {
		cursors[i] = c->lanes[i].cursor;
		bad[i] = SIZE_MAX;
	}
	if (count > 0)
		row->push_records(cursors, c->lane_count, k->elements + first * k->step, k->step, count, row->parameter,
				  l->results + first * l->step, l->step, bad);
	for (size_t i = 0; i < c->lane_count; i++)
		s->lanes[i].bad = bad[i];
	return STATUS_OK;
}

enum status conductor_fold_totals(struct conductor *c, size_t lane, const unsigned char *totals, size_t count,
				  unsigned char *carry_ins, bool *has_carry, size_t *bad_tile)
{
	const struct lane *l = &c->lanes[lane];
	struct cursor_work work = {
		.call = CURSOR_FOLD, .cursor = l->cursor, .in = totals, .count = count, .out = carry_ins};
	*bad_tile = SIZE_MAX;
	if (l->row.op->program == NULL) {
		*has_carry = l->row.code->fold(l->cursor, totals, count, carry_ins);
		return STATUS_OK;
	}
	const enum status status = c->engine->class->run_cursor(c->engine, lane, &work);
	*has_carry = work.first_has_carry;
	*bad_tile = work.first_bad;
	return status;
}

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
