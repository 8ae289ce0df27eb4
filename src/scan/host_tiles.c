/* Elements are converted tile by tile, into a buffer that stays in the first-level cache if elements are single
 * numbers. Only scan_converted has that buffer: a scan without conversion does not need that much stack. */
#include "scan/host_tiles.h"

#include <assert.h>
#include <stdint.h>

#include "base/least.h"
#include "number/convert.h"

/* The most numbers that an element of the library's operators has. */
#define LIBRARY_INPUTS_MAX 2

/* A tile in the accumulator's type, and in its code's. i128 is never converted to. */
struct converted {
	_Alignas(64) unsigned char accumulated[GRID_TILE * sizeof(uint32_t)];
	_Alignas(64) unsigned char elements[LIBRARY_INPUTS_MAX * GRID_TILE * sizeof(uint64_t)];
};

static bool is_converted(const struct row *row)
{
	return row->in != row->acc || row->code_type != NULL;
}

/* Returns the index of the first element that does not fit in the accumulator, or SIZE_MAX. */
static size_t convert_elements(const struct row *row, const void *elements, size_t count, struct converted *tile)
{
	convert_function *to_acc = convert_find(row->in, row->acc);
	convert_function *to_code = row->code_type != NULL ? convert_find(row->acc, row->code_type) : NULL;
	size_t unfit = SIZE_MAX;
	assert(row->element.count <= (to_code == NULL ? LIBRARY_INPUTS_MAX : 1));
	if (to_acc != NULL) {
		unsigned char *accumulated = to_code == NULL ? tile->elements : tile->accumulated;
		unfit = to_acc(elements, count * row->element.count, accumulated);
		elements = accumulated;
	}
	if (to_code != NULL)
		(void)to_code(elements, count, tile->elements);
	return unfit == SIZE_MAX ? SIZE_MAX : unfit / row->element.count;
}

/* The first element of a piece that does not fit, where its conversion found one and its scan another. */
static size_t first_bad(const struct row *row, size_t converted, size_t scanned)
{
	if (!row->overflow_checked)
		scanned = SIZE_MAX;
	return row->checked ? least(converted, scanned) : scanned;
}

/* A call whose elements are converted first. */
struct converted_call {
	enum { TOTALS, RESULTS, SEGMENTS, PUSH } kind;
	size_t length; /* of the elements that are converted at once */
	const unsigned char *carry_in; /* RESULTS */
	bool first_has_carry;
	size_t segment; /* SEGMENTS: elements of a segment */
	void *cursor; /* PUSH */
	unsigned char *out;
};

/* Scans count converted elements, of which the first one is element `first` of the call. */
static size_t scan_piece(const struct row *row, const struct converted_call *c, const void *in, size_t first,
			 size_t count)
{
	const size_t states = first / GRID_TILE * row->code->state_size;
	unsigned char *results = c->out + first * row->results.size;
	switch (c->kind) {
	case RESULTS:
		return row->tiles->results(in, count, row->parameter, c->carry_in + states,
					   first > 0 || c->first_has_carry, results);
	case SEGMENTS:
		return row->tiles->segments(in, count, c->segment, row->parameter, results);
	case PUSH:
		return row->code->push(c->cursor, in, count, row->parameter, results);
	case TOTALS:
		break;
	}
	row->tiles->totals(in, count, row->parameter, c->out + states);
	return SIZE_MAX;
}

static __attribute__((noinline)) size_t scan_converted(const struct row *row, const struct converted_call *c,
						       const unsigned char *elements, size_t count)
{
	struct converted tile;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += c->length) {
		const size_t length = least(count - first, c->length);
		const size_t unfit = convert_elements(row, elements + first * row->element.size, length, &tile);
		const size_t here = first_bad(row, unfit, scan_piece(row, c, tile.elements, first, length));
		if (here != SIZE_MAX)
			bad = least(bad, first + here);
	}
	return bad;
}

void host_scan_totals(const struct row *row, const void *in, size_t count, void *totals)
{
	const struct converted_call call = {.kind = TOTALS, .length = GRID_TILE, .out = totals};
	if (is_converted(row))
		(void)scan_converted(row, &call, in, count);
	else
		row->tiles->totals(in, count, row->parameter, totals);
}

size_t host_scan_results(const struct row *row, const void *in, size_t count, const void *carry_in,
			 bool first_has_carry, void *out)
{
	const struct converted_call call = {.kind = RESULTS,
					    .length = GRID_TILE,
					    .carry_in = carry_in,
					    .first_has_carry = first_has_carry,
					    .out = out};
	if (is_converted(row))
		return scan_converted(row, &call, in, count);
	return first_bad(row, SIZE_MAX, row->tiles->results(in, count, row->parameter, carry_in, first_has_carry, out));
}

size_t host_scan_segments(const struct row *row, const void *in, size_t count, size_t length, void *out)
{
	const struct converted_call call = {
		.kind = SEGMENTS, .length = GRID_TILE / length * length, .segment = length, .out = out};
	if (is_converted(row))
		return scan_converted(row, &call, in, count);
	return first_bad(row, SIZE_MAX, row->tiles->segments(in, count, length, row->parameter, out));
}

size_t host_scan_short_segments(const struct row *row, const void *in, const uint32_t *begun, size_t count, void *out)
{
	if (row->short_segments == NULL || is_converted(row))
		return 0;
	return row->short_segments(in, begun, count, row->parameter, out);
}

size_t host_scan_push(const struct row *row, void *cursor, const void *in, size_t count, void *out)
{
	const struct converted_call call = {.kind = PUSH, .length = GRID_TILE, .cursor = cursor, .out = out};
	if (is_converted(row))
		return scan_converted(row, &call, in, count);
	return first_bad(row, SIZE_MAX, row->code->push(cursor, in, count, row->parameter, out));
}

/* How many elements more end the tile that a cursor is in. */
static size_t left_of_tile(const struct row *row, const void *cursor)
{
	const uint64_t before = row->code->tiles.results != NULL ? cursor_head_of(cursor).count : 0;
	return (size_t)(GRID_TILE - before % GRID_TILE) % GRID_TILE;
}

size_t host_scan_push_tiles(const struct row *row, void *cursor, const void *in, size_t count, void *states, void *out)
{
	const unsigned char *elements = in;
	unsigned char *results = out;
	const size_t head = least(left_of_tile(row, cursor), count);
	const size_t tiles = (count - head) / GRID_TILE;
	const size_t end = head + tiles * GRID_TILE;
	unsigned char *prefixes = (unsigned char *)states + tiles * row->code->state_size;
	size_t bad = host_scan_push(row, cursor, elements, head, results);
	if (tiles > 0) {
		const unsigned char *first = elements + head * row->element.size;
		host_scan_totals(row, first, end - head, states);
		const bool has_carry = row->code->fold(cursor, states, tiles, prefixes);
		const size_t here = host_scan_results(row, first, end - head, prefixes, has_carry,
						      results + head * row->results.size);
		bad = here != SIZE_MAX ? least(bad, head + here) : bad;
	}
	const size_t here = host_scan_push(row, cursor, elements + end * row->element.size, count - end,
					   results + end * row->results.size);
	return here != SIZE_MAX ? least(bad, end + here) : bad;
}
