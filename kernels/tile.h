/* The scan of one tile of the grid, as C and as OpenCL C.
 *
 *     elements   | 0 .. 15 | 16 .. 31 |   ...   | 4080 .. 4095 |     RUNS runs of RUN elements are a tile
 *                     |          |                    |
 *     up-sweep      t(0)       t(1)       ...      t(255)            run totals, combined left to right
 *                      \        /                   /
 *                       t(0..1)      ...     t(254..255)             Blelloch's tree, distances 1, 2, 4, .. 128
 *                             \               /
 *                               tile's total                         folded on the host: P(k), the tile's carry-in
 *                             /               \
 *     down-sweep    E(0)       E(1)       ...      E(255)            exclusive prefixes; E(0) is nothing
 *                     |          |                    |
 *     results      combine(combine(P(k), E(r)), L(j))                L(j): run r up to and including element j
 *
 * Combining with nothing changes nothing, and elements that are absent (the end of the last tile) take no part: the
 * operator never sees padding and needs no identity. (Blelloch 1990, "Prefix sums and their applications".)
 *
 * The includer defines, before every inclusion:
 *     OP, ACC          the row of operators.h, for instance sum and f32
 *     ELEM             the type of the stored elements
 *     CONVERT(x)       an ELEM as an ACC; FITS(x) whether that is possible
 *     CHECKED          1 to look for elements that do not fit: their conversion and, if CHECK_OVERFLOW is 1 too,
 *     CHECK_OVERFLOW   their result
 *     SHAPE_GPU        1: a work-group is a tile and a work-item a run. 0: one thread does the whole tile
 *     GLOBAL, NODES    address space of elements and of the tree's nodes (empty in C)
 *
 * A phase of the algorithm is EACH_RUN .. END_RUNS or EACH_NODE .. END_NODES: a loop over the runs, or on a GPU the
 * work-group itself with a barrier behind it. Barriers stand at the top level of the functions only.
 */
#ifndef OP
#error "OP must be defined: the operator's name"
#endif
#ifndef ACC
#error "ACC must be defined: the accumulator's type"
#endif
#ifndef ELEM
#error "ELEM must be defined: the type of the stored elements"
#endif
#if !defined CONVERT || !defined FITS
#error "CONVERT(x) and FITS(x) must be defined"
#endif
#if !defined CHECKED || !defined CHECK_OVERFLOW || !defined SHAPE_GPU
#error "CHECKED, CHECK_OVERFLOW and SHAPE_GPU must be defined as 0 or 1"
#endif
#if !defined GLOBAL || !defined NODES
#error "GLOBAL and NODES must be defined: address spaces, or nothing"
#endif

#ifndef PSCAN_KERNELS_TILE_H
#define PSCAN_KERNELS_TILE_H
#define RUN 16
#define RUNS 256
#define TILE (RUN * RUNS)
/* The place of the first bad element in a tile that has none. */
#define NOT_BAD 0xffffffffu

#define PASTE4_(a, b, c, d) a##b##c##d
#define PASTE4(a, b, c, d) PASTE4_(a, b, c, d)
#define ROW(name) PASTE4(name##_, OP, _, ACC)

/* Clang would turn the serial loop over a run into gathers, five times slower. */
#ifdef __clang__
#define SERIAL_LOOP _Pragma("clang loop vectorize(disable) interleave(disable)")
#else
#define SERIAL_LOOP
#endif

#if SHAPE_GPU
#define EACH_RUN(r)                                                                                                    \
	{                                                                                                              \
		const u32 r = (u32)get_local_id(0);
#define END_RUNS                                                                                                       \
	}                                                                                                              \
	barrier(CLK_LOCAL_MEM_FENCE);
#define EACH_NODE(i, d)                                                                                                \
	{                                                                                                              \
		const u32 i = ((u32)get_local_id(0) + 1u) * 2u * (d) - 1u;                                             \
		if (i < RUNS) {
#define END_NODES                                                                                                      \
	}                                                                                                              \
	}                                                                                                              \
	barrier(CLK_LOCAL_MEM_FENCE);
/* One word in 33 is left empty, so that nodes a power of two apart do not share a bank of local memory. */
#define NODE(i) node[(i) + ((i) >> 5)]
#define NODE_COUNT (RUNS + RUNS / 32)
#else
#define EACH_RUN(r) for (u32 r = 0; r < RUNS; r++) {
#define END_RUNS }
#define EACH_NODE(i, d) for (u32 i = 2u * (d)-1u; i < RUNS; i += 2u * (d)) {
#define END_NODES }
#define NODE(i) node[i]
#define NODE_COUNT RUNS
#endif
#endif

