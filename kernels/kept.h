/* For programs whose combine is expensive, on a GPU. The first kernel keeps two kinds of states in global memory: L(j),
 * each run up to and including each of its elements, and E(r), everything before each run. The second kernel combines
 * them with the carry-in. So an element costs two combinations instead of the four of doing the tile twice, and the
 * tree goes down level by level instead of along a path from the root for every run. The combinations are those of the
 * grid (tile.h), and so are the bits.
 *
 * The prelude defines KEEPS as 1 where that pays. In that case nothing is checked.
 */
#if KEEPS
/* KEPT_COUNT: how many states of a tile are kept. KEPT(j, r), for j < RUN: L(j) of run r. KEPT(RUN, r), for r > 0:
 * E(r). The states of neighbouring work-items lie side by side. */
#define KEPT_COUNT ((size_t)(RUN + 1u) * RUNS)
#define KEPT(j, r) kept[(j)*RUNS + (r)]

/* Sets `kept` for a tile of `count` (1 to TILE) elements, as far as the elements exist. Sets `states` to what the fold
 * reads (tile_states in tile.h). All work-items call this. */
static inline void GRID(kept_totals)(GLOBAL const ELEM *in CONTEXT_PARAMETER, u32 count, NODES STATE *node,
                                     GLOBAL STATE *kept, GLOBAL STATE *states)
{
	const u32 run_count = (count + RUN - 1u) / RUN;
#if STAGES_ELEMENTS
	EACH_RUN(r)
	GRID(stage_elements)(in CONTEXT_ARGUMENT, count, r);
	END_RUNS
#endif
	EACH_RUN(r)
	if (r < run_count) {
		const u32 left = count - r * RUN;
		STATE local_prefix = LOAD(r * RUN);
		KEPT(0, r) = local_prefix;
		for (u32 j = 1; j < (left < RUN ? left : RUN); j++) {
			local_prefix = ROW(combine)(local_prefix, LOAD(r * RUN + j));
			KEPT(j, r) = local_prefix;
		}
		NODE(r) = local_prefix;
#if TILE_STATES > 1
		if (r == RUNS - 1u)
			states[2] = local_prefix;
#endif
	}
	END_RUNS
	GRID(tree_up_sweep)(run_count, node);
	EACH_RUN(r)
	if (r == 0)
		states[0] = NODE(RUNS - 1u);
	END_RUNS
	GRID(tile_down_sweep)(count, node);
	EACH_RUN(r)
	if (r > 0 && r < run_count)
		KEPT(RUN, r) = NODE(r);
#if TILE_STATES > 1
	if (r == RUNS - 1u && run_count == RUNS)
		states[1] = NODE(r);
#endif
	END_RUNS
}

/* Returns the state of everything before run r. For run 0 this is carry_in. (Without a carry-in it is undefined.) */
static inline STATE GRID(kept_before)(u32 r, int has_carry_in, STATE carry_in, GLOBAL const STATE *kept)
{
	if (r == 0)
		return carry_in;
	const STATE prefix = KEPT(RUN, r);
	return has_carry_in ? ROW(combine)(carry_in, prefix) : prefix;
}

/* Writes the results of the tile's `count` elements. kept: what kept_totals has set for this tile. `states` and
 * has_carry_in are as in tile_results of tile.h. */
static inline void GRID(kept_results)(GLOBAL const ELEM *in, GLOBAL RESULT_TYPE *out CONTEXT_PARAMETER, u32 count,
                                      int has_carry_in, GLOBAL const STATE *states, GLOBAL const STATE *kept)
{
	const STATE carry_in = states[0];
#if STAGES_ELEMENTS
	EACH_RUN(r)
	GRID(stage_elements)(in CONTEXT_ARGUMENT, count, r);
	END_RUNS
#endif
	EACH_RUN(r)
	if (r * RUN < count) {
		const u32 left = count - r * RUN;
		const int has_before = has_carry_in || r > 0;
		const STATE before = GRID(kept_before)(r, has_carry_in, carry_in, kept);
		STATE previous = before;
#if TILE_STATES > 1
		previous = states[1];
		if (r > 0) {
			const int has_two = has_carry_in || r > 1u;
			previous = KEPT(RUN - 1u, r - 1u);
			if (has_two)
				previous = ROW(combine)(GRID(kept_before)(r - 1u, has_carry_in, carry_in, kept),
				                        previous);
		}
#endif
		for (u32 j = 0; j < (left < RUN ? left : RUN); j++) {
			const STATE local_prefix = KEPT(j, r);
			const STATE result = has_before ? ROW(combine)(before, local_prefix) : local_prefix;
			STORE_GIVEN(r * RUN + j, has_before || j > 0, previous, result);
			previous = result;
		}
	}
	END_RUNS
#if STAGES_RESULTS
	EACH_RUN(r)
	GRID(unstage_results)(out CONTEXT_ARGUMENT, count, r);
	END_RUNS
#endif
}
#endif
