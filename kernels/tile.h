/* The scan of one tile of the grid, as C and as OpenCL C.
 *
 *     elements   | 0 .. 15 | 16 .. 31 |   ...   | 4080 .. 4095 |     a tile is RUNS runs of RUN elements
 *                     |          |                    |
 *     up-sweep      t(0)       t(1)       ...      t(255)            run totals, combined left to right
 *                      \        /                   /
 *                       t(0..1)      ...     t(254..255)             Blelloch's tree, distances 1, 2, 4, .. 128
 *                             \               /
 *                               tile's total                         folded in their order: P(k), the tile's carry-in
 *                             /               \
 *     down-sweep    E(0)       E(1)       ...      E(255)            exclusive prefixes; E(0) is nothing
 *                     |          |                    |
 *     results      combine(combine(P(k), E(r)), L(j))                L(j): run r up to and including element j
 *
 * Combining with nothing changes nothing, and elements that are absent (after the end of the last tile) take no part.
 * So the operator never sees padding and needs no identity. (Blelloch 1990, "Prefix sums and their applications".)
 *
 * With HILLIS_STEELE the tree is the scan of Hillis and Steele (1986, "Data parallel algorithms"). At each of the
 * distances 1, 2, 4, .. 128 every run takes in the node that far before it, which leaves the inclusive prefixes. E(r)
 * is the prefix of run r - 1, and the tile's total is that of the last run. This takes half the steps and eight times
 * the work.
 *
 * The includer defines, before every inclusion:
 *     ELEM             the type of the stored numbers. An element is INPUTS of them
 *     CHECKED          1 to look for elements whose conversion does not fit
 *     CHECK_OVERFLOW   1 to look for results that do not fit as well (only with CHECKED)
 *     EXCLUSIVE        0: element i's result is emitted from the state of the elements up to and with element i. 1:
 *                      from the state of the elements before it. Where TILE_STATES is 1, the first result of a run is
 *                      made of the carry-in and E(r), which is right only if combine is exactly associative. The first
 *                      element of all has nothing before it: it gets its inclusive result (but see GIVES_NOTHING)
 *     GLOBAL, NODES    address space of the elements and of the tree's nodes (empty in C)
 *     CONTEXT_PARAMETER, CONTEXT_ARGUMENT   further parameters of every phase, which PARAMETER_ARGUMENT may use, and on
 *                      a GPU the stage; or nothing
 * and what names.h and grid.h list. Those two come first, and on a GPU then group.h.
 */
#ifndef OP
#error "OP must be defined: the operator's name"
#endif
#ifndef ACC
#error "ACC must be defined: the accumulator's type"
#endif
#ifndef ELEM
#error "ELEM must be defined: the type of the stored numbers"
#endif
#if !defined INPUTS || !defined CONVERT || !defined FITS
#error "INPUTS, CONVERT(x) and FITS(x) must be defined"
#endif
#if !defined CHECKED || !defined CHECK_OVERFLOW
#error "CHECKED and CHECK_OVERFLOW must be defined as 0 or 1"
#endif
#ifndef EXCLUSIVE
#error "EXCLUSIVE must be defined as 0 or 1"
#endif
#if !defined GLOBAL || !defined NODES
#error "GLOBAL and NODES must be defined: address spaces, or nothing"
#endif

#ifndef CONTEXT_PARAMETER
#define CONTEXT_PARAMETER INDEX_PARAMETER
#define CONTEXT_ARGUMENT INDEX_ARGUMENT
#endif
#ifndef NUMBER
#define NUMBER(n) in[n]
#define RESULT(i) out[i]
#endif
/* The only access of the tile and the cursor to elements and results. LOAD: element i, lifted to a state. FITS_AT:
 * whether element i's conversion fits. STORE: writes the result of state s as the result of element i. */
#define LOAD(i) LIFT_FROM(NUMBER, i)
#define FITS_AT(i) FITS_FROM(NUMBER, i)
#define STORE(i, s) RESULT(i) = EMIT_FROM(NUMBER, i, s)
/* The state from which an element's result is made: `before`, the state before it, if results are exclusive and there
 * is one; else `with`, the state that includes it. */
#define GIVEN(has_before, before, with) (EXCLUSIVE && (has_before) ? (before) : (with))
/* STORE of the state that GIVEN chooses, for an element that may have nothing before it. */
#if GIVES_NOTHING
#define STORE_GIVEN(i, has_before, before, with)                                                                       \
	if (EXCLUSIVE && !(has_before))                                                                                \
		RESULT(i) = NOTHING_FROM(NUMBER, i);                                                                   \
	else                                                                                                           \
		STORE(i, GIVEN(has_before, before, with))