#define STATE ROW(state)
#define LIFT(x) ROW(lift)(CONVERT(x))

/* On a GPU the work-group copies a tile between global and local memory in whole lines, and a run reads its elements
 * (and puts its results in their place) there. A stage as large as the widest elements would not fit: those go directly. */
#if SHAPE_GPU && STAGED
union ROW(staged) {
	ELEM element;
	ACC result;
};
#define STAGE __local union ROW(staged) *stage
#define STAGE_PARAMETER , STAGE
#define STAGE_ARGUMENT , stage
#define STAGE_COUNT (TILE + TILE / 32)
#define ELEMENT(i) stage[(i) + ((i) >> 5)].element
#define RESULT(i) stage[(i) + ((i) >> 5)].result
#else
#define STAGE_PARAMETER
#define STAGE_ARGUMENT
#define ELEMENT(i) in[i]
#define RESULT(i) out[i]
#endif

/* The total of the count (1 to RUN) elements from first on. */
static inline STATE ROW(run_total)(GLOBAL const ELEM *in STAGE_PARAMETER, u32 first, u32 count)
{
	STATE total = LIFT(ELEMENT(first));
	(void)in;
	if (count == RUN) {
		SERIAL_LOOP
		for (u32 j = 1; j < RUN; j++)
			total = ROW(combine)(total, LIFT(ELEMENT(first + j)));
	} else {
		SERIAL_LOOP
		for (u32 j = 1; j < count; j++)
			total = ROW(combine)(total, LIFT(ELEMENT(first + j)));
	}
	return total;
}

/* Up-sweep at distance d: a node takes in the node d before it. Runs from run_count on are absent. */
#define UP_SWEEP(d)                                                                                                    \
	EACH_NODE(i, d)                                                                                                \
	if (i + 1u - (d) < run_count)                                                                                  \
		NODE(i) = ROW(combine)(NODE(i - (d)), NODE(i));                                                        \
	else if (i + 1u - 2u * (d) < run_count)                                                                        \
		NODE(i) = NODE(i - (d));                                                                               \
	END_NODES

/* Down-sweep at distance d: a node holds its prefix, the node d before it its left child's total. The left child gets
 * the prefix, the right child prefix and left total. The prefix of the nodes that begin at run 0 is nothing. */
#define DOWN_SWEEP(d)                                                                                                  \
	EACH_NODE(i, d)                                                                                                \
	if (i + 1u - (d) < run_count) {                                                                                \
		const STATE left = NODE(i - (d));                                                                      \
		if (i + 1u == 2u * (d)) {                                                                              \
			NODE(i) = left;                                                                                \
		} else {                                                                                               \
			const STATE prefix = NODE(i);                                                                  \
			NODE(i - (d)) = prefix;                                                                        \
			NODE(i) = ROW(combine)(prefix, left);                                                          \
		}                                                                                                      \
	} else if (i + 1u - 2u * (d) < run_count && i + 1u != 2u * (d)) {                                              \
		NODE(i - (d)) = NODE(i);                                                                               \
	}                                                                                                              \
	END_NODES

/* Leaves the total of the tile's count (1 to TILE) elements in the last node. */
static inline void ROW(tile_up_sweep)(GLOBAL const ELEM *in STAGE_PARAMETER, u32 count, NODES STATE *node)
{
	const u32 run_count = (count + RUN - 1u) / RUN;
#if SHAPE_GPU && STAGED
	EACH_RUN(r)
	for (u32 j = 0; j < RUN; j++) {
		const u32 i = j * RUNS + r;
		if (i < count)
			ELEMENT(i) = in[i];
	}
	END_RUNS
#endif
	EACH_RUN(r)
	if (r < run_count) {
		const u32 left = count - r * RUN;
		NODE(r) = ROW(run_total)(in STAGE_ARGUMENT, r *RUN, left < RUN ? left : RUN);
	}
	END_RUNS
	UP_SWEEP(1u)
	UP_SWEEP(2u)
	UP_SWEEP(4u)
	UP_SWEEP(8u)
	UP_SWEEP(16u)
	UP_SWEEP(32u)
	UP_SWEEP(64u)
	UP_SWEEP(128u)
}

