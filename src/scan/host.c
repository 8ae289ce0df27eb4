/* Conversion goes tile by tile into a buffer that stays in the first-level cache, if elements are single numbers. It is in functions of
 * its own, as so much stack is not for nothing. */
#include "scan/host.h"

#include <assert.h>
#include <stdint.h>

#include "number/convert.h"

/* The most numbers that an element of the library's operators has. */
#define LIBRARY_INPUTS_MAX 2

/* A tile in the accumulator's type, and in its code's. i128 is never converted to. */
struct converted {
	_Alignas(64) unsigned char accumulated[GRID_TILE * sizeof(uint32_t)];
	_Alignas(64) unsigned char elements[LIBRARY_INPUTS_MAX * GRID_TILE * sizeof(uint64_t)];
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

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

static __attribute__((noinline)) void converted_totals(const struct row *row, const unsigned char *elements,
						       size_t count, unsigned char *totals)
{
	struct converted tile;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		(void)convert_elements(row, elements + first * row->element.size, length, &tile);
		row->tiles->totals(tile.elements, length, row->parameter, totals);
		totals += row->code->state_size;
	}
}

static __attribute__((noinline)) size_t converted_results(const struct row *row, const unsigned char *elements,
							  size_t count, const unsigned char *carry_in,
							  bool first_has_carry, unsigned char *results)
{
	struct converted tile;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		const size_t unfit = convert_elements(row, elements + first * row->element.size, length, &tile);
		const size_t here = first_bad(row, unfit,
					      row->tiles->results(tile.elements, length, row->parameter, carry_in,
								  first > 0 || first_has_carry, results));
		if (here != SIZE_MAX)
			bad = least(bad, first + here);
		carry_in += row->code->state_size;
		results += GRID_TILE * row->results.size;
	}
	return bad;
}

static __attribute__((noinline)) size_t converted_segments(const struct row *row, const unsigned char *elements,
							   size_t count, size_t length, unsigned char *results)
{
	struct converted tile;
	const size_t whole = GRID_TILE / length * length;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += whole) {
		const size_t piece = least(count - first, whole);
		const size_t unfit = convert_elements(row, elements + first * row->element.size, piece, &tile);
		const size_t here = first_bad(row, unfit,
					      row->tiles->segments(tile.elements, piece, length, row->parameter,
								   results + first * row->results.size));
		if (here != SIZE_MAX)
			bad = least(bad, first + here);
	}
	return bad;
}

static __attribute__((noinline)) size_t converted_push(const struct row *row, void *cursor,
						       const unsigned char *elements, size_t count,
						       unsigned char *results)
{
	struct converted tile;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		const size_t unfit = convert_elements(row, elements + first * row->element.size, length, &tile);
		const size_t here =
			first_bad(row, unfit, row->code->push(cursor, tile.elements, length, row->parameter, results));
		if (here != SIZE_MAX)
			bad = least(bad, first + here);
		results += GRID_TILE * row->results.size;
	}
	return bad;
}

void host_scan_totals(const struct row *row, const void *in, size_t count, void *totals)
{
	if (is_converted(row))
		converted_totals(row, in, count, totals);
	else
		row->tiles->totals(in, count, row->parameter, totals);
}

size_t host_scan_results(const struct row *row, const void *in, size_t count, const void *carry_in,
			 bool first_has_carry, void *out)
{
	if (is_converted(row))
		return converted_results(row, in, count, carry_in, first_has_carry, out);
	return first_bad(row, SIZE_MAX, row->tiles->results(in, count, row->parameter, carry_in, first_has_carry, out));
}

size_t host_scan_segments(const struct row *row, const void *in, size_t count, size_t length, void *out)
{
	if (is_converted(row))
		return converted_segments(row, in, count, length, out);
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
	if (is_converted(row))
		return converted_push(row, cursor, in, count, out);
	return first_bad(row, SIZE_MAX, row->code->push(cursor, in, count, row->parameter, out));
}

size_t host_scan_push_tiles(const struct row *row, void *cursor, uint64_t before, const void *in, size_t count,
			    void *states, void *out)
{
	const unsigned char *elements = in;
	unsigned char *results = out;
	const bool has_grid = row->code->tiles.results != NULL;
	const size_t to_edge = has_grid ? (size_t)(GRID_TILE - before % GRID_TILE) % GRID_TILE : 0;
	const size_t head = least(to_edge, count);
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
