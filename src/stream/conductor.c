/* The life of a chunk here:
 *
 *     submit    the engine begins the up-sweep of its whole tiles
 *     fold      in stream order, it is taken into the cursor: the elements up to the first tile's edge one by one, the
 *               tiles' totals, the elements after the last whole tile; the engine begins the tiles' down-sweep
 *     finish    the results are there; the first of them that does not fit ends the stream or changes its row
 *
 * So a chunk gives all its results at once, wherever the grid's tiles lie in it. A sequential scan has no tiles: the engine
 * takes the whole chunk into the cursor.
 *
 * Exact decimals change their row in mid-stream, at an element: a greater scale, 128 bits, or f64. Then nothing else is
 * under way (later chunks are withdrawn), the chunk is taken in parts, one after the other, and the grid begins anew at
 * that element: with the exact result there as its first element while decimals go on, with the rounded total as its
 * seed in f64. */
#include "stream/conductor.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "number/parse.h"
#include "number/powers.h"
#include "scan/misfit.h"
#include "stream/conductor_state.h"
#include "stream/element_format.h"

static struct result_format current_format(const struct conductor *c)
{
	const bool decimal = c->reading.decimal && c->row.op->result == RESULT_SAME;
	return (struct result_format){.type = c->row.out, .decimal = decimal, .scale = decimal ? c->reading.scale : 0};
}

static enum status find_row(const struct plan *plan, const struct type *in, const struct type *acc, bool decimal,
			    unsigned scale, struct row *row)
{
	const struct scan_operator *op = decimal ? &operator_table[plan->op->decimals] : plan->op;
	if (row_find(row, op, in, acc, plan->checked || decimal, plan->algorithm)) {
		row->parameter = op->parameter == PARAMETER_SCALE ? (double)power_of_ten_u64[scale] : plan->factor;
		return STATUS_OK;
	}
	message_error("%s needs integers, not %s", plan->op->name, acc->name);
	return STATUS_USAGE;
}

enum status conductor_first_row(const struct plan *plan, struct row *row)
{
	const struct element_format first = element_format_first(plan);
	return find_row(plan, first.type, plan->decimal ? first.type : plan->acc, first.decimal, first.scale, row);
}

enum status conductor_set_row(struct conductor *c)
{
	const struct type *in = c->reading.type;
	const struct type *acc = c->plan->decimal ? in : c->plan->acc;
	enum status status = find_row(c->plan, in, acc, c->reading.decimal, c->reading.scale, &c->row);
	if (status == STATUS_OK)
		status = c->engine->class->set_row(c->engine, &c->row);
	if (status != STATUS_DEVICE || c->named)
		return status;
	c->engine = c->host;
	return c->engine->class->set_row(c->engine, &c->row);
}

/* The seed as a value that begins the cursor, with the reading that it asks for. */
static enum status parse_seed(struct conductor *c, union value *value)
{
	const struct plan *p = c->plan;
	if (p->decimal)
		return element_format_seed(&c->reading, p, value) ? STATUS_OK : STATUS_USAGE;
	if (number_parse(p->seed, strlen(p->seed), p->acc, value) == NUMBER_OK)
		return STATUS_OK;
	char quoted[MESSAGE_QUOTED_SIZE];
	message_error("--seed: no value of %s: %s", p->acc->name, message_quote(quoted, p->seed, strlen(p->seed)));
	return STATUS_USAGE;
}

/* Whether a result, that of a state of one element, is absent: of raw floats it becomes a NaN instead. */
static bool is_absent(const struct conductor *c, void *result)
{
	const struct type *t = c->row.out;
	const union value f32 = {.f32 = NAN};
	const union value f64 = {.f64 = (double)NAN};
	if (!c->row.op->lacks_first)
		return false;
	if (c->plan->format.output == FORMAT_TEXT || t->kind != KIND_FLOAT)
		return true;
	memcpy(result, t->id == TYPE_F32 ? &f32 : &f64, t->size);
	return false;
}

