/* Conversion goes tile by tile into a buffer that stays in the first-level cache, if elements are single numbers. */
#include "scan/host.h"

#include <stdint.h>

#include "number/convert.h"

/* A tile in the accumulator's type. i128 is never converted to. */
struct converted {
	_Alignas(64) unsigned char elements[INPUTS_MAX * GRID_TILE * sizeof(uint64_t)];
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns the index of the first element that does not fit, or SIZE_MAX. */
static size_t convert_elements(const struct row *row, convert_function *convert, const void *elements, size_t count,
			       struct converted *tile)
{
	const size_t unfit = convert(elements, count * row->inputs, tile->elements);
	return unfit == SIZE_MAX ? SIZE_MAX : unfit / row->inputs;
}

void host_scan_totals(const struct row *row, const void *in, size_t count, void *totals)
{
	const struct tile_code *code = row->tiles;
	convert_function *convert = convert_find(row->in, row->acc);
	if (convert == NULL) {
		code->totals(in, count, row->parameter, totals);
		return;
	}
	struct converted tile;
	const unsigned char *elements = in;
	unsigned char *total = totals;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		(void)convert_elements(row, convert, elements + first * row_element_size(row), length, &tile);
		code->totals(tile.elements, length, row->parameter, total);
		total += row->code->state_size;
	}
}

/* The first element of a piece that does not fit, where its conversion found one and its scan another. */
static size_t first_bad(const struct row *row, size_t converted, size_t scanned)
{
	return row->checked ? least(converted, scanned) : scanned;
}

size_t host_scan_results(const struct row *row, const void *in, size_t count, const void *carry_in,
			 bool first_has_carry, void *out)
{
	const struct tile_code *code = row->tiles;
	convert_function *convert = convert_find(row->in, row->acc);
	if (convert == NULL)
		return code->results(in, count, row->parameter, carry_in, first_has_carry, out);
	struct converted tile;
	const unsigned char *elements = in;
	const unsigned char *carry = carry_in;
	unsigned char *results = out;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		const size_t unfit =
			convert_elements(row, convert, elements + first * row_element_size(row), length, &tile);
		const size_t here = first_bad(row, unfit,
					      code->results(tile.elements, length, row->parameter, carry,
							    first > 0 || first_has_carry, results));
		if (here != SIZE_MAX)
			bad = least(bad, first + here);
		carry += row->code->state_size;
		results += GRID_TILE * row->out->size;
	}
	return bad;
}

size_t host_scan_push(const struct row *row, void *cursor, const void *in, size_t count, void *out)
{
	convert_function *convert = convert_find(row->in, row->acc);
	struct converted tile;
	const unsigned char *elements = in;
	unsigned char *results = out;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		const void *piece = elements + first * row_element_size(row);
		size_t unfit = SIZE_MAX;
		if (convert != NULL) {
			unfit = convert_elements(row, convert, piece, length, &tile);
			piece = tile.elements;
		}
		const size_t here =
			first_bad(row, unfit, row->code->push(cursor, piece, length, row->parameter, results));
		if (here != SIZE_MAX)
			bad = least(bad, first + here);
		results += GRID_TILE * row->out->size;
	}
	return bad;
}
