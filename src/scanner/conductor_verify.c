/* The host scans the flight's tiles again, from the carry-ins that it folded, and compares bytes: the grid promises
 * the same bits. Totals are compared too, because those carry-ins and the cursor are made of them. If the engine
 * folded, the host folds again and goes on with its own cursor: the engine's cursor shows in later results. */
#include "scanner/conductor_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scan/host_tiles.h"

/* What the host makes of a lane's tiles, in c->expected. */
struct expected {
	unsigned char *totals, *results;
	size_t first_bad;
};

static enum status expect(struct conductor *c, const struct row *row, const struct slot_lane *l,
			  const struct lane_work *work, struct expected *e)
{
	TRY(bytes_make(&c->expected, 1, work->count * row->results.size + l->tiles * STATE_SIZE_MAX));
	e->results = c->expected.data;
	e->totals = e->results + work->count * row->results.size; /* (Whole tiles, so that these are aligned, too.) */
	host_scan_totals(row, work->in, work->count, e->totals);
	e->first_bad = host_scan_results(row, work->in, work->count, l->carry_ins, l->has_carry, e->results);
	return STATUS_OK;
}

/* The index of the first of count items of size bytes that differ, or count. */
static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t count, size_t size)
{
	size_t i = 0;
	if (count == 0 || memcmp(a, b, count * size) == 0)
		return count;
	while (memcmp(a + i * size, b + i * size, size) == 0)
		i++;
	return i;
}

static bool is_nan(const unsigned char *word, size_t size)
{
	union value value;
	memcpy(&value, word, size);
	return size == sizeof value.f32 ? isnan(value.f32) : isnan(value.f64);
}

/* Whether two states differ only in NaN payloads. (Only results, not states, promise the same NaN bits.) */
static bool are_nans(const struct row *row, const unsigned char *a, const unsigned char *b)
{
	const bool is_computed =
		row->op->in_order != 0 || row->op->result == RESULT_FLOAT || row->op->types == TYPES_FLOAT;
	bool are = false;
	if (row->acc->kind != KIND_FLOAT || !is_computed)
		return false;
	for (size_t size = row->acc->size; size <= sizeof(double) && !are; size *= 2) {
		are = row->code->state_size % size == 0;
		for (size_t at = 0; are && at < row->code->state_size; at += size)
			are = memcmp(a + at, b + at, size) == 0 || (is_nan(a + at, size) && is_nan(b + at, size));
	}
	return are;
}

/* The first tile whose totals differ, or count. */
static size_t first_different_total(const struct row *row, const unsigned char *a, const unsigned char *b, size_t count)
{
	const size_t size = row->code->state_size;
	size_t k = 0;
	while (k < count) {
		k += first_difference(a + k * size, b + k * size, count - k, size);
		if (k < count && !are_nans(row, a + k * size, b + k * size))
			break;
		k += k < count;
	}
	return k;
}

/* Scans a lane's tiles again. */
static enum status verify_lane(struct conductor *c, const struct slot *s, size_t lane)
{
	const struct row *row = &c->lanes[lane].row;
	const struct slot_lane *l = &s->lanes[lane];
	const struct lane_work *work = &s->works[lane];
	const size_t size = row->results.size;
	struct expected e;
	TRY(expect(c, row, l, work, &e));
	/* Results after the first misfit are not compared. */
	const size_t bad = work->first_bad < e.first_bad ? work->first_bad : e.first_bad;
	const size_t end = bad < work->count ? bad : work->count;
	const char *what = "result";
	size_t different = first_difference(work->out, e.results, end, size);
	if (different == end)
		different = work->first_bad == e.first_bad ? SIZE_MAX : bad;
	const size_t tile = first_different_total(row, l->totals, e.totals, l->tiles);
	if (different == SIZE_MAX && tile < l->tiles) {
		different = tile * GRID_TILE;
		what = "total of the tile";
	}
	if (different == SIZE_MAX)
		return STATUS_OK;
	const uint64_t number = c->lanes[lane].element_base + l->head + different + 1;
	char text[96];
	(void)snprintf(text, sizeof text, "element %" PRIu64 ": the %s is not the host's (--verify)", number, what);
	const char *file = message_shown(s->in.file_name);
	if (c->named)
		message_error("device %s: %s: %s", c->engine->device, file, text);
	else
		message_warning("device %s: %s: %s; the host goes on", c->engine->device, file, text);
	return STATUS_DEVICE;
}

enum status conductor_verify(struct conductor *c, struct flight *f)
{
	struct slot *s = f->slot;
	for (size_t i = 0; i < c->lane_count && f->is_away; i++) {
		host_scan_totals(&c->lanes[i].row, s->works[i].in, s->works[i].count, s->lanes[i].totals);
		TRY(conductor_fold_lane(c, s, i));
	}
	f->is_away = false;
	for (size_t i = 0; i < c->lane_count; i++) {
		if (s->lanes[i].tiles > 0)
			TRY(verify_lane(c, s, i));
	}
	return STATUS_OK;
}
