/* The host scans the flight's tiles again, from the carry-ins that it folded, and compares bytes: the grid promises the same
 * bits. Totals are compared too, because those carry-ins and the cursor are made of them. */
#include "stream/conductor_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scan/host.h"

/* What the host makes of a flight's tiles: in c->expected, each part aligned. */
struct expected {
	unsigned char *totals, *results;
	size_t first_bad;
};

static size_t aligned(size_t size)
{
	return (size + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
}

static enum status expect(struct conductor *c, const struct flight *f, struct expected *e)
{
	const unsigned char *in = f->slot->elements + f->head * c->row.in->size;
	const size_t count = f->tiles * GRID_TILE;
	c->expected.size = 0;
	if (bytes_reserve(&c->expected, aligned(f->tiles * STATE_SIZE_MAX) + count * c->row.out->size) != STATUS_OK)
		return STATUS_SYSTEM;
	e->totals = c->expected.data;
	e->results = e->totals + aligned(f->tiles * STATE_SIZE_MAX);
	host_scan_totals(&c->row, in, count, e->totals);
	e->first_bad = host_scan_results(&c->row, in, count, f->slot->carry_ins, f->has_carry, e->results);
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

/* Whether a state is a NaN of a float sum or product: which one it is, only results promise. */
static bool is_nan(const struct row *row, const unsigned char *state)
{
	union value value;
	if (row->acc->kind != KIND_FLOAT || row->op->in_order == 0)
		return false;
	memcpy(&value, state, row->acc->size);
	return row->acc->id == TYPE_F32 ? isnan(value.f32) : isnan(value.f64);
}

/* The first tile whose totals differ, or count. */
static size_t first_different_total(const struct row *row, const unsigned char *a, const unsigned char *b, size_t count)
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
	const size_t size = c->row.out->size;
	struct expected e;
	char file[MESSAGE_NAME_SIZE];
	if (expect(c, f, &e) != STATUS_OK)
		return STATUS_SYSTEM;
	/* After an element that does not fit nothing is given. */
	const size_t bad = first_bad < e.first_bad ? first_bad : e.first_bad;
	const size_t end = bad < f->tiles * GRID_TILE ? bad : f->tiles * GRID_TILE;
	const char *what = "result";
	size_t different = first_difference(s->results + f->head * size, e.results, end, size);
	if (different == end)
		different = first_bad == e.first_bad ? SIZE_MAX : bad;
	const size_t tile = first_different_total(&c->row, s->totals, e.totals, f->tiles);
	if (different == SIZE_MAX && tile < f->tiles) {
		different = tile * GRID_TILE;
		what = "total of the tile";
	}
	if (different == SIZE_MAX)
		return STATUS_OK;
	const uint64_t number = c->element_base + f->head + different + 1;
	char text[96];
	(void)snprintf(text, sizeof text, "element %" PRIu64 ": the %s is not the host's (--verify)", number, what);
	message_name(file, s->file_name);
	if (c->named)
		message_error("device %s: %s: %s", c->engine->device, file, text);
	else
		message_warning("device %s: %s: %s; going on on the host", c->engine->device, file, text);
	return STATUS_DEVICE;
}
