/* Whole tiles of the CPU shape, for a user's program: SIDE runs side by side. Lane l of a vector is run l of a block of
 * runs. Every run is combined left to right, and the tree over the runs is the grid's own (tile.h), so the bits are the
 * same.
 *
 * The prelude defines SIDE_BY_SIDE as 1 if the program's text has these (src/language/side_by_side.c):
 *     pscan_v_state               SIDE states, in which word w of lane l is word SIDE w + l
 *     pscan_v_combine(a, b)       combine, lane by lane
 *     pscan_v_word                an unsigned type of the size of a number in the state: all numbers have one size
 */
#ifndef SIDE_BY_SIDE
#error "SIDE_BY_SIDE must be defined as 0 or 1"
#endif

#if SIDE_BY_SIDE
#define SIDE 16u
#define STATE_WORDS (sizeof(STATE) / sizeof(pscan_v_word))
/* 1: the prefixes of all runs stay in memory between the sweeps. 0: they are too large for a thread's stack, and are
 * made twice. */
#define KEEPS_PREFIXES (TILE * sizeof(STATE) <= 131072)

/* A word of a state, which holds one of the user's numbers. */
typedef pscan_v_word __attribute__((may_alias)) pscan_any_word;

/* Sets lane l of *v to s. */
static inline void ROW(side_set)(pscan_v_state *v, u32 l, STATE s)
{
	pscan_any_word *to = (pscan_any_word *)v;
	const pscan_any_word *from = (const pscan_any_word *)&s;
	for (u32 w = 0; w < STATE_WORDS; w++)
		to[SIDE * w + l] = from[w];
}

/* Returns lane l of *v. */
static inline STATE ROW(side_get)(const pscan_v_state *v, u32 l)
{
	STATE s;
	pscan_any_word *to = (pscan_any_word *)&s;
	const pscan_any_word *from = (const pscan_any_word *)v;
	for (u32 w = 0; w < STATE_WORDS; w++)
		to[w] = from[SIDE * w + l];
	return s;
}

/* Sets lane l of x[j] to element j of run r + l, lifted, for SIDE runs. x has room for RUN vectors. This goes run by
 * run, so that a vector is not read right after its lanes were written. */
static inline void ROW(side_load)(GLOBAL const ELEM *in INDEX_PARAMETER, u32 r, pscan_v_state *x)
{
	for (u32 l = 0; l < SIDE; l++) {
		SERIAL_LOOP
		for (u32 j = 0; j < RUN; j++)
			ROW(side_set)(&x[j], l, LOAD((r + l) * RUN + j));
	}
}

/* Returns node[0], node[step], .. as the lanes of a vector. step 0: all lanes are node[0]. */
static inline pscan_v_state ROW(side_gather)(const STATE *node, u32 step)
{
	pscan_v_state v;
	for (u32 l = 0; l < SIDE; l++)
		ROW(side_set)(&v, l, node[step * l]);
	return v;
}

/* Writes the lanes of *v to node[0], node[step], .. */
static inline void ROW(side_scatter)(STATE *node, u32 step, const pscan_v_state *v)
{
	for (u32 l = 0; l < SIDE; l++)
		node[step * l] = ROW(side_get)(v, l);
}

/* Levels of the tree up to this distance have at least SIDE nodes, and are done in vectors. */
#define SIDE_DISTANCES (RUNS / 2u / SIDE)

/* The up-sweep of tile.h, over the RUNS run totals in `node`. */
static inline void ROW(side_up_sweep)(STATE *node)
{
	u32 d = 1;
	for (; d <= SIDE_DISTANCES; d *= 2) {
		for (u32 i = 2u * d - 1u; i < RUNS; i += 2u * d * SIDE) {
			const pscan_v_state left = ROW(side_gather)(node + i - d, 2u * d);
			const pscan_v_state both = pscan_v_combine(left, ROW(side_gather)(node + i, 2u * d));
			ROW(side_scatter)(node + i, 2u * d, &both);
		}
	}
	SERIAL_LOOP
	for (; d < RUNS; d *= 2) {
		SERIAL_LOOP
		for (u32 i = 2u * d - 1u; i < RUNS; i += 2u * d)
			node[i] = ROW(combine)(node[i - d], node[i]);
	}
}

/* The down-sweep of tile.h: makes node[r] the combination of all runs before run r. node[0] is undefined. The first
 * node of a level has nothing before it: its right child's prefix is the left child's total alone. */
