/* The host's code for a row, that is for one operator and one accumulator type (rows.h). It is compiled from the
 * kernels' text. This header names no operator, so that a change of one operator does not recompile the code of the
 * others. */
#ifndef PSCAN_ROWS_ROW_CODE_H
#define PSCAN_ROWS_ROW_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "number/type.h"

/* Sets of accumulators, for operators' facts (operators.inc). */
#define TYPES_NONE 0
#define TYPES_INTEGER 1 /* All integers of 8 to 64 bits. */
#define TYPES_WIDE 2 /* i128. */
#define TYPES_FLOAT 4
#define TYPES_ALL (TYPES_INTEGER + TYPES_WIDE + TYPES_FLOAT)
#define TYPES_I64 8 /* i64 only. */
#define TYPES_UNSIGNED 16 /* All unsigned integers of 8 to 64 bits. */
#define TYPES_U64 32 /* u64 only. */

/* The last parameter of every compiled function of a row, and the argument for it: the row's parameter (kernels/tile.h
 * has these macros for devices). */
#define CONTEXT_PARAMETER , double parameter __attribute__((unused))
#define CONTEXT_ARGUMENT , parameter

/* How the runs of a tile are combined. */
enum algorithm {
	ALGORITHM_BLELLOCH,
	ALGORITHM_HILLIS_STEELE,
	/* No tiles and runs: one element after the other in the accumulator's own type. On the host only, by
	 * cursors. */
	ALGORITHM_SEQUENTIAL,
	ALGORITHM_COUNT,
};

/* Variants of a row: a sum of these. */
enum {
	ROW_CHECKED = 1, /* With the overflow check. */
	ROW_EXCLUSIVE = 2, /* With exclusive results (struct row). */
	ROW_VARIANTS = 4
};

/* The grid (kernels/tile.h): elements of a run, and elements of a tile. */
#define GRID_RUN 16
#define GRID_TILE 4096
/* Shown by --version. It changes when any output bit of any scan changes. */
#define GRID_VERSION 2

/* Bytes of the largest state, and of the largest total or carry-in of a tile (row_tile_size). */
#define STATE_SIZE_MAX 128
#define TILE_SIZE_MAX (3 * STATE_SIZE_MAX)

/* The passes over whole tiles. parameter: the row's parameter. Arrays have the types of the row, are aligned for them,
 * and must not overlap. Tile k begins at element k * GRID_TILE of `in`; the last tile may be partial. Pure
 * functions. */
struct tile_code {
	/* Sets totals[k] to the total of tile k, for `count` elements (at least 1) in the accumulator's type. */
	void (*totals)(const void *in, size_t count, double parameter, void *totals);
	/* Writes `count` results. carry_in[k] is the carry-in of tile k; tile 0 has none unless first_has_carry.
	 * Returns the index of the first result that is not exact, or SIZE_MAX. (Rows without the overflow check may
	 * return an index, too; ignore it.) */
	size_t (*results)(const void *in, size_t count, double parameter, const void *carry_in, bool first_has_carry,
			  void *out);
	/* `results` for segments that are scanned independently. Each has `length` elements, at most a tile. count must
	 * be a multiple of length. */
	size_t (*segments)(const void *in, size_t count, size_t length, double parameter, void *out);
};

/* The host's code for one row. A cursor is a scan between two of its elements (kernels/cursor.h): cursor_size bytes,
 * aligned for any type, all zero before the first element. Cursors may be copied. Pure functions; any thread. */
