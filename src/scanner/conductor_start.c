/* The conductor's beginning and end. */
#include "evaluate/exact_number.h"
#include "device/watchdog.h"
#include "scanner/conductor_private.h"

/* Begins the scan, or continues it where the part says. */
static enum status begin(struct conductor *c, const struct scan_part *part)
{
	const struct plan *plan = c->plan;
	if (plan->emit.is_by_element && c->part.finds == NULL) {
		c->emit_each = exact_evaluator_new(plan->emit.exact);
		if (c->emit_each == NULL)
			return STATUS_SYSTEM;
	}
	if (plan->emit.is_late) {
		c->emit = slot_emit_new(plan);
		if (c->emit == NULL)
			return STATUS_SYSTEM;
	}
	TRY(conductor_keys_begin(c));
	if (part->saved != NULL)
		TRY(conductor_load(c, part->saved));
	TRY(conductor_keys_begin_first(c, part));
	for (size_t i = 0; i < c->lane_count && part->place != NULL; i++) {
		c->line_base = part->place[0];
		c->lanes[i].element_base = part->place[1 + c->lanes[i].plan->field];
	}
	if (part->joined != NULL)
		TRY(conductor_join(c, part->joined, part->is_joined));
	if (part->before != NULL)
		TRY(conductor_fold_before(c, part->before));
	if (part->gathered != NULL)
		conductor_gather_begin(c);
	return STATUS_OK;
}

enum status conductor_new(const struct conductor_start *start, struct conductor **conductor)
{
	const struct plan *plan = start->plan;
	const struct scan_part *part = &start->part;
	struct conductor *c = memory_new(sizeof *c + start->channel_count * sizeof c->flights[0]);
	if (c == NULL) {
		if (start->host != NULL && start->host != start->engine)
			start->host->class->close(start->host);
		start->engine->class->close(start->engine);
		return STATUS_SYSTEM;
	}
	*c = (struct conductor){
		.plan = plan,
		.deliver = start->deliver,
		.context = start->context,
		.channel_count = start->channel_count,
		.keys_pool = start->keys_pool,
		.engine = start->engine,
		.host = start->host,
		.device = start->engine != start->host ? start->engine : NULL,
		.named = start->named,
		.part = *part,
		.started = part->is_begun,
		.lanes = memory_new(plan->lane_count * sizeof *c->lanes),
		.are_floats = memory_new(plan->lane_count * sizeof *c->are_floats),
		.initial = memory_new(plan->result_count * sizeof *c->initial),
		.last = memory_new(plan->result_count * sizeof *c->last),
	};
	c->part.is_part = part->is_part || part->gathered != NULL;
	const bool has_memory = c->lanes != NULL && c->are_floats != NULL && c->initial != NULL && c->last != NULL;
	const enum status status = has_memory ? begin(c, part) : STATUS_SYSTEM;
	if (status != STATUS_OK) {
		/* A call that did not return may still use the lanes. */
		if (!watchdog_is_stuck())
			conductor_free(c);
		return status;
	}
	*conductor = c;
	return STATUS_OK;
}

void conductor_free(struct conductor *c)
{
	if (c == NULL)
		return;
	for (size_t i = 0; i < c->flight_count; i++)
		conductor_flights_cancel(c, &c->flights[i]);
	if (c->device != NULL)
		c->device->class->close(c->device);
	if (c->host != NULL)
		c->host->class->close(c->host);
	conductor_keys_free(c);
	for (size_t i = 0; i < c->lane_count; i++)
		conductor_free_lane(&c->lanes[i]);
	memory_free_all(c->lanes, c->are_floats, c->initial, c->last);
	slot_emit_free(c->emit);
	bytes_free(&c->expected);
	memory_free_all(c->emit_each, c);
}
