/* Conversion goes tile by tile into a buffer that stays in the first-level cache. */
#include "scan/host.h"

#include <stdint.h>

#include "number/convert.h"

/* A tile in the accumulator's type. i128 is never converted to. */
struct converted {
	_Alignas(64) unsigned char elements[GRID_TILE * sizeof(uint64_t)];
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

void host_scan_totals(const struct row *row, const void *in, size_t count, void *totals)
{
	const struct row_code *code = row->code;
	convert_function *convert = convert_find(row->in, row->acc);
	if (convert == NULL) {
		code->totals(in, count, totals);
		return;
	}
	struct converted tile;
	const unsigned char *elements = in;
	unsigned char *total = totals;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		(void)convert(elements + first * row->in->size, length, tile.elements);
		code->totals(tile.elements, length, total);
		total += code->state_size;
	}
}

size_t host_scan_results(const struct row *row, const void *in, size_t count, const void *carry_in,
			 bool first_has_carry, void *out)
{
	const struct row_code *code = row->code;
	convert_function *convert = convert_find(row->in, row->acc);
	if (convert == NULL)
		return code->results(in, count, carry_in, first_has_carry, out);
	struct converted tile;
	const unsigned char *elements = in;
	const unsigned char *carry = carry_in;
	unsigned char *results = out;
	size_t bad = SIZE_MAX;
	struct carry last; /* of a sequential scan, which gets one carry-in for all */
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		size_t here = convert(elements + first * row->in->size, length, tile.elements);
		if (!row->checked)
			here = SIZE_MAX;
		here = least(here, code->results(tile.elements, length, carry, first > 0 || first_has_carry, results));
		if (here != SIZE_MAX)
			bad = least(bad, first + here);
		if (row->algorithm == ALGORITHM_SEQUENTIAL) {
			code->seed(results + (length - 1) * row->acc->size, &last);
			carry = last.as.state;
		} else {
			carry += code->state_size;
		}
		results += GRID_TILE * row->acc->size;
	}
	return bad;
}
