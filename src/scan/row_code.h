/* The host's code for a row: what is made of the kernels' text, for one operator and one accumulator (rows.h). Nothing
 * here names an operator: the code of each depends on its own facts and text alone, and is not made anew with
 * another's. */
#ifndef PSCAN_SCAN_ROW_CODE_H
#define PSCAN_SCAN_ROW_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/type.h"

/* Sets of accumulators, for operators' facts (operators.inc). */
#define TYPES_NONE 0
#define TYPES_INTEGER 1 /* of 8 to 64 bits */
#define TYPES_WIDE 2 /* i128 */
#define TYPES_FLOAT 4
#define TYPES_ALL (TYPES_INTEGER + TYPES_WIDE + TYPES_FLOAT)
#define TYPES_I64 8 /* that one alone */
#define TYPES_UNSIGNED 16 /* those of TYPES_INTEGER alone */
#define TYPES_U64 32 /* as TYPES_I64 */

/* What every function of a row gets besides, as kernels/tile.h wants it: the row's parameter. */
#define CONTEXT_PARAMETER , double parameter __attribute__((unused))
#define CONTEXT_ARGUMENT , parameter

/* Variants of a row: a sum of these. */
enum {
	ROW_CHECKED = 1, /* with the overflow check */
	ROW_EXCLUSIVE = 2, /* its results are exclusive (struct row) */
	ROW_VARIANTS = 4
};

/* The grid (kernels/tile.h): elements of a run, of a tile. */
#define GRID_RUN 16
#define GRID_TILE 4096
/* Named by --version. Changes when any output bit of any scan would. */
#define GRID_VERSION 2

/* The largest state, in bytes, and the most states that the fold gets of a tile, or gives for it (row_tile_size). */
#define STATE_SIZE_MAX 128
#define TILE_SIZE_MAX (3 * STATE_SIZE_MAX)

/* The passes over whole tiles. parameter is the row's. All pointers are to arrays in the types of the row, aligned to
 * them; none overlap. Tiles are counted from in, the last may be partial. Pure functions. */
struct tile_code {
	/* totals[k] = the total of tile k. count >= 1 elements, their numbers of the accumulator's type. */
	void (*totals)(const void *in, size_t count, double parameter, void *totals);
	/* Writes count results. carry_in[k] is the carry-in of tile k; that of tile 0 is absent unless first_has_carry.
	 * Returns the first index whose result is not exact, or SIZE_MAX. (An unchecked row's may do so, too.) */
	size_t (*results)(const void *in, size_t count, double parameter, const void *carry_in, bool first_has_carry,
			  void *out);
	/* The same of segments of length elements, none more than a tile, as if each were alone; count is a multiple of
	 * length. */
	size_t (*segments)(const void *in, size_t count, size_t length, double parameter, void *out);
};

/* The host's code for one row, made by src/scan/rows.h from the kernels' text. A cursor is a scan between two of its
 * elements (kernels/cursor.h): cursor_size bytes, aligned for any type, which may be copied; all zero before the first
 * element. Functions of what they are given alone; any thread. */
struct row_code {
	size_t state_size;
	size_t cursor_size;
	struct tile_code tiles; /* the grid's own text; NULLs of a sequential row */
	/* Folds the totals of count tiles (the last may be partial, if nothing follows) into a cursor that is at a
	 * tile's edge; prefixes[k] becomes the carry-in of tile k. Returns whether tile 0 has one (zero bytes if not).
	 * Of a sequential row only where the order of combining gives the same bits; there everywhere is an edge. */
	bool (*fold)(void *cursor, const void *totals, size_t count, void *prefixes);
	/* Begins a cursor, all zero before, with a seed: an element, its numbers of the accumulator's type. */
	void (*seed)(void *cursor, const void *value, double parameter);
	/* The state after the elements so far, of which there are some, or a seed. */
	void (*state)(const void *cursor, void *state);
	/* A state's result, with an element's numbers of the accumulator's type. */
	void (*emit)(const void *state, const void *element, double parameter, void *result);
	/* Begins a cursor, all zero before, with the state of an operator's other row: its members in this row's type,
	 * and what came after them there. */
	void (*restart)(void *cursor, const union value *members, const void *rest, double parameter);
	/* Takes in the next count elements (less than 2^32 numbers, of the accumulator's type) one by one and writes
	 * their results. Returns as tiles.results does. */
	size_t (*push)(void *cursor, const void *in, size_t count, double parameter, void *out);
	/* The same of cursors that each take in elements of their own: element i goes to cursors[numbers[i]]. Of
	 * sequential rows of i64 whose results are inclusive, where order does not count; of others NULL. */
	size_t (*push_each)(void *const *cursors, const uint32_t *numbers, const void *in, size_t count,
			    double parameter, void *out);
};

/* What push does, for width cursors of one row that have taken in equally many elements, with a seed or without: each
 * takes in one element of each record. Records are in_step bytes apart, their results out_step; those of a record
 * follow each other. bad[j] becomes what push would return of cursor j. */
typedef void push_records(void *const *cursors, size_t width, const void *in, size_t in_step, size_t records,
			  double parameter, void *out, size_t out_step, size_t *bad);