/* What comes before the first element: the seed's result, else the identity, if there is one. The row is set. */
static void begin_results(struct conductor *c, const union value *seed)
{
	const struct plan *p = c->plan;
	const bool unbounded = p->decimal && p->op->result == RESULT_SAME;
	c->initial.format = current_format(c);
	memset(c->cursor, 0, c->row.code->cursor_size);
	if (p->seed != NULL) {
		unsigned char state[STATE_SIZE_MAX];
		c->row.code->seed(c->cursor, seed, c->row.parameter);
		c->row.code->state(c->cursor, state);
		c->row.code->emit(state, c->row.parameter, &c->initial.value);
		c->has_initial = true;
	} else {
		c->has_initial =
			row_identity(p->op, unbounded ? &type_table[TYPE_I128] : c->row.out, &c->initial.value);
	}
	if (!c->has_initial && unbounded) {
		/* Of unbounded decimals: the infinities. */
		c->initial.format = (struct result_format){.type = &type_table[TYPE_F64]};
		c->has_initial = row_identity(p->op, c->initial.format.type, &c->initial.value);
	}
	c->initial.absent = is_absent(c, &c->initial.value);
	c->has_last = p->seed != NULL;
	c->last = c->initial;
	c->scale_before = c->initial.format.scale;
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
		.reading = element_format_first(plan),
	};
	c->cursor = memory_new((1 + start->channel_count) * sizeof *c->cursor);
	union value seed = {0};
	enum status status = c->cursor == NULL ? STATUS_SYSTEM : STATUS_OK;
	if (status == STATUS_OK && plan->seed != NULL)
		status = parse_seed(c, &seed);
	if (status == STATUS_OK)
		status = conductor_set_row(c);
	if (status != STATUS_OK) {
		conductor_free(c);
		return status;
	}
	begin_results(c, &seed);
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
	memory_free(c->cursor);
	bytes_free(&c->expected);
	memory_free(c);
}

struct row conductor_row(const struct conductor *c)
{
	return c->row;
}

const struct engine *conductor_engine(const struct conductor *c)
{
	return c->engine;
}

const char *conductor_device(const struct conductor *c)
{
	return c->device != NULL ? c->device->device : NULL;
}

void conductor_offer(struct conductor *c, struct engine *engine)
{
	c->device = engine;
	c->offered = engine;
}

void conductor_offer_host(struct conductor *c)
{
	c->offered = c->host;
}

bool conductor_has_offer(const struct conductor *c)
{
	return c->offered != NULL;
}

/* Nothing is under way: the offered engine takes the stream. */
static enum status adopt(struct conductor *c)
{
	struct engine *const before = c->engine;
	if (c->offered == NULL || c->flight_count > 0)
		return STATUS_OK;
	c->engine = c->offered;
	c->offered = NULL;
	const enum status status = c->engine->class->set_row(c->engine, &c->row);
	if (status != STATUS_DEVICE)
		return status;
	c->engine = before;
	return STATUS_OK;
}

struct element_format conductor_reading(const struct conductor *c)
{
	return c->reading;
}

bool conductor_has_room(const struct conductor *c)
{
	/* Only one chunk at a time is begun that the engine pushes. */
	if (c->flight_count > 0 && (c->offered != NULL || c->row.algorithm == ALGORITHM_SEQUENTIAL))
		return false;
	return c->flight_count < c->engine->depth && c->flight_count < c->channel_count;
}

bool conductor_is_busy(const struct conductor *c)
{
	return c->flight_count > 0;
}

bool conductor_is_done(const struct conductor *c)
{
	return c->done;
}

