/* A cursor: a scan that is suspended between two elements. It is the grid (tile.h) as a state machine: it gives the
 * same bits, one element at a time, in memory that does not grow. As C and as OpenCL C. Included after tile.h, with the
 * macros that tile.h wants, and
 *
 *     CARRY            the type in which the earlier tiles are folded
 *     CARRY_PREFIX(c)  the carry as a state: the carry-in of the next tile
 *     CARRY_FIRST(t)   the first tile's total t as a carry
 *     CARRY_ADD(c, t)  the carry with the next tile's total t folded in
 *
 * The complete runs of the unfinished tile form a binary counter. If bit k of their number is set, node[k] is the total
 * of an aligned block of 2^k runs. Larger blocks come before smaller ones. These are nodes of the up-sweep's tree;
 * combined from left to right they are the prefix that the down-sweep hands to the next run. (Hillis and Steele's tree
 * has no such blocks: with it all run totals are kept.)
 *
 * base and local_prefix stay until the next run begins. If TILE_STATES is more than 1, folding a tile sets them too.
 * Then, after the first run of all, the last result is always base combined with local_prefix.
 *
 * With CURSOR_IS_MIRRORED defined the elements come in reverse order: each is combined before those that were taken in
 * already.
 */
#ifdef CURSOR_IS_MIRRORED
#define CURSOR_COMBINE(taken, next) ROW(combine)(next, taken)
#define CURSOR_CARRY_ADD(c, t) ROW(carry_add_mirrored)(c, t)
#else
#define CURSOR_COMBINE(taken, next) ROW(combine)(taken, next)
#define CURSOR_CARRY_ADD(c, t) CARRY_ADD(c, t)
#endif
#if SHAPE_GPU
/* A single work-item stages nothing. */
#undef CONTEXT_PARAMETER
#undef CONTEXT_ARGUMENT
#undef NUMBER
#undef RESULT
#define CONTEXT_PARAMETER INDEX_PARAMETER
#define CONTEXT_ARGUMENT INDEX_ARGUMENT
#define NUMBER(n) in[n]
#define RESULT(i) out[i]
#endif

#if HILLIS_STEELE
#define CURSOR_NODES RUNS
#else
#define CURSOR_NODES 8
#endif

/* All zero before the first element. Begins with the members of struct cursor_head (src/rows/row_code.h). */
struct IN_ANY_MEMORY GRID(cursor) {
	u64 count; /* Elements so far. */
	u32 has_carry; /* 1: `carry` is set. */
	u32 has_base; /* 1: `base` is set. */
	CARRY carry; /* A seed and the tiles before this one. */
	STATE base; /* The state of everything before the present run. */
	STATE local_prefix; /* The combination of the present run's elements so far. */
	STATE node[CURSOR_NODES];
};

#if HILLIS_STEELE
/* Returns the total of the tile's first run_count runs, at least 1. */
static inline STATE GRID(cursor_total)(const struct GRID(cursor) *c, u32 run_count)
{
	STATE node[RUNS];
	for (u32 r = 0; r < run_count; r++)
		node[r] = c->node[r];
	/* From the last run to the first, so that the earlier runs still have their values of the step before. */
	for (u32 d = 1; d < run_count; d *= 2) {
		for (u32 r = run_count - 1; r >= d; r--)
			node[r] = CURSOR_COMBINE(node[r - d], node[r]);
	}
	return node[run_count - 1];
}

/* Returns the combination of the tile's elements before run `run`, which is at least 1. */
static inline STATE GRID(cursor_prefix)(const struct GRID(cursor) *c, u32 run)
{
	return GRID(cursor_total)(c, run);
}

/* Adds the finished run number `run`, whose total is local_prefix, to the nodes. After the tile's last run returns the
 * tile's total; the value returned after any other run has no meaning. */
static ONCE_A_RUN STATE GRID(cursor_end_run)(struct GRID(cursor) *c, u32 run)
{
	c->node[run] = c->local_prefix;
	return run == RUNS - 1u ? GRID(cursor_total)(c, RUNS) : c->local_prefix;
}
#else
/* Returns the combination of the tile's elements before run `run`, which is at least 1. */
static inline STATE GRID(cursor_prefix)(const struct GRID(cursor) *c, u32 run)
{
	u32 k = HIGHEST_BIT(run);
	STATE prefix = c->node[k];
	SERIAL_LOOP
	for (u32 left = run ^ 1u << k; left > 0; left ^= 1u << k) {
		k = HIGHEST_BIT(left);
		prefix = CURSOR_COMBINE(prefix, c->node[k]);
	}
	return prefix;
}

/* Combines the finished run number `run`, whose total is local_prefix, into the nodes. After the tile's last run
 * returns the tile's total; the value returned after any other run has no meaning. */
