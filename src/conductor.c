/* The life of a chunk here:
 *
 *     submit    the elements of the tile that the chunk before left unfinished are put in front (the head); the engine begins
 *               the up-sweep
 *     fold      the tile totals are folded into the carry, in stream order; the engine begins the down-sweep
 *     finish    the results are there; the first of them that does not fit ends the stream or changes its row
 *
 * Every chunk gives all its results at once. The elements of its last, partial tile are scanned once more at the head of the
 * next chunk, so that the grid goes on as if there had been no edge; the results of the head were given before.
 *
 * Exact decimals change their row in mid-stream, at an element: a greater scale, 128 bits, or f64. Then nothing else is under
 * way (later chunks are withdrawn), the chunk is taken in parts, one after the other, and the grid begins anew at that element:
 * with the exact result there as its first element while decimals go on, with the rounded total as its seed in f64. */
#include "conductor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "misfit.h"
#include "number.h"
#include "reading.h"

/* A chunk under way. */
struct flight {
	struct slot *slot;
	size_t elements; /* with the head; 0: there is nothing to scan */
	bool folded;
	struct carry carry_before; /* the carry before it, once folded */
};

struct conductor {
	const struct plan *plan;
	conductor_deliver *deliver;
	void *context;
	struct engine_size size;
	struct engine *engine;
	bool named;
	struct row row;
	struct reading reading;
	/* The state of the scan behind the chunks that were folded. */
	struct carry carry;
	/* The state behind the chunks that were submitted: the elements of the unfinished tile. */
	unsigned char *tail;
	size_t tail_count;
	/* The state behind the chunks that were finished. */
	bool has_last; /* there was a seed or an element */
	struct result last; /* the seed, then the last inclusive result */
	struct result initial; /* the seed or the identity */
	bool started; /* a chunk was finished */
	bool done; /* the last chunk was delivered */
	struct problem pending; /* a result that does not fit, but counts only if an element follows (exclusive) */
	uint64_t line_base, element_base;
	/* Chunks under way, oldest first. */
	size_t flight_count;
	struct flight flights[];
};

static struct result_format current_format(const struct conductor *c)
{
	return (struct result_format){.type = c->row.acc, .decimal = c->reading.decimal, .scale = c->reading.scale};
}

/* Chooses the row for elements and accumulator of these types. The engine must be idle. */
static enum status set_row(struct conductor *c, const struct type *in, const struct type *acc)
{
	const bool checked = c->plan->checked || c->reading.decimal;
	if (!row_find(&c->row, c->plan->op, in, acc, checked)) {
		message_error("%s needs integers, not %s", c->plan->op->name, acc->name);
		return STATUS_USAGE;
	}
	enum status status = c->engine->class->set_row(c->engine, &c->row);
	if (status != STATUS_DEVICE || c->named)
		return status;
	message_warning("going on on the host");
	c->engine->class->close(c->engine);
	c->engine = engine_host_open(&c->size);
	return c->engine == NULL ? STATUS_SYSTEM : c->engine->class->set_row(c->engine, &c->row);
}

/* The seed, else the identity: sets initial, and last and carry if there is a seed. */
static enum status begin_state(struct conductor *c)
{
	const struct plan *p = c->plan;
	c->initial.format = current_format(c);
	c->initial.format.type = p->acc;
	if (p->seed == NULL) {
		if (!row_identity(p->op, p->decimal ? &type_table[TYPE_I128] : p->acc, &c->initial.value)) {
			/* Of unbounded decimals: the infinities. */
			c->initial.format = (struct result_format){.type = &type_table[TYPE_F64]};
			(void)row_identity(p->op, c->initial.format.type, &c->initial.value);
		}
	} else if (p->decimal) {
		if (!reading_seed(&c->reading, p, &c->initial))
			return STATUS_USAGE;
	} else if (number_parse(p->seed, strlen(p->seed), p->acc, &c->initial.value) != NUMBER_OK) {
		char quoted[MESSAGE_QUOTED_SIZE];
		message_error("--seed: no value of %s: %s", p->acc->name,
			      message_quote(quoted, p->seed, strlen(p->seed)));
		return STATUS_USAGE;
	}
	c->has_last = p->seed != NULL;
	c->last = c->initial;
	return STATUS_OK;
}

