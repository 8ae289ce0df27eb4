/* The life of a chunk here:
 *
 *     submit    the engine begins the up-sweep of its whole tiles
 *     fold      in stream order, it is taken into the cursor: the elements up to the first tile's edge one by one, the
 *               tiles' totals, the elements after the last whole tile; the engine begins the tiles' down-sweep
 *     finish    the results are there; the first of them that does not fit ends the stream or changes its row
 *
 * So a chunk gives all its results at once, wherever the grid's tiles lie in it. A sequential scan has no tiles: the engine
 * takes the whole chunk into the cursor. All of this is done for each lane, whose grids know nothing of one another.
 *
 * Exact decimals change their row in mid-stream, at an element: a greater scale, 128 bits, or f64. Then nothing else is
 * under way (later chunks are withdrawn), the chunk is taken in parts, one after the other, and the lane's grid begins anew at
 * that element: with the exact result there as its first element while decimals go on, with the rounded total as its
 * seed in f64. The other lanes go on as they were. */
#include "stream/conductor.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scan/misfit.h"
#include "stream/conductor_state.h"

struct row conductor_row(const struct conductor *c)
{
	return c->lanes[0].row;
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
	const enum status status = conductor_set_rows(c, c->engine);
	if (status != STATUS_DEVICE)
		return status;
	c->engine = before;
	return STATUS_OK;
}

struct readings conductor_readings(const struct conductor *c)
{
	return (struct readings){.lanes = c->own_readings != NULL ? c->own_readings : c->readings,
				 .version = c->version};
}

bool conductor_has_room(const struct conductor *c)
{
	/* Only one chunk at a time is begun that the engine pushes, or whose records are told apart by their keys. */
	if (c->flight_count > 0 &&
	    (c->offered != NULL || c->keys != NULL || c->plan->algorithm == ALGORITHM_SEQUENTIAL))
		return false;
	return c->flight_count < c->engine->depth && c->flight_count < c->channel_count;
}

void conductor_place(const struct conductor *c, struct place *place)
{
	place->lines = c->line_base;
	for (size_t i = 0; i < c->lane_count; i++) {
		place->elements[c->lanes[i].plan->field] = c->lanes[i].element_base;
		place->taken[c->lanes[i].plan->field] = c->lanes[i].taken;
	}
}

bool conductor_is_busy(const struct conductor *c)
{
	return c->flight_count > 0;
}

bool conductor_is_done(const struct conductor *c)
{
	return c->done;
}

/* The last result is the earliest element equal to it: which one of the chunk is that? (Results only grow, or only fall.) */
static void accept_earliest(struct lane *l, struct slot_lane *s, const struct slot_column *k)
{
	const struct result *before = s->before;
	const size_t step = conductor_result_step(&l->row, s);
	const size_t size = s->format.type->size;
	const unsigned char *last = s->results + (k->count - 1) * step;
	union value v = {0};
	size_t first = 0;
	for (size_t end = k->count - 1; first < end;) {
		const size_t middle = first + (end - first) / 2;
		if (memcmp(s->results + middle * step, last, size) == 0)
			end = middle;
		else
			first = middle + 1;
	}
	memcpy(&v, s->results, size);
	s->goes_on = l->has_last && before->format.decimal &&
		     decimal_is_same(decimal_value(&before->value, before->format.type), before->format.scale,
				     decimal_value(&v, s->format.type), s->format.scale);
	if (first > 0 || !s->goes_on)
		l->scale_before = k->scales.size > 0 ? k->scales.data[first] : 0;
	l->last->format.scale = l->scale_before;
}

