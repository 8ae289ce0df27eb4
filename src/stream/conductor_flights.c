/* Chunks are folded in stream order, each once, so the conductor's cursor is the one after the last folded flight. Every
 * flight keeps the cursor before it: when a device fails, the host begins again with the oldest one, as if none had been
 * folded. */
#include "stream/conductor_state.h"

#include <string.h>

#include "scan/host.h"

/* Where the flight's first whole tile begins, and its results. */
static unsigned char *tile_elements(const struct conductor *c, const struct flight *f)
{
	return f->slot->elements + f->head * c->row.in->size;
}

static unsigned char *tile_results(const struct conductor *c, const struct flight *f)
{
	return f->slot->results + f->head * c->row.out->size;
}

/* Cuts the flight's elements at the grid's tiles. */
static void cut(struct conductor *c, struct flight *f)
{
	const size_t count = f->slot->decoded.count;
	const size_t to_edge = (GRID_TILE - (size_t)(c->submitted % GRID_TILE)) % GRID_TILE;
	c->submitted += count;
	*f = (struct flight){
		.slot = f->slot, .cursor_before = f->cursor_before, .head = count < to_edge ? count : to_edge};
	f->tiles = (count - f->head) / GRID_TILE;
	f->tail = (count - f->head) % GRID_TILE;
	f->by_engine = f->tiles > 0;
	if (c->row.algorithm == ALGORITHM_SEQUENTIAL)
		*f = (struct flight){.slot = f->slot, .cursor_before = f->cursor_before, .by_engine = count > 0};
}

/* Begins the up-sweep of the flight's tiles, if there are any; skips it if their totals are known. */
static enum status begin_totals(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	f->folded = false;
	f->totals_known = f->tiles == 0;
	if (f->tiles == 0)
		return STATUS_OK;
	if (s->totals_known && f->head == 0 && c->engine->class->skip_totals != NULL) {
		f->totals_known = true;
		c->engine->class->skip_totals(c->engine, s->channel, s->elements, f->tiles * GRID_TILE);
		return STATUS_OK;
	}
	s->totals_known = false;
	return c->engine->class->begin_totals(c->engine, s->channel, tile_elements(c, f), f->tiles * GRID_TILE,
					      s->totals);
}

/* Takes count elements from first on, which are no whole tile, into the cursor. (A device that computes on them may read them
 * at the same time.) */
static void push(struct conductor *c, struct flight *f, size_t first, size_t count)
{
	struct slot *s = f->slot;
	if (count == 0)
		return;
	const size_t bad = host_scan_push(&c->row, c->cursor, s->elements + first * c->row.in->size, count,
					  s->results + first * c->row.out->size);
	if (bad != SIZE_MAX && f->bad == SIZE_MAX)
		f->bad = first + bad;
}

/* Takes the flight into the cursor. */
static enum status fold(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	if (f->folded)
		return STATUS_OK;
	if (!f->totals_known) {
		const enum status status = c->engine->class->finish_totals(c->engine, s->channel);
		if (status != STATUS_OK)
			return status;
	}
	const uint64_t begin = timeline_now_ns();
	memcpy(f->cursor_before, c->cursor, c->row.code->cursor_size);
	f->folded = true;
	f->bad = SIZE_MAX;
	push(c, f, 0, f->head);
	if (f->tiles > 0)
		f->has_carry = c->row.code->fold(c->cursor, s->totals, f->tiles, s->carry_ins);
	push(c, f, f->head + f->tiles * GRID_TILE, f->tail);
	span_add(&s->spans[STAGE_FOLD], begin);
	if (!f->by_engine)
		return STATUS_OK;
	if (f->tiles == 0) {
		c->engine->class->begin_push(c->engine, s->channel, c->cursor, s->elements, s->decoded.count,
					     s->results);
		return STATUS_OK;
	}
	return c->engine->class->begin_results(c->engine, s->channel, s->carry_ins, f->has_carry, tile_results(c, f));
}