enum status conductor_new(const struct plan *plan, struct engine *engine, const struct engine_size *size, bool named,
			  conductor_deliver *deliver, void *context, struct conductor **conductor)
{
	struct conductor *c = memory_new(sizeof *c + size->lane_count * sizeof c->flights[0]);
	if (c == NULL) {
		engine->class->close(engine);
		return STATUS_SYSTEM;
	}
	*c = (struct conductor){
		.plan = plan, .deliver = deliver, .context = context, .size = *size, .engine = engine, .named = named};
	c->reading = reading_first(plan);
	c->tail = memory_new(GRID_TILE * size->element_max);
	enum status status = c->tail == NULL ? STATUS_SYSTEM : begin_state(c);
	if (status == STATUS_OK)
		status = set_row(c, c->reading.type, plan->decimal ? c->reading.type : plan->acc);
	if (status != STATUS_OK) {
		conductor_free(c);
		return status;
	}
	if (c->has_last)
		c->row.code->seed(&c->last.value, &c->carry);
	*conductor = c;
	return STATUS_OK;
}

void conductor_free(struct conductor *c)
{
	if (c == NULL)
		return;
	for (size_t i = 0; i < c->flight_count; i++)
		c->engine->class->cancel(c->engine, c->flights[i].slot->lane);
	if (c->engine != NULL)
		c->engine->class->close(c->engine);
	memory_free(c->tail);
	memory_free(c);
}

struct reading conductor_reading(const struct conductor *c)
{
	return c->reading;
}

bool conductor_has_room(const struct conductor *c)
{
	return c->flight_count < c->engine->class->depth && c->flight_count < c->size.lane_count;
}

bool conductor_is_busy(const struct conductor *c)
{
	return c->flight_count > 0;
}

bool conductor_is_done(const struct conductor *c)
{
	return c->done;
}

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
		if (slot_need_elements(s, c->plan) != STATUS_OK)
			return STATUS_SYSTEM;
		if (s->elements_borrowed)
			slot_own_elements(s, c->plan);
		s->elements -= s->head * size;
		memcpy(s->elements, c->tail, s->head * size);
	}
	const size_t elements = s->head + s->decoded.count;
	c->tail_count = elements % GRID_TILE;
	memcpy(c->tail, s->elements + (elements - c->tail_count) * size, c->tail_count * size);
	return STATUS_OK;
}

static enum status begin_totals(struct conductor *c, struct flight *f)
{
	f->folded = false;
	if (f->elements == 0)
		return STATUS_OK;
	return c->engine->class->begin_totals(c->engine, f->slot->lane, f->slot->elements, f->elements);
}

/* Folds the totals of whole tiles into the carry; that of a partial tile only gets its carry-in. */
static enum status fold(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	if (f->folded)
		return STATUS_OK;
	f->carry_before = c->carry;
	f->folded = true;
	if (f->elements == 0)
		return STATUS_OK;
	const enum status status = c->engine->class->finish_totals(c->engine, s->lane, s->totals);
	if (status != STATUS_OK)
		return status;
	const struct row_code *code = c->row.code;
	const size_t whole = f->elements / GRID_TILE;
	code->fold(s->totals, whole, &c->carry, s->carry_ins);
	if (f->elements % GRID_TILE != 0) {
		struct carry unfinished = c->carry;
		code->fold(s->totals + whole * code->state_size, 1, &unfinished,
			   s->carry_ins + whole * code->state_size);
	}
	return c->engine->class->begin_results(c->engine, s->lane, s->carry_ins, f->carry_before.present, s->results);
}

