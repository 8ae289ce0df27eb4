#include "scan/hillis.h"

#include <stdint.h>
#include <string.h>

#define RUNS (GRID_TILE / GRID_RUN)

union any_state {
	unsigned char bytes[STATE_SIZE_MAX];
	max_align_t align;
};

/* A state for each run of a tile. */
struct nodes {
	_Alignas(max_align_t) unsigned char bytes[RUNS * STATE_SIZE_MAX];
};

/* How every cursor begins (kernels/cursor.h). */
struct __attribute__((may_alias)) cursor_head {
	uint64_t count;
	uint32_t has_carry;
	uint32_t has_base;
};

/* Elements and results, one after the other, with the result that the next one is compared with. */
struct place {
	const struct hillis_row *row;
	const unsigned char *in;
	unsigned char *out;
	double parameter;
	unsigned variant;
	union any_state before;
	bool has_before;
};

/* Writes the result of element i, which is x, and its prefix in its run, after base, if has_base. Returns whether it does not fit. */
static int write_result(struct place *p, size_t i, const union any_state *x, const union any_state *prefix,
			const unsigned char *base, bool has_base)
{
	const struct hillis_row *row = p->row;
	const bool gives_before = (p->variant & ROW_EXCLUSIVE) != 0 && p->has_before;
	union any_state result = *prefix;
	if (has_base)
		row->combine(base, prefix, &result);
	const union any_state *given = gives_before ? &p->before : &result;
	const int bad = (p->variant & ROW_CHECKED) != 0 && p->has_before && row->overflow(&p->before, x, given);
	row->emit(given, p->in + i * row->element_size, p->parameter, p->out + i * row->result_size);
	p->before = result;
	p->has_before = true;
	return bad;
}

/* The combination of the count elements from first on. */
static void run_total(const struct hillis_row *row, const unsigned char *in, size_t count, double parameter, void *total)
{
	union any_state x;
	row->lift(in, parameter, total);
	for (size_t i = 1; i < count; i++) {
		row->lift(in + i * row->element_size, parameter, &x);
		row->combine(total, &x, total);
	}
}

/* The totals of runs become the inclusive prefixes: at distances 1, 2, 4, .. each takes in the one that far before it. */
static void scan_nodes(const struct hillis_row *row, size_t run_count, unsigned char *node)
{
	const size_t size = row->state_size;
	for (size_t d = 1; d < run_count; d *= 2) {
		/* The last run first, so that those before it are still of the step before. */
		for (size_t r = run_count - 1; r >= d; r--)
			row->combine(node + (r - d) * size, node + r * size, node + r * size);
	}
}

/* The prefixes of a tile's runs. Returns how many runs there are. */
static size_t make_prefixes(const struct hillis_row *row, const unsigned char *in, size_t count, double parameter,
			    struct nodes *nodes)
{
	const size_t run_count = (count + GRID_RUN - 1) / GRID_RUN;
	for (size_t r = 0; r < run_count; r++) {
		const size_t left = count - r * GRID_RUN;
		run_total(row, in + r * GRID_RUN * row->element_size, left < GRID_RUN ? left : GRID_RUN, parameter,
			  nodes->bytes + r * row->state_size);
	}
	scan_nodes(row, run_count, nodes->bytes);
	return run_count;
}

void hillis_totals(const struct hillis_row *row, const void *in, size_t count, double parameter, void *totals)
{
	struct nodes nodes;
	unsigned char *total = totals;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t left = count - first;
		const size_t runs = make_prefixes(row, (const unsigned char *)in + first * row->element_size,
						  left < GRID_TILE ? left : GRID_TILE, parameter, &nodes);
		memcpy(total, nodes.bytes + (runs - 1) * row->state_size, row->state_size);
		total += row->state_size;
	}
}

/* The results of one run of a tile, after base, if has_base. Returns the first that does not fit, or SIZE_MAX. */
static size_t run_results(struct place *p, size_t first, size_t end, const unsigned char *base, bool has_base)
{
	const struct hillis_row *row = p->row;
	size_t bad = SIZE_MAX;
	union any_state x;
	union any_state prefix;
	p->has_before = has_base;
	if (has_base)
		memcpy(&p->before, base, row->state_size);
	for (size_t i = first; i < end; i++) {
		row->lift(p->in + i * row->element_size, p->parameter, &x);
		if (i == first)
			prefix = x;
		else
			row->combine(&prefix, &x, &prefix);
		if (write_result(p, i, &x, &prefix, base, has_base) && bad == SIZE_MAX)
			bad = i;
	}
	return bad;
}

