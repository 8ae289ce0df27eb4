/* States are combined a run at a time, in buffers of bytes: only the row's functions know the type of a state. */
#include "rows/hillis.h"

#include <stdint.h>
#include <string.h>

#include "base/least.h"

#define RUNS (GRID_TILE / GRID_RUN)

/* States of the elements of a run and one before them, or of the runs of a tile. */
struct run_states {
	_Alignas(max_align_t) unsigned char bytes[(GRID_RUN + 1) * STATE_SIZE_MAX];
};
struct tile_states {
	_Alignas(max_align_t) unsigned char bytes[RUNS * STATE_SIZE_MAX];
};

/* A scan, of elements that are counted from in. variant: a sum of rows' variants. */
struct pass {
	const struct hillis_row *row;
	unsigned variant;
	const unsigned char *in;
	double parameter;
	unsigned char *out;
};

/* Writes the results of elements of one run. base: the state before the run, or NULL. prefix: the state before these
 * elements in the run, unless they are its first ones; it becomes the state with them. Returns the index of the first
 * result that does not fit, or SIZE_MAX. */
static size_t write_results(const struct pass *p, size_t first, size_t count, const void *base, void *prefix,
			    bool has_prefix)
{
	const struct hillis_row *row = p->row;
	const size_t size = row->state_size;
	const unsigned char *elements = p->in + first * row->element_size;
	struct run_states x;
	struct run_states results; /* after the one before */
	unsigned char *own = results.bytes + size;
	const bool has_before = base != NULL || has_prefix;
	row->lift(elements, count, p->parameter, x.bytes);
	memcpy(own, x.bytes, count * size);
	if (has_prefix) {
		memcpy(results.bytes, prefix, size);
		row->combine(prefix, true, own, 1);
		if (base != NULL)
			row->combine(base, true, results.bytes, 1);
	} else if (base != NULL) {
		memcpy(results.bytes, base, size);
	}
	row->scan(own, count);
	memcpy(prefix, own + (count - 1) * size, size);
	if (base != NULL)
		row->combine(base, true, own, count);
	/* The first element may have nothing before it: its result is itself, and exact. */
	const size_t skipped = has_before ? 0 : 1;
	const unsigned char *given = (p->variant & ROW_EXCLUSIVE) != 0 ? results.bytes : own;
	if (!has_before)
		memcpy(results.bytes, own, size);
	row->emit(given, elements, count, p->parameter, p->out + first * row->result_size);
	if ((p->variant & ROW_CHECKED) == 0)
		return SIZE_MAX;
	const size_t rest = count - skipped;
	const size_t bad =
		row->first_bad(results.bytes + skipped * size, x.bytes + skipped * size, given + skipped * size, rest);
	return bad < rest ? first + skipped + bad : SIZE_MAX;
}

/* The totals of runs become the prefixes with them: at distances 1, 2, 4, .. each takes in the one that far before
 * it. */
static void scan_runs(const struct hillis_row *row, size_t run_count, unsigned char *totals)
{
	for (size_t d = 1; d < run_count; d *= 2)
		row->combine(totals, false, totals + d * row->state_size, run_count - d);
}

/* The prefixes of a tile's runs. Returns how many runs there are. */
static size_t make_prefixes(const struct pass *p, size_t first, size_t count, struct tile_states *prefixes)
{
	const struct hillis_row *row = p->row;
	const size_t run_count = (count + GRID_RUN - 1) / GRID_RUN;
	for (size_t r = 0; r < run_count; r++) {
		struct run_states x;
		const size_t length = least(count - r * GRID_RUN, GRID_RUN);
		row->lift(p->in + (first + r * GRID_RUN) * row->element_size, length, p->parameter, x.bytes);
		row->scan(x.bytes, length);
		memcpy(prefixes->bytes + r * row->state_size, x.bytes + (length - 1) * row->state_size,
		       row->state_size);
	}
	scan_runs(row, run_count, prefixes->bytes);
	return run_count;
}

void hillis_totals(const struct hillis_row *row, const void *in, size_t count, double parameter, void *totals)
{
	const struct pass p = {.row = row, .in = in, .parameter = parameter};
	struct tile_states prefixes;
	unsigned char *total = totals;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t runs = make_prefixes(&p, first, least(count - first, GRID_TILE), &prefixes);
		memcpy(total, prefixes.bytes + (runs - 1) * row->state_size, row->state_size);
		total += row->state_size;
	}
}

