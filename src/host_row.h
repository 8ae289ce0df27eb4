/* One row of the host: included once for every OP and ACC, with CHECKED defined. No include guard, on purpose. */
#define ELEM ACC
#include "tile.h"
#define STATE ROW(state)

static void ROW(row_totals)(const void *in, size_t count, void *totals)
{
	const ACC *elements = in;
	STATE *total = totals;
	for (size_t first = 0; first < count; first += TILE) {
		STATE node[NODE_COUNT];
		const size_t left = count - first;
		ROW(tile_up_sweep)(elements + first, (u32)(left < TILE ? left : TILE), node);
		*total++ = NODE(RUNS - 1);
	}
}

static size_t ROW(row_results)(const void *in, size_t count, const void *carry_in, bool first_has_carry, void *out)
{
	const ACC *elements = in;
	const STATE *carry = carry_in;
	ACC *results = out;
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += TILE) {
		STATE node[NODE_COUNT];
		u32 first_bad = NOT_BAD;
		const size_t left = count - first;
		const u32 length = (u32)(left < TILE ? left : TILE);
		ROW(tile_up_sweep)(elements + first, length, node);
		ROW(tile_down_sweep)(length, node);
		ROW(tile_results)
		(elements + first, results + first, length, first > 0 || first_has_carry, *carry++, node, &first_bad);
		if (first_bad != NOT_BAD && bad == SIZE_MAX)
			bad = first + first_bad;
	}
	return bad;
}

/* The fold of rows that carry their own state. sum_f32 and sum_f64 have wider ones (host_rows.inc). */
static inline void ROW(row_fold)(const void *totals, size_t count, struct carry *carry, void *prefixes)
{
	const STATE *total = totals;
	STATE *prefix = prefixes;
	STATE folded;
	_Static_assert(sizeof folded <= sizeof carry->as.state, "a state fits the carry");
	memcpy(&folded, carry->as.state, sizeof folded);
	for (size_t k = 0; k < count; k++) {
		if (!carry->present) {
			memset(&prefix[k], 0, sizeof prefix[k]);
			folded = total[k];
			carry->present = true;
			continue;
		}
		prefix[k] = folded;
		folded = ROW(combine)(folded, total[k]);
	}
	memcpy(carry->as.state, &folded, sizeof folded);
}

static inline void ROW(row_seed)(const void *value, struct carry *carry)
{
	ACC accumulated;
	memcpy(&accumulated, value, sizeof accumulated);
	const STATE state = ROW(lift)(accumulated);
	memcpy(carry->as.state, &state, sizeof state);
	carry->present = true;
}

#undef STATE
#undef ELEM