static inline void ROW(side_down_sweep)(STATE *node)
{
	u32 d = RUNS / 2u;
	SERIAL_LOOP
	for (; d > SIDE_DISTANCES; d /= 2) {
		SERIAL_LOOP
		for (u32 i = 2u * d - 1u; i < RUNS; i += 2u * d) {
			const STATE left = node[i - d];
			node[i - d] = node[i];
			node[i] = i + 1u == 2u * d ? left : ROW(combine)(node[i], left);
		}
	}
	for (; d > 0; d /= 2) {
		const STATE first = node[d - 1u];
		for (u32 i = 2u * d - 1u; i < RUNS; i += 2u * d * SIDE) {
			const pscan_v_state prefix = ROW(side_gather)(node + i, 2u * d);
			const pscan_v_state left = ROW(side_gather)(node + i - d, 2u * d);
			const pscan_v_state right = pscan_v_combine(prefix, left);
			ROW(side_scatter)(node + i - d, 2u * d, &prefix);
			ROW(side_scatter)(node + i, 2u * d, &right);
		}
		node[2u * d - 1u] = first;
	}
}

/* Writes the TILE_STATES states of a whole tile that the fold reads (tile_states in tile.h). */
static inline void ROW(side_totals)(GLOBAL const ELEM *in INDEX_PARAMETER, GLOBAL STATE *states)
{
	STATE node[RUNS];
	for (u32 r = 0; r < RUNS; r += SIDE) {
		pscan_v_state x[RUN];
		ROW(side_load)(in INDEX_ARGUMENT, r, x);
		pscan_v_state total = x[0];
		SERIAL_LOOP
		for (u32 j = 1; j < RUN; j++)
			total = pscan_v_combine(total, x[j]);
		ROW(side_scatter)(node + r, 1, &total);
	}
	ROW(side_up_sweep)(node);
	GRID(tile_states)(in INDEX_ARGUMENT, TILE, node, states);
}

/* Sets lane l of prefix[j] to the combination of elements 0 .. j of run r + l. prefix has room for RUN vectors. */
static inline void ROW(side_prefixes)(GLOBAL const ELEM *in INDEX_PARAMETER, u32 r, pscan_v_state *prefix)
{
	ROW(side_load)(in INDEX_ARGUMENT, r, prefix);
	SERIAL_LOOP
	for (u32 j = 1; j < RUN; j++)
		prefix[j] = pscan_v_combine(prefix[j - 1], prefix[j]);
}

/* After both sweeps: returns in lane l the state of everything before run r + l. For run 0 of a tile without a carry-in
 * the lane is undefined. */
static inline pscan_v_state ROW(side_before)(const STATE *node, u32 r, int has_carry_in, STATE carry_in)
{
	pscan_v_state before = ROW(side_gather)(node + r, 1);
	if (!has_carry_in)
		return before;
	before = pscan_v_combine(ROW(side_gather)(&carry_in, 0), before);
	if (r == 0)
		ROW(side_set)(&before, 0, carry_in);
	return before;
}

/* Writes the results of a whole tile, and checks nothing. `states` and has_carry_in are as in tile_results of
 * tile.h. */
static inline void ROW(side_results)(GLOBAL const ELEM *in, GLOBAL RESULT_TYPE *out INDEX_PARAMETER, int has_carry_in,
                                     GLOBAL const STATE *states)
{
	const STATE carry_in = states[0];
	STATE previous = states[TILE_STATES > 1 ? 1 : 0];
	STATE node[RUNS];
	pscan_v_state kept[KEEPS_PREFIXES ? RUNS / SIDE : 1][RUN];
	for (u32 r = 0; r < RUNS; r += SIDE) {
		pscan_v_state *const prefix = kept[KEEPS_PREFIXES ? r / SIDE : 0];
		ROW(side_prefixes)(in INDEX_ARGUMENT, r, prefix);
		ROW(side_scatter)(node + r, 1, &prefix[RUN - 1]);
	}
	ROW(side_up_sweep)(node);
	ROW(side_down_sweep)(node);
	for (u32 r = 0; r < RUNS; r += SIDE) {
		pscan_v_state *const prefix = kept[KEEPS_PREFIXES ? r / SIDE : 0];
		const pscan_v_state before = ROW(side_before)(node, r, has_carry_in, carry_in);
		pscan_v_state result[RUN];
		if (!KEEPS_PREFIXES)
			ROW(side_prefixes)(in INDEX_ARGUMENT, r, prefix);
		SERIAL_LOOP
		for (u32 j = 0; j < RUN; j++) {
			result[j] = pscan_v_combine(before, prefix[j]);
			if (r == 0 && !has_carry_in)
				ROW(side_set)(&result[j], 0, ROW(side_get)(&prefix[j], 0));
		}
		for (u32 l = 0; l < SIDE; l++) {
			SERIAL_LOOP
			for (u32 j = 0; j < RUN; j++) {
				const u32 i = (r + l) * RUN + j;
				const int has_before = has_carry_in || i > 0;
				const STATE one = ROW(side_get)(&result[j], l);
				STORE_GIVEN(i, has_before, previous, one);
				previous = one;
			}
		}
	}
}
#endif