/* The last result is an element as it was written: so are its decimals. */
static void accept_scales(struct lane *l, struct slot_lane *s, const struct slot_column *k)
{
	const unsigned char *scales = k->scales.data;
	const bool has_scales = k->scales.size > 0;
	const enum written written = l->row.op->written;
	const bool is_first = written == WRITTEN_FIRST;
	const unsigned own = has_scales ? scales[is_first ? 0 : k->count - 1] : 0;
	if (is_first && !l->has_last)
		s->scale_before = l->scale_before = own;
	if (written == WRITTEN_EARLIEST)
		accept_earliest(l, s, k);
	else if (written == WRITTEN_BEFORE)
		l->last->format.scale = k->count > 1 && has_scales ? scales[k->count - 2] : l->scale_before;
	else if (written != WRITTEN_NONE)
		l->last->format.scale = is_first ? l->scale_before : own;
	if (!is_first && written != WRITTEN_EARLIEST)
		l->scale_before = own;
	decimal_reduce(&l->last->value, l->last->format.type, s->format.scale, l->last->format.scale);
}

static void take_last(struct conductor *c, size_t lane, const unsigned char *last, bool is_absent)
{
	struct lane *l = &c->lanes[lane];
	for (size_t i = 0; i < l->row.results.count; i++) {
		const struct packed_number *n = &l->row.results.numbers[i];
		l->last[i] = (struct result){.format = conductor_format(c, lane, i), .absent = is_absent};
		memcpy(&l->last[i].value, last + n->offset, n->type->size);
	}
}

void conductor_take_last(struct conductor *c, size_t lane, void *results, bool is_first)
{
	struct lane *l = &c->lanes[lane];
	const bool lacks_first =
		l->row.op->lacks_first && !l->has_last && is_first && conductor_result_is_absent(c, l, results);
	take_last(c, lane, results, lacks_first);
	l->has_last = true;
	l->has_result = true;
}

static void accept_lane(struct conductor *c, size_t lane, struct slot_lane *s, const struct slot_column *k)
{
	struct lane *l = &c->lanes[lane];
	const struct packed *results = &l->row.results;
	s->results_of = *results;
	s->format = conductor_format(c, lane, 0);
	memcpy(s->before, l->last, results->count * sizeof *s->before);
	s->has_before = l->has_result;
	s->absent = l->plan->exclusive && s->before->absent ? 1 : 0;
	s->scale_before = l->scale_before;
	if (k->count == 0)
		return;
	const bool lacks_first = l->row.op->lacks_first && !l->has_last && conductor_result_is_absent(c, l, s->results);
	s->absent += lacks_first;
	take_last(c, lane, s->results + (k->count - 1) * conductor_result_step(&l->row, s),
		  lacks_first && k->count == 1);
	if (s->format.decimal)
		accept_scales(l, s, k);
	l->has_last = true;
	l->has_result = true;
}

void conductor_accept(struct conductor *c, struct slot *s)
{
	s->records = s->decoded.records;
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct slot_column *k = &s->columns[s->lanes[i].column];
		accept_lane(c, i, &s->lanes[i], k);
		c->lanes[i].element_base += c->plan->format.input == FORMAT_BINARY ? s->decoded.records : k->count;
		c->lanes[i].taken += k->count;
		s->element_count += i % c->plan->operator_count == 0 ? k->count : 0;
		s->result_bytes += k->count * s->lanes[i].results_of.size;
	}
}

/* What the stream begins with, before its results. */
static enum status add_initial(struct conductor *c, struct slot *s)
{
	const struct plan *p = c->plan;
	enum status status = STATUS_OK;
	/* The header may be in a later file, if the first one is empty. */
	const bool early = p->format.text.header_lines > 0 && !s->header_whole && s->decoded.records == 0 && !s->last;
	s->initial = NULL;
	if (early)
		return STATUS_OK;
	if (!c->started && p->include_initial && p->format.output == FORMAT_TEXT)
		s->initial = c->initial;
	else if (!c->started && p->include_initial)
		status = encode_results(&p->format, c->initial, p->result_count, NULL, &s->out);
	if (!c->started && p->include_initial && p->plots)
		slot_plot_initial(s, p, c->initial);
	c->started = true;
	return status;
}

