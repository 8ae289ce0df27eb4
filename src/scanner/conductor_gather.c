/* A stream in slices, each scanned by another process. A process first gathers the totals of its slice's tiles. Later
 * processes fold these totals in stream order, as the totals of any stream are folded. So the bits are those of one
 * process that scans all. Two groups of elements are kept as they are, and scanned one by one instead: those before the
 * first tile's edge, if the slice does not begin at an edge, and those of the last tile, because the last result comes
 * from them.
 *
 * Tiles that lie in a chunk are up-swept by the engine. Other tiles (with many columns, a chunk is less than a tile) go
 * through a cursor that begins with the tile: its state after the tile is the tile's total. */
#include "scanner/key_scans.h"

#include <string.h>

#include "scan/misfit_message.h"

/* Tiles that are folded at once. */
#define FOLDED_TILES 4096

static bool is_at_edge(uint64_t elements)
{
	return elements % GRID_TILE == 0;
}

void conductor_gather_begin(struct conductor *c)
{
	for (size_t i = 0; i < c->lane_count; i++) {
		struct lane *l = &c->lanes[i];
		const uint64_t *firsts = c->part.gathered->firsts;
		memset(l->cursor, 0, l->row.code->cursor_size); /* no seed */
		l->submitted = firsts != NULL ? firsts[l->plan->field] : c->part.gathered->first;
		if (c->part.gathered->ends != NULL)
			c->part.gathered->ends[i].is_in_head = !is_at_edge(l->submitted);
	}
}

/* The lane's cursor has taken in a tile, after which the next one begins. */
static enum status end_tile(struct conductor *c, size_t lane)
{
	_Alignas(max_align_t) unsigned char total[STATE_SIZE_MAX];
	const struct lane *l = &c->lanes[lane];
	l->row.code->state(l->cursor, total);
	memset(l->cursor, 0, l->row.code->cursor_size);
	return bytes_append(&c->part.gathered->lanes[lane], total, l->row.code->state_size);
}

/* Keeps count elements of a lane, from one of the slot's on, which lie in one tile. */
static enum status keep(const struct conductor *c, const struct slot *s, size_t lane, size_t first, size_t count)
{
	const size_t size = c->lanes[lane].row.element.size;
	struct tile_ends *e = c->part.gathered->ends != NULL ? &c->part.gathered->ends[lane] : NULL;
	if (e == NULL || count == 0)
		return STATUS_OK;
	if (is_at_edge(s->lanes[lane].submitted + first)) {
		if (e->is_in_head) {
			const struct bytes none = e->head;
			e->head = e->tail;
			e->tail = none;
		}
		e->is_in_head = false;
		e->tail.size = 0;
	}
	return bytes_append(&e->tail, conductor_column(s, &s->lanes[lane])->elements + first * size, count * size);
}

/* A part of a tile is taken in, which may complete it. */
static enum status gather_part(struct conductor *c, struct slot *s, size_t lane, size_t first, size_t count)
{
	const bool is_head = c->part.gathered->ends != NULL && c->part.gathered->ends[lane].is_in_head;
	TRY(conductor_push_part(c, s, lane, first, count));
	TRY(keep(c, s, lane, first, count));
	if (count == 0 || !is_at_edge(s->lanes[lane].submitted + first + count))
		return STATUS_OK;
	if (!is_head)
		return end_tile(c, lane);
	memset(c->lanes[lane].cursor, 0, c->lanes[lane].row.code->cursor_size);
	return STATUS_OK;
}

static enum status gather_lane(struct conductor *c, struct slot *s, size_t lane)
{
	const struct slot_lane *l = &s->lanes[lane];
	const size_t tiles_end = l->head + l->tiles * GRID_TILE;
	TRY(gather_part(c, s, lane, 0, l->head));
	TRY(bytes_append(&c->part.gathered->lanes[lane], l->totals, l->tiles * row_tile_size(&c->lanes[lane].row)));
	if (l->tiles > 0)
		TRY(keep(c, s, lane, tiles_end - GRID_TILE, GRID_TILE));
	return gather_part(c, s, lane, tiles_end, l->tail);
}

