/* The grid's own text (kernels/tile.h, kernels/cursor.h) for OP and ACC, with COMBINE(a, b): functions of a struct
 * of_grid. No include guard, on purpose. */
typedef ACC ROW(state);
typedef ACC ROW(carry);
typedef ACC ROW(result);

static inline ACC ROW(lift)(ACC x)
{
	return x;
}

static inline ACC ROW(emit)(ACC x)
{
	return x;
}

static inline ACC ROW(combine)(ACC a, ACC b)
{
	return COMBINE(ACC, a, b);
}

static inline ACC ROW(carry_first)(ACC total)
{
	return total;
}

static inline ACC ROW(carry_add)(ACC before, ACC total)
{
	return ROW(combine)(before, total);
}

static inline ACC ROW(carry_prefix)(ACC before)
{
	return before;
}

#define ELEM ACC
#include "tile.h"
#include "cursor.h"
#undef ELEM

static void ROW(totals)(const void *in, size_t count, void *totals)
{
	ACC node[NODE_COUNT];
	ACC *total = totals;
	for (size_t first = 0; first < count; first += TILE) {
		const size_t left = count - first;
		GRID(tile_up_sweep)((const ACC *)in + first, (u32)(left < TILE ? left : TILE), node);
		*total++ = NODE(RUNS - 1);
	}
}

static void ROW(results)(const void *in, size_t count, const void *carry_in, bool first_has_carry, void *out)
{
	ACC node[NODE_COUNT];
	const ACC none = 0;
	for (size_t first = 0; first < count; first += TILE) {
		const u32 here = (u32)(count - first < TILE ? count - first : TILE);
		const bool has_carry = first > 0 || first_has_carry;
		u32 bad = NOT_BAD;
		GRID(tile_up_sweep)((const ACC *)in + first, here, node);
		GRID(tile_down_sweep)(here, node);
		GRID(tile_results)
		((const ACC *)in + first, (ACC *)out + first, here, has_carry,
		 has_carry ? (const ACC *)carry_in + first / TILE : &none, node, &bad);
	}
}

static void ROW(push)(void *cursor, const void *in, size_t count, void *out)
{
	(void)GRID(cursor_push)(cursor, in, (u32)count, out);
}

static void ROW(fold)(void *cursor, const void *total)
{
	struct GRID(cursor) *c = cursor;
	ACC t;
	memcpy(&t, total, sizeof t);
	GRID(cursor_fold)(c, t);
}

static void ROW(join)(const void *a, const void *b, void *out)
{
	ACC x, y;
	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	x = ROW(combine)(x, y);
	memcpy(out, &x, sizeof x);
}

static const struct of_grid ROW(of_grid) = {.cursor_size = sizeof(struct GRID(cursor)),
					    .totals = ROW(totals),
					    .results = ROW(results),
					    .push = ROW(push),
					    .fold = ROW(fold),
					    .join = ROW(join)};
