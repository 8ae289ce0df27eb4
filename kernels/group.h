/* The parts of tile.h that only the GPU shape has: a work-group's tile in local memory (the stage), and a tree with
 * half the barriers.
 *
 * The work-group copies a tile between global and local memory in whole lines. A run then reads its elements from local
 * memory, and puts its results in their place. Where elements or results are too large for the stage (the widest types,
 * or several numbers each), they are read and written in global memory directly. The includer decides which are staged:
 * STAGES_ELEMENTS and STAGES_RESULTS.
 *
 * Measured on an H200 against simpler ways, these three together are the fastest: vectors of 16 bytes to and from the
 * stage, two levels of the up-sweep between two barriers, and, instead of a down-sweep, a walk from the root for every
 * run.
 */
#if SHAPE_GPU
#if !defined STAGES_ELEMENTS || !defined STAGES_RESULTS
#error "STAGES_ELEMENTS and STAGES_RESULTS must be defined as 0 or 1"
#endif
#define STAGED (STAGES_ELEMENTS || STAGES_RESULTS)

#if STAGED
/* What a place of the stage holds: an element, and later its result. */
union GRID(staged) {
#if STAGES_ELEMENTS
	ELEM element;
#endif
#if STAGES_RESULTS
	RESULT_TYPE result;
#endif
};
#define STAGE __local union GRID(staged) *stage
#define CONTEXT_PARAMETER , STAGE __attribute__((unused)) INDEX_PARAMETER
#define CONTEXT_ARGUMENT , stage INDEX_ARGUMENT
/* STAGE_SIZE: bytes of a place of the stage. STAGE_PLACE(i): the place of the tile's element i. STAGE_COUNT: how many
 * places the stage must have. After every 128 bytes 4 bytes are left empty (or one place, if that is more). Without
 * these gaps the runs, which begin 16 elements apart, would share a bank of local memory. */
#define STAGE_SIZE ((u32)sizeof(union GRID(staged)))
#define STAGE_PLACE(i) ((i) + (i) / (128u / STAGE_SIZE) * (STAGE_SIZE < 4u ? 4u / STAGE_SIZE : 1u))
#define STAGE_COUNT STAGE_PLACE(TILE)

/* Bytes of a vector: they are read or written at once. */
#define VECTOR_SIZE 16u

/* Whether vectors can be read and written at p. (A device that computes in the host's memory gets chunks at any
 * address.) */
#define IS_ALIGNED(p) (((uintptr_t)(p) & (VECTOR_SIZE - 1u)) == 0)

#if STAGES_ELEMENTS
#define NUMBER(i) stage[STAGE_PLACE(i)].element
union GRID(element_vector) {
	uint4 bytes;
	ELEM elements[VECTOR_SIZE / sizeof(ELEM)];
};

/* Copies work-item r's share of the tile's `count` elements from global memory to the stage. A barrier must follow. */
static inline void GRID(stage_elements)(GLOBAL const ELEM *in CONTEXT_PARAMETER, u32 count, u32 r)
{
	const u32 width = VECTOR_SIZE / (u32)sizeof(ELEM);
	if (count == TILE && IS_ALIGNED(in)) {
		GLOBAL const uint4 *vectors = (GLOBAL const uint4 *)in;
		union GRID(element_vector) v[RUN * sizeof(ELEM) / VECTOR_SIZE];
		for (u32 k = 0; k < RUN / width; k++)
			v[k].bytes = vectors[k * RUNS + r];
		for (u32 k = 0; k < RUN / width; k++)
			for (u32 c = 0; c < width; c++)
				NUMBER((k * RUNS + r) * width + c) = v[k].elements[c];
		return;
	}
	for (u32 j = 0; j < RUN; j++) {
		const u32 i = j * RUNS + r;
		if (i < count)
			NUMBER(i) = in[i];
	}
}
#else
#define NUMBER(i) in[i]
#endif

#if STAGES_RESULTS
#define RESULT(i) stage[STAGE_PLACE(i)].result
union GRID(result_vector) {
	uint4 bytes;
	RESULT_TYPE results[VECTOR_SIZE / sizeof(RESULT_TYPE)];
};

/* Copies work-item r's share of the tile's `count` results from the stage to global memory, after a barrier. */
static inline void GRID(unstage_results)(GLOBAL RESULT_TYPE *out CONTEXT_PARAMETER, u32 count, u32 r)
{
	const u32 width = VECTOR_SIZE / (u32)sizeof(RESULT_TYPE);
	if (count == TILE && IS_ALIGNED(out)) {
		GLOBAL uint4 *vectors = (GLOBAL uint4 *)out;
		for (u32 k = 0; k < RUN / width; k++) {
			union GRID(result_vector) v;
			for (u32 c = 0; c < width; c++)
				v.results[c] = RESULT((k * RUNS + r) * width + c);
			vectors[k * RUNS + r] = v.bytes;
		}
		return;
	}
	for (u32 j = 0; j < RUN; j++) {
		const u32 i = j * RUNS + r;
		if (i < count)
			out[i] = RESULT(i);
	}
}
#else
#define RESULT(i) out[i]
#endif
#endif

#if !HILLIS_STEELE && !KEEPS
/* One work-item does two levels of the up-sweep, over the four nodes first + d - 1, first + 2d - 1, first + 3d - 1 and
 * first + 4d - 1. It reads all four before it writes one. Runs from run_count on are absent. If all runs of a node are
 * absent, the node stays as it was. */
static inline void GRID(subtree_up_sweep)(u32 first, u32 d, u32 run_count, NODES STATE *node)
{
	STATE leaf[4];
	for (u32 m = 0; m < 4; m++) {
		if (first + m * d < run_count)
			leaf[m] = NODE(first + (m + 1u) * d - 1u);
	}
	if (first + d < run_count)
		leaf[0] = ROW(combine)(leaf[0], leaf[1]);
	if (first + 3u * d < run_count)
		leaf[2] = ROW(combine)(leaf[2], leaf[3]);
	if (first < run_count)
		NODE(first + 2u * d - 1u) = leaf[0];
	if (first + 2u * d < run_count)
		leaf[0] = ROW(combine)(leaf[0], leaf[2]);
	if (first < run_count)
		NODE(first + 4u * d - 1u) = leaf[0];
}
#define UP_SWEEP_SUBTREES(d)                                                                                           \
	EACH_RUN(t)                                                                                                    \
	if (t < RUNS / (4u * (d)))                                                                                     \
		GRID(subtree_up_sweep)(t * 4u * (d), d, run_count, node);                                              \
	END_RUNS

/* After the up-sweep: returns E(r), for r > 0. It walks from the root to run r. At every right turn it combines the
 * left child's total, which the up-sweep left in that child's node. These are the combinations of tile.h's
 * DOWN_SWEEP. */
static inline STATE GRID(path_prefix)(u32 r, NODES STATE *node)
{
	STATE prefix = NODE(0);
	int present = 0;
	for (u32 d = RUNS / 2; d > 0; d /= 2) {
		if ((r & d) != 0) {
			const STATE left = NODE((r & ~(2u * d - 1u)) + d - 1u);
			prefix = present ? ROW(combine)(prefix, left) : left;
			present = 1;
		}
	}
	return prefix;
}
#endif
#endif
