/* How the lanes begin: their seeds and what comes before their first elements. */
#include <string.h>

#include "base/message.h"
#include "number/parse.h"
#include "evaluate/exact_number.h"
#include "scan/program.h"
#include "chunk/element_format.h"
#include "scanner/lane_texts.h"
#include "scanner/segment_windows.h"

/* A seed: an element that begins a lane's cursor, its numbers one after the other. */
union seed {
	union value value;
	unsigned char numbers[INPUTS_MAX * sizeof(union value)];
};

/* The lane's seed, with the reading that it asks for. */
static enum status parse_seed(struct conductor *c, size_t lane, union seed *seed)
{
	const struct plan_lane *l = &c->plan->lanes[lane];
	const char *text = l->seed;
	const size_t count = operator_seed_count(l->op);
	if (l->gives_text) {
		seed->value.u64 = lane_texts_seed();
		return STATUS_OK;
	}
	const struct packed numbers =
		program_has_types(l->op->program) ? l->op->program->declared.element : packed_of(l->acc, count);
	if (l->decimal)
		return element_format_seed(&c->lanes[lane].reading, c->plan, l, &seed->value) ? STATUS_OK
											      : STATUS_USAGE;
	/* One number alone is the last one; the others are 0. */
	for (size_t i = strchr(text, ',') != NULL ? 0 : count - 1; i < count; i++) {
		union value value;
		const size_t size = strcspn(text, ",");
		const struct type *t = numbers.numbers[i].type;
		if (number_parse(text, size, t, &value) != NUMBER_OK) {
			message_error("--seed: %s is not a value of %s (see --help=seed)",
				      message_quoted_part(text, size), t->name);
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
	if (l->row.op->program != NULL && l->reading.decimal) {
		memcpy(given, &seed->value, sizeof seed->value);
	} else if (l->row.op->program != NULL) {
		status = c->engine->class->run_cursor(c->engine, lane, &work);
		const bool is_shown = l->plan->moves_results || c->plan->include_initial;
		if (status == STATUS_OK && work.first_bad != SIZE_MAX && is_shown) {
			message_error("%s: the expression has no value: %s",
				      l->plan->seed != NULL ? "--seed" : "the result of no elements",
				      program_host_why_bad(&l->row.op->program->host));
			return STATUS_DATA;
		}
		for (size_t i = 0; i < results->count && work.first_bad != SIZE_MAX; i++)
			initial[i].absent = true;
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
	const bool shows_initial =
		p->moves_results || p->row_is_exclusive || c->plan->include_initial || c->plan->total;
	if (p->seed != NULL || (p->op->identity == IDENTITY_OWN && shows_initial)) {
		status = begin_cursor(c, lane, seed, initial);
	} else {
		has_initial = row_identity(p->op, unbounded ? &type_table[TYPE_I128] : l->row.out, &initial->value);
	}
	if (!has_initial && unbounded) {
		/* Identity of min or max of exact decimals: an infinity. */
		initial->format = (struct result_format){.type = &type_table[TYPE_F64]};
		has_initial = row_identity(p->op, initial->format.type, &initial->value);
	}
	initial->absent =
		initial->absent || !has_initial || conductor_lacks_result(c, l, p->seed != NULL, &initial->value);
	for (size_t i = 1; i < results->count; i++)
		initial[i].absent = initial->absent;
	if (p->gives_text && !initial->absent)
		lane_texts_result(c, lane, initial);
	memcpy(&c->last[p->first_result], initial, results->count * sizeof *initial);
	return status;
}

/* The row of a lane that is read so. Where segments are short the grid does not matter, if its order does not. */
static struct row find_row(const struct plan *plan, const struct plan_lane *lane, const struct element_format *reading)
{
	struct row row = conductor_find_row(plan, lane, reading);
	if (plan->is_segmented && lane->window == 0)
		row_forget_grid(&row);
	return row;
}

static unsigned char form_of(const struct result *r, bool is_decimal_lane)
{
	if (r->absent)
		return RESULT_FORM_ABSENT;
	if (r->format.decimal)
		return (unsigned char)(r->format.scale | (r->format.type->id == TYPE_I128 ? RESULT_FORM_WIDE : 0));
	return is_decimal_lane && r->format.type->id == TYPE_F64 ? RESULT_FORM_FLOAT : RESULT_FORM_LANE;
}

/* What is where in a segment of the lane. */
static void lay_out_segments(const struct conductor *c, struct lane *l, const struct scan_operator *op)
{
	const bool is_program = l->plan->op->program != NULL;
	const bool is_window = l->plan->window > 0;
	const bool is_exact = is_program && l->plan->decimal;
	l->size = SEGMENT_SIZE + (!is_window    ? l->row.code->cursor_size
				  : !is_program ? window_size_max(op)
						: program_window_size_max(l->plan->op->program));
	/* What comes after the cursor is not the cursor's, whatever its width. */
	for (int w = 0; w < WIDTH_COUNT && l->plan->decimal && l->plan->window == 0; w++) {
		const size_t size = l->rows[w].code != NULL ? l->rows[w].code->cursor_size : 0;
		l->is_outside[w] = SEGMENT_SIZE + size > l->size;
		if (l->is_outside[w] && size > l->outside_size)
			l->outside_size = size;
	}
	/* (Windows of programs have one result.) */
	if (is_program && !is_window && !is_exact) {
		l->last_offset = l->size;
		l->size += l->row.results.size;
	}
	if (c->plan->emit.uses_total || l->plan->op->of_texts) {
		l->number_offset = lane_room(l);
		l->size = l->number_offset + sizeof(uint64_t);
	}
	if (c->plan->lacking.keeps_records) {
		l->counts_offset = lane_room(l);
		l->size = l->counts_offset + sizeof(struct record_counts);
	}
	if (is_program && c->plan->device.check_associative) {
		l->tried_offset = lane_room(l);
		l->size = l->tried_offset + sizeof(struct tried);
	}
}

/* The rows and windows of each width. */
static enum status find_rows(const struct conductor *c, struct lane *l, const struct plan_lane *scanned)
{
	static const enum type_id types[] = {
		[WIDTH_NARROW] = TYPE_I64, [WIDTH_WIDE] = TYPE_I128, [WIDTH_FLOAT] = TYPE_F64};
	l->rows = l->plan->decimal ? memory_zeros(WIDTH_COUNT, sizeof *l->rows) : &l->row;
	if (l->rows == NULL)
		return STATUS_SYSTEM;
	for (int w = 0; w < (l->plan->decimal ? WIDTH_COUNT : 1); w++) {
		l->readings[w] = l->reading;
		if (l->plan->decimal) {
			/* Bit operators have no floats. */
			if (w == WIDTH_FLOAT && l->plan->op->bitwise)
				continue;
			l->readings[w].type = &type_table[types[w]];
			l->readings[w].decimal = w != WIDTH_FLOAT;
			l->rows[w] = find_row(c->plan, scanned, &l->readings[w]);
		}
		if (l->plan->window == 0)
			continue;
		l->windows[w] =
			l->plan->op->program != NULL
				? c->engine->class->window_of(c->engine, (size_t)(l - c->lanes), l->plan->window)
				: window_row_of(&l->rows[w], l->plan->window);
		if (c->plan->ends.is_saved || c->plan->lacking.keeps_records || l->plan->decimal || l->plan->gives_text)
			window_row_forget_vectors(&l->windows[w]);
		if (l->plan->by_time)
			window_row_set_by_time(&l->windows[w]);
	}
	lane_find_narrow_window(c->plan, l);
	return STATUS_OK;
}

/* What each segment of the lane begins with. */
static enum status begin_segments(const struct conductor *c, struct lane *l)
{
	const struct result *initial = &c->initial[l->plan->first_result];
	const bool is_window = l->plan->window > 0;
	const struct plan_lane scanned = is_window ? key_scans_window_lane(l->plan) : *l->plan;
	TRY(find_rows(c, l, &scanned));
	lay_out_segments(c, l, scanned.op);
	l->kept_size = key_scans_keep_indices(c->plan, l->plan) ? sizeof(uint64_t)
		       : scanned.op != l->plan->op              ? sizeof(struct written_element)
								: 0;
	for (size_t i = 0; i < l->row.results.count && l->last_offset > 0; i++) {
		const struct packed_number *n = &l->row.results.numbers[i];
		memcpy(l->last + n->offset, &initial[i].value, n->type->size);
	}
	l->first = (struct segment){
		.last = initial->value,
		.last_form = form_of(initial, l->plan->decimal),
		.width = !l->plan->decimal                               ? WIDTH_NARROW
			 : l->has_narrow_windows                         ? WIDTH_NARROW
			 : l->reading.type->id == TYPE_I64 && !is_window ? WIDTH_NARROW
			 : l->reading.decimal                            ? WIDTH_WIDE
									 : WIDTH_FLOAT,
		.scale = (unsigned char)l->reading.scale,
		.own_scale = (unsigned char)initial->format.scale,
		.has_last = l->plan->seed != NULL,
		.is_short = c->plan->lacking.min_count > 0,
	};
	if (c->plan->resets.at != NULL && !segment_begins_parse(c->plan, l->plan, &l->at))
		return STATUS_USAGE;
	/* (An exclusive result is absent where the records before have left the window without a number.) */
	const bool may_be_empty = is_window && c->plan->lacking.keeps_records && l->plan->moves_results;
	const bool shows_initial = l->plan->moves_results || l->plan->row_is_exclusive || c->plan->include_initial ||
				   c->plan->total || l->plan->gives_text;
	l->has_forms = l->plan->decimal || l->row.op->lacks_first || l->plan->lags ||
		       (initial->absent && shows_initial) || c->plan->lacking.min_count > 0 || may_be_empty;
	return is_window ? key_scans_try_window(c, l) : STATUS_OK;
}

enum status conductor_begin_lane(struct conductor *c, size_t lane)
{
	struct lane *l = &c->lanes[lane];
	union seed seed = {.numbers = {0}};
	*l = (struct lane){.plan = &c->plan->lanes[lane],
			   .reading = element_format_first(c->plan, &c->plan->lanes[lane]),
			   .offset = c->keys->block_size};
	atomic_init(&c->are_floats[lane], false);
	l->begins = memory_new(row_cursor_size_max(l->plan->op, c->plan->algorithm));
	if (l->begins == NULL)
		return STATUS_SYSTEM;
	if (l->plan->gives_text)
		TRY(lane_texts_begin(c, lane));
	if (l->plan->seed != NULL)
		TRY(parse_seed(c, lane, &seed));
	l->row = find_row(c->plan, l->plan, &l->reading);
	TRY(conductor_set_row(c, lane));
	TRY(begin_results(c, lane, &seed));
	TRY(begin_segments(c, l));
	if (l->plan->decimal && l->plan->op->program != NULL) {
		l->exact = exact_evaluator_new(l->plan->op->program->exact);
		if (l->exact == NULL)
			return STATUS_SYSTEM;
	}
	c->keys->block_size += lane_room(l);
	return lane_begin_hint(c, l);
}

void conductor_free_lane(struct lane *l)
{
	if (l->rows != &l->row)
		memory_free(l->rows);
	memory_free_all(l->begins, l->exact, l->hint);
}
