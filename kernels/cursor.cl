/* The cursor's kernels, for programs. For a device they are what the functions of struct row_code
 * (src/rows/row_code.h) are for the host. Between two calls a cursor lies in CURSOR_SIZE bytes of device memory.
 *
 * cursor_seed begins *cursor with the seed in[0], and sets out[0] to the seed's result. With count 0 it sets out[0] to
 * the result of no elements, and *cursor does not change; in[0] must still be readable.
 *
 * cursor_push has `count` cursors, CURSOR_SIZE bytes apart, and a work-item for each of them. Work-item j pushes the
 * elements from ends[j - 1] (0 for the first cursor) to before ends[j] into cursor j, and writes their results.
 * answers[j] becomes the index of the first of these elements that does not fit, counted from cursor j's own first one,
 * or NOT_BAD. all_gaps, if HAS_GAPS: `gaps` (program.h) for all elements, or NULL.
 *
 * cursor_triples writes four results for each of `count` elements k, where the elements exist: of k to k + 2 combined
 * from the left, of k to k + 2 combined from the right, of k alone, of k and k + 1. Of its cursor it reads only the
 * member `count`, which is the first element's index.
 */
#define NUMBER_IN(n) in[n]
#if HAS_GAPS
#define GAPS_PARAMETER , __global const u64 *restrict all_gaps
#else
#define GAPS_PARAMETER
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
cursor_seed(__global struct GRID(cursor) *cursor, __global const pscan_seed *restrict in, const u32 count,
            __global RESULT_TYPE *restrict out)
{
	struct GRID(cursor) c = *cursor;
#if GIVES_NOTHING
	if (count == 0) {
		out[0] = pscan_nothing(PSCAN_SEED_ARGUMENTS(in[0]), 0);
		return;
	}
#endif
	const STATE s = pscan_begin(PSCAN_SEED_ARGUMENTS(in[0]));
	(void)count;
	GRID(cursor_fold)(&c, s);
	out[0] = pscan_emit(s, PSCAN_SEED_ARGUMENTS(in[0]), 0, 0);
	*cursor = c;
}

__kernel void
cursor_push(__global char *cursors, __global const ELEM *restrict in, const u32 count,
            __global RESULT_TYPE *restrict out, __global u32 *restrict answers,
            __global const u32 *restrict ends GAPS_PARAMETER)
{
	const u32 j = (u32)get_global_id(0);
	if (j >= count)
		return;
	__global struct GRID(cursor) *cursor = (__global struct GRID(cursor) *)(cursors + (u64)j * CURSOR_SIZE);
	struct GRID(cursor) c = *cursor;
	const u32 first = j > 0 ? ends[j - 1] : 0;
	const u64 first_index = c.count;
#if HAS_GAPS
	__global const u64 *const gaps = all_gaps != 0 ? all_gaps + first : 0;
#endif
	answers[j] = GRID(cursor_push)(&c, in + first, ends[j] - first INDEX_ARGUMENT, out + first);
	*cursor = c;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
cursor_triples(__global struct GRID(cursor) *cursor, __global const ELEM *restrict in, const u32 count,
               __global RESULT_TYPE *restrict out)
{
	const u64 first_index = cursor->count;
	DECLARE_GAPS
	SERIAL_LOOP
	for (u32 k = 0; k < count; k++) {
		const STATE a = LIFT_FROM(NUMBER_IN, k);
		out[4 * k + 2] = EMIT_OF(NUMBER_IN, k, a, 1);
		if (k + 1 == count)
			break;
		const STATE b = LIFT_FROM(NUMBER_IN, k + 1);
		const STATE ab = ROW(combine)(a, b);
		out[4 * k + 3] = EMIT_OF(NUMBER_IN, k + 1, ab, 2);
		if (k + 2 == count)
			continue;
		const STATE c = LIFT_FROM(NUMBER_IN, k + 2);
		out[4 * k] = EMIT_OF(NUMBER_IN, k + 2, ROW(combine)(ab, c), 3);
		out[4 * k + 1] = EMIT_OF(NUMBER_IN, k + 2, ROW(combine)(a, ROW(combine)(b, c)), 3);
	}
}
