/* The host's engine. With a pool a begin call posts the channel, and a thread of the pool does the work (host.h).
 * Without a pool the finish calls do the work. One thread does all work of a chunk, as chunks are small and many. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "device/engine.h"
#include "scan/host.h"

enum channel_work { CHANNEL_IDLE, CHANNEL_TOTALS, CHANNEL_RESULTS };

struct host_channel {
	enum channel_work work; /* The work that was begun and is not finished. */
	struct lane_work *lanes;
	struct span up_sweep, down_sweep;
};

struct engine_host {
	struct engine base;
	const struct pool *pool; /* Borrowed, or NULL. */
	struct row *rows; /* One for each lane. Owned. */
	struct host_channel channels[];
};

static struct engine_host *host_of(struct engine *e)
{
	return (struct engine_host *)e;
}

static enum status host_set_row(struct engine *e, size_t lane, const struct row *row)
{
	host_of(e)->rows[lane] = *row;
	return STATUS_OK;
}

static void work_on_lane(const struct row *row, struct lane_work *l, enum channel_work work)
{
	if (work == CHANNEL_RESULTS)
		l->first_bad = SIZE_MAX;
	if (l->count == 0)
		return;
	if (work == CHANNEL_TOTALS) {
		if (!l->totals_known && !l->by_cursor)
			host_scan_totals(row, l->in, l->count, l->totals);
	} else if (l->by_cursor) {
		l->first_bad = host_scan_push(row, l->cursor, l->in, l->count, l->out);
	} else {
		l->first_bad = host_scan_results(row, l->in, l->count, l->carry_in, l->first_has_carry, l->out);
	}
}

/* Does what was begun for a channel. */
static void work_on_channel(void *engine, size_t channel)
{
	struct engine_host *h = host_of(engine);
	struct host_channel *c = &h->channels[channel];
	const uint64_t begin = timeline_now_ns();
	for (size_t i = 0; i < h->base.size.lane_count; i++)
		work_on_lane(&h->rows[i], &c->lanes[i], c->work);
	span_add(c->work == CHANNEL_TOTALS ? &c->up_sweep : &c->down_sweep, begin);
}

static enum status host_begin(struct engine_host *h, size_t channel, struct lane_work *lanes, enum channel_work work)
{
	h->channels[channel].work = work;
	h->channels[channel].lanes = lanes;
	if (h->pool != NULL)
		h->pool->post(h->pool, channel, work_on_channel, &h->base);
	return STATUS_OK;
}

/* Waits until the channel's work is done. Does it here without a pool, and helps the pool with other channels. */
static void host_await(struct engine_host *h, size_t channel)
{
	if (h->channels[channel].work != CHANNEL_IDLE && h->pool != NULL)
		pool_await(h->pool, channel, work_on_channel, &h->base);
	else if (h->channels[channel].work != CHANNEL_IDLE)
		work_on_channel(&h->base, channel);
	h->channels[channel].work = CHANNEL_IDLE;
}

static enum status host_begin_totals(struct engine *e, size_t channel, struct lane_work *lanes)
{
	return host_begin(host_of(e), channel, lanes, CHANNEL_TOTALS);
}

static enum status host_finish_totals(struct engine *e, size_t channel)
{
	host_await(host_of(e), channel);
	return STATUS_OK;
}

static enum status host_begin_results(struct engine *e, size_t channel, struct lane_work *lanes)
{
	return host_begin(host_of(e), channel, lanes, CHANNEL_RESULTS);
}

static enum status host_finish_results(struct engine *e, size_t channel, struct span *spans)
{
	struct engine_host *h = host_of(e);
	struct host_channel *c = &h->channels[channel];
	host_await(h, channel);
	if (c->up_sweep.busy_ns != 0)
		spans[STAGE_UP_SWEEP] = c->up_sweep;
	spans[STAGE_DOWN_SWEEP] = c->down_sweep;
	c->up_sweep = c->down_sweep = (struct span){0};
	return STATUS_OK;
}

static bool host_is_ready(struct engine *e, size_t channel)
{
	const struct engine_host *h = host_of(e);
	return h->channels[channel].work == CHANNEL_IDLE || h->pool == NULL || h->pool->is_done(h->pool, channel);
}

static bool host_cancel(struct engine *e, size_t channel)
{
	struct engine_host *h = host_of(e);
	if (h->channels[channel].work != CHANNEL_IDLE && h->pool != NULL)
		h->pool->withdraw(h->pool, channel);
	h->channels[channel] = (struct host_channel){0};
	return true;
}

static void host_close(struct engine *e)
{
	memory_free(host_of(e)->rows);
	memory_free(host_of(e));
}

static const struct engine_class host_class = {
	.name = "host",
	.pushes = true,
	.set_row = host_set_row,
	.begin_totals = host_begin_totals,
	.finish_totals = host_finish_totals,
	.begin_results = host_begin_results,
	.finish_results = host_finish_results,
	.is_ready = host_is_ready,
	.cancel = host_cancel,
	.close = host_close,
};

struct engine *engine_host_open(const struct engine_size *size, const struct pool *pool)
{
	const size_t bytes = sizeof(struct engine_host) + size->channel_count * sizeof(struct host_channel);
	struct engine_host *h = memory_new(bytes);
	if (h == NULL)
		return NULL;
	memset(h, 0, bytes);
	h->rows = memory_new(size->lane_count * sizeof *h->rows);
	if (h->rows == NULL) {
		memory_free(h);
		return NULL;
	}
	h->base = (struct engine){.class = &host_class, .size = *size, .depth = pool == NULL ? 1 : size->channel_count};
	h->pool = pool;
	return &h->base;
}
