/* Many short segments that are scanned in one call get the bits that each segment's own cursor gives, for every
 * operator, type and algorithm. The call stops before a segment that is too long, has a result that does not fit, or
 * may continue. */
#include <string.h>

#include "scan/host_tiles.h"

#include "check.h"
#include "random.h"

#define ELEMENTS 400
#define FACTOR 0.25

static unsigned char elements[2 * ELEMENTS * sizeof(union value)];
static unsigned char results[2][ELEMENTS * sizeof(union value)];
static uint32_t begun[ELEMENTS];

/* Any bits, or small numbers, or such with few that do not fit together. */
static void fill(const struct type *t, unsigned kind, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		union value v = {.i128 = {.lo = random_below(4)}};
		if (kind == 0 || (kind == 2 && random_below(40) == 0))
			v.i128.lo = random_u64();
		if (kind == 2 && random_below(60) == 0)
			memset(&v, 0x7f, sizeof v);
		if (t->kind == KIND_FLOAT && kind != 0) {
			const double x = ((double)random_below(2000) - 1000.0) / 7.0;
			if (t->id == TYPE_F32)
				v.f32 = (float)x;
			else
				v.f64 = x;
		}
		memcpy(elements + i * t->size, &v, t->size);
	}
}

/* The lengths are at most this one, and one more now and then. */
static void divide(unsigned length_max)
{
	uint32_t number = random_below(3);
	for (size_t i = 0, left = 0; i < ELEMENTS; i++, left--) {
		if (left == 0) {
			left = 1 + random_below(length_max) + (random_below(20) == 0);
			number += 1 + random_below(2);
		}
		begun[i] = number;
	}
}

/* The same by cursors: how many elements are to be taken. */
static size_t scan_singly(const struct row *row)
{
	for (size_t first = 0, end; first < ELEMENTS; first = end) {
		union cursor cursor = {{0}};
		for (end = first; end < ELEMENTS && begun[end] == begun[first];)
			end++;
		if (end == ELEMENTS || end - first > GRID_RUN)
			return first;
		if (host_scan_push(row, &cursor, elements + first * row->element.size, end - first,
				   results[1] + first * row->results.size) != SIZE_MAX)
			return first;
	}
	return ELEMENTS;
}

static void check_row(const struct row *row)
{
	static const unsigned lengths[] = {1, 3, 5, GRID_RUN};
	const char *name = row->op->name;
	for (unsigned i = 0; i < 12; i++) {
		fill(row->in, i % 3, ELEMENTS * row->element.count);
		divide(lengths[i % 4]);
		const size_t taken = host_scan_short_segments(row, elements, begun, ELEMENTS, results[0]);
		const size_t wanted = scan_singly(row);
		EXPECT(taken == wanted, "%s %s: %zu taken, not %zu", name, row->in->name, taken, wanted);
		EXPECT(taken != wanted || memcmp(results[0], results[1], taken * row->results.size) == 0,
		       "%s %s: segments of up to %u", name, row->in->name, lengths[i % 4]);
	}
}

/* All rows of an algorithm. */
static void check_rows(enum algorithm algorithm, bool checked)
{
	for (int op = 0; op < OPERATOR_ID_COUNT; op++) {
		for (int id = 0; id < TYPE_COUNT; id++) {
			const struct type *t = &type_table[id];
			struct row row;
			if (!row_find(&row, &operator_table[op], t, t, checked, false, algorithm))
				continue;
			EXPECT((row.short_segments == NULL) == (row.code_type != NULL), "%s %s", row.op->name, t->name);
			if (row.short_segments == NULL)
				continue;
			row.parameter = row.op->parameter == PARAMETER_SCALE ? 100.0 : FACTOR;
			check_row(&row);
		}
	}
}

static void check_others(void)
{
	static const uint32_t two[] = {0, 0, 1};
	static const int32_t in[] = {1, 2, 3};
	int64_t out[3];
	struct row row;
	EXPECT(row_find(&row, &operator_table[OPERATOR_SUM], &type_table[TYPE_I32], &type_table[TYPE_I64], true, false,
			ALGORITHM_BLELLOCH),
	       "a sum of i32 in i64");
	EXPECT(host_scan_short_segments(&row, in, two, 3, out) == 0, "elements that are converted");
	EXPECT(row_find(&row, &operator_table[OPERATOR_SUM], &type_table[TYPE_I64], &type_table[TYPE_I64], true, false,
			ALGORITHM_BLELLOCH),
	       "a sum of i64");
	EXPECT(host_scan_short_segments(&row, in, two, 0, out) == 0, "no elements");
}

int main(void)
{
	static const char *const names[ALGORITHM_COUNT] = {[ALGORITHM_BLELLOCH] = "Blelloch's",
							   [ALGORITHM_HILLIS_STEELE] = "Hillis and Steele's",
							   [ALGORITHM_SEQUENTIAL] = "the sequential"};
	for (int a = 0; a < ALGORITHM_COUNT; a++) {
		check_rows((enum algorithm)a, false);
		check_rows((enum algorithm)a, true);
		check_promise("short segments have the bits of %s scan of each", names[a]);
	}
	check_others();
	check_promise("elements that are converted are not taken, nor those that there are not");
	return check_done();
}
