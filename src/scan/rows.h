/* The host's rows for every operator and accumulator type, with the fold of the carry.
 *
 * Every row exists as the grid's own text, kernels/tile.h compiled as C. The common ones exist as vector code too, once
 * for each level of instruction sets, with the same bits. */
#ifndef PSCAN_SCAN_ROWS_H
#define PSCAN_SCAN_ROWS_H

#include "scan/row.h"
#include "scan/window.h"

/* What every function of a row gets besides, as kernels/tile.h wants it: the row's parameter. */
#define CONTEXT_PARAMETER , double parameter __attribute__((unused))
#define CONTEXT_ARGUMENT , parameter

/* Variants of a row: a sum of these. */
enum {
	ROW_CHECKED = 1, /* with the overflow check */
	ROW_EXCLUSIVE = 2, /* its results are exclusive (struct row) */
	ROW_VARIANTS = 4
};

/* The grid's own text. Rows that do not exist (bit operators over floats), or that no operator needs (checked ones that cannot
 * overflow), are zero. */
extern const struct row_code host_rows_grid[ROW_VARIANTS][OPERATOR_ID_COUNT][TYPE_COUNT];
/* The same with Hillis and Steele's scan in the tree's place. */
extern const struct row_code host_rows_hillis[ROW_VARIANTS][OPERATOR_ID_COUNT][TYPE_COUNT];
/* Strictly left to right. */
extern const struct row_code host_rows_sequential[ROW_VARIANTS][OPERATOR_ID_COUNT][TYPE_COUNT];

/* Cursors of many columns at once, [1] with the overflow check; NULL where there is none. */
extern push_records *const host_rows_columns[2][OPERATOR_ID_COUNT][TYPE_COUNT];

/* Segments of up to a run, [1] with the overflow check. */
extern scan_short_segments *const host_rows_segments[2][OPERATOR_ID_COUNT][TYPE_COUNT];

/* The fast passes, [1] with the overflow check; zero where there is none. The tables of levels that were not compiled are zero throughout. */
extern const struct tile_code host_rows_baseline[2][OPERATOR_ID_COUNT][TYPE_COUNT];
extern const struct tile_code host_rows_v3[2][OPERATOR_ID_COUNT][TYPE_COUNT];
extern const struct tile_code host_rows_v4[2][OPERATOR_ID_COUNT][TYPE_COUNT];

/* The passes over windows (scan/window.h), in the grid's order. */
struct window_code {
	size_t state_size;
	size_t prefix_size; /* of the cursor */
	push_window *push; /* with elements of the accumulator's type */
	/* The state with these members, and with rest after them. */
	void (*state)(const union value *members, const void *rest, double parameter, void *state);
	/* The prefix of the block, of some elements, as a state; and its beginning with one. */
	void (*prefix)(const struct window *w, void *state);
	void (*restart)(struct window *w, const void *state);
};
/* [1] with the overflow check, for i128 alone. (What emits inputs has no identity, and windows no seed: none is exclusive.) */
extern const struct window_code host_rows_window[2][OPERATOR_ID_COUNT][TYPE_COUNT];

/* The fast ones, where order does not count, without the overflow check; NULL where there is none. A window is theirs from its beginning
 * on, as they keep other states. */
extern push_window *const host_rows_windows_baseline[OPERATOR_ID_COUNT][TYPE_COUNT];
extern push_window *const host_rows_windows_v3[OPERATOR_ID_COUNT][TYPE_COUNT];
extern push_window *const host_rows_windows_v4[OPERATOR_ID_COUNT][TYPE_COUNT];

/* Whether this machine has the instructions of a level: "grid", "baseline", "v3" or "v4". */
bool host_rows_machine_has(const char *name);

/* The code of a row. */
const struct row_code *host_rows_code(enum operator_id op, enum type_id acc, unsigned variant,
				      enum algorithm algorithm);
/* Its fastest passes on this machine. PSCAN_CPU=grid, baseline, v3 or v4 sets the highest level tried: grid is the grid's own
 * text. (The algorithms but Blelloch's have one level.) */
const struct tile_code *host_rows_tiles(enum operator_id op, enum type_id acc, unsigned variant,
					enum algorithm algorithm);
/* The same for windows without the overflow check. */
push_window *host_rows_push_window(enum operator_id op, enum type_id acc);

#endif
