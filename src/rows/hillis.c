/* A run is pushed into a cursor of Blelloch's tree that is at the same place of run 1, or of run 0 if nothing of the
 * tile comes before the run: its only node, that of run 0, is the combination of the tile's runs before. */
#include "rows/hillis.h"

#include <stdint.h>
#include <string.h>

#include "base/least.h"

#define RUNS (GRID_TILE / GRID_RUN)

/* States of the runs of a tile. */
struct tile_states {
	_Alignas(max_align_t) unsigned char bytes[RUNS * STATE_SIZE_MAX];
};

/* The totals of runs become the prefixes with them: at distances 1, 2, 4, .. each takes in the one that far before
 * it. */
static void scan_runs(const struct hillis_row *row, size_t run_count, unsigned char *totals)
{
	for (size_t d = 1; d < run_count; d *= 2)
		row->combine(totals, totals + d * row->state_size, run_count - d);
}

/* Sets prefixes to those of a tile's runs. Returns how many runs there are. */
static size_t make_prefixes(const struct hillis_row *row, const unsigned char *in, size_t count, double parameter,
			    struct tile_states *prefixes)
{
	const size_t run_count = (count + GRID_RUN - 1) / GRID_RUN;
	for (size_t r = 0; r < run_count; r++)
		row->run_total(in + r * GRID_RUN * row->element_size, least(count - r * GRID_RUN, GRID_RUN), parameter,
			       prefixes->bytes + r * row->state_size);
	scan_runs(row, run_count, prefixes->bytes);
	return run_count;
}

void hillis_totals(const struct hillis_row *row, const void *in, size_t count, double parameter, void *totals)
{
	struct tile_states prefixes;
	unsigned char *total = totals;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const unsigned char *elements = (const unsigned char *)in + first * row->element_size;
		const size_t runs = make_prefixes(row, elements, least(count - first, GRID_TILE), parameter, &prefixes);
		memcpy(total, prefixes.bytes + (runs - 1) * row->state_size, row->state_size);
		total += row->state_size;
	}
}

/* The results of a tile's elements, after its carry-in, which may be NULL. Returns the index of the first one that does
 * not fit, or SIZE_MAX. */
static size_t tile_results(const struct hillis_row *row, hillis_push_run *push, const unsigned char *in, size_t count,
			   double parameter, const void *carry_in, unsigned char *out)
{
	const size_t size = row->state_size;
	struct tile_states prefixes;
	size_t bad = SIZE_MAX;
	const size_t runs = make_prefixes(row, in, count, parameter, &prefixes);
	for (size_t r = 0; r < runs; r++) {
		union cursor cursor;
		const void *before = r > 0 ? prefixes.bytes + (r - 1) * size : carry_in;
		const struct cursor_head head = {.count = before != NULL ? GRID_RUN : 0};
		const size_t first = r * GRID_RUN;
		memcpy(cursor.bytes, &head, sizeof head);
		if (before != NULL)
			memcpy(cursor.bytes + row->node, before, size);
		if (r > 0 && carry_in != NULL)
			row->combine(carry_in, cursor.bytes + row->node, 1);
		const size_t here = push(&cursor, in + first * row->element_size, least(count - first, GRID_RUN),
					 parameter, out + first * row->result_size);
		bad = here != SIZE_MAX ? least(bad, first + here) : bad;
	}
	return bad;
}

size_t hillis_results(const struct hillis_row *row, hillis_push_run *push, const void *in, size_t count,
		      double parameter, const void *carry_in, bool first_has_carry, void *out)
{
	const unsigned char *elements = in;
	const unsigned char *carry = carry_in;
	unsigned char *results = out;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const bool has_carry = first > 0 || first_has_carry;
		const size_t here =
			tile_results(row, push, elements + first * row->element_size, least(count - first, GRID_TILE),
				     parameter, has_carry ? carry : NULL, results + first * row->result_size);
		bad = here != SIZE_MAX ? least(bad, first + here) : bad;
		carry += row->state_size;
	}
	return bad;
}

size_t hillis_segments(const struct hillis_row *row, hillis_push_run *push, const void *in, size_t count, size_t length,
		       double parameter, void *out)
{
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += length) {
		const size_t here =
			tile_results(row, push, (const unsigned char *)in + first * row->element_size, length,
				     parameter, NULL, (unsigned char *)out + first * row->result_size);
		bad = here != SIZE_MAX ? least(bad, first + here) : bad;
	}
	return bad;
}

/* Sets *total to the total of the tile's first run_count runs, at least 1. */
static void total_of(const struct hillis_row *row, const unsigned char *cursor, size_t run_count, void *total)
{
	struct tile_states totals;
	memcpy(totals.bytes, cursor + row->node, run_count * row->state_size);
	scan_runs(row, run_count, totals.bytes);
	memcpy(total, totals.bytes + (run_count - 1) * row->state_size, row->state_size);
}

size_t hillis_push(const struct hillis_row *row, hillis_push_run *push, void *cursor, const void *in, size_t count,
		   double parameter, void *out)
{
	unsigned char *bytes = cursor;
	struct cursor_head *head = cursor;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count;) {
		union cursor one;
		struct cursor_head *one_head = (struct cursor_head *)(void *)one.bytes;
		const uint64_t before = head->count;
		const size_t run = (size_t)(before % GRID_TILE) / GRID_RUN;
		const size_t here = least(count - first, GRID_RUN - (size_t)(before % GRID_RUN));
		memcpy(one.bytes, bytes, row->node);
		one_head->count = (run > 0 ? GRID_RUN : 0) + before % GRID_RUN;
		if (run > 0 && before % GRID_RUN == 0)
			total_of(row, bytes, run, one.bytes + row->node);
		const size_t unfit = push(&one, (const unsigned char *)in + first * row->element_size, here, parameter,
					  (unsigned char *)out + first * row->result_size);
		bad = unfit != SIZE_MAX ? least(bad, first + unfit) : bad;
		memcpy(bytes, one.bytes, row->node);
		if ((before + here) % GRID_RUN == 0)
			memcpy(bytes + row->node + run * row->state_size, bytes + row->local_prefix, row->state_size);
		if ((before + here) % GRID_TILE == 0) {
			total_of(row, bytes, RUNS, one.bytes + row->node);
			(void)row->fold(cursor, one.bytes + row->node, 1, one.bytes);
		}
		head->count = before + here;
		first += here;
	}
	return bad;
}