struct row_code {
	size_t state_size; /* Bytes of a state. */
	size_t cursor_size; /* Bytes of a cursor. */
	struct tile_code tiles; /* Compiled from the grid's own text. NULLs for a sequential row. */
	/* Combines the totals of the next `count` tiles into a cursor that is at a tile's edge. Only the scan's last
	 * tile may be partial. prefixes[k] becomes the carry-in of tile k: the state of all elements before the tile.
	 * Returns whether tile 0 has a carry-in. Without a carry-in, prefixes[0] is zero bytes. A sequential row has
	 * this function only if the order of combining does not change the bits. Each of its elements is then an edge.
	 * NULL for any other sequential row. */
	bool (*fold)(void *cursor, const void *totals, size_t count, void *prefixes);
	/* Begins a zeroed cursor with a seed, an element in the accumulator's type. */
	void (*seed)(void *cursor, const void *value, double parameter);
	/* Sets *state to the state after all elements so far. There must be an element or a seed. */
	void (*state)(const void *cursor, void *state);
	/* Sets *result to a state's result at an element, whose numbers are in the accumulator's type. */
	void (*emit)(const void *state, const void *element, double parameter, void *result);
	/* Begins a zeroed cursor with a state that comes from another row of the operator. members: the state's
	 * members, converted to this row's type. rest: the state's bytes after the members (struct state_parts). */
	void (*restart)(void *cursor, const union value *members, const void *rest, double parameter);
	/* Combines the next `count` elements (fewer than 2^32 numbers, in the accumulator's type) into a cursor and
	 * writes their results. Returns the index of the first result that is not exact, or SIZE_MAX. (Rows without the
	 * overflow check may return an index, too; ignore it.) */
	size_t (*push)(void *cursor, const void *in, size_t count, double parameter, void *out);
	/* `push` for many cursors at once: element i goes to cursors[numbers[i]]. Elements with numbers below `first`,
	 * or not below `end`, are passed over. NULL except for sequential rows of i64 with inclusive results for which
	 * any order gives the same bits. */
	size_t (*push_each)(void *const *cursors, const uint32_t *numbers, uint32_t first, uint32_t end, const void *in,
			    size_t count, double parameter, void *out);
};

/* How every cursor of the grid begins (kernels/cursor.h). */
struct __attribute__((may_alias)) cursor_head {
	uint64_t count;
	uint32_t has_carry;
	uint32_t has_base;
};

static inline struct cursor_head cursor_head_of(const void *cursor)
{
	struct cursor_head head;
	memcpy(&head, cursor, sizeof head);
	return head;
}

/* `push` for `width` cursors of one row at once. A record holds an element for each cursor, one after the other; its
 * results lie in the order of the cursors, too. in_step and out_step: bytes from one record, or from one record's
 * results, to the next. All cursors must have had equally many elements, and either all have a seed or none has. bad[j]
 * becomes what `push` would return for cursor j. */
typedef void push_records(void *const *cursors, size_t width, const void *in, size_t in_step, size_t records,
			  double parameter, void *out, size_t out_step, size_t *bad);

/* Scans short segments independently. A segment consists of neighbouring elements that have equal numbers in `begun`;
 * `count` is the number of elements. Takes whole segments, and stops before a segment that is longer than a run, that
 * has a result that does not fit, or that is the last one. Returns the number of elements taken. Writes their results,
 * and perhaps others after them. */
typedef size_t scan_short_segments(const void *in, const uint32_t *begun, size_t count, double parameter, void *out);

/* Memory for the cursor of any row. The largest cursors have all run totals of a tile, and less than 8 states more. */
union cursor {
	unsigned char bytes[(GRID_TILE / GRID_RUN + 8) * STATE_SIZE_MAX];
	max_align_t align;
};

struct evaluator;
struct window;

/* Vector code for the tiles of a window's block. With it, w->states is in an order of its own: first are the elements
 * of the present block, as numbers. */
struct window_tiles {
	/* Writes the results of the next `count` elements, all of one tile, and stores these in w. carry: the state of
	 * the block's elements before the tile. *total becomes the state of the tile's elements so far. */
	void (*results)(struct window *w, const void *in, size_t count, const void *carry, void *total, void *out);
	/* Replaces `count` elements by their suffixes. The elements begin at `place` in their block. In the mirror
	 * image of the grid they are a tile, or the last part of a tile. carry: the state of the block's later
	 * elements. *total becomes the state of the `count` elements. */
	void (*suffixes)(struct window *w, size_t place, size_t count, const void *carry, void *total);
	/* Copy `count` suffixes, from `place` on, to `states` (get) or from `states` (put), which are as in the grid's
	 * code. */
	void (*get_suffixes)(const struct window *w, size_t place, size_t count, void *states);
	void (*put_suffixes)(struct window *w, size_t place, size_t count, const void *states);
};