/* Gathers all lanes of plan->by_cursors: up to the end of a tile at a time. */
static enum status gather_records(struct conductor *c, struct slot *s)
{
	const size_t records = s->decode.decoded.records;
	for (size_t first = 0, count; first < records; first += count) {
		const uint64_t before = s->lanes[0].submitted + first;
		const size_t to_edge = (size_t)(GRID_TILE - before % GRID_TILE);
		count = records - first < to_edge ? records - first : to_edge;
		TRY(conductor_push_records(c, s, first, count));
		for (size_t i = 0; i < c->lane_count && is_at_edge(before + count); i++)
			TRY(end_tile(c, i));
	}
	return STATUS_OK;
}

enum status conductor_gather(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	const uint64_t begin = timeline_now_ns();
	const bool is_counted = c->part.gathered->lanes == NULL;
	if (c->plan->by_cursors && !is_counted)
		TRY(gather_records(c, s));
	for (size_t i = 0; i < c->lane_count && !c->plan->by_cursors && !is_counted; i++) {
		if (conductor_column(s, &s->lanes[i])->count > 0)
			TRY(gather_lane(c, s, i));
	}
	for (size_t i = 0; i < c->lane_count; i++)
		s->lanes[i].bad = SIZE_MAX; /* values that do not fit are found with the results */
	f->folded = true;
	f->by_engine = false;
	span_add(&s->spans[STAGE_FOLD], begin);
	return STATUS_OK;
}

/* Folds count totals into a lane's cursor. */
static enum status fold(struct conductor *c, size_t lane, const unsigned char *totals, size_t count,
			struct bytes *carry_ins)
{
	struct lane *l = &c->lanes[lane];
	bool has_carry;
	size_t bad_tile; /* (The process that has the elements finds them.) */
	TRY(bytes_make(carry_ins, FOLDED_TILES, TILE_SIZE_MAX));
	for (size_t first = 0, some; first < count; first += some) {
		some = count - first < FOLDED_TILES ? count - first : FOLDED_TILES;
		const unsigned char *from = totals + first * row_tile_size(&l->row);
		TRY(conductor_fold_totals(c, lane, from, some, carry_ins->data, &has_carry, &bad_tile));
	}
	l->submitted += (uint64_t)count * GRID_TILE;
	segment_count(l, l->only, (uint64_t)count * GRID_TILE, 0);
	return STATUS_OK;
}

/* Scans elements that were kept into a lane; its last results then become the stream's. */
static enum status scan_kept(struct conductor *c, size_t lane, const struct bytes *kept, struct bytes *results)
{
	struct lane *l = &c->lanes[lane];
	const size_t count = kept->size / l->row.element.size;
	size_t bad = SIZE_MAX;
	if (count == 0)
		return STATUS_OK;
	TRY(bytes_make(results, count, l->row.results.size));
	TRY(conductor_push(c, lane, kept->data, count, results->data, &bad));
	conductor_note_last(c, lane, results->data + (count - 1) * l->row.results.size, count);
	l->submitted += count;
	/* (Any other one is found with the results.) */
	if (bad == count - 1 && l->plan->moves_results) {
		bool must;
		(void)misfit_describe(&l->row, kept->data + bad * l->row.element.size, NULL, true, &must);
		l->only->is_past = l->only->is_past || !must;
	}
	return STATUS_OK;
}

enum status conductor_fold_before(struct conductor *c, const struct tile_totals *before)
{
	struct bytes room = {0};
	enum status status = STATUS_OK;
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK; i++) {
		const struct lane *l = &c->lanes[i];
		const struct tile_ends *e = before->ends != NULL ? &before->ends[i] : NULL;
		size_t tiles = before->lanes[i].size / row_tile_size(&l->row);
		/* The last tile's elements are taken in instead. */
		if (e != NULL && tiles > 0 && e->tail.size == GRID_TILE * l->row.element.size)
			tiles--;
		if (e != NULL)
			status = scan_kept(c, i, &e->head, &room);
		if (status == STATUS_OK)
			status = fold(c, i, before->lanes[i].data, tiles, &room);
		if (status == STATUS_OK && e != NULL)
			status = scan_kept(c, i, &e->tail, &room);
	}
	bytes_free(&room);
	return status;
}