#else
#define STORE_GIVEN(i, has_before, before, with) STORE(i, GIVEN(has_before, before, with))
#endif

/* Returns the total of `count` (1 to RUN) elements of one run, from the tile's element `first` on. */
static inline STATE GRID(run_total)(GLOBAL const ELEM *in CONTEXT_PARAMETER, u32 first, u32 count)
{
	STATE total = LOAD(first);
	(void)in;
	if (count == RUN) {
		RUN_LOOP
		for (u32 j = 1; j < RUN; j++)
			total = ROW(combine)(total, LOAD(first + j));
	} else {
		SERIAL_LOOP
		for (u32 j = 1; j < count; j++)
			total = ROW(combine)(total, LOAD(first + j));
	}
	return total;
}

#if HILLIS_STEELE
/* One step at distance d, which reads the nodes FROM and writes the nodes TO. Runs from run_count on are absent. */
#define STEP(d, FROM, TO)                                                                                              \
	EACH_RUN(r)                                                                                                    \
	if (r < run_count)                                                                                             \
		TO(r) = r < (d) ? FROM(r) : ROW(combine)(FROM(r - (d)), FROM(r));                                      \
	END_RUNS
#elif !SHAPE_GPU || KEEPS
/* Up-sweep at distance d: combines node i - d into node i. Runs from run_count on are absent. */
#define UP_SWEEP(d)                                                                                                    \
	EACH_NODE(i, d)                                                                                                \
	if (i + 1u - (d) < run_count)                                                                                  \
		NODE(i) = ROW(combine)(NODE(i - (d)), NODE(i));                                                        \
	else if (i + 1u - 2u * (d) < run_count)                                                                        \
		NODE(i) = NODE(i - (d));                                                                               \
	END_NODES

/* Down-sweep at distance d. Before it, node i holds its own prefix, and node i - d holds the total of the left child.
 * After it, node i - d holds the prefix of the left child, which is that of the parent. Node i holds the prefix of the
 * right child: the parent's prefix combined with the left child's total. A node whose first run is run 0 has no
 * prefix. */
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
#endif

/* After both sweeps: E(r), the combination of the tile's runs before run r, which must not be run 0. */
#if HILLIS_STEELE
#define PREFIX(r) NODE((r)-1u)
#elif SHAPE_GPU && !KEEPS
#define PREFIX(r) GRID(path_prefix)(r, node)
#else
#define PREFIX(r) NODE(r)
#endif

/* Does the up-sweep of the tree. Before it, NODE(r) is the total of run r, for each r below run_count. After it,
 * NODE(RUNS - 1) is the tile's total. */
static inline void GRID(tree_up_sweep)(u32 run_count, NODES STATE *node)
{
#if HILLIS_STEELE
	STEP(1u, NODE, OTHER_NODE)
	STEP(2u, OTHER_NODE, NODE)
	STEP(4u, NODE, OTHER_NODE)
	STEP(8u, OTHER_NODE, NODE)
	STEP(16u, NODE, OTHER_NODE)
	STEP(32u, OTHER_NODE, NODE)
	STEP(64u, NODE, OTHER_NODE)
	STEP(128u, OTHER_NODE, NODE)
	EACH_RUN(r)
	if (r == RUNS - 1u && run_count < RUNS)
		NODE(r) = NODE(run_count - 1u);
	END_RUNS
#elif SHAPE_GPU && !KEEPS
	UP_SWEEP_SUBTREES(1u)
	UP_SWEEP_SUBTREES(4u)
	UP_SWEEP_SUBTREES(16u)
	UP_SWEEP_SUBTREES(64u)
#elif !SHAPE_GPU && !defined __OPENCL_VERSION__
	for (u32 d = 1u; d < RUNS; d *= 2u)
		UP_SWEEP(d)
#else
	UP_SWEEP(1u)
	UP_SWEEP(2u)
	UP_SWEEP(4u)
	UP_SWEEP(8u)
	UP_SWEEP(16u)
	UP_SWEEP(32u)
	UP_SWEEP(64u)
	UP_SWEEP(128u)
#endif
}

/* Computes the run totals of a tile of `count` (1 to TILE) elements, and does the up-sweep. NODE(RUNS - 1) is then the
 * tile's total. */
