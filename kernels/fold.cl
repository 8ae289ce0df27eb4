/* The fold on a device, in one work-item, by the host's text (cursor.h): between the two kernels of a scan (scan.cl) it
 * makes carry-ins of the totals of a chunk's tiles.
 *
 *     before   the cursor before the chunk, at a tile's edge: what `after` became for the chunk before, or what the
 *              host has set
 *     totals   what scan_totals wrote: TILE_STATES states for each of `count` tiles
 *     carry_in becomes what scan_results reads: TILE_STATES states a tile. Those of tile 0 are not set if no element
 *              and no seed come before it
 *     after    becomes the cursor after the chunk. It may be `before`. A tile that is not whole counts as whole: only
 *              the scan's last tile may be such a tile
 * The same kernel folds the totals that a program's cursor takes in (cursor.cl).
 */
typedef char cursor_fits_its_memory[sizeof(struct GRID(cursor)) <= CURSOR_SIZE ? 1 : -1];

/* Totals that are read at once, because a single work-item would wait for the memory at each of them. */
#define FOLD_BATCH 8u

/* Folds totals of `count` tiles into *c. */
static inline void GRID(fold_totals)(struct GRID(cursor) *c, __global const STATE *totals, u32 count,
                                    __global STATE *carry_in)
{
#if TILE_STATES > 1
	SERIAL_LOOP
	for (u32 k = 0; k < count; k++)
		GRID(cursor_fold_tile)(c, totals + TILE_STATES * k, carry_in + TILE_STATES * k);
#else
	for (u32 first = 0; first < count; first += FOLD_BATCH) {
		STATE batch[FOLD_BATCH];
		for (u32 j = 0; j < FOLD_BATCH; j++)
			batch[j] = totals[first + j < count ? first + j : first];
		for (u32 j = 0; j < FOLD_BATCH; j++) {
			if (first + j < count) {
				if (c->has_carry != 0)
					carry_in[first + j] = CARRY_PREFIX(c->carry);
				GRID(cursor_fold)(c, batch[j]);
			}
		}
	}
	c->count += (u64)count * TILE;
#endif
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
scan_fold(__global const struct GRID(cursor) *before, __global const STATE *restrict totals, const u32 count,
          __global STATE *restrict carry_in, __global struct GRID(cursor) *after)
{
	struct GRID(cursor) c = *before;
	GRID(fold_totals)(&c, totals, count, carry_in);
	*after = c;
}