/* After a device failed: the host takes over, from the oldest chunk under way on. */
static enum status take_over(struct conductor *c)
{
	if (c->named)
		return STATUS_DEVICE;
	message_warning("going on on the host");
	for (size_t i = 0; i < c->flight_count; i++)
		c->engine->class->cancel(c->engine, c->flights[i].slot->lane);
	c->engine->class->close(c->engine);
	c->engine = engine_host_open(&c->size);
	if (c->engine == NULL)
		return STATUS_SYSTEM;
	enum status status = c->engine->class->set_row(c->engine, &c->row);
	if (c->flight_count > 0 && c->flights[0].folded)
		c->carry = c->flights[0].carry_before;
	for (size_t i = 0; i < c->flight_count && status == STATUS_OK; i++)
		status = begin_totals(c, &c->flights[i]);
	return status;
}

/* Folds the flights before the given number, in order, and takes over from a device that fails. */
static enum status fold_until(struct conductor *c, size_t count)
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

/* Waits for the results of the oldest flight; *bad is the index of the first of the chunk's own elements that does not fit, or
 * SIZE_MAX. */
static enum status await_results(struct conductor *c, size_t *bad)
{
	const struct flight *f = &c->flights[0];
	size_t first_bad = SIZE_MAX;
	enum status status = fold_until(c, 1);
	if (status != STATUS_OK)
		return status;
	if (f->elements > 0) {
		status = c->engine->class->finish_results(c->engine, f->slot->lane, &first_bad);
		if (status == STATUS_DEVICE) {
			status = take_over(c);
			return status == STATUS_OK ? await_results(c, bad) : status;
		}
	}
	*bad = first_bad == SIZE_MAX || first_bad < f->slot->head ? SIZE_MAX : first_bad - f->slot->head;
	return status;
}

/* The slot's first count results are good: they are what it gives. */
static void settle_results(struct conductor *c, struct slot *s, size_t count)
{
	const struct result_format format = current_format(c);
	s->format = format;
	s->count = count;
	s->before = c->has_last ? c->last : c->initial;
	if (count == 0)
		return;
	c->has_last = true;
	c->last.format = format;
	memset(&c->last.value, 0, sizeof c->last.value);
	memcpy(&c->last.value, s->results + (s->head + count - 1) * format.type->size, format.type->size);
}

/* What the stream begins with, before its results. */
static enum status add_initial(struct conductor *c, struct slot *s)
{
	const struct plan *p = c->plan;
	if (!c->started && p->include_initial && encode_result(p, &c->initial, &s->out) != STATUS_OK)
		return STATUS_SYSTEM;
	c->started = true;
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
	if (s->last && c->plan->total && !failed &&
	    encode_result(c->plan, c->has_last ? &c->last : &c->initial, &s->out) != STATUS_OK)
		return STATUS_SYSTEM;
	c->flight_count--;
	memmove(&c->flights[0], &c->flights[1], c->flight_count * sizeof c->flights[0]);
	c->done = s->last;
	c->deliver(c->context, s);
	return STATUS_OK;
}

/* Changes the reading, the row and the grid so that the token at which the slot's decoding stopped can be taken in. *first is
 * its element if *has_first: the exact result there. *problem if that cannot be. The engine is idle. */
static enum status change_row(struct conductor *c, const struct slot *s, bool *has_first, union value *first,
			      struct problem *problem)
{
	const struct decoded *t = &s->decoded;
	const struct result *last = c->has_last ? &c->last : NULL;
	struct reading_change change;
	*has_first = false;
	if (!reading_next(&c->reading, c->plan, last, t->token, t->token_size, &change)) {
		*problem = (struct problem){.status = STATUS_DATA,
					    .fatal = true,
					    .line = s->lines + t->lines + 1,
					    .field = c->plan->text.field};
		memcpy(problem->text, change.why, sizeof problem->text);
		return STATUS_OK;
	}
	if (!change.reading.decimal)
		message_verbose("exact decimals end at element %" PRIu64 "; the scan goes on in f64",
				c->element_base + 1);
	c->carry = (struct carry){0};
	c->tail_count = 0;
	c->reading = change.reading;
	*has_first = change.has_first;
	*first = change.first;
	const enum status status = set_row(c, c->reading.type, c->reading.type);
	if (status == STATUS_OK && change.has_seed)
		c->row.code->seed(&change.seed, &c->carry);
	return status;
}