static inline void GRID(tile_up_sweep)(GLOBAL const ELEM *in CONTEXT_PARAMETER, u32 count, NODES STATE *node)
{
	const u32 run_count = (count + RUN - 1u) / RUN;
#if SHAPE_GPU && STAGES_ELEMENTS
	EACH_RUN(r)
	GRID(stage_elements)(in CONTEXT_ARGUMENT, count, r);
	END_RUNS
#endif
	EACH_PRESENT_RUN(r)
	if (r < run_count) {
		const u32 left = count - r * RUN;
		NODE(r) = GRID(run_total)(in CONTEXT_ARGUMENT, r *RUN, left < RUN ? left : RUN);
	}
	END_RUNS
	GRID(tree_up_sweep)(run_count, node);
}

#if TILE_STATES > 1
/* After the up-sweep: the prefix of the last run of a whole tile. */
static inline STATE GRID(last_prefix)(NODES const STATE *node)
{
#if HILLIS_STEELE
	return NODE(RUNS - 2u);
#else
	STATE prefix = NODE(RUNS / 2u - 1u);
	SERIAL_LOOP
	for (u32 d = RUNS / 4u; d > 0; d /= 2u)
		prefix = ROW(combine)(prefix, NODE(RUNS - 1u - d));
	return prefix;
#endif
}
#endif

/* After the up-sweep and before the down-sweep: writes the states of a tile of `count` elements that the fold reads.
 * states[0]: the tile's total. If TILE_STATES is 3 and the tile is whole, also states[1], the combination of all runs
 * but the last one, and states[2], the last run's total. (Only a scan's last tile is not whole.) One work-item calls
 * this. */
static inline void GRID(tile_states)(GLOBAL const ELEM *in CONTEXT_PARAMETER, u32 count, NODES const STATE *node,
                                     GLOBAL STATE *states)
{
	states[0] = NODE(RUNS - 1u);
#if TILE_STATES > 1
	if (count == TILE) {
		states[1] = GRID(last_prefix)(node);
		states[2] = GRID(run_total)(in CONTEXT_ARGUMENT, TILE - RUN, RUN);
	}
#endif
	(void)in;
	(void)count;
}

/* After the up-sweep of a tile of `count` elements: makes PREFIX(r) the combination of all runs before run r. PREFIX(0)
 * is undefined. */
static inline void GRID(tile_down_sweep)(u32 count, NODES STATE *node)
{
#if HILLIS_STEELE || (SHAPE_GPU && !KEEPS)
	(void)count;
	(void)node;
#else
	const u32 run_count = (count + RUN - 1u) / RUN;
#if !SHAPE_GPU && !defined __OPENCL_VERSION__
	for (u32 d = RUNS / 2u; d > 0; d /= 2u)
		DOWN_SWEEP(d)
#else
	DOWN_SWEEP(128u)
	DOWN_SWEEP(64u)
	DOWN_SWEEP(32u)
	DOWN_SWEEP(16u)
	DOWN_SWEEP(8u)
	DOWN_SWEEP(4u)
	DOWN_SWEEP(2u)
	DOWN_SWEEP(1u)
#endif
#endif
}

#if CHECKED
/* Number n of the tile, in global memory: the stage may hold results already. */
#define STORED(n) in[n]

/* Returns the index in the tile of the first element of a run whose conversion or result does not fit, or NOT_BAD. The
 * run has `count` elements, from the tile's element `first` on. results_before: the state of everything before the run,
 * if has_before. */
static inline u32 GRID(run_first_bad)(GLOBAL const ELEM *in CONTEXT_PARAMETER, u32 first, u32 count, int has_before,
                                     STATE results_before)
{
	STATE before = results_before;
	for (u32 j = 0; j < count; j++) {
		const STATE x = LIFT_FROM(STORED, first + j);
		const STATE result = has_before || j > 0 ? ROW(combine)(before, x) : x;
		if (!FITS_FROM(STORED, first + j) ||
		    (CHECK_OVERFLOW && (has_before || j > 0) && ROW(overflow)(before, x, GIVEN(1, before, result))))
			return first + j;
		before = result;
	}
	return NOT_BAD;
}
#endif

/* Writes the results of one run: `count` elements, from the tile's element `first` on. `before`, if has_before, is the
 * state of everything before the run. first_result, if has_before and results are exclusive, is the state of the run's
 * first result. Returns 1 if the conversion or the result of an element does not fit, otherwise 0 (without CHECKED
 * always 0). Overflow is looked for between neighbours: a result must be the result before it combined with its
 * element. */