/* The last results; of no elements what there is before them. */
static enum status write_total(struct conductor *c, struct slot *s)
{
	enum status status = STATUS_OK;
	if (c->keys != NULL && !conductor_keys_take_last(c))
		return conductor_keys_total(c, s);
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct lane *l = &c->lanes[i];
		/* (With --min-count it is of floats: NaN.) */
		if (!l->last->absent || c->plan->format.output == FORMAT_TEXT || s->problem.status != STATUS_OK ||
		    c->plan->min_count > 0)
			continue;
		s->problem = (struct problem){.status = STATUS_DATA, .fatal = true, .file_name = s->file_name};
		(void)snprintf(s->problem.text, sizeof s->problem.text, "%s: there is no %s",
			       l->has_last ? "one element" : "no elements", l->plan->op->name);
	}
	if (s->problem.status == STATUS_OK || c->plan->format.output == FORMAT_TEXT)
		status = encode_results(&c->plan->format, c->last, c->plan->result_count,
					c->plan->result_count == 1 ? "-" : NULL, &s->out);
	return status;
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
	c->record_base += s->records_plotted + s->records;
	/* The total of a part of the stream is none. */
	if (s->last && c->plan->total && !c->is_part && !failed && write_total(c, s) != STATUS_OK)
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
	const struct readings readings = conductor_readings(c);
	if (is_text && slot->version != c->version &&
	    slot_decode(slot, c->plan, &readings, 0, (struct decode_stop_at){.records = SIZE_MAX}) != STATUS_OK)
		return STATUS_SYSTEM;
	slot->problem = (struct problem){0};
	slot->records = 0;
	slot->element_count = 0;
	slot->result_bytes = 0;
	slot->records_plotted = 0;
	if (slot->decoded.stop == DECODE_CHANGE) {
		while (c->flight_count > 0) {
			status = conductor_finish(c);
			if (status != STATUS_OK || c->done)
				return status;
		}
		/* Finishing the others may have changed the row. */
		if (slot->version != c->version)
			return conductor_submit(c, slot);
	}
	struct flight *f = &c->flights[c->flight_count++];
	*f = (struct flight){.slot = slot};
	slot->out.size = 0;
	if (slot->decoded.stop == DECODE_CHANGE)
		return conductor_finish(c); /* in parts, with nothing else under way */
	status = conductor_flights_begin(c, f);
	/* A device is waited for here: the chunks before it go on to their results while its up-sweep runs, one on each of several. */
	if (status == STATUS_OK && c->flight_count > c->engine->device_count && c->engine->device != NULL)
		status = conductor_flights_fold(c, c->flight_count - c->engine->device_count);
	return status;
}

enum status conductor_end_before(struct conductor *c, struct slot *s, size_t offset, size_t record)
{
	const struct readings readings = conductor_readings(c);
	enum status status = STATUS_OK;
	if (c->plan->format.input == FORMAT_TEXT)
		status = slot_decode(s, c->plan, &readings, offset, (struct decode_stop_at){.records = record});
	else
		slot_keep_records(s, record);
	s->decoded.records = record;
	if (status == STATUS_OK)
		conductor_accept(c, s);
	return status;
}

void conductor_take_problem(const struct conductor *c, struct slot *s, uint64_t elements)
{
	if (s->decoded.stop != DECODE_FAIL)
		return;
	s->problem = s->decoded.problem;
	if (c->plan->format.input == FORMAT_BINARY)
		(void)snprintf(s->problem.text, sizeof s->problem.text, "element %" PRIu64 ": %.*s", elements + 1,
			       PROBLEM_TEXT_SIZE / 2, s->decoded.problem.text);
}

uint64_t conductor_field_number(const struct conductor *c, const struct slot *s, const struct lane *l)
{
	const uint64_t *numbers = s->fields != NULL ? s->fields : c->plan->format.text.numbers;
	return numbers[l->plan->field * c->plan->format.text.inputs];
}

