/* The life of a chunk here:
 *
 *     submit    the engine begins the up-sweep of its whole tiles
 *     fold      in stream order, it is taken into the cursor: the elements up to the first tile's edge one by one, the
 *               tiles' totals, the elements after the last whole tile; the engine begins the tiles' down-sweep
 *     finish    the results are there; the first of them that does not fit ends the stream
 *
 * So a chunk gives all its results at once, wherever the grid's tiles lie in it. A sequential scan has no tiles: the
 * engine takes the whole chunk into the cursor. All of this is done for each lane, whose grids know nothing of one
 * another.
 *
 * Keys, segments, windows and exact decimals are scanned as they are folded (conductor_keys.c). */
#include "scanner/conductor.h"

#include <assert.h>
#include <string.h>

#include "scanner/key_scans.h"

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
	c->device = engine != NULL ? engine : c->device;
	c->offered = engine != NULL ? engine : c->host;
}

bool conductor_has_offer(const struct conductor *c)
{
	return c->offered != NULL;
}

/* Switches to the offered engine. No chunk may be in flight. */
static enum status adopt(struct conductor *c)
{
	struct engine *const before = c->engine;
	if (c->offered == NULL || c->flight_count > 0)
		return STATUS_OK;
	c->engine = c->offered;
	c->offered = NULL;
	const enum status status = conductor_set_rows(c);
	if (status != STATUS_DEVICE)
		return status;
	c->engine = before;
	return STATUS_OK;
}

bool conductor_has_room(const struct conductor *c)
{
	/* Only one chunk at a time is begun that the engine pushes, or whose records are told apart by their keys. */
	if (c->flight_count > 0 && (c->offered != NULL || c->plan->is_segmented || c->plan->device.is_pushed))
		return false;
	return c->flight_count < c->engine->depth && c->flight_count < c->channel_count;
}

void conductor_place(const struct conductor *c, uint64_t *place)
{
	place[0] = c->line_base;
	for (size_t i = 0; i < c->lane_count; i++) {
		const size_t field = c->lanes[i].plan->field;
		place[1 + field] = c->lanes[i].element_base;
		place[1 + c->plan->field_count + field] = c->lanes[i].taken;
	}
}

bool conductor_is_done(const struct conductor *c)
{
	return c->done;
}

/* Appends the initial results to out, unless all are absent in text. */
static enum status put_initial(const struct conductor *c, struct bytes *out)
{
	bool has_any = c->plan->format.output == FORMAT_BINARY;
	for (size_t i = 0; i < c->plan->result_count; i++)
		has_any = has_any || !c->initial[i].absent;
	struct problem problem;
	if (!has_any)
		return STATUS_OK;
	const enum status status = encode_results(&c->plan->format, c->initial, c->plan->result_count, &problem, out);
	if (status == STATUS_DATA)
		message_error("%s", problem.text);
	return status;
}

/* Gives the slot the initial results, if the stream begins with them. */
static enum status add_initial(struct conductor *c, struct slot *s)
{
	const struct plan *p = c->plan;
	enum status status = STATUS_OK;
	/* The header may be in a later file, if the first one is empty. */
	const bool early = !p->is_reversed && p->format.text.header_lines > 0 && !s->head.header_whole &&
			   s->decode.decoded.records == 0 && !s->in.last;
	s->scan.initial = NULL;
	if (early || c->started)
		return STATUS_OK;
	c->started = true;
	if (!p->include_initial)
		return STATUS_OK;
	for (size_t i = 0; i < c->lane_count && p->emit.is_late; i++)
		TRY(slot_emit_result(c->emit, p, i, &c->initial[p->lanes[i].first_result]));
	if (p->is_reversed)
		status = put_initial(c, &s->write.initial);
	else if (p->format.output == FORMAT_TEXT)
		s->scan.initial = c->initial;
	else
		status = put_initial(c, &s->write.out);
	if (p->ends.plots)
		slot_plot_initial(s, p, c->initial);
	return status;
}