/* Scans what the slot of the oldest flight (the only one) holds decoded. */
static enum status scan_part(struct conductor *c, size_t *bad)
{
	struct flight *f = &c->flights[0];
	if (prepend_head(c, f->slot) != STATUS_OK)
		return STATUS_SYSTEM;
	f->elements = f->slot->decoded.count > 0 ? f->slot->head + f->slot->decoded.count : 0;
	enum status status = begin_totals(c, f);
	if (status == STATUS_DEVICE)
		status = take_over(c);
	return status == STATUS_OK ? await_results(c, bad) : status;
}

/* Encodes the part, changes the row at the token behind it and decodes the rest of the slot from there. */
static enum status next_part(struct conductor *c, struct slot *s, size_t *offset, size_t *warnings)
{
	bool has_first;
	union value first;
	if (slot_encode(s, c->plan) != STATUS_OK)
		return STATUS_SYSTEM;
	*offset += s->decoded.consumed;
	c->element_base += s->decoded.count;
	enum status status = change_row(c, s, &has_first, &first, &s->problem);
	s->lines += s->decoded.lines;
	s->decoded.lines = 0;
	s->decoded.count = 0;
	s->count = 0;
	s->marks.size = 0;
	if (status != STATUS_OK || s->problem.status != STATUS_OK)
		return status;
	*warnings = s->warnings.size;
	return slot_decode(s, c->plan, &c->reading, *offset, has_first ? &first : NULL, SIZE_MAX);
}

/* Takes the oldest flight's slot, which is the only one, to its end part by part. scanned: its elements were scanned, and bad is
 * the first that does not fit. */
static enum status take_parts(struct conductor *c, bool scanned, size_t bad)
{
	struct slot *s = c->flights[0].slot;
	size_t offset = 0;
	size_t warnings = 0;
	enum status status = STATUS_OK;
	for (;;) {
		if (!scanned)
			status = scan_part(c, &bad);
		scanned = false;
		if (status != STATUS_OK)
			return status;
		if (bad != SIZE_MAX && !c->reading.decimal)
			return STATUS_OK; /* f64 never is bad; nothing else changes its row */
		if (bad != SIZE_MAX) {
			/* Where in the text is it? Its elements are decoded again, up to there. */
			settle_results(c, s, bad);
			s->warnings.size = warnings;
			union value first;
			memcpy(&first, s->elements + s->head * c->row.in->size, sizeof first);
			status = slot_decode(s, c->plan, &c->reading, offset, &first, bad);
			if (status != STATUS_OK)
				return status;
		} else {
			settle_results(c, s, s->decoded.count);
			if (s->decoded.stop != DECODE_CHANGE)
				break;
		}
		status = next_part(c, s, &offset, &warnings);
		if (status != STATUS_OK || s->problem.status != STATUS_OK)
			return status;
	}
	if (s->decoded.stop == DECODE_FAIL)
		s->problem = s->decoded.problem;
	return STATUS_OK;
}

/* Withdraws all chunks under way but the oldest: their row ends before them. *count of them in withdrawn. */
static void withdraw_later(struct conductor *c, struct slot **withdrawn, size_t *count)
{
	*count = c->flight_count - 1;
	for (size_t i = 0; i < *count; i++) {
		const struct flight *f = &c->flights[i + 1];
		if (f->elements > 0)
			c->engine->class->cancel(c->engine, f->slot->lane);
		withdrawn[i] = f->slot;
	}
	c->flight_count = 1;
}

static enum status submit_again(struct conductor *c, struct slot *const *slots, size_t count)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < count && status == STATUS_OK && !c->done; i++) {
		while (status == STATUS_OK && !conductor_has_room(c) && !c->done)
			status = conductor_finish(c);
		if (status == STATUS_OK && !c->done)
			status = conductor_submit(c, slots[i]);
	}
	return status;
}

