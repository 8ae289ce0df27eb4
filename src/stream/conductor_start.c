/* The conductor's beginning and end, and the rows of its lanes. */
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "device/watchdog.h"
#include "number/parse.h"
#include "number/powers.h"
#include "stream/conductor_state.h"
#include "stream/element_format.h"

struct result_format conductor_format(const struct conductor *c, size_t lane, size_t k)
{
	const struct lane *l = &c->lanes[lane];
	const bool decimal = c->readings[lane].decimal && l->row.op->result == RESULT_SAME;
	return (struct result_format){.type = l->row.results.numbers[k].type,
				      .decimal = decimal,
				      .scale = decimal ? c->readings[lane].scale : 0};
}

enum status conductor_find_row(const struct plan *plan, const struct plan_lane *lane,
			       const struct element_format *reading, struct row *row)
{
	const struct scan_operator *op = reading->decimal ? operator_of_decimals(lane->op) : lane->op;
	const struct type *acc = lane->decimal ? reading->type : lane->acc;
	if (row_find(row, op, reading->type, acc, plan->checked || reading->decimal, lane->exclusive_row,
		     plan->algorithm)) {
		row->parameter =
			op->parameter == PARAMETER_SCALE ? (double)power_of_ten_u64[reading->scale] : lane->factor;
		if (plan->is_segmented && plan->window == 0)
			row_forget_grid(row);
		return STATUS_OK;
	}
	message_error("%s needs integers, not %s", lane->op->name, acc->name);
	return STATUS_USAGE;
}

enum status conductor_first_row(const struct plan *plan, size_t lane, struct row *row)
{
	const struct element_format first = element_format_first(&plan->lanes[lane]);
	return conductor_find_row(plan, &plan->lanes[lane], &first, row);
}

enum status conductor_set_rows(struct conductor *c, struct engine *engine)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK; i++)
		status = engine->class->set_row(engine, i, &c->lanes[i].row);
	return status;
}

enum status conductor_set_row(struct conductor *c, size_t lane)
{
	struct lane *l = &c->lanes[lane];
	enum status status = conductor_find_row(c->plan, l->plan, &c->readings[lane], &l->row);
	if (status == STATUS_OK)
		status = c->engine->class->set_row(c->engine, lane, &l->row);
	if (status != STATUS_DEVICE || c->named)
		return status;
	c->engine = c->host;
	status = conductor_set_rows(c, c->engine);
	return status == STATUS_OK ? c->engine->class->set_row(c->engine, lane, &l->row) : status;
}

enum status conductor_new(const struct conductor_start *start, struct conductor **conductor)
{
	const struct plan *plan = start->plan;
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
		.engine = start->engine,
		.host = start->host,
		.device = start->engine != start->host ? start->engine : NULL,
		.named = start->named,
		.version = 1,
		.gathered = start->gathered,
		.is_part = start->is_part || start->gathered != NULL,
		.lanes = memory_new(plan->lane_count * sizeof *c->lanes),
		.readings = memory_new(plan->lane_count * sizeof *c->readings),
		.initial = memory_new(plan->result_count * sizeof *c->initial),
		.last = memory_new(plan->result_count * sizeof *c->last),
	};
	const bool has_memory = c->lanes != NULL && c->readings != NULL && c->initial != NULL && c->last != NULL;
	enum status status = has_memory ? STATUS_OK : STATUS_SYSTEM;
	for (; c->lane_count < plan->lane_count && status == STATUS_OK; c->lane_count++)
		status = conductor_begin_lane(c, c->lane_count);
	if (status == STATUS_OK && plan->is_segmented)
		status = conductor_keys_begin(c);
	if (status == STATUS_OK && start->saved != NULL)
		status = conductor_load(c, start->saved);
	for (size_t i = 0; i < c->lane_count && status == STATUS_OK && start->place != NULL; i++) {
		c->line_base = start->place->lines;
		c->lanes[i].element_base = start->place->elements[c->lanes[i].plan->field];
	}
	if (status == STATUS_OK && start->place != NULL && start->saved == NULL && c->keys != NULL)
		status = conductor_keys_go_on(c, start->place->taken);
	if (status == STATUS_OK && start->before != NULL)
		status = conductor_fold_before(c, start->before);
	if (status == STATUS_OK && start->decimals != NULL)
		status = conductor_join(c, start->decimals);
	if (status == STATUS_OK && start->gathered != NULL)
		conductor_gather_begin(c);
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
	for (size_t i = 0; i < c->lane_count; i++)
		memory_free(c->lanes[i].cursor);
	memory_free(c->lanes);
	memory_free(c->readings);
	memory_free(c->own_readings);
	conductor_keys_free(c->keys);
	memory_free(c->initial);
	memory_free(c->last);
	bytes_free(&c->expected);
	memory_free(c);
}