/* The results of a tile's elements, after its carry-in, which may be NULL. */
static size_t tile_results(const struct pass *p, size_t first, size_t count, const void *carry_in)
{
	const struct hillis_row *row = p->row;
	struct tile_states prefixes;
	size_t bad = SIZE_MAX;
	const size_t runs = make_prefixes(p, first, count, &prefixes);
	if (carry_in != NULL)
		row->combine(carry_in, true, prefixes.bytes, runs);
	for (size_t r = 0; r < runs; r++) {
		struct run_states prefix;
		const void *base = r > 0 ? prefixes.bytes + (r - 1) * row->state_size : carry_in;
		const size_t place = r * GRID_RUN;
		const size_t here =
			write_results(p, first + place, least(count - place, GRID_RUN), base, prefix.bytes, false);
		bad = least(bad, here);
	}
	return bad;
}

size_t hillis_results(const struct hillis_row *row, unsigned variant, const void *in, size_t count, double parameter,
		      const void *carry_in, bool first_has_carry, void *out)
{
	const struct pass p = {.row = row, .variant = variant, .in = in, .parameter = parameter, .out = out};
	const unsigned char *carry = carry_in;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const bool has_carry = first > 0 || first_has_carry;
		bad = least(bad, tile_results(&p, first, least(count - first, GRID_TILE), has_carry ? carry : NULL));
		carry += row->state_size;
	}
	return bad;
}

size_t hillis_segments(const struct hillis_row *row, unsigned variant, const void *in, size_t count, size_t length,
		       double parameter, void *out)
{
	const struct pass p = {.row = row, .variant = variant, .in = in, .parameter = parameter, .out = out};
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += length)
		bad = least(bad, tile_results(&p, first, length, NULL));
	return bad;
}

/* The carry-in of the tile that a cursor is in: its state at a tile's edge. */
static void carry_in_of(const struct hillis_row *row, unsigned char *cursor, void *state)
{
	struct cursor_head *head = (struct cursor_head *)(void *)cursor;
	const uint64_t count = head->count;
	head->count = 0;
	row->state(cursor, state);
	head->count = count;
}

/* The total of the tile's first run_count runs, at least 1. */
static void total_of(const struct hillis_row *row, const unsigned char *cursor, size_t run_count, void *total)
{
	struct tile_states totals;
	memcpy(totals.bytes, cursor + row->node, run_count * row->state_size);
	scan_runs(row, run_count, totals.bytes);
	memcpy(total, totals.bytes + (run_count - 1) * row->state_size, row->state_size);
}

static void begin_run(const struct hillis_row *row, unsigned char *cursor, size_t run)
{
	struct cursor_head *head = (struct cursor_head *)(void *)cursor;
	unsigned char *base = cursor + row->base;
	struct run_states carry_in;
	head->has_base = head->has_carry != 0 || run > 0;
	if (run > 0)
		total_of(row, cursor, run, base);
	if (head->has_carry == 0)
		return;
	carry_in_of(row, cursor, carry_in.bytes);
	if (run > 0)
		row->combine(carry_in.bytes, true, base, 1);
	else
		memcpy(base, carry_in.bytes, row->state_size);
}

static void end_run(const struct hillis_row *row, unsigned char *cursor, size_t run)
{
	struct cursor_head *head = (struct cursor_head *)(void *)cursor;
	const uint64_t count = head->count;
	struct run_states total;
	struct run_states prefix;
	memcpy(cursor + row->node + run * row->state_size, cursor + row->local_prefix, row->state_size);
	if (run < RUNS - 1)
		return;
	total_of(row, cursor, RUNS, total.bytes);
	(void)row->fold(cursor, total.bytes, 1, prefix.bytes);
	head->count = count;
}

size_t hillis_push(const struct hillis_row *row, unsigned variant, void *cursor, const void *in, size_t count,
		   double parameter, void *out)
{
	const struct pass p = {.row = row, .variant = variant, .in = in, .parameter = parameter, .out = out};
	struct cursor_head *head = cursor;
	unsigned char *bytes = cursor;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count;) {
		const size_t run = (size_t)(head->count % GRID_TILE) / GRID_RUN;
		const size_t place = (size_t)(head->count % GRID_RUN);
		const size_t here = least(count - first, GRID_RUN - place);
		if (place == 0)
			begin_run(row, bytes, run);
		const void *base = head->has_base != 0 ? bytes + row->base : NULL;
		bad = least(bad, write_results(&p, first, here, base, bytes + row->local_prefix, place > 0));
		head->count += here;
		first += here;
		if (head->count % GRID_RUN == 0)
			end_run(row, bytes, run);
	}
	return bad;
}
