/* The host's engine: the row's code over the chunk, tile by tile. Nothing happens in the background: a begin call
 * remembers its arguments, the finish call does the work. Elements of another type than the accumulator's are converted a
 * tile at a time into a buffer that stays in the first-level cache. */
#include <stdint.h>

#include "convert.h"
#include "engine.h"
#include "memory.h"

struct host_lane {
	const void *in;
	size_t count;
	const void *carry_in;
	bool first_has_carry;
	void *out;
};

struct engine_host {
	struct engine base;
	struct row row;
	convert_function *convert; /* NULL if elements are of the accumulator's type */
	void *converted; /* one tile in the accumulator's type */
	struct host_lane lanes[];
};

static struct engine_host *host_of(struct engine *e)
{
	return (struct engine_host *)e;
}

static enum status host_set_row(struct engine *e, const struct row *row)
{
	struct engine_host *h = host_of(e);
	h->row = *row;
	h->convert = convert_find(row->in, row->acc);
	return STATUS_OK;
}

static enum status host_begin_totals(struct engine *e, size_t lane, const void *in, size_t count)
{
	host_of(e)->lanes[lane] = (struct host_lane){.in = in, .count = count};
	return STATUS_OK;
}

static enum status host_finish_totals(struct engine *e, size_t lane, void *totals)
{
	struct engine_host *h = host_of(e);
	const struct host_lane *l = &h->lanes[lane];
	const struct row_code *code = h->row.code;
	if (h->convert == NULL) {
		code->totals(l->in, l->count, totals);
		return STATUS_OK;
	}
	const unsigned char *in = l->in;
	unsigned char *total = totals;
	for (size_t first = 0; first < l->count; first += GRID_TILE) {
		const size_t left = l->count - first;
		const size_t count = left < GRID_TILE ? left : GRID_TILE;
		(void)h->convert(in + first * h->row.in->size, count, h->converted);
		code->totals(h->converted, count, total);
		total += code->state_size;
	}
	return STATUS_OK;
}

static enum status host_begin_results(struct engine *e, size_t lane, const void *carry_in, bool first_has_carry,
				      void *out)
{
	struct host_lane *l = &host_of(e)->lanes[lane];
	l->carry_in = carry_in;
	l->first_has_carry = first_has_carry;
	l->out = out;
	return STATUS_OK;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static enum status host_finish_results(struct engine *e, size_t lane, size_t *first_bad)
{
	struct engine_host *h = host_of(e);
	const struct host_lane *l = &h->lanes[lane];
	const struct row_code *code = h->row.code;
	if (h->convert == NULL) {
		*first_bad = code->results(l->in, l->count, l->carry_in, l->first_has_carry, l->out);
		return STATUS_OK;
	}
	const unsigned char *in = l->in;
	const unsigned char *carry_in = l->carry_in;
	unsigned char *out = l->out;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < l->count; first += GRID_TILE) {
		const size_t left = l->count - first;
		const size_t count = left < GRID_TILE ? left : GRID_TILE;
		size_t here = h->convert(in + first * h->row.in->size, count, h->converted);
		if (!h->row.checked)
			here = SIZE_MAX;
		const size_t result =
			code->results(h->converted, count, carry_in, first > 0 || l->first_has_carry, out);
		here = least(here, result);
		if (here != SIZE_MAX)
			bad = least(bad, first + here);
		carry_in += code->state_size;
		out += GRID_TILE * h->row.acc->size;
	}
	*first_bad = bad;
	return STATUS_OK;
}

static void host_cancel(struct engine *e, size_t lane)
{
	host_of(e)->lanes[lane] = (struct host_lane){0};
}

static void host_close(struct engine *e)
{
	struct engine_host *h = host_of(e);
	memory_free(h->converted);
	memory_free(h);
}

static const struct engine_class host_class = {
	.name = "host",
	.depth = 1,
	.set_row = host_set_row,
	.begin_totals = host_begin_totals,
	.finish_totals = host_finish_totals,
	.begin_results = host_begin_results,
	.finish_results = host_finish_results,
	.cancel = host_cancel,
	.close = host_close,
};

struct engine *engine_host_open(const struct engine_size *size)
{
	struct engine_host *h = memory_new(sizeof *h + size->lane_count * sizeof h->lanes[0]);
	if (h == NULL)
		return NULL;
	*h = (struct engine_host){.base.class = &host_class};
	h->converted = memory_new(GRID_TILE * STATE_SIZE_MAX);
	if (h->converted == NULL) {
		memory_free(h);
		return NULL;
	}
	return &h->base;
}