void conductor_flights_cancel(struct conductor *c, const struct flight *f)
{
	if (f->by_engine && !c->engine->class->cancel(c->engine, f->slot->channel))
		slot_abandon_results(f->slot);
}

/* After a device failed: the host takes over, from the oldest chunk under way on. */
static enum status take_over(struct conductor *c)
{
	if (c->named)
		return STATUS_DEVICE;
	for (size_t i = 0; i < c->flight_count; i++)
		conductor_flights_cancel(c, &c->flights[i]);
	c->engine = c->host;
	c->offered = NULL;
	enum status status = c->engine->class->set_row(c->engine, &c->row);
	if (c->flight_count > 0 && c->flights[0].folded)
		memcpy(c->cursor, c->flights[0].cursor_before, c->row.code->cursor_size);
	for (size_t i = 0; i < c->flight_count && status == STATUS_OK; i++) {
		if (c->flights[i].slot->decoded.count > 0)
			status = slot_need_results(c->flights[i].slot, c->plan);
		if (status == STATUS_OK)
			status = begin_totals(c, &c->flights[i]);
	}
	return status;
}

enum status conductor_flights_begin(struct conductor *c, struct flight *f)
{
	f->cursor_before = &c->cursor[1 + f->slot->channel];
	if (f->slot->decoded.count > 0 && slot_need_results(f->slot, c->plan) != STATUS_OK)
		return STATUS_SYSTEM;
	cut(c, f);
	const enum status status = begin_totals(c, f);
	return status == STATUS_DEVICE ? take_over(c) : status;
}

enum status conductor_flights_fold(struct conductor *c, size_t count)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		status = fold(c, &c->flights[i]);
		if (status == STATUS_DEVICE) {
			status = take_over(c);
			i = (size_t)-1; /* from the oldest on */
		}
	}
	return status;
}

/* Whether the next finish call for a flight would not wait. */
static bool is_ready(const struct conductor *c, const struct flight *f)
{
	return !f->by_engine || (!f->folded && f->totals_known) || c->engine->class->is_ready == NULL ||
	       c->engine->class->is_ready(c->engine, f->slot->channel);
}

bool conductor_advance(struct conductor *c, enum status *status)
{
	*status = STATUS_OK;
	if (c->flight_count == 0)
		return false;
	if (c->engine->class->is_ready == NULL)
		return true; /* finishing folds what must be folded */
	for (size_t i = 0; i < c->flight_count && *status == STATUS_OK; i++) {
		if (c->flights[i].folded)
			continue;
		if (!is_ready(c, &c->flights[i]))
			break;
		*status = fold(c, &c->flights[i]);
		if (*status == STATUS_DEVICE) {
			*status = take_over(c);
			i = (size_t)-1; /* from the oldest on */
		}
	}
	return c->flights[0].folded && is_ready(c, &c->flights[0]);
}

enum status conductor_flights_await(struct conductor *c, size_t *bad)
{
	const struct flight *f = &c->flights[0];
	size_t first_bad = SIZE_MAX;
	enum status status = conductor_flights_fold(c, 1);
	if (status != STATUS_OK)
		return status;
	if (f->by_engine) {
		status = c->engine->class->finish_results(c->engine, f->slot->channel, &first_bad, f->slot->spans);
		if (status == STATUS_OK && c->plan->verify && c->engine->device != NULL)
			status = conductor_verify(c, f, first_bad);
		if (status == STATUS_DEVICE) {
			status = take_over(c);
			return status == STATUS_OK ? conductor_flights_await(c, bad) : status;
		}
	}
	if (first_bad != SIZE_MAX)
		first_bad += f->head;
	*bad = first_bad < f->bad ? first_bad : f->bad;
	return status;
}

void conductor_flights_rewind(struct conductor *c, size_t count)
{
	const struct flight *f = &c->flights[0];
	memcpy(c->cursor, f->cursor_before, c->row.code->cursor_size);
	(void)host_scan_push(&c->row, c->cursor, f->slot->elements, count, f->slot->results);
}
