/* The host's engine. With a pool `begin` posts the channel, and a thread of the pool does the work (host_tiles.h).
 * Without a pool `finish` does the work. One thread does all work of a chunk, as chunks are small and many.
 *
 * Rows of programs are run by program_scan.h, which needs memory for each thread: a channel has its own, and so have
 * the cursor calls. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "device/engine.h"
#include "scan/host_tiles.h"
#include "scan/program_scan.h"

/* Programs on one channel, or in cursor calls. All zero: no programs. */
struct host_programs {
	struct program_scan **of_lanes; /* One for each lane, or NULL. Lanes of one program share it. */
	struct bytes all; /* Array of struct program_scan *: each once. Owned, like the memory of of_lanes. */
};

struct host_channel {
	struct host_programs programs;
	bool is_begun; /* A sweep was begun and is not finished: */
	enum sweep sweep;
	struct lane_work *lanes;
	struct span up_sweep, down_sweep;
};

struct engine_host {
	struct engine base;
	const struct pool *pool; /* Borrowed, or NULL. */
	struct row *rows; /* One for each lane. Owned. */
	struct host_programs taken; /* For cursor calls. */
	struct host_channel channels[];
};

static struct engine_host *host_of(struct engine *e)
{
	return (struct engine_host *)e;
}

static void forget_programs(struct host_programs *p)
{
	struct program_scan **all = (struct program_scan **)(void *)p->all.data;
	for (size_t i = 0; i < p->all.size / sizeof *all; i++)
		program_scan_free(all[i]);
	bytes_free(&p->all);
	memory_free(p->of_lanes);
	p->of_lanes = NULL;
}

/* Sets the lane's program, or that it has none. */
static enum status set_program(struct host_programs *p, size_t lane_count, size_t lane, const struct row *row)
{
	if (p->of_lanes != NULL)
		p->of_lanes[lane] = NULL;
	if (row->op->program == NULL)
		return STATUS_OK;
	if (p->of_lanes == NULL) {
		p->of_lanes = memory_zeros(lane_count, sizeof(struct program_scan *));
		if (p->of_lanes == NULL)
			return STATUS_SYSTEM;
	}
	struct program_scan **all = (struct program_scan **)(void *)p->all.data;
	struct program_scan *found = NULL;
	for (size_t i = 0; i < p->all.size / sizeof *all && found == NULL; i++)
		found = program_scan_is_for(all[i], row) ? all[i] : NULL;
	if (found == NULL) {
		found = program_scan_new(row);
		if (found == NULL || bytes_append(&p->all, &found, sizeof found) != STATUS_OK) {
			program_scan_free(found);
			return STATUS_SYSTEM;
		}
	}
	p->of_lanes[lane] = found;
	return STATUS_OK;
}

static enum status host_set_row(struct engine *e, size_t lane, const struct row *row)
{
	struct engine_host *h = host_of(e);
	const size_t lane_count = h->base.size.lane_count;
	h->rows[lane] = *row;
	TRY(set_program(&h->taken, lane_count, lane, row));
	for (size_t i = 0; i < h->base.size.channel_count; i++)
		TRY(set_program(&h->channels[i].programs, lane_count, lane, row));
	return STATUS_OK;
}

/* program: the lane's, or NULL. */
static void work_on_lane(const struct row *row, struct program_scan *program, struct lane_work *l, enum sweep sweep)
{
	if (sweep == SWEEP_TOTALS && (l->totals_known || l->by_cursor))
		return;
	if (sweep == SWEEP_TOTALS && program != NULL)
		program_scan_totals(program, l->in, l->count, l->index, l->totals);
	else if (sweep == SWEEP_TOTALS)
		host_scan_totals(row, l->in, l->count, l->totals);
	else if (l->by_cursor)
		l->first_bad = program != NULL
				       ? program_scan_push(program, l->cursor, l->in, l->count, NULL, l->total, l->out)
				       : host_scan_push(row, l->cursor, l->in, l->count, l->out);
	else
		l->first_bad = program != NULL ? program_scan_results(program, l->in, l->count, l->index, l->carry_in,
								      l->first_has_carry, l->total, l->out)
					       : host_scan_results(row, l->in, l->count, l->carry_in,
								   l->first_has_carry, l->out);
}

/* Does what was begun for a channel. */
static void work_on_channel(void *engine, size_t channel)
{
	struct engine_host *h = host_of(engine);
	struct host_channel *c = &h->channels[channel];
	const uint64_t begin = timeline_now_ns();
	for (size_t i = 0; i < h->base.size.lane_count; i++) {
		struct lane_work *l = &c->lanes[i];
		struct program_scan *program = c->programs.of_lanes != NULL ? c->programs.of_lanes[i] : NULL;
		if (c->sweep == SWEEP_RESULTS)
			l->first_bad = SIZE_MAX;
		if (l->count > 0)
			work_on_lane(&h->rows[i], program, l, c->sweep);
	}
	span_add(c->sweep == SWEEP_TOTALS ? &c->up_sweep : &c->down_sweep, begin);
}