/* After the up-sweep: leaves E(r), the combination of all runs before run r, in node r; E(0) is undefined. */
static inline void ROW(tile_down_sweep)(u32 count, NODES STATE *node)
{
	const u32 run_count = (count + RUN - 1u) / RUN;
	DOWN_SWEEP(128u)
	DOWN_SWEEP(64u)
	DOWN_SWEEP(32u)
	DOWN_SWEEP(16u)
	DOWN_SWEEP(8u)
	DOWN_SWEEP(4u)
	DOWN_SWEEP(2u)
	DOWN_SWEEP(1u)
}

#if CHECKED
/* The place of the first element of the run whose conversion or result does not fit, or NOT_BAD. results_before is the
 * result before the run, as in run_results. */
static inline u32 ROW(run_first_bad)(GLOBAL const ELEM *in, u32 first, u32 count, int has_before, STATE results_before)
{
	STATE before = results_before;
	for (u32 j = 0; j < count; j++) {
		const ELEM element = in[first + j];
		const STATE x = LIFT(element);
		const STATE result = has_before || j > 0 ? ROW(combine)(before, x) : x;
		if (!(FITS(element)) || (CHECK_OVERFLOW && (has_before || j > 0) && ROW(overflow)(before, x, result)))
			return first + j;
		before = result;
	}
	return NOT_BAD;
}
#endif

/* Writes the results of one run and returns whether an element or result among them may not fit. before is everything
 * before the run, if has_before. Checking compares neighbours: a result is the one before it combined with its element. */
static inline int ROW(run_results)(GLOBAL const ELEM *in, GLOBAL ACC *out STAGE_PARAMETER, u32 first, u32 count,
                                   int has_before, STATE before)
{
	STATE local_prefix = LIFT(ELEMENT(first));
	STATE result = has_before ? ROW(combine)(before, local_prefix) : local_prefix;
	int bad = 0;
	(void)in;
	(void)out;
#if CHECKED
	bad = (FITS(ELEMENT(first)) ? 0 : 1) | (CHECK_OVERFLOW && has_before && ROW(overflow)(before, local_prefix, result));
#endif
	RESULT(first) = ROW(emit)(result);
	SERIAL_LOOP
	for (u32 j = 1; j < (count == RUN ? RUN : count); j++) {
		const ELEM element = ELEMENT(first + j);
		const STATE x = LIFT(element);
#if CHECKED
		const STATE previous = result;
		(void)previous;
#endif
		local_prefix = ROW(combine)(local_prefix, x);
		result = has_before ? ROW(combine)(before, local_prefix) : local_prefix;
#if CHECKED
		bad |= (FITS(element) ? 0 : 1) | (CHECK_OVERFLOW && ROW(overflow)(previous, x, result));
#endif
		RESULT(first + j) = ROW(emit)(result);
	}
	return bad;
}

/* After both sweeps: writes the results of the tile's count elements. carry_in is P(k), if has_carry_in. *first_bad
 * becomes the place in the tile of the first element that does not fit; it must hold NOT_BAD before. */
static inline void ROW(tile_results)(GLOBAL const ELEM *in, GLOBAL ACC *out STAGE_PARAMETER, u32 count, int has_carry_in,
                                     STATE carry_in, NODES STATE *node, NODES u32 *first_bad)
{
	const u32 run_count = (count + RUN - 1u) / RUN;
	(void)first_bad;
	EACH_RUN(r)
	if (r < run_count) {
		const u32 left = count - r * RUN;
		const u32 length = left < RUN ? left : RUN;
		const int has_before = has_carry_in || r > 0;
		STATE before = carry_in;
		if (r > 0)
			before = has_carry_in ? ROW(combine)(carry_in, NODE(r)) : NODE(r);
		if (ROW(run_results)(in, out STAGE_ARGUMENT, r *RUN, length, has_before, before)) {
#if CHECKED
			const u32 place = ROW(run_first_bad)(in, r * RUN, length, has_before, before);
#if SHAPE_GPU
			atomic_min(first_bad, place);
#else
			if (place < *first_bad)
				*first_bad = place;
#endif
#endif
		}
	}
	END_RUNS
#if SHAPE_GPU && STAGED
	EACH_RUN(r)
	for (u32 j = 0; j < RUN; j++) {
		const u32 i = j * RUNS + r;
		if (i < count)
			out[i] = RESULT(i);
	}
	END_RUNS
#endif
}

#undef STATE
#undef LIFT
#undef STAGE
#undef STAGE_PARAMETER
#undef STAGE_ARGUMENT
#undef ELEMENT
#undef RESULT