static inline int GRID(run_results)(GLOBAL const ELEM *in, GLOBAL RESULT_TYPE *out CONTEXT_PARAMETER, u32 first,
                                   u32 count, int has_before, STATE before, STATE first_result)
{
	STATE local_prefix = LOAD(first);
	STATE result = has_before ? ROW(combine)(before, local_prefix) : local_prefix;
	int bad = 0;
	(void)in;
	(void)out;
	(void)first_result;
#if CHECKED
	bad = (FITS_AT(first) ? 0 : 1) |
	      (CHECK_OVERFLOW && has_before && ROW(overflow)(before, local_prefix, GIVEN(1, before, result)));
#endif
	STORE_GIVEN(first, has_before, first_result, result);
	RUN_LOOP
	for (u32 j = 1; j < (count == RUN ? RUN : count); j++) {
		const STATE x = LOAD(first + j);
		const STATE previous = result;
		(void)previous;
		local_prefix = ROW(combine)(local_prefix, x);
		result = has_before ? ROW(combine)(before, local_prefix) : local_prefix;
#if CHECKED
		bad |= (FITS_AT(first + j) ? 0 : 1) |
		       (CHECK_OVERFLOW && ROW(overflow)(previous, x, GIVEN(1, previous, result)));
#endif
		STORE(first + j, GIVEN(1, previous, result));
	}
	return bad;
}

/* After both sweeps: returns the state of everything before run r. For run 0 this is carry_in. (Without a carry-in it
 * is undefined.) */
static inline STATE GRID(before_run)(u32 r, int has_carry_in, STATE carry_in, NODES STATE *node)
{
	if (r == 0)
		return carry_in;
	const STATE prefix = PREFIX(r);
	return has_carry_in ? ROW(combine)(carry_in, prefix) : prefix;
}

#if TILE_STATES > 1
/* After both sweeps: returns the last result of run r - 1 (r > 0), as a state. (before_run(r) may combine in another
 * order.) */
static inline STATE GRID(result_before)(GLOBAL const ELEM *in CONTEXT_PARAMETER, u32 r, int has_carry_in,
                                        STATE carry_in, NODES STATE *node)
{
	const STATE total = GRID(run_total)(in CONTEXT_ARGUMENT, (r - 1u) * RUN, RUN);
	const int has_before = has_carry_in || r > 1u;
	return has_before ? ROW(combine)(GRID(before_run)(r - 1u, has_carry_in, carry_in, node), total) : total;
}
#endif

/* After both sweeps: writes the results of the tile's `count` elements. states[0] is the carry-in P(k). If TILE_STATES
 * is more than 1, states[1] is the result before the tile, as a state. Without has_carry_in both are read, but not
 * used. *first_bad must be NOT_BAD before the call. It becomes the index in the tile of the first element whose
 * conversion or result does not fit, if there is one. */
static inline void GRID(tile_results)(GLOBAL const ELEM *in, GLOBAL RESULT_TYPE *out CONTEXT_PARAMETER, u32 count,
                                     int has_carry_in, GLOBAL const STATE *states, NODES STATE *node,
                                     NODES u32 *first_bad)
{
	const u32 run_count = (count + RUN - 1u) / RUN;
	const STATE carry_in = states[0];
	(void)first_bad;
	EACH_PRESENT_RUN(r)
	if (r < run_count) {
		const u32 left = count - r * RUN;
		const u32 length = left < RUN ? left : RUN;
		const int has_before = has_carry_in || r > 0;
		const STATE before = GRID(before_run)(r, has_carry_in, carry_in, node);
#if TILE_STATES > 1
		STATE first_result = states[1];
		if (r > 0)
			first_result = GRID(result_before)(in CONTEXT_ARGUMENT, r, has_carry_in, carry_in, node);
#else
		const STATE first_result = before;
#endif
		if (GRID(run_results)(in, out CONTEXT_ARGUMENT, r *RUN, length, has_before, before, first_result)) {
#if CHECKED
#if SHAPE_GPU
			atomic_min(first_bad,
			           GRID(run_first_bad)(in CONTEXT_ARGUMENT, r * RUN, length, has_before, before));
#else
			if (*first_bad == NOT_BAD)
				*first_bad =
				        GRID(run_first_bad)(in CONTEXT_ARGUMENT, r * RUN, length, has_before, before);
#endif
#endif
		}
	}
	END_RUNS
#if SHAPE_GPU && STAGES_RESULTS
	EACH_RUN(r)
	GRID(unstage_results)(out CONTEXT_ARGUMENT, count, r);
	END_RUNS
#endif
}

#undef STEP
#undef UP_SWEEP
#undef DOWN_SWEEP
#undef PREFIX
