/* The two kernels of a scan. Between them the tiles' totals are folded into carry-ins, by the host or by
 * fold.cl.
 *
 * The engine compiles one text: a prelude, then those files of kernels/ that the row needs, in the order that KERNELS
 * of the Makefile gives. The prelude defines the macros that names.h, grid.h, tile.h, kept.h, in_step.h and
 * side_by_side.h list, and
 *     STAGES_ELEMENTS, STAGES_RESULTS   1 if a tile's elements, its results, are staged in local memory (group.h)
 *
 * CPU shape: a work-item does a tile, without local memory and barriers. GPU shape: a work-group of RUNS work-items
 * does a tile.
 */
#if SHAPE_GPU
#define WORK_GROUP RUNS
#define TILE_INDEX ((u32)get_group_id(0))
/* The last tile is done first: it is still in the device's cache after the up-sweep. */
#define RESULTS_TILE_INDEX ((u32)(get_num_groups(0) - 1 - get_group_id(0)))
#define IS_FIRST_OF_TILE (get_local_id(0) == 0)
#if STAGED
#define DECLARE_STAGE __local union GRID(staged) stage[STAGE_COUNT];
#else
#define DECLARE_STAGE
#endif
#else
#define WORK_GROUP 1
#define TILE_INDEX ((u32)get_global_id(0))
#define RESULTS_TILE_INDEX TILE_INDEX
#define IS_FIRST_OF_TILE 1
#define DECLARE_STAGE
#endif

/* Declares the variables that INDEX_ARGUMENT names. first_index: the index in the scan of the tile's first element. */
#define DECLARE_INDEX                                                                                                  \
	const u64 first_index = index + first;                                                                         \
	DECLARE_GAPS                                                                                                   \
	(void)first_index;

/* How many stored numbers `elements` elements have. */
#define NUMBERS_BEFORE(elements) ((size_t)INPUTS * (elements))

/* With KEEPS, a further parameter of both kernels: memory for KEPT_COUNT states a tile. */
#if KEEPS
#define KEPT_PARAMETER , __global STATE *restrict kept
#else
#define KEPT_PARAMETER
#endif

/* Writes the totals of the tiles of `count` elements, which begin at element in_first of `in`. From totals[TILE_STATES
 * k] on are the TILE_STATES states of tile k that the fold reads (tile_states in tile.h). index: the index in the scan
 * of the first element. */
__kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void
scan_totals(__global const ELEM *restrict in, const u32 in_first, const u32 count, __global STATE *restrict totals,
            const u64 index KEPT_PARAMETER)
{
	NODES STATE node[NODE_COUNT];
	const u32 tile = TILE_INDEX;
	const u32 first = tile * TILE;
	const u32 left = count - first;
	__global STATE *const states = totals + TILE_STATES * tile;
	DECLARE_INDEX
	DECLARE_STAGE
#if SIDE_BY_SIDE
	if (left >= TILE) {
		ROW(side_totals)(in + NUMBERS_BEFORE(in_first + first) INDEX_ARGUMENT, states);
		return;
	}
#elif IN_STEP
	if (left >= TILE) {
		GRID(step_totals)(in + NUMBERS_BEFORE(in_first + first) CONTEXT_ARGUMENT, node);
		GRID(tree_up_sweep)(RUNS, node);
		states[0] = NODE(RUNS - 1);
		return;
	}
#endif
#if KEEPS
	GRID(kept_totals)
	(in + NUMBERS_BEFORE(in_first + first) CONTEXT_ARGUMENT, left < TILE ? left : TILE, node,
	 kept + KEPT_COUNT * tile, states);
#else
	GRID(tile_up_sweep)(in + NUMBERS_BEFORE(in_first + first) CONTEXT_ARGUMENT, left < TILE ? left : TILE, node);
	if (IS_FIRST_OF_TILE)
		GRID(tile_states)
		(in + NUMBERS_BEFORE(in_first + first) CONTEXT_ARGUMENT, left < TILE ? left : TILE, node, states);
#endif
}

/* Sets out[out_first + i] to the result of element i, for `count` elements, which begin at element in_first of `in`.
 * bad[k] becomes the index in tile k of the first element that does not fit, or NOT_BAD; with SIDE_BY_SIDE, which
 * checks nothing, it may stay as it was. From carry_in[TILE_STATES k] on are the TILE_STATES states that the fold has
 * written for tile k. first_has_carry is 0 if tile 0 has no carry-in. index: as in scan_totals. */
__kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void
scan_results(__global const ELEM *restrict in, const u32 in_first, const u32 count,
             __global const STATE *restrict carry_in, const u32 first_has_carry, __global RESULT_TYPE *restrict out,
             const u32 out_first, __global u32 *restrict bad, const u64 index KEPT_PARAMETER)
{
#if !KEEPS
	NODES STATE node[NODE_COUNT];
	NODES u32 first_bad[1];
#endif
	DECLARE_STAGE
	const u32 tile = RESULTS_TILE_INDEX;
	const u32 first = tile * TILE;
	const u32 left = count - first;
	const u32 length = left < TILE ? left : TILE;
	const int has_carry_in = tile > 0 || first_has_carry;
	__global const STATE *const states = carry_in + TILE_STATES * tile;
	DECLARE_INDEX
#if SIDE_BY_SIDE
	/* (Nothing is checked.) */
	if (length == TILE) {
		ROW(side_results)
		(in + NUMBERS_BEFORE(in_first + first), out + out_first + first INDEX_ARGUMENT, has_carry_in, states);
		return;
	}
#elif IN_STEP
	if (length == TILE && has_carry_in) {
		GRID(step_totals)(in + NUMBERS_BEFORE(in_first + first) CONTEXT_ARGUMENT, node);
		GRID(tree_up_sweep)(RUNS, node);
		GRID(tile_down_sweep)(TILE, node);
		if (GRID(step_results)(in + NUMBERS_BEFORE(in_first + first), out + out_first + first CONTEXT_ARGUMENT,
		                       states[0], node)) {
			bad[tile] = NOT_BAD;
			return;
		}
	}
#endif
#if KEEPS
	GRID(kept_results)
	(in + NUMBERS_BEFORE(in_first + first), out + out_first + first CONTEXT_ARGUMENT, length, has_carry_in, states,
	 kept + KEPT_COUNT * tile);
	if (IS_FIRST_OF_TILE)
		bad[tile] = NOT_BAD;
#else
	if (IS_FIRST_OF_TILE)
		first_bad[0] = NOT_BAD;
	GRID(tile_up_sweep)(in + NUMBERS_BEFORE(in_first + first) CONTEXT_ARGUMENT, length, node);
	GRID(tile_down_sweep)(length, node);
	GRID(tile_results)
	(in + NUMBERS_BEFORE(in_first + first), out + out_first + first CONTEXT_ARGUMENT, length, has_carry_in, states,
	 node, first_bad);
	if (IS_FIRST_OF_TILE)
		bad[tile] = first_bad[0];
#endif
}