/* What a lane's first element that does not fit means for the stream: it ends before a record of the slot, for a problem, or
 * (SIZE_MAX) not here. */
static size_t judge(struct conductor *c, struct slot *s, size_t lane, struct problem *problem)
{
	struct lane *l = &c->lanes[lane];
	const struct slot_column *k = &s->columns[s->lanes[lane].column];
	const size_t bad = s->lanes[lane].bad;
	bool must;
	if (l->pending.status != STATUS_OK && k->count > 0) {
		/* An element follows the one that did not fit, so its result is needed. */
		*problem = l->pending;
		return slot_record_of(s, k, 0);
	}
	if (bad == SIZE_MAX)
		return SIZE_MAX;
	/* A NaN that is no element of the scan counts among the file's. */
	const bool is_text = c->plan->format.input == FORMAT_TEXT;
	const size_t index = is_text ? bad : slot_record_of(s, k, bad);
	*problem = misfit_describe(&l->row, k->elements + bad * k->step, s->file_name, l->element_base + index + 1,
				   is_text, &must);
	if (c->plan->field_count > 1)
		problem->field = conductor_field_number(c, s, l);
	if (!l->plan->exclusive || c->plan->total || must)
		return slot_record_of(s, k, bad);
	/* Its own exclusive result is the one before it. */
	if (bad + 1 < k->count)
		return slot_record_of(s, k, bad + 1);
	l->pending = *problem;
	return SIZE_MAX;
}

/* The oldest flight's results are there. */
static enum status finish_plain(struct conductor *c)
{
	struct slot *s = c->flights[0].slot;
	struct problem first = {0};
	struct problem problem = {0};
	size_t end = SIZE_MAX;
	size_t refused;
	for (size_t i = 0; i < c->lane_count; i++) {
		const size_t record = judge(c, s, i, &problem);
		if (record < end) {
			end = record;
			first = problem;
		}
	}
	const enum status status = conductor_try_triples(c, s, &refused, &problem);
	if (status != STATUS_OK)
		return status;
	if (refused < end) {
		end = refused;
		first = problem;
	}
	if (end == SIZE_MAX) {
		conductor_accept(c, s);
		conductor_take_problem(c, s, c->lanes[0].element_base);
		return STATUS_OK;
	}
	s->problem = first;
	return conductor_end_before(c, s, 0, end);
}

enum status conductor_finish(struct conductor *c)
{
	struct slot *s = c->flights[0].slot;
	struct slot *withdrawn[PLAN_SLOTS_MAX];
	size_t withdrawn_count = 0;
	struct misfit misfit = {.record = SIZE_MAX};
	s->record_base = c->record_base;
	curves_begin(&s->curves, s->record_base);
	enum status status = c->gathered == NULL ? add_initial(c, s) : STATUS_OK;
	if (s->file_start || s->file_goes_on) {
		c->line_base = 0;
		for (size_t i = 0; i < c->lane_count; i++)
			c->lanes[i].element_base = s->file_records;
	}
	const bool in_parts = s->decoded.stop == DECODE_CHANGE;
	if (status == STATUS_OK && !in_parts) {
		status = conductor_flights_await(c);
		if (status == STATUS_OK && c->keys == NULL)
			misfit = conductor_parts_first_misfit(c);
	}
	if (status != STATUS_OK)
		return status;
	if (c->gathered != NULL) {
		conductor_gather_accept(c, s);
	} else if (c->keys != NULL) {
		status = conductor_keys_accept(c, s);
	} else if (in_parts || (misfit.record != SIZE_MAX && c->readings[misfit.lane].decimal)) {
		conductor_parts_withdraw(c, withdrawn, &withdrawn_count);
		status = conductor_parts_take(c, !in_parts, misfit);
	} else {
		status = finish_plain(c);
	}
	if (status == STATUS_OK)
		status = deliver_oldest(c);
	return status == STATUS_OK ? conductor_parts_submit_again(c, withdrawn, withdrawn_count) : status;
}