/* The results of a tile's elements from first on. */
static size_t tile_results(struct place *p, size_t first, size_t count, const unsigned char *carry_in, bool has_carry)
{
	const struct hillis_row *row = p->row;
	struct nodes nodes;
	union any_state base;
	size_t bad = SIZE_MAX;
	const size_t runs = make_prefixes(row, p->in + first * row->element_size, count, p->parameter, &nodes);
	for (size_t r = 0; r < runs; r++) {
		const size_t end = (r + 1) * GRID_RUN < count ? (r + 1) * GRID_RUN : count;
		const unsigned char *prefix = nodes.bytes + (r > 0 ? r - 1 : 0) * row->state_size;
		if (r == 0 && has_carry)
			memcpy(&base, carry_in, row->state_size);
		else if (has_carry)
			row->combine(carry_in, prefix, &base);
		else
			memcpy(&base, prefix, row->state_size);
		const size_t here = run_results(p, first + r * GRID_RUN, first + end, base.bytes, has_carry || r > 0);
		if (bad == SIZE_MAX)
			bad = here;
	}
	return bad;
}

size_t hillis_results(const struct hillis_row *row, unsigned variant, const void *in, size_t count, double parameter,
		      const void *carry_in, bool first_has_carry, void *out)
{
	struct place p = {.row = row, .in = in, .out = out, .parameter = parameter, .variant = variant};
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t left = count - first;
		const unsigned char *carry = (const unsigned char *)carry_in + first / GRID_TILE * row->state_size;
		const size_t here = tile_results(&p, first, left < GRID_TILE ? left : GRID_TILE, carry,
						 first > 0 || first_has_carry);
		if (bad == SIZE_MAX)
			bad = here;
	}
	return bad;
}

size_t hillis_segments(const struct hillis_row *row, unsigned variant, const void *in, size_t count, size_t length,
		       double parameter, void *out)
{
	static const union any_state no_carry_in;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += length) {
		const size_t here = hillis_results(row, variant, (const unsigned char *)in + first * row->element_size,
						   length, parameter, &no_carry_in, false,
						   (unsigned char *)out + first * row->result_size);
		if (here != SIZE_MAX && bad == SIZE_MAX)
			bad = first + here;
	}
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

/* Folds the total of the tile that has just ended. */
static void fold(const struct hillis_row *row, unsigned char *cursor, const void *total)
{
	struct cursor_head *head = (struct cursor_head *)(void *)cursor;
	const uint64_t count = head->count;
	union any_state prefix;
	(void)row->fold(cursor, total, 1, &prefix);
	head->count = count;
}

/* The total of the tile's first run_count runs, at least 1. */
static void total_of(const struct hillis_row *row, const unsigned char *cursor, size_t run_count, void *total)
{
	struct nodes nodes;
	memcpy(nodes.bytes, cursor + row->node, run_count * row->state_size);
	scan_nodes(row, run_count, nodes.bytes);
	memcpy(total, nodes.bytes + (run_count - 1) * row->state_size, row->state_size);
}

static void begin_run(const struct hillis_row *row, unsigned char *cursor, size_t run)
{
	struct cursor_head *head = (struct cursor_head *)(void *)cursor;
	unsigned char *base = cursor + row->base;
	union any_state carry_in;
	head->has_base = head->has_carry != 0 || run > 0;
	if (run > 0)
		total_of(row, cursor, run, base);
	if (head->has_carry == 0)
		return;
	carry_in_of(row, cursor, &carry_in);
	if (run > 0)
		row->combine(&carry_in, base, base);
	else
		memcpy(base, &carry_in, row->state_size);
}

static void end_run(const struct hillis_row *row, unsigned char *cursor, size_t run)
{
	union any_state total;
	memcpy(cursor + row->node + run * row->state_size, cursor + row->local_prefix, row->state_size);
	if (run < RUNS - 1)
		return;
	total_of(row, cursor, RUNS, &total);
	fold(row, cursor, &total);
}

size_t hillis_push(const struct hillis_row *row, unsigned variant, void *cursor, const void *in, size_t count,
		   double parameter, void *out)
{
	struct cursor_head *head = cursor;
	unsigned char *bytes = cursor;
	unsigned char *base = bytes + row->base;
	unsigned char *local_prefix = bytes + row->local_prefix;
	struct place p = {.row = row, .in = in, .out = out, .parameter = parameter, .variant = variant};
	size_t bad = SIZE_MAX;
	union any_state x;
	union any_state prefix;
	memcpy(&p.before, local_prefix, row->state_size);
	p.has_before = true;
	if (head->count % GRID_RUN != 0 && head->has_base != 0)
		row->combine(base, &p.before, &p.before);
	for (size_t i = 0; i < count; i++) {
		const size_t run = (size_t)(head->count % GRID_TILE) / GRID_RUN;
		const bool is_first = head->count % GRID_RUN == 0;
		row->lift(p.in + i * row->element_size, parameter, &x);
		if (is_first) {
			begin_run(row, cursor, run);
			p.has_before = head->has_base != 0;
			memcpy(&p.before, base, row->state_size);
			prefix = x;
		} else {
			memcpy(&prefix, local_prefix, row->state_size);
			row->combine(&prefix, &x, &prefix);
		}
		memcpy(local_prefix, &prefix, row->state_size);
		if (write_result(&p, i, &x, &prefix, base, head->has_base != 0) && bad == SIZE_MAX)
			bad = i;
		head->count++;
		if (head->count % GRID_RUN == 0)
			end_run(row, cursor, run);
	}
	return bad;
}