/* Scans segments as if each were alone: elements that follow each other with the same number in begun, of which there
 * are count. Takes whole segments, up to the first one that is longer than a run, has a result that does not fit, or is
 * the last; returns how many elements these are. Writes their results, and perhaps others after them. */
typedef size_t scan_short_segments(const void *in, const uint32_t *begun, size_t count, double parameter, void *out);

/* Memory for the cursor of any row: all run totals of a tile, and less than so much besides. */
union cursor {
	unsigned char bytes[(GRID_TILE / GRID_RUN + 8) * STATE_SIZE_MAX];
	max_align_t align;
};

/* What a lane's windows are between two of its elements. All zero but for the length, kept_size and may_lack, it
 * begins. Elements are records, of which some may have no number: these take places. */
struct window {
	uint64_t length; /* elements */
	uint64_t count; /* elements so far */
	uint64_t place; /* of the next element, in its block */
	uint64_t numbers; /* how many of the block's elements are numbers */
	uint64_t taken; /* and how many of all elements, */
	uint64_t covered; /* and of the window of the last one */
	uint64_t suffix_end; /* from this place on the block before has no number */
	unsigned char *states; /* of the elements before it in the block, then of suffixes of the block before. Owned */
	size_t states_bytes; /* capacity of `states`, which outlives a segment: the next one's may be wider */
	size_t kept_size;
	/* kept_size bytes for each of the last numbers, at its index among all numbers modulo the length. Set by the
	 * window's user. Owned. */
	unsigned char *kept;
	size_t kept_bytes; /* capacity of `kept` */
	/* If may_lack, of each place the tag of the last block in which it has no number. Owned. */
	unsigned char *lacks;
	size_t lacks_bytes; /* capacity of `lacks` */
	unsigned char other_tag; /* 0 or 1: the present block's is 1 or 2, that of the one before 2 or 1 */
	bool may_lack; /* elements may have no number */
	bool has_block; /* there is a block before this one: */
	bool is_spoilt; /* the prefix is not exact */
	/* Nor are the suffixes of the block before from one place on, up to the other: the elements stand there
	 * still. */
	uint64_t spoilt_from, spoilt_to;
	_Alignas(max_align_t) unsigned char prefix[]; /* a cursor */
};

static inline unsigned char window_tag(const struct window *w)
{
	return (unsigned char)(1 + w->other_tag);
}

/* Whether the element at that place of the present block, or of the one before, is a number. */
static inline bool window_has_number(const struct window *w, uint64_t place, bool before)
{
	return !w->may_lack || w->lacks[place] != (before ? 3 - window_tag(w) : window_tag(w));
}

/* At a block's end: brings the states of its numbers together, so that they end where the states do, and returns how
 * many they are; then spreads the suffixes that these became: an element without a number has the next one's. */
uint64_t window_gather(const struct window *w, unsigned char *states, size_t size);
void window_spread(struct window *w, unsigned char *states, size_t size, uint64_t numbers);

/* As window_push, but the row is known, and its parameter given. */
typedef size_t push_window(struct window *w, const void *in, size_t count, double parameter, void *out);

/* The passes over windows (scan/window.h), in the grid's order. */
struct window_code {
	size_t state_size;
	size_t prefix_size; /* of the cursor */
	push_window *push; /* with elements of the accumulator's type */
	void (*end_block)(struct window *w);
	/* The prefix of the block, of some elements, as a state. */
	void (*prefix)(const struct window *w, void *state);
	unsigned spoils; /* OP_SPOILS, of operators.inc */
	const struct hillis_row *row; /* (scan/hillis.h) */
};
/* The rows of an operator, by accumulator, in three parts (rows.h). Rows that do not exist (bit operators over floats),
 * or that are never used, are zero: checked ones that cannot overflow, and unchecked ones of exact decimals that can.
 *
 * The grid's: its own text, and Hillis and Steele's scan in the tree's place. Windows [1] with the overflow check, for
 * i128 alone. (What emits inputs has no identity, and windows no seed: none is exclusive.) */
struct operator_grid {
	struct row_code grid[ROW_VARIANTS][TYPE_COUNT];
	struct row_code hillis[ROW_VARIANTS][TYPE_COUNT];
	struct window_code windows[2][TYPE_COUNT];
};

struct layout_member;

/* The members of a state or a carry, each listed (base/layout.h); count 0: none is. */
struct listed {
	const struct layout_member *members;
	size_t count;
	size_t size, alignment; /* of the struct */
};

/* Plain loops, strictly left to right, over columns (of the operators that have vector code) and short segments: these
 * two are NULL where there is none, [1] with the overflow check. And what the states are (layouts.h). */
struct operator_loops {
	struct row_code sequential[ROW_VARIANTS][TYPE_COUNT];
	push_records *columns[2][TYPE_COUNT];
	scan_short_segments *segments[2][TYPE_COUNT];
	struct listed states[TYPE_COUNT];
	struct listed carries[TYPE_COUNT]; /* those that are no states */
};

/* Vector code for a level of instruction sets: the fast passes, [1] with the overflow check, and windows without it. A
 * window is theirs from its beginning on, as where order does not count they keep other states. Zero where there is
 * none; throughout, if the level is not compiled. */
struct operator_level {
	struct tile_code tiles[2][TYPE_COUNT];
	push_window *windows[TYPE_COUNT];
};

#endif
