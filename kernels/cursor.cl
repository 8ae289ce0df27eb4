/* The cursor's kernels, for programs: what row_code has on the host (src/scan/row.h), by one work-item. A cursor lies between two calls
 * in memory of CURSOR_SIZE bytes.
 *
 *     cursor   is changed
 *     in       what is taken in, count of them: cursor_seed an element, cursor_fold totals of tiles, cursor_push elements
 *     out      cursor_seed the result of the seed; cursor_fold a carry-in a tile, the first one absent if nothing is before it;
 *              cursor_push a result an element
 *     answer   cursor_fold: whether tile 0 has a carry-in; cursor_push: the place of the first element that does not fit, or NOT_BAD
 */
typedef char cursor_fits_its_memory[sizeof(struct GRID(cursor)) <= CURSOR_SIZE ? 1 : -1];

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
cursor_seed(__global struct GRID(cursor) *cursor, __global const ACC *restrict in, const u32 count,
            __global ROW(result) *restrict out, __global u32 *restrict answer)
{
	struct GRID(cursor) c = *cursor;
	const STATE s = ROW(lift)(in[0]);
	(void)count;
	GRID(cursor_fold)(&c, s);
	out[0] = ROW(emit)(s);
	answer[0] = NOT_BAD;
	*cursor = c;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
cursor_fold(__global struct GRID(cursor) *cursor, __global const STATE *restrict in, const u32 count,
            __global STATE *restrict out, __global u32 *restrict answer)
{
	struct GRID(cursor) c = *cursor;
	answer[0] = c.has_carry;
	SERIAL_LOOP
	for (u32 k = 0; k < count; k++) {
		if (c.has_carry != 0)
			out[k] = CARRY_PREFIX(c.carry);
		GRID(cursor_fold)(&c, in[k]);
	}
	c.count += (u64)count * TILE;
	*cursor = c;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
cursor_push(__global struct GRID(cursor) *cursor, __global const ELEM *restrict in, const u32 count,
            __global ROW(result) *restrict out, __global u32 *restrict answer)
{
	struct GRID(cursor) c = *cursor;
	answer[0] = GRID(cursor_push)(&c, in, count, out);
	*cursor = c;
}
