/* What a lane's cursor takes: single elements, records, and the totals of whole tiles. */
#include "scan/host_tiles.h"
#include "stream/conductor_private.h"

enum status conductor_push(struct conductor *c, size_t lane, const void *in, size_t count, void *out, size_t *first_bad)
{
	const struct lane *l = &c->lanes[lane];
	const size_t in_size = l->row.element.size;
	const unsigned char *elements = in;
	unsigned char *results = out;
	*first_bad = SIZE_MAX;
	if (l->row.op->program == NULL) {
		*first_bad = host_scan_push(&l->row, l->cursor, in, count, out);
		return STATUS_OK;
	}
	for (size_t first = 0; first < count; first += GRID_TILE) {
		struct cursor_work work = {.call = CURSOR_PUSH,
					   .cursor = l->cursor,
					   .in = elements + first * in_size,
					   .count = count - first < GRID_TILE ? count - first : GRID_TILE,
					   .total = conductor_total(c, lane),
					   .out = results + first * l->row.results.size};
		TRY(c->engine->class->take(c->engine, lane, &work));
		if (work.first_bad != SIZE_MAX && *first_bad == SIZE_MAX)
			*first_bad = first + work.first_bad;
	}
	return STATUS_OK;
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
	const enum status status = c->engine->class->take(c->engine, lane, &work);
	*has_carry = work.first_has_carry;
	*bad_tile = work.first_bad;
	return status;
}
