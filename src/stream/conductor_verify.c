/* The host scans the flight's elements again, from the carry before it, and compares bytes: the grid promises the same
 * bits. Totals are compared too, because the carry of all later chunks is made of them. */
#include "stream/conductor_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scan/host.h"

/* What the host makes of a flight: in c->expected, each part aligned. */
struct expected {
	unsigned char *totals, *carry_ins, *results;
	size_t first_bad;
};

static size_t aligned(size_t size)
{
	return (size + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
}

static enum status expect(struct conductor *c, const struct flight *f, struct expected *e)
{
	const struct slot *s = f->slot;
	const struct row_code *code = c->row.code;
	const size_t tiles = (f->elements + GRID_TILE - 1) / GRID_TILE;
	const size_t states = aligned(tiles * STATE_SIZE_MAX);
	struct carry carry = f->carry_before;
	c->expected.size = 0;
	if (bytes_reserve(&c->expected, 2 * states + f->elements * c->row.acc->size) != STATUS_OK)
		return STATUS_SYSTEM;
	e->totals = c->expected.data;
	e->carry_ins = e->totals + states;
	e->results = e->carry_ins + states;
	host_scan_totals(&c->row, s->elements, f->elements, e->totals);
	code->fold(e->totals, tiles, &carry, e->carry_ins);
	e->first_bad =
		host_scan_results(&c->row, s->elements, f->elements, e->carry_ins, f->carry_before.present, e->results);
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

/* Whether a state is a NaN of a float row: which one it is, only results promise. */
static bool is_nan(const struct row *row, const unsigned char *state)
{
	union value value;
	/* The states of maxima and minima are no floats but keys (operators.h). */
	const bool adds = row->op->id == OPERATOR_SUM || row->op->id == OPERATOR_PROD;
	if (!adds || row->acc->kind != KIND_FLOAT || row->code->state_size != row->acc->size)
		return false;
	memcpy(&value, state, row->acc->size);
	return row->acc->id == TYPE_F32 ? isnan(value.f32) : isnan(value.f64);
}

/* The first tile whose totals differ, or count. */
static size_t first_other_total(const struct row *row, const unsigned char *a, const unsigned char *b, size_t count)
{
	const size_t size = row->code->state_size;
	size_t k = 0;
	while (k < count) {
		k += first_difference(a + k * size, b + k * size, count - k, size);
		if (k < count && !(is_nan(row, a + k * size) && is_nan(row, b + k * size)))
			break;
		k += k < count;
	}
	return k;
}

enum status conductor_verify(struct conductor *c, const struct flight *f, size_t first_bad)
{
	const struct slot *s = f->slot;
	const size_t size = c->row.acc->size;
	const size_t tiles = (f->elements + GRID_TILE - 1) / GRID_TILE;
	struct expected e;
	char file[MESSAGE_NAME_SIZE];
	if (expect(c, f, &e) != STATUS_OK)
		return STATUS_SYSTEM;
	/* Those of the head were given by the chunk before; after one that does not fit nothing is. */
	const size_t bad = first_bad < e.first_bad ? first_bad : e.first_bad;
	const size_t end = bad < f->elements ? bad : f->elements;
	size_t different = SIZE_MAX;
	const char *what = "result";
	if (s->head < end)
		different = s->head + first_difference(s->results + s->head * size, e.results + s->head * size,
						       end - s->head, size);
	if (different >= end)
		different = first_bad == e.first_bad ? SIZE_MAX : bad;
	const size_t tile = first_other_total(&c->row, s->totals, e.totals, tiles);
	if (different == SIZE_MAX && tile < tiles) {
		different = tile * GRID_TILE > s->head ? tile * GRID_TILE : s->head;
		what = "total of the tile";
	}
	if (different == SIZE_MAX)
		return STATUS_OK;
	const uint64_t number = c->element_base + (different > s->head ? different - s->head : 0) + 1;
	char text[96];
	(void)snprintf(text, sizeof text, "element %" PRIu64 ": the %s is not the host's (--verify)", number, what);
	message_name(file, s->file_name);
	if (c->named)
		message_error("device %s: %s: %s", c->engine->device, file, text);
	else
		message_warning("device %s: %s: %s; going on on the host", c->engine->device, file, text);
	return STATUS_DEVICE;
}
