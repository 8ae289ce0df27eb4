/* What other files ask of the lanes: their rows and formats, absent results, and the numbers of records and fields for
 * messages. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number/powers.h"
#include "scanner/conductor_private.h"
#include "chunk/element_format.h"

struct result_format conductor_format(const struct conductor *c, size_t lane, size_t k)
{
	const struct lane *l = &c->lanes[lane];
	const bool decimal = l->reading.decimal && l->row.op->result == RESULT_SAME;
	return (struct result_format){
		.type = l->row.results.numbers[k].type, .decimal = decimal, .scale = decimal ? l->reading.scale : 0};
}

struct row conductor_find_row(const struct plan *plan, const struct plan_lane *lane,
			      const struct element_format *reading)
{
	const struct scan_operator *op = reading->decimal ? operator_of_decimals(lane->op) : lane->op;
	const struct type *acc = lane->decimal ? reading->type : lane->acc;
	const bool is_checked = plan->checked || reading->decimal;
	struct row row;
	if (reading->decimal && op->program != NULL) {
		row_of_decimals(&row, op, reading->type);
		return row;
	}
	const bool has_type =
		row_find(&row, op, reading->type, acc, is_checked, lane->row_is_exclusive, plan->algorithm);
	assert(has_type); /* The plan sees to that. */
	(void)has_type;
	row.parameter = op->parameter == PARAMETER_SCALE ? (double)power_of_ten_u64[reading->scale] : lane->factor;
	return row;
}

struct row conductor_first_row(const struct plan *plan, size_t lane)
{
	const struct element_format first = element_format_first(plan, &plan->lanes[lane]);
	return conductor_find_row(plan, &plan->lanes[lane], &first);
}

enum status conductor_set_row(const struct conductor *c, size_t lane)
{
	const struct lane *l = &c->lanes[lane];
	const struct element_format floats = {.type = &type_table[TYPE_F64]};
	struct row row = l->row;
	if (row.op->program != NULL && l->reading.decimal)
		row = conductor_find_row(c->plan, l->plan, &floats);
	return c->engine->class->set_row(c->engine, lane, &row);
}

enum status conductor_set_rows(const struct conductor *c)
{
	for (size_t i = 0; i < c->lane_count; i++)
		TRY(conductor_set_row(c, i));
	return STATUS_OK;
}

const atomic_bool *conductor_are_floats(const struct conductor *c)
{
	return c->are_floats;
}

bool conductor_result_is_absent(const struct conductor *c, const struct lane *l, void *result)
{
	return slot_result_is_absent(c->plan, &l->row.results, result);
}

bool conductor_lacks_result(const struct conductor *c, const struct lane *l, uint64_t numbers, void *result)
{
	return operator_lacks_result(l->row.op, numbers) && conductor_result_is_absent(c, l, result);
}

uint64_t conductor_number(const struct conductor *c, const struct slot *s, const struct lane *l, size_t record,
			  bool is_before)
{
	if (!c->plan->is_reversed)
		return l->element_base + record + (is_before ? 0 : 1);
	const size_t records = c->plan->format.input == FORMAT_BINARY ? s->in.size / c->plan->format.record_size : 0;
	return s->in.file_records + records - record + (is_before ? 1 : 0);
}

void conductor_copy_problem(const struct conductor *c, struct slot *s)
{
	if (s->decode.decoded.stop != DECODE_FAIL)
		return;
	const struct lane *l = &c->lanes[0];
	const uint64_t number = c->plan->is_reversed ? conductor_number(c, s, l, s->decode.decoded.records, false)
						     : l->element_base + 1;
	s->scan.problem = s->decode.decoded.problem;
	if (c->plan->format.input == FORMAT_BINARY)
		(void)snprintf(s->scan.problem.text, sizeof s->scan.problem.text, "element %" PRIu64 ": %.*s", number,
			       PROBLEM_TEXT_SIZE / 2, s->decode.decoded.problem.text);
}

uint64_t conductor_field_number(const struct conductor *c, const struct slot *s, const struct lane *l)
{
	const uint64_t *numbers = s->head.fields != NULL ? s->head.fields : c->plan->format.text.numbers;
	return numbers[l->plan->field * c->plan->format.text.inputs];
}