/* The last result is an element as it was written: so are its decimals. */
static void settle_scales(struct conductor *c, struct slot *s, size_t count)
{
	const unsigned char *scales = s->scales.data;
	const enum written written = c->row.op->written;
	const bool is_first = written == WRITTEN_FIRST;
	const unsigned own = s->scales.size > 0 ? scales[is_first ? 0 : count - 1] : 0;
	if (is_first && !c->has_last)
		s->scale_before = c->scale_before = own;
	if (written == WRITTEN_BEFORE)
		c->last.format.scale = count > 1 && s->scales.size > 0 ? scales[count - 2] : c->scale_before;
	else if (written != WRITTEN_NONE)
		c->last.format.scale = is_first ? c->scale_before : own;
	if (!is_first)
		c->scale_before = own;
	decimal_reduce(&c->last.value, c->last.format.type, s->format.scale, c->last.format.scale);
}

void conductor_settle(struct conductor *c, struct slot *s, size_t count)
{
	const struct result_format format = current_format(c);
	s->format = format;
	s->count = count;
	s->result_count += count;
	s->before = c->has_last ? c->last : c->initial;
	s->absent = c->plan->exclusive && s->before.absent ? 1 : 0;
	s->scale_before = c->scale_before;
	if (count == 0)
		return;
	const bool lacks_first = !c->has_last && is_absent(c, s->results);
	s->absent += lacks_first;
	c->last = (struct result){.format = format, .absent = lacks_first && count == 1};
	memcpy(&c->last.value, s->results + (count - 1) * format.type->size, format.type->size);
	if (format.decimal)
		settle_scales(c, s, count);
	c->has_last = true;
}

/* What the stream begins with, before its results. */
static enum status add_initial(struct conductor *c, struct slot *s)
{
	const struct plan *p = c->plan;
	enum status status = STATUS_OK;
	/* The header may be in a later file, if the first one is empty. */
	const bool early = p->format.text.header_lines > 0 && !s->header_whole && s->decoded.count == 0 && !s->last;
	if (early)
		return STATUS_OK;
	s->has_initial = !c->started && p->include_initial && p->format.output == FORMAT_TEXT;
	s->initial = c->initial;
	if (!c->started && p->include_initial && !s->has_initial)
		status = encode_result(&p->format, &c->initial, &s->out);
	c->started = true;
	return status;
}

/* The last result; of no elements what there is before them. */
static enum status write_total(struct conductor *c, struct slot *s)
{
	if (c->has_last ? !c->last.absent : c->has_initial && !c->initial.absent)
		return encode_result(&c->plan->format, c->has_last ? &c->last : &c->initial, &s->out);
	if (c->plan->format.output == FORMAT_TEXT)
		return bytes_append(&s->out, "-\n", 2);
	if (s->problem.status == STATUS_OK) {
		s->problem = (struct problem){.status = STATUS_DATA, .fatal = true, .file_name = s->file_name};
		(void)snprintf(s->problem.text, sizeof s->problem.text, "%s: there is no %s",
			       c->has_last ? "one element" : "no elements", c->plan->op->name);
	}
	return STATUS_OK;
}

/* Hands on the oldest flight's slot. */
static enum status deliver_oldest(struct conductor *c)
{
	struct slot *s = c->flights[0].slot;
	const bool failed = (s->problem.status != STATUS_OK && s->problem.fatal) ||
			    (s->last && s->source_problem.status != STATUS_OK && s->source_problem.fatal);
	if (s->problem.status != STATUS_OK)
		s->last = true;
	s->lines += s->decoded.lines;
	s->line_base = c->line_base;
	c->line_base += s->lines;
	c->element_base += s->decoded.count;
	/* The total of a part of the stream is none. */
	if (s->last && c->plan->total && !failed && write_total(c, s) != STATUS_OK)
		return STATUS_SYSTEM;
	c->flight_count--;
	memmove(&c->flights[0], &c->flights[1], c->flight_count * sizeof c->flights[0]);
	c->done = s->last;
	s->scanned_on_device = c->engine->device != NULL;
	c->deliver(c->context, s);
	return STATUS_OK;
}