/* The members that only a window by time uses. The blocks of such a window differ in length: a block ends before the
 * first element whose window does not hold the block's first element. An element without a number has no place in such
 * a window. */
struct window_span {
	bool is_given; /* The window is by time. */
	unsigned char *suffixes; /* The previous block's suffixes; `states` has those of the present block. Owned. */
	size_t suffixes_bytes; /* Capacity of `suffixes`. */
	uint64_t suffix_count;
	uint64_t first; /* The number of the present block's first element, from 0. */
	unsigned char *times; /* The times of numbers from `earliest` on, an int128 each. Owned. */
	size_t times_bytes; /* Capacity of `times`. */
	uint64_t earliest; /* The first number that `times` and `kept` have. */
	const uint64_t *begins; /* For each element that push takes in: the first number of its window. Borrowed. */
	uint64_t begins_first; /* The number of the first of these elements. */
};

/* A lane's window between two of its elements. It is all zero at the beginning, except length, kept_size, may_lack and
 * span.is_given.
 * Every record is an element and has a place in the window, also if it has no number. More than 24 fields: windows by
 * count and by time are one, and a program's has no other. */
struct window {
	uint64_t length; /* Elements of the window, and of a block. */
	uint64_t count; /* Elements so far. */
	uint64_t place; /* The next element's place in its block. */
	uint64_t numbers; /* Elements of the present block that have a number. */
	uint64_t taken; /* Elements so far that have a number. */
	uint64_t covered; /* Elements of the last element's window that have a number. */
	uint64_t suffix_end; /* In the previous block, no element from this place on has a number. */
	/* Before `place`: the states of the present block's elements. From `place` on: the previous block's suffixes.
	 * (If there are `tiles`, see there.) Owned. */
	unsigned char *states;
	size_t states_bytes; /* Capacity of `states`, which the next segment reuses, perhaps for wider states. */
	size_t kept_size; /* Bytes that the window's user keeps for each number. */
	unsigned char *kept; /* Number i of all numbers has entry window_kept(i). Set by the window's user. Owned. */
	size_t kept_bytes; /* Capacity of `kept`. */
	/* If may_lack: for each place a tag. The tag says which block last had an element without a number there: the
	 * present block or the previous block (other_tag). 0: neither of them. Owned. */
	unsigned char *lacks;
	size_t lacks_bytes; /* Capacity of `lacks`. */
	unsigned char other_tag; /* 0: the present block has tag 1 and the previous one 2. 1: the other way round. */
	bool may_lack; /* Elements may have no number. */
	bool has_block; /* There is a previous block. */
	bool is_spoilt; /* The prefix is not exact. */
	/* The previous block's suffixes from spoilt_from to before spoilt_to are not exact. `states` still has the
	 * elements there. */
	uint64_t spoilt_from, spoilt_to;
	const struct window_tiles *tiles; /* Vector code for the tiles of a long window, or NULL. Set by push_window. */
	struct evaluator *combine; /* Of expressions (evaluate/expression_window.h). Set by each call. */
	bool are_finite; /* No suffix of the previous block is infinite or NaN. Set by the code of tiles. */
	struct window_span span;
	_Alignas(max_align_t) unsigned char prefix[]; /* The scan of the present block, a cursor. */
};

/* Returns the tag of the present block. */
static inline unsigned char window_tag(const struct window *w)
{
	return (unsigned char)(1 + w->other_tag);
}

/* Whether the element at a place of the present block (before: of the previous block) has a number. */
static inline bool window_has_number(const struct window *w, uint64_t place, bool before)
{
	return !w->may_lack || w->lacks[place] != (before ? 3 - window_tag(w) : window_tag(w));
}

/* Returns the entry of `kept` that number i of all numbers has. */
static inline uint64_t window_kept(const struct window *w, uint64_t i)
{
	return w->span.is_given ? i - w->span.earliest : i % w->length;
}

/* Moves the states, of `size` bytes, of the block's elements that have a number to the end of `states`. Returns how
 * many there are. For the end of a block, before suffixes are computed. */
