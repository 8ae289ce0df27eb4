/* A stream in slices, each scanned by another process. A slice begins at a tile's edge. Its tiles' totals are gathered first; with
 * what is before the slice, which is known later, they are folded as those of any stream are, in their order. So the bits are those of
 * one process that scans all.
 *
 * Tiles that lie in a chunk are up-swept by the engine. Others (of many columns a chunk is less than a tile) are taken in by a
 * cursor that begins with them: what its scan comes to is their total. */
#include "stream/conductor_state.h"

#include <string.h>

/* Tiles that are folded at once. */
#define FOLDED_TILES 4096

void conductor_gather_begin(struct conductor *c)
{
	for (size_t i = 0; i < c->lane_count; i++) {
		struct lane *l = &c->lanes[i];
		memset(l->cursor, 0, l->row.code->cursor_size); /* no seed */
		l->submitted = c->gathered->first;
	}
}

/* The lane's cursor has taken in a tile, after which the next one begins. */
static enum status end_tile(struct conductor *c, size_t lane)
{
	_Alignas(max_align_t) unsigned char total[STATE_SIZE_MAX];
	const struct lane *l = &c->lanes[lane];
	l->row.code->state(l->cursor, total);
	memset(l->cursor, 0, l->row.code->cursor_size);
	return bytes_append(&c->gathered->lanes[lane], total, l->row.code->state_size);
}

static bool is_at_edge(uint64_t elements)
{
	return elements % GRID_TILE == 0;
}

static enum status gather_lane(struct conductor *c, struct slot *s, size_t lane)
{
	const struct slot_lane *l = &s->lanes[lane];
	const size_t state_size = c->lanes[lane].row.code->state_size;
	enum status status = conductor_push_part(c, s, lane, 0, l->head);
	if (status == STATUS_OK && l->head > 0 && is_at_edge(l->submitted + l->head))
		status = end_tile(c, lane);
	if (status == STATUS_OK)
		status = bytes_append(&c->gathered->lanes[lane], l->totals, l->tiles * state_size);
	return status == STATUS_OK ? conductor_push_part(c, s, lane, l->head + l->tiles * GRID_TILE, l->tail) : status;
}

/* The same of records that are taken in by cursors as they are. */
static enum status gather_records(struct conductor *c, struct slot *s)
{
	const struct row *row = &c->lanes[0].row;
	const size_t step = s->columns[0].step;
	const size_t records = s->decoded.records;
	s->scratch.size = 0;
	if (bytes_reserve(&s->scratch, c->lane_count * (sizeof(void *) + sizeof(size_t))) != STATUS_OK)
		return STATUS_SYSTEM;
	void **cursors = (void **)(void *)s->scratch.data;
	size_t *bad = (size_t *)(void *)(cursors + c->lane_count);
	for (size_t i = 0; i < c->lane_count; i++)
		cursors[i] = c->lanes[i].cursor;
	for (size_t first = 0, count; first < records; first += count) {
		const uint64_t before = s->lanes[0].submitted + first;
		const size_t to_edge = (size_t)(GRID_TILE - before % GRID_TILE);
		count = records - first < to_edge ? records - first : to_edge;
		row->push_records(cursors, c->lane_count, s->columns[0].elements + first * step, step, count,
				  row->parameter, s->lanes[0].results + first * s->lanes[0].step, s->lanes[0].step,
				  bad);
		for (size_t i = 0; i < c->lane_count && is_at_edge(before + count); i++) {
			if (end_tile(c, i) != STATUS_OK)
				return STATUS_SYSTEM;
		}
	}
	return STATUS_OK;
}

enum status conductor_gather(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	const uint64_t begin = timeline_now_ns();
	enum status status = c->plan->by_cursors ? gather_records(c, s) : STATUS_OK;
	for (size_t i = 0; i < c->lane_count && !c->plan->by_cursors && status == STATUS_OK; i++)
		status = conductor_column(s, &s->lanes[i])->count > 0 ? gather_lane(c, s, i) : STATUS_OK;
	for (size_t i = 0; i < c->lane_count; i++)
		s->lanes[i].bad = SIZE_MAX; /* what does not fit is found with the results */
	f->folded = true;
	f->by_engine = false;
	span_add(&s->spans[STAGE_FOLD], begin);
	return status;
}

void conductor_gather_accept(struct conductor *c, struct slot *s)
{
	s->records = 0;
	for (size_t i = 0; i < c->lane_count; i++) {
		s->lanes[i].results_of = c->lanes[i].row.results;
		s->lanes[i].format = conductor_format(c, i, 0);
		s->element_count += i % c->plan->operator_count == 0 ? conductor_column(s, &s->lanes[i])->count : 0;
	}
}

enum status conductor_fold_before(struct conductor *c, const struct tile_totals *before)
{
	struct bytes carry_ins = {0};
	enum status status = bytes_make(&carry_ins, FOLDED_TILES, STATE_SIZE_MAX);
	for (size_t i = 0; i < c->lane_count && before->tiles > 0 && status == STATUS_OK; i++) {
		struct lane *l = &c->lanes[i];
		const size_t state_size = l->row.code->state_size;
		for (size_t first = 0, count; first < before->tiles; first += count) {
			count = before->tiles - first < FOLDED_TILES ? before->tiles - first : FOLDED_TILES;
			struct cursor_work work = {.call = CURSOR_FOLD,
						   .cursor = l->cursor,
						   .in = before->lanes[i].data + first * state_size,
						   .count = count,
						   .out = carry_ins.data};
			if (l->row.op->program == NULL)
				(void)l->row.code->fold(work.cursor, work.in, count, work.out);
			else if (status == STATUS_OK)
				status = c->engine->class->take(c->engine, i, &work);
		}
		l->submitted += (uint64_t)before->tiles * GRID_TILE;
		l->has_last = true;
	}
	bytes_free(&carry_ins);
	return status;
}
