/* The words in which the texts after this one are written: the sizes of the grid, and the phases of the algorithm.
 *
 * A phase is EACH_RUN .. END_RUNS: a loop over the runs, or on a GPU the work-group itself with a barrier after it.
 * Barriers stand only at the top level of functions.
 *
 * The includer defines, before the first inclusion:
 *     SHAPE_GPU        1: a work-group does a tile and each work-item a run. 0: one thread does the whole tile
 *     HILLIS_STEELE    0: the tree over the run totals is Blelloch's. 1: Hillis and Steele's scan is used instead
 *     KEEPS            1: the first kernel keeps its combinations for the second one (kept.h; only with SHAPE_GPU).
 *                      0: it does not
 */
#ifndef PSCAN_KERNELS_GRID_H
#define PSCAN_KERNELS_GRID_H
#ifndef SHAPE_GPU
#error "SHAPE_GPU must be defined as 0 or 1"
#endif
#ifndef HILLIS_STEELE
#error "HILLIS_STEELE must be defined as 0 or 1"
#endif
#if SHAPE_GPU && !defined KEEPS
#error "KEEPS must be defined as 0 or 1"
#elif !SHAPE_GPU
#undef KEEPS
#define KEEPS 0
#endif

#define RUN 16
#define RUNS 256
#define TILE (RUN * RUNS)
/* In place of the index of a first bad element: there is no bad element. */
#define NOT_BAD 0xffffffffu

/* Clang would make gathers of the serial loops over a run and over nodes, which is five times slower. */
#ifdef __clang__
#define SERIAL_LOOP _Pragma("clang loop vectorize(disable) interleave(disable)")
#else
#define SERIAL_LOOP
#endif
/* Gcc unrolls a serial loop only on request. A run's loops are a fifth faster when unrolled. */
#if defined __GNUC__ && !defined __clang__
#define RUN_LOOP _Pragma("GCC unroll 4")
#else
#define RUN_LOOP SERIAL_LOOP
#endif

/* The place of x's highest bit that is 1, from 0. x is not 0. */
#if defined __OPENCL_VERSION__ || defined __OPENCL_C_VERSION__
#define HIGHEST_BIT(x) (31u - clz(x))
#else
#define HIGHEST_BIT(x) (31u - (u32)__builtin_clz(x))
#endif

/* For functions that are called once a run. The host's compiler shall not inline them in every place. */
#if defined __OPENCL_VERSION__ || defined __OPENCL_C_VERSION__
#define ONCE_A_RUN inline
#else
#define ONCE_A_RUN __attribute__((noinline, unused))
#endif

/* EACH_RUN(r) .. END_RUNS: for each run r of a tile. EACH_PRESENT_RUN(r) .. END_RUNS: at least the first run_count
 * runs. EACH_NODE(i, d) .. END_NODES: for each node i that has a left child, node i - d, at distance d in the tree. */
#if SHAPE_GPU
#define EACH_RUN(r)                                                                                                    \
	{                                                                                                              \
		const u32 r = (u32)get_local_id(0);
#define END_RUNS                                                                                                       \
	}                                                                                                              \
	barrier(CLK_LOCAL_MEM_FENCE);
#define EACH_PRESENT_RUN(r) EACH_RUN(r)
#define EACH_NODE(i, d)                                                                                                \
	EACH_RUN(t)                                                                                                    \
	if (t < RUNS / (2u * (d))) {                                                                                   \
		const u32 i = 2u * (d) * (t + 1u) - 1u;
#define END_NODES                                                                                                      \
	}                                                                                                              \
	END_RUNS
/* The place of node i in memory. One place in 33 is left empty, so that nodes a power of two apart do not share a bank
 * of local memory. NODES_LENGTH: the places of RUNS nodes. */
#define NODE_PLACE(i) ((i) + ((i) >> 5))
#define NODES_LENGTH (RUNS + RUNS / 32)
#else
#define EACH_RUN(r) for (u32 r = 0; r < RUNS; r++) {
/* The runs that the tile has, run_count: a short segment does not cost as much as a whole tile. */
#define EACH_PRESENT_RUN(r) for (u32 r = 0; r < run_count; r++) {
#define END_RUNS }
#define EACH_NODE(i, d)                                                                                                \
	SERIAL_LOOP                                                                                                    \
	for (u32 i = 2u * (d)-1u; i < RUNS && i + 1u - 2u * (d) < run_count; i += 2u * (d)) {
#define END_NODES }
#define NODE_PLACE(i) (i)
#define NODES_LENGTH RUNS
#endif
/* Node i of `node`, which has room for NODE_COUNT states. */
#define NODE(i) node[NODE_PLACE(i)]
#if HILLIS_STEELE
/* Node i of a second array, after the first one in `node`: each step reads one array and writes the other. */
#define OTHER_NODE(i) node[NODES_LENGTH + NODE_PLACE(i)]
#define NODE_COUNT (2 * NODES_LENGTH)
#else
#define NODE_COUNT NODES_LENGTH
#endif

#endif
