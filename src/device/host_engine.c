/* The host's engine. With a pool a begin call posts the channel and some thread of the pool does the work (host.h);
 * without one the finish calls do. The work of one chunk is done by one thread: chunks are small and many. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "device/engine.h"
#include "scan/host.h"

enum channel_work { CHANNEL_IDLE, CHANNEL_TOTALS, CHANNEL_RESULTS, CHANNEL_PUSH };

struct host_channel {
	enum channel_work work; /* what was begun and not finished */
	const void *in;
	size_t count;
	void *totals;
	const void *carry_in;
	bool first_has_carry;
	void *cursor;
	void *out;
	size_t first_bad;
	struct span up_sweep, down_sweep;
};

struct engine_host {
	struct engine base;
	const struct engine_pool *pool; /* or NULL */
	struct row row;
	struct host_channel channels[];
};

static struct engine_host *host_of(struct engine *e)
{
	return (struct engine_host *)e;
}

static enum status host_set_row(struct engine *e, const struct row *row)
{
	host_of(e)->row = *row;
	return STATUS_OK;
}

static void host_begin(struct engine_host *h, size_t channel, enum channel_work work)
{
	h->channels[channel].work = work;
	if (h->pool != NULL)
		h->pool->post(h->pool->context, channel);
}

/* Waits until the channel's work is done, or does it. */
static void host_await(struct engine_host *h, size_t channel)
{
	if (h->channels[channel].work != CHANNEL_IDLE &&
	    (h->pool == NULL || h->pool->settle(h->pool->context, channel)))
		engine_host_work(&h->base, channel);
	h->channels[channel].work = CHANNEL_IDLE;
}

void engine_host_work(struct engine *e, size_t channel)
{
	struct engine_host *h = host_of(e);
	struct host_channel *l = &h->channels[channel];
	const uint64_t begin = timeline_now_ns();
	if (l->work == CHANNEL_TOTALS) {
		host_scan_totals(&h->row, l->in, l->count, l->totals);
		span_add(&l->up_sweep, begin);
		return;
	}
	if (l->work == CHANNEL_PUSH)
		l->first_bad = host_scan_push(&h->row, l->cursor, l->in, l->count, l->out);
	else
		l->first_bad = host_scan_results(&h->row, l->in, l->count, l->carry_in, l->first_has_carry, l->out);
	span_add(&l->down_sweep, begin);
}

static void host_skip_totals(struct engine *e, size_t channel, const void *in, size_t count)
{
	host_of(e)->channels[channel] = (struct host_channel){.in = in, .count = count};
}

static enum status host_begin_totals(struct engine *e, size_t channel, const void *in, size_t count, void *totals)
{
	struct engine_host *h = host_of(e);
	h->channels[channel] = (struct host_channel){.in = in, .count = count, .totals = totals};
	host_begin(h, channel, CHANNEL_TOTALS);
	return STATUS_OK;
}

static enum status host_finish_totals(struct engine *e, size_t channel)
{
	host_await(host_of(e), channel);
	return STATUS_OK;
}

static enum status host_begin_results(struct engine *e, size_t channel, const void *carry_in, bool first_has_carry,
				      void *out)
{
	struct engine_host *h = host_of(e);
	struct host_channel *l = &h->channels[channel];
	l->carry_in = carry_in;
	l->first_has_carry = first_has_carry;
	l->out = out;
	host_begin(h, channel, CHANNEL_RESULTS);
	return STATUS_OK;
}

static void host_begin_push(struct engine *e, size_t channel, void *cursor, const void *in, size_t count, void *out)
{
	struct engine_host *h = host_of(e);
	h->channels[channel] = (struct host_channel){.in = in, .count = count, .cursor = cursor, .out = out};
	host_begin(h, channel, CHANNEL_PUSH);
}

static enum status host_finish_results(struct engine *e, size_t channel, size_t *first_bad, struct span *spans)
{
	struct engine_host *h = host_of(e);
	const struct host_channel *l = &h->channels[channel];
	host_await(h, channel);
	*first_bad = l->first_bad;
	if (l->up_sweep.busy_ns != 0)
		spans[STAGE_UP_SWEEP] = l->up_sweep;
	spans[STAGE_DOWN_SWEEP] = l->down_sweep;
	return STATUS_OK;
}

static bool host_is_ready(struct engine *e, size_t channel)
{
	const struct engine_host *h = host_of(e);
	return h->channels[channel].work == CHANNEL_IDLE || h->pool == NULL ||
	       h->pool->is_done(h->pool->context, channel);
}

static bool host_cancel(struct engine *e, size_t channel)
{
	struct engine_host *h = host_of(e);
	if (h->channels[channel].work != CHANNEL_IDLE && h->pool != NULL)
		(void)h->pool->settle(h->pool->context, channel);
	h->channels[channel].work = CHANNEL_IDLE;
	return true;
}

static void host_close(struct engine *e)
{
	memory_free(host_of(e));
}

static const struct engine_class host_class = {
	.name = "host",
	.set_row = host_set_row,
	.begin_totals = host_begin_totals,
	.skip_totals = host_skip_totals,
	.finish_totals = host_finish_totals,
	.begin_results = host_begin_results,
	.begin_push = host_begin_push,
	.finish_results = host_finish_results,
	.is_ready = host_is_ready,
	.cancel = host_cancel,
	.close = host_close,
};

struct engine *engine_host_open(const struct engine_size *size, const struct engine_pool *pool)
{
	const size_t bytes = sizeof(struct engine_host) + size->channel_count * sizeof(struct host_channel);
	struct engine_host *h = memory_new(bytes);
	if (h == NULL)
		return NULL;
	memset(h, 0, bytes);
	h->base = (struct engine){.class = &host_class, .size = *size, .depth = pool == NULL ? 1 : size->channel_count};
	h->pool = pool;
	return &h->base;
}