enum status conductor_submit(struct conductor *c, struct slot *slot)
{
	const bool is_text = c->plan->input_format == FORMAT_TEXT;
	if (is_text && slot->version != c->reading.version &&
	    slot_decode(slot, c->plan, &c->reading, 0, NULL, SIZE_MAX) != STATUS_OK)
		return STATUS_SYSTEM;
	slot->problem = (struct problem){0};
	slot->count = 0;
	if (slot->decoded.stop == DECODE_CHANGE) {
		while (c->flight_count > 0) {
			const enum status status = conductor_finish(c);
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
	if (prepend_head(c, slot) != STATUS_OK)
		return STATUS_SYSTEM;
	f->elements = slot->decoded.count > 0 ? slot->head + slot->decoded.count : 0;
	enum status status = begin_totals(c, f);
	if (status == STATUS_DEVICE)
		status = take_over(c);
	/* The chunks before it go on to their results while its up-sweep runs. */
	return status == STATUS_OK ? fold_until(c, c->flight_count - 1) : status;
}

/* The stream ends behind the results that the slot gives: marks and warnings behind them are forgotten. */
static void end_behind_results(struct slot *s)
{
	const struct warning *warnings = (const struct warning *)(const void *)s->warnings.data;
	const struct mark *marks = (const struct mark *)(const void *)s->marks.data;
	size_t kept = s->warnings.size / sizeof warnings[0];
	while (kept > 0 && warnings[kept - 1].element > s->count)
		kept--;
	s->warnings.size = kept * sizeof warnings[0];
	kept = s->marks.size / sizeof marks[0];
	while (kept > 0 && marks[kept - 1].element > s->count)
		kept--;
	s->marks.size = kept * sizeof marks[0];
}

/* The oldest flight's results are there; bad is the first that does not fit. */
static void finish_plain(struct conductor *c, size_t bad)
{
	struct slot *s = c->flights[0].slot;
	if (c->pending.status != STATUS_OK && s->decoded.count > 0) {
		/* An element follows the one that did not fit, so its result is needed. */
		s->problem = c->pending;
		settle_results(c, s, 0);
		end_behind_results(s);
		return;
	}
	if (bad == SIZE_MAX) {
		settle_results(c, s, s->decoded.count);
		if (s->decoded.stop == DECODE_FAIL)
			s->problem = s->decoded.problem;
		return;
	}
	bool must;
	const struct problem problem = misfit_describe(&c->row, s->elements + (s->head + bad) * c->row.in->size,
						       s->file_name, c->element_base + bad + 1, &must);
	const bool is_last_here = bad + 1 == s->decoded.count;
	if (c->plan->exclusive && !c->plan->total && !must) {
		/* Its own exclusive result is the one before it. */
		settle_results(c, s, bad + 1);
		if (is_last_here) {
			c->pending = problem;
			if (s->decoded.stop == DECODE_FAIL)
				s->problem = s->decoded.problem;
			return;
		}
	} else {
		settle_results(c, s, bad);
	}
	end_behind_results(s);
	s->problem = problem;
}

enum status conductor_finish(struct conductor *c)
{
	struct slot *s = c->flights[0].slot;
	struct slot *withdrawn[64];
	size_t withdrawn_count = 0;
	size_t bad = SIZE_MAX;
	enum status status = add_initial(c, s);
	if (s->file_start) {
		c->line_base = 0;
		c->element_base = 0;
	}
	const bool in_parts = s->decoded.stop == DECODE_CHANGE;
	if (status == STATUS_OK && !in_parts)
		status = await_results(c, &bad);
	if (status != STATUS_OK)
		return status;
	if (in_parts || (bad != SIZE_MAX && c->reading.decimal)) {
		withdraw_later(c, withdrawn, &withdrawn_count);
		status = take_parts(c, !in_parts, bad);
	} else {
		finish_plain(c, bad);
	}
	if (status == STATUS_OK)
		status = deliver_oldest(c);
	return status == STATUS_OK ? submit_again(c, withdrawn, withdrawn_count) : status;
}
