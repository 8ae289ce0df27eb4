/* Totals are folded in stream order, each chunk's once, so the conductor's carry is the one after the last folded
 * flight. Every flight keeps the carry before it: when a device fails, the host begins again with the oldest one, as if
 * none had been folded. */
#include "stream/conductor_state.h"

#include <string.h>

/* Puts the unfinished tile in front of the slot's elements and takes the one that they leave unfinished. */
static enum status prepend_head(struct conductor *c, struct slot *s)
{
	const size_t size = c->row.in->size;
	s->head = s->decoded.count > 0 ? c->tail_count : 0;
	if (s->decoded.count == 0)
		return STATUS_OK;
	if (slot_need_results(s, c->plan) != STATUS_OK)
		return STATUS_SYSTEM;
	if (s->head > 0) {
		s->elements -= s->head * size;
		memcpy(s->elements, c->tail, s->head * size);
	}
	const size_t elements = s->head + s->decoded.count;
	c->tail_count = c->row.algorithm == ALGORITHM_SEQUENTIAL ? 0 : elements % GRID_TILE;
	memcpy(c->tail, s->elements + (elements - c->tail_count) * size, c->tail_count * size);
	return STATUS_OK;
}

/* Begins the up-sweep of the flight's elements, if there are any; skips it if their totals are known. */
static enum status begin_totals(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	f->folded = false;
	f->totals_known = f->elements == 0;
	if (f->elements == 0)
		return STATUS_OK;
	if (s->totals_known && s->head == 0 && c->engine->class->skip_totals != NULL) {
		f->totals_known = true;
		c->engine->class->skip_totals(c->engine, s->channel, s->elements, f->elements);
		return STATUS_OK;
	}
	s->totals_known = false;
	return c->engine->class->begin_totals(c->engine, s->channel, s->elements, f->elements, s->totals);
}

/* Folds the totals of whole tiles into the carry; that of a partial tile only gets its carry-in. */
static enum status fold(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	if (f->folded)
		return STATUS_OK;
	f->carry_before = c->carry;
	if (f->elements > 0 && !f->totals_known) {
		const enum status status = c->engine->class->finish_totals(c->engine, s->channel);
		if (status != STATUS_OK)
			return status;
	}
	f->folded = true;
	if (f->elements == 0)
		return STATUS_OK;
	const uint64_t begin = timeline_now_ns();
	const struct row_code *code = c->row.code;
	const size_t whole = f->elements / GRID_TILE;
	code->fold(s->totals, whole, &c->carry, s->carry_ins);
	if (f->elements % GRID_TILE != 0) {
		struct carry unfinished = c->carry;
		code->fold(s->totals + whole * code->state_size, 1, &unfinished,
			   s->carry_ins + whole * code->state_size);
	}
	span_add(&s->spans[STAGE_FOLD], begin);
	return c->engine->class->begin_results(c->engine, s->channel, s->carry_ins, f->carry_before.present,
					       s->results);
}

void conductor_flights_cancel(struct conductor *c, const struct flight *f)
{
	if (f->elements > 0 && !c->engine->class->cancel(c->engine, f->slot->channel))
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
		c->carry = c->flights[0].carry_before;
	for (size_t i = 0; i < c->flight_count && status == STATUS_OK; i++) {
		if (c->flights[i].elements > 0)
			status = slot_need_results(c->flights[i].slot, c->plan);
		if (status == STATUS_OK)
			status = begin_totals(c, &c->flights[i]);
	}
	return status;
}

enum status conductor_flights_begin(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	if (prepend_head(c, s) != STATUS_OK)
		return STATUS_SYSTEM;
	f->elements = s->decoded.count > 0 ? s->head + s->decoded.count : 0;
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
	return f->elements == 0 || (!f->folded && f->totals_known) || c->engine->class->is_ready == NULL ||
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
	if (f->elements > 0) {
		status = c->engine->class->finish_results(c->engine, f->slot->channel, &first_bad, f->slot->spans);
		if (status == STATUS_OK && c->plan->verify && c->engine->device != NULL)
			status = conductor_verify(c, f, first_bad);
		if (status == STATUS_DEVICE) {
			status = take_over(c);
			return status == STATUS_OK ? conductor_flights_await(c, bad) : status;
		}
	}
	*bad = first_bad == SIZE_MAX || first_bad < f->slot->head ? SIZE_MAX : first_bad - f->slot->head;
	return status;
}