static enum status host_begin(struct engine *e, enum sweep sweep, size_t channel, struct lane_work *lanes)
{
	struct engine_host *h = host_of(e);
	struct host_channel *c = &h->channels[channel];
	c->is_begun = true;
	c->sweep = sweep;
	c->lanes = lanes;
	if (h->pool != NULL)
		h->pool->post(h->pool, channel, work_on_channel, h);
	return STATUS_OK;
}

/* Does the work here without a pool, and helps the pool with other channels. */
static enum status host_finish(struct engine *e, enum sweep sweep, size_t channel, struct span *spans)
{
	struct engine_host *h = host_of(e);
	struct host_channel *c = &h->channels[channel];
	if (c->is_begun && h->pool != NULL)
		pool_await(h->pool, channel, work_on_channel, h);
	else if (c->is_begun)
		work_on_channel(h, channel);
	c->is_begun = false;
	if (sweep == SWEEP_TOTALS)
		return STATUS_OK;
	if (c->up_sweep.busy_ns != 0)
		spans[STAGE_UP_SWEEP] = c->up_sweep;
	spans[STAGE_DOWN_SWEEP] = c->down_sweep;
	c->up_sweep = c->down_sweep = (struct span){0};
	return STATUS_OK;
}

static bool host_is_ready(struct engine *e, size_t channel)
{
	const struct engine_host *h = host_of(e);
	return !h->channels[channel].is_begun || h->pool == NULL || h->pool->is_done(h->pool, channel);
}

static bool host_cancel(struct engine *e, size_t channel)
{
	struct engine_host *h = host_of(e);
	if (h->channels[channel].is_begun && h->pool != NULL)
		h->pool->withdraw(h->pool, channel);
	h->channels[channel] = (struct host_channel){.programs = h->channels[channel].programs};
	return true;
}

/* The program of a lane that must have one, for cursor calls. */
static struct program_scan *taken_program(struct engine_host *h, size_t lane)
{
	assert(h->taken.of_lanes != NULL && h->taken.of_lanes[lane] != NULL);
	return h->taken.of_lanes[lane];
}

static enum status host_run_cursor(struct engine *e, size_t lane, struct cursor_work *work)
{
	struct engine_host *h = host_of(e);
	struct program_scan *s = taken_program(h, lane);
	uint64_t index;
	work->first_bad = SIZE_MAX;
	switch (work->call) {
	case CURSOR_SEED:
		if (work->count > 0)
			work->first_bad = program_scan_seed(s, work->cursor, work->in, work->out) ? SIZE_MAX : 0;
		else
			work->first_bad = program_scan_nothing(s, work->out) ? SIZE_MAX : 0;
		break;
	case CURSOR_FOLD:
		work->first_bad =
			program_scan_fold(s, work->cursor, work->in, work->count, work->out, &work->first_has_carry);
		break;
	case CURSOR_PUSH:
		work->first_bad =
			program_scan_push(s, work->cursor, work->in, work->count, NULL, work->total, work->out);
		break;
	case CURSOR_PUSH_ALL:
		program_scan_push_all(s,
				      &(struct program_cursors){.cursors = work->cursor,
								.size = h->rows[lane].code->cursor_size,
								.count = work->cursor_count,
								.ends = work->ends,
								.totals = work->total,
								.total_size = work->total_size,
								.bad = work->bad},
				      work->in, work->gaps, work->out);
		break;
	case CURSOR_TRIPLES:
		memcpy(&index, work->cursor, sizeof index);
		return program_scan_triples(s, work->in, work->count, index, work->total, work->out);
	case CURSOR_CALLS:
		break;
	}
	return STATUS_OK;
}

static struct window_row host_window_of(struct engine *e, size_t lane, uint64_t length)
{
	return program_scan_window_row(taken_program(host_of(e), lane), length);
}

static size_t host_push_window(struct engine *e, size_t lane, const struct window_row *windows, struct window *w,
			       const void *in, size_t count, const uint64_t *covered, bool known, void *out)
{
	return program_scan_push_window(taken_program(host_of(e), lane), windows, w, in, count, covered, known, out);
}

static void host_close(struct engine *e)
{
	struct engine_host *h = host_of(e);
	forget_programs(&h->taken);
	for (size_t i = 0; i < h->base.size.channel_count; i++)
		forget_programs(&h->channels[i].programs);
	memory_free(h->rows);
	memory_free(host_of(e));
}

static const struct engine_class host_class = {
	.set_row = host_set_row,
	.run_cursor = host_run_cursor,
	.window_of = host_window_of,
	.push_window = host_push_window,
	.begin = host_begin,
	.finish = host_finish,
	.is_ready = host_is_ready,
	.cancel = host_cancel,
	.close = host_close,
};

struct engine *engine_host_open(const struct engine_size *size, const struct pool *pool)
{
	struct engine_host *h = memory_zeros(1, sizeof *h + size->channel_count * sizeof h->channels[0]);
	if (h == NULL)
		return NULL;
	h->rows = memory_new(size->lane_count * sizeof *h->rows);
	if (h->rows == NULL) {
		memory_free(h);
		return NULL;
	}
	h->base = (struct engine){.class = &host_class, .size = *size, .depth = pool == NULL ? 1 : size->channel_count};
	h->pool = pool;
	return &h->base;
}
