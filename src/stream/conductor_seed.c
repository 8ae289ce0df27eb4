/* How the lanes begin: their seeds and what comes before their first elements. */
#include <string.h>

#include "base/message.h"
#include "number/parse.h"
#include "stream/conductor_state.h"
#include "stream/element_format.h"

/* A seed: an element that begins a lane's cursor, its numbers one after the other. */
union seed {
	union value value;
	unsigned char numbers[INPUTS_MAX * sizeof(union value)];
};

/* The lane's seed, with the reading that it asks for. */
static enum status parse_seed(struct conductor *c, size_t lane, union seed *seed)
{
	const struct packed numbers = operator_element(c->plan->lanes[lane].op, c->plan->lanes[lane].acc);
	const struct plan_lane *l = &c->plan->lanes[lane];
	const char *text = l->seed;
	if (l->decimal)
		return element_format_seed(&c->reading.lanes[lane], c->plan, l, &seed->value) ? STATUS_OK
											      : STATUS_USAGE;
	/* If the last number stands alone, zeros come before it. */
	for (size_t i = strchr(text, ',') != NULL ? 0 : l->op->inputs - 1; i < l->op->inputs; i++) {
		union value value;
		const size_t size = strcspn(text, ",");
		const struct type *t = numbers.numbers[i].type;
		if (number_parse(text, size, t, &value) != NUMBER_OK) {
			char quoted[MESSAGE_QUOTED_SIZE];
			message_error("--seed: no value of %s: %s", t->name, message_quote(quoted, text, size));
			return STATUS_USAGE;
		}
		memcpy(seed->numbers + numbers.numbers[i].offset, &value, t->size);
		text += size + 1;
	}
	return STATUS_OK;
}

/* Begins the lane's cursor with its seed, and gives the seed's result; of a program without a seed its identity's. */
static enum status begin_cursor(struct conductor *c, size_t lane, const union seed *seed, struct result *initial)
{
	struct lane *l = &c->lanes[lane];
	const struct packed *results = &l->row.results;
	unsigned char state[STATE_SIZE_MAX];
	unsigned char given[INPUTS_MAX * sizeof(union value)] = {0};
	struct cursor_work work = {.call = CURSOR_SEED,
				   .cursor = l->begins,
				   .in = seed->numbers,
				   .count = l->plan->seed != NULL,
				   .out = given};
	enum status status = STATUS_OK;
	if (l->row.op->program != NULL) {
		status = c->engine->class->take(c->engine, lane, &work);
	} else {
		l->row.code->seed(l->begins, seed, l->row.parameter);
		l->row.code->state(l->begins, state);
		l->row.code->emit(state, seed->numbers, l->row.parameter, given);
	}
	for (size_t i = 0; i < results->count; i++)
		memcpy(&initial[i].value, given + results->numbers[i].offset, results->numbers[i].type->size);
	return status;
}

/* What comes before the lane's first element: the seed's result, else the identity, if there is one. The row is set. */
static enum status begin_results(struct conductor *c, size_t lane, const union seed *seed)
{
	struct lane *l = &c->lanes[lane];
	struct result *initial = &c->initial[l->plan->first_result];
	const struct plan_lane *p = l->plan;
	const bool unbounded = p->decimal && p->op->result == RESULT_SAME;
	const struct packed *results = &l->row.results;
	for (size_t i = 0; i < results->count; i++)
		initial[i] = (struct result){.format = conductor_format(c, lane, i)};
	enum status status = STATUS_OK;
	bool has_initial = true;
	memset(l->begins, 0, l->row.code->cursor_size);
	const bool shows_initial = p->exclusive || p->exclusive_row || c->plan->include_initial || c->plan->total;
	if (p->seed != NULL || (p->op->identity == IDENTITY_OWN && shows_initial)) {
		status = begin_cursor(c, lane, seed, initial);
	} else {
		has_initial = row_identity(p->op, unbounded ? &type_table[TYPE_I128] : l->row.out, &initial->value);
	}
	if (!has_initial && unbounded) {
		/* Of unbounded decimals: the infinities. */
		initial->format = (struct result_format){.type = &type_table[TYPE_F64]};
		has_initial = row_identity(p->op, initial->format.type, &initial->value);
	}
	const bool lacks = p->seed != NULL ? p->op->lacks_first : p->op->identity == IDENTITY_ABSENT;
	initial->absent = !has_initial || (lacks && conductor_result_is_absent(c, l, &initial->value));
	for (size_t i = 1; i < results->count; i++)
		initial[i].absent = initial->absent;
	memcpy(&c->last[p->first_result], initial, results->count * sizeof *initial);
	return status;
}

enum status conductor_begin_lane(struct conductor *c, size_t lane)
{
	struct lane *l = &c->lanes[lane];
	union seed seed = {.numbers = {0}};
	*l = (struct lane){.plan = &c->plan->lanes[lane]};
	c->reading.lanes[lane] = element_format_first(l->plan);
	c->reading.own[lane] = element_format_own(l->plan);
	atomic_init(&c->reading.are_floats[lane], false);
	l->begins = memory_new(row_cursor_size_max(l->plan->op, c->plan->algorithm));
	enum status status = l->begins == NULL ? STATUS_SYSTEM : STATUS_OK;
	if (status == STATUS_OK && l->plan->seed != NULL)
		status = parse_seed(c, lane, &seed);
	if (status == STATUS_OK)
		status = conductor_set_row(c, lane);
	if (status == STATUS_OK)
		status = begin_results(c, lane, &seed);
	return status;
}