static ONCE_A_RUN STATE GRID(cursor_end_run)(struct GRID(cursor) *c, u32 run)
{
	STATE total = c->local_prefix;
	u32 k = 0;
	SERIAL_LOOP
	for (; (run >> k & 1u) != 0; k++)
		total = CURSOR_COMBINE(c->node[k], total);
	if (k < CURSOR_NODES)
		c->node[k] = total;
	return total;
}
#endif

/* Sets base and has_base for run number `run` of the tile, before its first element. */
static ONCE_A_RUN void GRID(cursor_begin_run)(struct GRID(cursor) *c, u32 run)
{
	c->has_base = c->has_carry != 0 || run > 0;
	if (run > 0)
		c->base = GRID(cursor_prefix)(c, run);
	if (c->has_carry != 0) {
		const STATE carry_in = CARRY_PREFIX(c->carry);
		c->base = run > 0 ? CURSOR_COMBINE(carry_in, c->base) : carry_in;
	}
}

/* Adds a tile's total, or a seed as a state, to the carry. Call it between two tiles, or after a tile's last run.
 * c->count does not change. */
static inline void GRID(cursor_fold)(struct GRID(cursor) *c, STATE total)
{
	c->carry = c->has_carry != 0 ? CURSOR_CARRY_ADD(c->carry, total) : CARRY_FIRST(total);
	c->has_carry = 1;
}

#if TILE_STATES > 1
/* Adds the states of a whole tile (tile_states in tile.h) to the cursor, which must be between two tiles. prefixes[0]
 * becomes the tile's carry-in, and prefixes[1] the result before the tile, as a state. Neither is set if no element and
 * no seed come before the tile. */
static inline void GRID(cursor_fold_tile)(struct GRID(cursor) *c, GLOBAL const STATE *states, GLOBAL STATE *prefixes)
{
	STATE base = states[1];
	if (c->has_carry != 0) {
		const STATE carry_in = CARRY_PREFIX(c->carry);
		prefixes[0] = carry_in;
		prefixes[1] = c->count > 0 ? ROW(combine)(c->base, c->local_prefix) : carry_in;
		base = ROW(combine)(carry_in, base);
	}
	c->base = base;
	c->has_base = 1;
	c->local_prefix = states[2];
	GRID(cursor_fold)(c, states[0]);
	c->count += TILE;
}
#endif

/* Combines the next `count` elements into the cursor, all of them, and writes their results. Returns the index of the
 * first element whose conversion or result does not fit, or NOT_BAD. (Without CHECKED: NOT_BAD.) */
static inline u32 GRID(cursor_push)(struct GRID(cursor) *c, GLOBAL const ELEM *in, u32 count CONTEXT_PARAMETER,
                                   GLOBAL RESULT_TYPE *out)
{
	u32 bad = NOT_BAD;
	STATE before = c->local_prefix;
	if ((TILE_STATES > 1 || c->count % RUN != 0) && c->has_base != 0)
		before = CURSOR_COMBINE(c->base, c->local_prefix);
	for (u32 first = 0; first < count;) {
		const u32 run = (u32)(c->count % TILE) / RUN;
		const u32 left = RUN - (u32)(c->count % RUN);
		const u32 end = count - first < left ? count : first + left;
		if (left == RUN)
			GRID(cursor_begin_run)(c, run);
		const int has_base = c->has_base != 0;
		const STATE base = c->base;
		STATE local_prefix = c->local_prefix;
		int is_first = left == RUN; /* of the run */
		int has_before = 1;
		SERIAL_LOOP
		for (u32 i = first; i < end; i++) {
			const STATE x = LOAD(i);
			if (TILE_STATES == 1 ? is_first : is_first && c->count == 0) {
				before = base;
				has_before = has_base;
			}
			local_prefix = is_first ? x : CURSOR_COMBINE(local_prefix, x);
			const STATE result = has_base ? CURSOR_COMBINE(base, local_prefix) : local_prefix;
#if CHECKED
			if (bad == NOT_BAD &&
			    (!FITS_AT(i) ||
			     (CHECK_OVERFLOW && has_before && ROW(overflow)(before, x, GIVEN(1, before, result)))))
				bad = i;
#endif
			STORE_GIVEN(i, has_before, before, result);
			before = result;
			has_before = 1;
			is_first = 0;
		}
		c->local_prefix = local_prefix;
		c->count += end - first;
		first = end;
		if (c->count % RUN == 0) {
			const STATE total = GRID(cursor_end_run)(c, run);
			if (run == RUNS - 1u)
				GRID(cursor_fold)(c, total);
		}
	}
	return bad;
}

#undef CURSOR_NODES
#undef CURSOR_COMBINE
#undef CURSOR_CARRY_ADD