/* Delivers the oldest flight's slot. */
static enum status deliver_oldest(struct conductor *c)
{
	struct slot *s = c->flights[0].slot;
	const bool failed = (s->scan.problem.status != STATUS_OK && s->scan.problem.fatal) ||
			    (s->in.last && s->in.source_problem.status != STATUS_OK && s->in.source_problem.fatal);
	if (s->scan.problem.status != STATUS_OK)
		s->in.last = true;
	s->scan.line_base = c->line_base;
	c->line_base += s->decode.decoded.lines;
	c->record_base += s->picture.records_plotted + s->scan.records;
	/* Only a whole stream has a total, not one process's part. */
	if (s->in.last && c->plan->total && !c->part.is_part && !failed && key_totals_write(c, s) != STATUS_OK)
		return STATUS_SYSTEM;
	c->flight_count--;
	memmove(&c->flights[0], &c->flights[1], c->flight_count * sizeof c->flights[0]);
	c->done = s->in.last;
	s->scanned_on_device = c->engine->device != NULL;
	c->deliver(c->context, s);
	return STATUS_OK;
}

enum status conductor_submit(struct conductor *c, struct slot *slot)
{
	assert(slot->channel < c->channel_count); /* and every engine has as many */
	TRY(adopt(c));
	slot->scan.problem = (struct problem){0};
	slot->scan.records = 0;
	slot->scan.element_count = 0;
	slot->scan.result_bytes = 0;
	slot->picture.records_plotted = 0;
	struct flight *f = &c->flights[c->flight_count++];
	*f = (struct flight){.slot = slot};
	slot->write.out.size = slot->write.ends.size = slot->write.initial.size = 0;
	TRY(conductor_flights_begin(c, f));
	/* While this chunk's up-sweep runs on the device, fold the earlier chunks; leave one in flight for each
	 * device. */
	if (c->flight_count > c->engine->device_count && c->engine->device != NULL)
		TRY(conductor_flights_fold(c, c->flight_count - c->engine->device_count, true));
	return STATUS_OK;
}

/* The oldest flight's results are there. The first of each lane that does not fit, or a result before the chunk that
 * did not, ends the stream before the record that would show it. */
static enum status judge(struct conductor *c)
{
	struct slot *s = c->flights[0].slot;
	c->keys->work.misfit = (struct key_misfit){.record = SIZE_MAX};
	for (size_t i = 0; i < c->lane_count; i++) {
		struct run_scan r = run_of_lane(c, &c->keys->work, s, i);
		r.segment = c->lanes[i].only;
		r.count = r.column->count;
		if (r.count == 0)
			continue;
		if (r.segment->is_past)
			segment_end_past(&r, 0);
		else if (r.to->bad != SIZE_MAX)
			segment_judge(&r, r.to->bad);
		if (c->plan->device.check_associative)
			TRY(segment_try_triples(&r, r.column->elements, r.count));
		else if (lane_tries(r.lane))
			TRY(segment_hint_triples(&r, segment_numbers(r.lane, r.segment), r.column->elements, r.count));
	}
	return STATUS_OK;
}

enum status conductor_finish(struct conductor *c)
{
	struct slot *s = c->flights[0].slot;
	s->scan.record_base = c->record_base;
	curves_begin(&s->picture.curves, s->scan.record_base);
	if (c->part.gathered == NULL)
		TRY(add_initial(c, s));
	if (s->in.file_start || s->in.file_goes_on || c->plan->is_reversed) {
		c->line_base = 0;
		for (size_t i = 0; i < c->lane_count; i++)
			c->lanes[i].element_base = s->in.file_records;
	}
	TRY(conductor_flights_await(c));
	if (!c->plan->is_segmented)
		TRY(judge(c));
	TRY(conductor_accept(c, s));
	return deliver_oldest(c);
}