uint64_t window_gather(const struct window *w, unsigned char *states, size_t size);
/* Moves the suffixes, of `size` bytes, of the block's `numbers` elements that have a number from the end of `states` to
 * their places. An element without a number gets the suffix of the next one that has a number. For the end of a block,
 * after window_gather and the computation of suffixes. */
void window_spread(struct window *w, unsigned char *states, size_t size, uint64_t numbers);

/* window_push for a known row, with elements in the accumulator's type. */
typedef size_t push_window(struct window *w, const void *in, size_t count, double parameter, void *out);

/* The code of windows in the grid's order (scan/window.h). */
struct window_code {
	size_t state_size; /* Bytes of a state. */
	size_t prefix_size; /* Bytes of a window's prefix, a cursor. */
	push_window *push;
	push_window *push_by_time; /* For windows by time. NULL for expressions. */
	/* Ends a full block: turns its states into suffixes and begins the next block. */
	void (*end_block)(struct window *w);
	/* Ends a block of a window by time, before an element whose window begins with the number `begin`. */
	void (*end_span)(struct window *w, uint64_t begin);
	/* Sets *state to the prefix of the block, which must have a number. */
	void (*prefix)(const struct window *w, void *state);
	/* Whether *window, the state of a window, is not exact. *window is the combination of `suffix`, the suffix at
	 * `place`, and `prefix`. If `suffix` or `prefix` is NULL, *window is the other one. prefix_spoilt: the prefix
	 * is not exact. For expressions: whether the state has no value. NULL in rows without the overflow check. */
	bool (*is_unfit)(const struct window *w, uint64_t place, const void *suffix, const void *prefix,
			 bool prefix_spoilt, const void *window);
	/* Combines a suffix with *state, the prefix of a window. *state becomes the state of the window. NULL: use the
	 * row's `combine`. */
	void (*combine)(const struct window *w, const void *suffix, void *state);
	const struct hillis_row *row; /* The row's functions (rows/hillis.h). Of expressions only sizes and `emit`. */
};

/* An operator's code comes in three parts (rows.h). Each part is indexed by accumulator type. An entry is all zero if
 * the code does not exist (bit operators over floats) or is never used (checked rows that cannot overflow, unchecked
 * rows of exact decimals that can). */

/* Part one of an operator's code: the code that is compiled from the kernels' own source for the grid (kernels/tile.h).
 * Each pointer is to an array of TYPE_COUNT entries. NULL: the operator has no such code. (An array of zeros would cost
 * every start the time to load its pages.) */
struct operator_grid {
	const struct row_code *grid[ROW_VARIANTS]; /* Blelloch's algorithm. The index is a sum of ROW_CHECKED... */
	const struct row_code *hillis[ROW_VARIANTS]; /* Hillis and Steele's algorithm. */
	const struct window_code *windows[2]; /* [1] has the overflow check, for i128 only. Never exclusive. */
};

struct layout_member;

/* The members of a state or a carry (base/layout.h). count 0: it has no description. */
struct listed {
	const struct layout_member *members;
	size_t count;
	size_t size, alignment; /* Bytes of the struct, and its alignment. */
};

/* Part two of an operator's code: plain loops, strictly left to right. */
struct operator_loops {
	struct row_code sequential[ROW_VARIANTS][TYPE_COUNT]; /* The index is a sum of ROW_CHECKED... */
	push_records *columns[2][TYPE_COUNT]; /* [1] has the overflow check. NULL: there is no such code. */
	scan_short_segments *segments[2][TYPE_COUNT]; /* [1] has the overflow check. NULL: there is no such code. */
	struct listed states[TYPE_COUNT]; /* The members of states (layouts.h). */
	struct listed carries[TYPE_COUNT]; /* Only carries that differ from states. */
};

/* Part three of an operator's code: vector code for one level of instruction sets. An entry is zero if there is no such
 * code. All entries are zero if the level is not compiled. */
struct operator_level {
	struct tile_code tiles[2][TYPE_COUNT]; /* [1] has the overflow check. */
	/* Without the overflow check. A window must be scanned by this code from its beginning, because its states may
	 * differ from those of operator_grid's code. */
	push_window *windows[TYPE_COUNT];
};

#endif