enum status conductor_submit(struct conductor *c, struct slot *slot)
{
	const bool is_text = c->plan->format.input == FORMAT_TEXT;
	assert(slot->channel < c->channel_count); /* and every engine has as many */
	enum status status = adopt(c);
	if (status != STATUS_OK)
		return status;
	if (is_text && slot->version != c->reading.version &&
	    slot_decode(slot, c->plan, &c->reading, 0, SIZE_MAX) != STATUS_OK)
		return STATUS_SYSTEM;
	slot->problem = (struct problem){0};
	slot->count = 0;
	slot->result_count = 0;
	if (slot->decoded.stop == DECODE_CHANGE) {
		while (c->flight_count > 0) {
			status = conductor_finish(c);
			if (status != STATUS_OK || c->done)
				return status;
		}
		/* Finishing the others may have changed the row. */
		if (slot->version != c->reading.version)
			return conductor_submit(c, slot);
	}
	struct flight *f = &c->flights[c->flight_count++];
	*f = (struct flight){.slot = slot};
	slot->out.size = 0;
	if (slot->decoded.stop == DECODE_CHANGE)
		return conductor_finish(c); /* in parts, with nothing else under way */
	status = conductor_flights_begin(c, f);
	/* A device is waited for here: the chunks before it go on to their results while its up-sweep runs. */
	if (status == STATUS_OK && c->engine->device != NULL)
		status = conductor_flights_fold(c, c->flight_count - 1);
	return status;
}

/* The stream ends after the results that the slot gives: what stands in the text after them is forgotten. */
static enum status end_after_results(struct conductor *c, struct slot *s)
{
	if (c->plan->format.input != FORMAT_TEXT)
		return STATUS_OK;
	return slot_decode(s, c->plan, &c->reading, 0, s->count);
}

/* The oldest flight's results are there; bad is the first that does not fit. */
static enum status finish_plain(struct conductor *c, size_t bad)
{
	struct slot *s = c->flights[0].slot;
	if (c->pending.status != STATUS_OK && s->decoded.count > 0) {
		/* An element follows the one that did not fit, so its result is needed. */
		s->problem = c->pending;
		conductor_settle(c, s, 0);
		return end_after_results(c, s);
	}
	if (bad == SIZE_MAX) {
		conductor_settle(c, s, s->decoded.count);
		if (s->decoded.stop == DECODE_FAIL)
			s->problem = s->decoded.problem;
		return STATUS_OK;
	}
	bool must;
	const struct problem problem = misfit_describe(&c->row, s->elements + bad * c->row.in->size, s->file_name,
						       c->element_base + bad + 1, &must);
	const bool is_last_here = bad + 1 == s->decoded.count;
	if (c->plan->exclusive && !c->plan->total && !must) {
		/* Its own exclusive result is the one before it. */
		conductor_settle(c, s, bad + 1);
		if (is_last_here) {
			c->pending = problem;
			if (s->decoded.stop == DECODE_FAIL)
				s->problem = s->decoded.problem;
			return STATUS_OK;
		}
	} else {
		conductor_settle(c, s, bad);
	}
	s->problem = problem;
	return end_after_results(c, s);
}

enum status conductor_finish(struct conductor *c)
{
	struct slot *s = c->flights[0].slot;
	struct slot *withdrawn[PLAN_SLOTS_MAX];
	size_t withdrawn_count = 0;
	size_t bad = SIZE_MAX;
	enum status status = add_initial(c, s);
	if (s->file_start) {
		c->line_base = 0;
		c->element_base = 0;
	}
	const bool in_parts = s->decoded.stop == DECODE_CHANGE;
	if (status == STATUS_OK && !in_parts)
		status = conductor_flights_await(c, &bad);
	if (status != STATUS_OK)
		return status;
	if (in_parts || (bad != SIZE_MAX && c->reading.decimal)) {
		conductor_parts_withdraw(c, withdrawn, &withdrawn_count);
		status = conductor_parts_take(c, !in_parts, bad);
	} else {
		status = finish_plain(c, bad);
	}
	if (status == STATUS_OK)
		status = deliver_oldest(c);
	return status == STATUS_OK ? conductor_parts_submit_again(c, withdrawn, withdrawn_count) : status;
}
