/* The newest chunk uploads while the one before it is folded and the oldest one downloads. */
#include "scanner.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/opencl_engine.h"
#include "scan/program.h"

static size_t whole_tiles(size_t elements)
{
	return (elements + GRID_TILE - 1) / GRID_TILE * GRID_TILE;
}

bool scanner_open(struct scanner *s, const struct scanner_need *need)
{
	const bool host = strcmp(need->device, "none") == 0;
	*s = (struct scanner){.channel_count = host || need->profile ? 1 : SCANNER_CHANNELS,
			      .chunk = need->chunk,
			      .tiles = whole_tiles(need->chunk) / GRID_TILE};
	const struct engine_size size = {.channel_count = s->channel_count,
					 .lane_count = 1,
					 .elements = whole_tiles(need->chunk),
					 .element_max = need->element_max};
	const struct engine_need wanted = {.spec = need->device,
					   .channel_count = s->channel_count,
					   .lane_count = 1,
					   .element_max = need->element_max,
					   .chunk_elements = whole_tiles(need->chunk),
					   .profile = need->profile};
	s->states = memory_new(s->channel_count * 2 * s->tiles * STATE_SIZE_MAX);
	if (host)
		s->engine = engine_host_open(&size, NULL);
	else if (opencl_engine_open(&wanted, &s->engine) != STATUS_OK)
		s->engine = NULL;
	return s->states != NULL && s->engine != NULL;
}

void scanner_close(struct scanner *s)
{
	if (s->engine != NULL)
		s->engine->class->close(s->engine);
	memory_free(s->states);
}

bool scanner_set_row(struct scanner *s, const struct row *row)
{
	s->row = *row;
	return s->engine->class->set_row(s->engine, 0, &s->row) == STATUS_OK;
}

bool scanner_set_program(struct scanner *s, const struct program *p)
{
	struct row row;
	const struct type *type = p->declared.element.numbers[0].type;
	return row_find(&row, &p->op, type, type, false, false, ALGORITHM_BLELLOCH) && scanner_set_row(s, &row);
}

/* One scan. */
struct scan {
	struct scanner *s;
	const unsigned char *in;
	size_t count;
	unsigned char *out;
};

static size_t chunk_elements(const struct scan *scan, size_t index)
{
	const size_t left = scan->count - index * scan->s->chunk;
	return left < scan->s->chunk ? left : scan->s->chunk;
}

static bool begin_chunk(const struct scan *scan, size_t index)
{
	struct scanner *s = scan->s;
	const size_t channel = index % s->channel_count;
	s->works[channel] = (struct lane_work){
		.in = scan->in + index * s->chunk * s->row.element.size,
		.count = chunk_elements(scan, index),
		.index = index * s->chunk,
		.totals = s->states + channel * 2 * s->tiles * STATE_SIZE_MAX,
	};
	return s->engine->class->begin(s->engine, SWEEP_TOTALS, channel, &s->works[channel]) == STATUS_OK;
}

/* The host folds an operator of the table, the device a program. */
static bool fold(struct scanner *s, const void *totals, size_t tiles, void *prefixes, bool *has_carry)
{
	struct cursor_work work = {
		.call = CURSOR_FOLD, .cursor = &s->cursor, .in = totals, .count = tiles, .out = prefixes};
	if (s->row.op->program == NULL) {
		*has_carry = s->row.code->fold(&s->cursor, totals, tiles, prefixes);
		return true;
	}
	const enum status status = s->engine->class->run_cursor(s->engine, 0, &work);
	*has_carry = work.first_has_carry;
	return status == STATUS_OK;
}

static bool fold_chunk(const struct scan *scan, size_t index)
{
	struct scanner *s = scan->s;
	const size_t channel = index % s->channel_count;
	const size_t tiles = whole_tiles(chunk_elements(scan, index)) / GRID_TILE;
	struct lane_work *work = &s->works[channel];
	unsigned char *prefixes = (unsigned char *)work->totals + s->tiles * STATE_SIZE_MAX;
	if (s->engine->class->finish(s->engine, SWEEP_TOTALS, channel, NULL) != STATUS_OK ||
	    !fold(s, work->totals, tiles, prefixes, &work->first_has_carry))
		return false;
	work->carry_in = prefixes;
	work->out = scan->out + index * s->chunk * s->row.results.size;
	return s->engine->class->begin(s->engine, SWEEP_RESULTS, channel, work) == STATUS_OK;
}

/* Takes less than a tile of a program's elements into the cursor. */
static bool push(struct scanner *s, const void *in, size_t count, void *out)
{
	struct cursor_work work = {.call = CURSOR_PUSH, .cursor = &s->cursor, .in = in, .count = count, .out = out};
	return s->engine->class->run_cursor(s->engine, 0, &work) == STATUS_OK;
}

bool scanner_scan(struct scanner *s, const void *in, size_t count, void *out, struct span *spans)
{
	const struct scan scan = {.s = s, .in = in, .count = count, .out = out};
	struct span unread[STAGE_COUNT];
	const size_t chunks = (count + s->chunk - 1) / s->chunk;
	size_t begun = 0;
	size_t folded = 0;
	s->cursor = (union cursor){{0}};
	if (s->row.op->program != NULL && count < GRID_TILE)
		return push(s, in, count, out);
	for (size_t finished = 0; finished < chunks; finished++) {
		for (; begun < chunks && begun - finished < s->channel_count; begun++) {
			if (!begin_chunk(&scan, begun))
				return false;
		}
		for (; folded <= finished || folded + 1 < begun; folded++) {
			if (!fold_chunk(&scan, folded))
				return false;
		}
		const size_t channel = finished % s->channel_count;
		if (s->engine->class->finish(s->engine, SWEEP_RESULTS, channel, spans != NULL ? spans : unread) !=
		    STATUS_OK)
			return false;
		if (s->works[channel].first_bad != SIZE_MAX) {
			(void)fprintf(stderr, "a result of %s does not fit\n", s->row.op->name);
			return false;
		}
	}
	return true;
}
