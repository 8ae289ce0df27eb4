/* Whole tiles of the CPU shape, for rows that side_by_side.h does not do. STEP_RUNS runs advance together: element j of
 * all these runs comes before element j + 1 of any. Every run is combined left to right, as in tile.h, so the bits are
 * the grid's. While the processor waits for one run's combination it does another's, and compilers make vectors of some
 * operators.
 *
 * The prelude defines IN_STEP as 1 or 0. 1: for a CPU, if results are inclusive and the tree is Blelloch's.
 */
#ifndef IN_STEP
#error "IN_STEP must be defined as 0 or 1"
#endif

#if IN_STEP
#define STEP_RUNS 8u
#ifdef __clang__
#define STEP_UNROLLED _Pragma("unroll")
#else
#define STEP_UNROLLED
#endif

/* The runs are read and written at several places at once, which the processor does not prefetch by itself. Used at
 * element j of the runs from r on, STEP_FETCH prefetches, in the order of memory, a part of what the runs from r +
 * STEP_AHEAD on will need. at: the tile's first element or result; size: its bytes; writes: 1 for results. (SPIR has no
 * prefetch of this kind.) */
#define STEP_AHEAD (4u * STEP_RUNS)
#if defined __clang__ && !defined __SPIR__ && !defined __SPIRV__
#define STEP_FETCH(at, size, r, j, writes)                                                                             \
	STEP_UNROLLED                                                                                                  \
	for (u32 byte = 0; byte < STEP_RUNS * (u32)(size); byte += 64u)                                                \
		__builtin_prefetch((GLOBAL const char *)(at) +                                                         \
		                           (((r) + STEP_AHEAD) * RUN + STEP_RUNS * (j)) * (size) + byte,               \
		                   writes);
#else
#define STEP_FETCH(at, size, r, j, writes)
#endif
#define STEP_FETCH_IN(r, j) STEP_FETCH(in, INPUTS * sizeof(ELEM), r, j, 0)
#define STEP_FETCH_OUT(r, j) STEP_FETCH(out, sizeof(RESULT_TYPE), r, j, 1)

/* 1 if the conversion of element i, or its result, does not fit; otherwise 0. x: the element; previous: the result
 * before it; result: its own result; all as states. */
#if CHECKED
#define STEP_IS_BAD(i, previous, x, result)                                                                            \
	((FITS_AT(i) ? 0 : 1) | (CHECK_OVERFLOW && ROW(overflow)(previous, x, result)))
#else
#define STEP_IS_BAD(i, previous, x, result) 0
#endif

/* Sets NODE(r) to the total of run r, for all runs of a whole tile. */
static inline void GRID(step_totals)(GLOBAL const ELEM *in CONTEXT_PARAMETER, NODES STATE *node)
{
	for (u32 r = 0; r < RUNS; r += STEP_RUNS) {
		STEP_FETCH_IN(r, 0u)
		STATE total[STEP_RUNS];
		STEP_UNROLLED
		for (u32 l = 0; l < STEP_RUNS; l++)
			total[l] = LOAD((r + l) * RUN);
		SERIAL_LOOP
		for (u32 j = 1; j < RUN; j++) {
			STEP_FETCH_IN(r, j)
			STEP_UNROLLED
			for (u32 l = 0; l < STEP_RUNS; l++)
				total[l] = ROW(combine)(total[l], LOAD((r + l) * RUN + j));
		}
		STEP_UNROLLED
		for (u32 l = 0; l < STEP_RUNS; l++)
			NODE(r + l) = total[l];
	}
}

/* After both sweeps: writes the results of a whole tile that has a carry-in. Returns 1 if the conversions and results
 * of all elements fit. Returns 0 if one does not fit: the contents of `out` are then worthless, and tile_results finds
 * the first one. */
static inline int GRID(step_results)(GLOBAL const ELEM *in, GLOBAL RESULT_TYPE *out CONTEXT_PARAMETER, STATE carry_in,
                                     NODES STATE *node)
{
	int bad = 0;
	for (u32 r = 0; r < RUNS; r += STEP_RUNS) {
		STEP_FETCH_IN(r, 0u)
		STEP_FETCH_OUT(r, 0u)
		STATE before[STEP_RUNS], local_prefix[STEP_RUNS], result[STEP_RUNS];
		STEP_UNROLLED
		for (u32 l = 0; l < STEP_RUNS; l++) {
			before[l] = r + l > 0 ? ROW(combine)(carry_in, NODE(r + l)) : carry_in;
			local_prefix[l] = LOAD((r + l) * RUN);
			result[l] = ROW(combine)(before[l], local_prefix[l]);
			bad |= STEP_IS_BAD((r + l) * RUN, before[l], local_prefix[l], result[l]);
			STORE((r + l) * RUN, result[l]);
		}
		SERIAL_LOOP
		for (u32 j = 1; j < RUN; j++) {
			STEP_FETCH_IN(r, j)
			STEP_FETCH_OUT(r, j)
			STEP_UNROLLED
			for (u32 l = 0; l < STEP_RUNS; l++) {
				const STATE x = LOAD((r + l) * RUN + j);
				const STATE previous = result[l];
				(void)previous;
				local_prefix[l] = ROW(combine)(local_prefix[l], x);
				result[l] = ROW(combine)(before[l], local_prefix[l]);
				bad |= STEP_IS_BAD((r + l) * RUN + j, previous, x, result[l]);
				STORE((r + l) * RUN + j, result[l]);
			}
		}
	}
	return bad == 0;
}
#endif
