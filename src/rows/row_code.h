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

/* Sets of accumulator types, for operators' facts (operators.inc). */
#define TYPES_NONE 0
#define TYPES_INTEGER 1 /* All integers of 8 to 64 bits. */
#define TYPES_WIDE 2 /* i128. */
#define TYPES_FLOAT 4
#define TYPES_ALL (TYPES_INTEGER + TYPES_WIDE + TYPES_FLOAT)
#define TYPES_I64 8 /* i64 only. */
#define TYPES_UNSIGNED 16 /* All unsigned integers of 8 to 64 bits. */
#define TYPES_U64 32 /* u64 only. */

/* How a row's compiled functions declare the row's parameter as their last one, and how their calls pass it on; each
 * with the comma before it. (For devices kernels/tile.h has macros with these names.) */
#define CONTEXT_PARAMETER , double parameter __attribute__((unused))
#define CONTEXT_ARGUMENT , parameter

/* How the runs of a tile are combined. */
enum algorithm {
	ALGORITHM_BLELLOCH,
	ALGORITHM_HILLIS_STEELE,
	/* No tiles and runs: one element after the other, in the accumulator's type. On the host only, and with cursors
	 * only. */
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

/* The most bytes of a state, and the most bytes that row_tile_size gives. */
#define STATE_SIZE_MAX 128
#define TILE_SIZE_MAX (3 * STATE_SIZE_MAX)

/* The passes over tiles. in: `count` elements, at least 1, in the accumulator's type. Tile k begins at element
 * GRID_TILE k; the last tile may be partial. parameter: the row's parameter. Arrays have the types of the row, are
 * aligned for them, and must not overlap. Pure functions; any thread. */
struct tile_code {
	/* Sets totals[k] to the total of tile k. */
	void (*totals)(const void *in, size_t count, double parameter, void *totals);
	/* Writes `count` results. carry_in[k]: the carry-in of tile k, a state. carry_in[0] is used only if
	 * first_has_carry, but must be readable. Returns the index of the first result that is not exact, or SIZE_MAX.
	 * (Rows without the overflow check may return an index, too; ignore it.) */
	size_t (*results)(const void *in, size_t count, double parameter, const void *carry_in, bool first_has_carry,
			  void *out);
	/* Writes `count` results of segments of `length` elements, each scanned alone. length: 1 to GRID_TILE; count
	 * must be a multiple of it. Returns what `results` returns. */
	size_t (*segments)(const void *in, size_t count, size_t length, double parameter, void *out);
};

/* The host's code for one row. A cursor is a scan that is suspended between two elements (kernels/cursor.h):
 * cursor_size bytes, aligned for any type, all zero before the first element. Cursors may be copied. The functions
 * change nothing but the cursor and the output that they are given; any thread may call them. */
struct row_code {
	size_t state_size; /* Bytes of a state. */
	size_t cursor_size; /* Bytes of a cursor. */
	struct tile_code tiles; /* Compiled from the grid's own text. All NULL for a sequential row. */
	/* Combines the totals of the next `count` tiles into a cursor that is at a tile's edge. (Every place is an edge
	 * for a sequential row.) Only the scan's last tile may be partial: no elements may follow it.
	 * prefixes[k] becomes the carry-in of tile k: the state of a seed and all elements before the tile. Returns
	 * whether tile 0 has a carry-in; if not, all bytes of prefixes[0] become 0. For a sequential row, call it only
	 * if operator_is_any_order. */
	bool (*fold)(void *cursor, const void *totals, size_t count, void *prefixes);
	/* Begins a zeroed cursor with a seed. value: an element in the accumulator's type. */
	void (*seed)(void *cursor, const void *value, double parameter);
	/* Sets *state to the state after all elements so far. There must be an element or a seed. */
	void (*state)(const void *cursor, void *state);
	/* Sets *result to a state's result at an element, whose numbers are in the accumulator's type. */
	void (*emit)(const void *state, const void *element, double parameter, void *result);
	/* Begins a zeroed cursor with a state that comes from another row of the operator. members and rest: the two
	 * parts of that state (struct state_parts), the members converted to this row's type. */
	void (*restart)(void *cursor, const union value *members, const void *rest, double parameter);
	/* Combines the next `count` elements (fewer than 2^32 numbers, in the accumulator's type) into a cursor and
	 * writes their results. Returns the index of the first result that is not exact, or SIZE_MAX. (Rows without the
	 * overflow check may return an index, too; ignore it.) */
	size_t (*push)(void *cursor, const void *in, size_t count, double parameter, void *out);
	/* `push` for many cursors at once: element i goes to cursors[numbers[i]], and its result to out[i]. Elements
	 * whose number is less than `first`, or not less than `end`, are skipped, and so are their places in `out`.
	 * NULL, except for sequential rows of i64 with inclusive results in which the order of combining cannot change
	 * the bits. */
	size_t (*push_each)(void *const *cursors, const uint32_t *numbers, uint32_t first, uint32_t end, const void *in,
			    size_t count, double parameter, void *out);
};

/* How every cursor of the grid begins (kernels/cursor.h). */
struct __attribute__((may_alias)) cursor_head {
	uint64_t count; /* Elements so far. */
	uint32_t has_carry; /* 1: a seed, or a whole tile, is in the carry. */
	uint32_t has_base; /* 1: the base is set. */
};

/* Returns the head of a cursor. */
static inline struct cursor_head cursor_head_of(const void *cursor)
{
	struct cursor_head head;
	memcpy(&head, cursor, sizeof head);
	return head;
}

/* `push` for `width` cursors of one row at once. `in` has `records` records. A record holds an element for each cursor,
 * one after the other. Its results are written in the order of the cursors, too. in_step: bytes from one record to the
 * next; out_step: bytes from one record's results to those of the next. All cursors must have had equally many
 * elements, and either all have had a seed or none has. bad[j] becomes what `push` would return for cursor j. */
typedef void push_records(void *const *cursors, size_t width, const void *in, size_t in_step, size_t records,
			  double parameter, void *out, size_t out_step, size_t *bad);

/* Scans `count` elements that lie in short segments, each segment alone. begun[i]: the number of element i's segment;
 * neighbours with equal numbers are one segment. Takes whole segments from the first one on. Stops before a segment
 * that is longer than a run or has a result that is not exact, and always before the last segment, which may go on
 * after these elements. Returns the number of elements taken. Writes their results; what follows these in `out` is
 * undefined. */
typedef size_t scan_short_segments(const void *in, const uint32_t *begun, size_t count, double parameter, void *out);

/* Memory for the cursor of any row of the table. The largest cursors have all run totals of a tile, and less than 8
 * states more. */
union cursor {
	unsigned char bytes[(GRID_TILE / GRID_RUN + 8) * STATE_SIZE_MAX];
	max_align_t align;
};

struct combination;
struct window;

/* Vector code for the tiles of a window's block. A window with this code has another content of w->states than the
 * grid's code: only these functions, and code that knows them, read it. */
struct window_tiles {
	/* Writes the results of the next `count` elements, all of one tile of the block, and stores the elements in
	 * w->states. The caller updates the other members of *w. carry: the state of the block's elements before the
	 * tile. *total becomes the state of the tile's elements up to the last of these. */
	void (*results)(struct window *w, const void *in, size_t count, const void *carry, void *total, void *out);
	/* Replaces `count` elements of a full block, from `place` on, by their suffixes. In the mirror image of the
	 * grid the elements are a tile, or its last part. carry: the state of the block's later elements. *total
	 * becomes the state of the `count` elements. Call it from the block's end to its beginning. */
	void (*suffixes)(struct window *w, size_t place, size_t count, const void *carry, void *total);
	/* Copy `count` suffixes, from `place` on: get_suffixes from w->states to `states`, put_suffixes from `states`
	 * to w->states. `states` are states of the grid's code. */
	void (*get_suffixes)(const struct window *w, size_t place, size_t count, void *states);
	void (*put_suffixes)(struct window *w, size_t place, size_t count, const void *states);
};

/* The members that only a window by time uses. The blocks of such a window differ in length: a block ends before the
 * first element whose window does not hold the block's first element. Records without a number are not elements of such
 * a window, so all elements are numbers, counted from 0. */
struct window_span {
	bool is_given; /* The window is by time. */
	unsigned char *suffixes; /* The previous block's suffixes; `states` has those of the present block. Owned. */
	size_t suffixes_bytes; /* Capacity of `suffixes`. */
	uint64_t suffix_count; /* Elements of the previous block. */
	uint64_t first; /* The index of the present block's first number. */
	unsigned char *times; /* The times of the numbers from index `earliest` on, an int128 each. Owned. */
	size_t times_bytes; /* Capacity of `times`. */
	uint64_t earliest; /* The index of the first number that `times` and `kept` have. */
	/* begins[i]: the index of the first number in the window of element begins_first + i. Set by window_find_begins
	 * for window_push. Borrowed. */
	const uint64_t *begins;
	uint64_t begins_first;
};

/* A lane's window between two of its elements (scan/window.h). It is all zero at the beginning, except length,
 * kept_size, may_lack and span.is_given. In a window by count a kept or held record is an element, too: it has a place,
 * but no number. A skipped record is not an element. More than 24 fields: windows by count, windows by time and windows
 * of programs are one struct. */
struct window {
	uint64_t length; /* By count: elements of the window, and of a block. At least 1. */
	uint64_t count; /* Elements so far. */
	uint64_t place; /* The next element's place in its block. */
	uint64_t numbers; /* Elements of the present block that have a number. */
	uint64_t taken; /* Elements so far that have a number. */
	uint64_t covered; /* Elements of the last element's window that have a number. */
	/* By count: the place after the previous block's last element that has a number. 0: no such element or
	 * block. By time: always 0. */
	uint64_t suffix_end;
	/* By count: before `place` the states of the present block's elements, from `place` on the suffixes of the
	 * previous block. By time: the states of the present block. (Vector code has another order.) Owned. */
	unsigned char *states;
	size_t states_bytes; /* Capacity of `states`, which the next segment reuses, perhaps for wider states. */
	size_t kept_size; /* Bytes that the window's user keeps for each number. */
	unsigned char *kept; /* Entry window_kept(w, i) is that of number i. Set by the window's user. Owned. */
	size_t kept_bytes; /* Capacity of `kept`. */
	/* If may_lack: 1 for each place whose element has no number, else 0. Before `place` of the present block, from
	 * `place` on of the previous one. Owned. */
	unsigned char *lacks;
	size_t lacks_bytes; /* Capacity of `lacks`. */
	bool may_lack; /* Elements may have no number. */
	bool has_block; /* There is a previous block. */
	bool is_spoilt; /* The prefix is not exact. (Not set for expressions.) */
	/* The previous block's suffixes from spoilt_from to before spoilt_to are not exact, or for expressions have no
	 * value. At their places are still the elements. */
	uint64_t spoilt_from, spoilt_to;
	const struct window_tiles *tiles; /* Vector code for the tiles of a long window, or NULL. Set by push_window. */
	const struct combination *combine; /* Of expressions: that of the window_row. Set by each call. Borrowed. */
	bool are_finite; /* If there are `tiles`: no suffix of the previous block is infinite or NaN. */
	struct window_span span;
	_Alignas(max_align_t) unsigned char prefix[]; /* The scan of the present block, a cursor. */
};

/* Returns whether the element at `place` has a number: an element of the present block, or from w->place on of the
 * previous one. There must be this element. */
static inline bool window_has_number(const struct window *w, uint64_t place)
{
	return !w->may_lack || w->lacks[place] == 0;
}

/* Returns the index of the entry of `kept` for number i, counted from 0 among all numbers so far. */
static inline uint64_t window_kept(const struct window *w, uint64_t i)
{
	return w->span.is_given ? i - w->span.earliest : i % w->length;
}

/* For a full block of a window that may_lack, before its suffixes are computed. states: w->length states of `size`
 * bytes, one for each place. Moves the states of the elements that have a number to the end of `states`, in their
 * order. Returns how many there are. */
uint64_t window_gather(const struct window *w, unsigned char *states, size_t size);
/* The way back, after the suffixes are computed: moves the suffixes of the `numbers` elements that window_gather
 * returned from the end of `states` to the places of the elements. An element without a number gets the suffix of the
 * next element that has one. Also sets suffix_end, and makes places of spoilt_from and spoilt_to, which must be indices
 * among the numbers. */
void window_spread(struct window *w, unsigned char *states, size_t size, uint64_t numbers);

/* The part of window_push (scan/window.h) that depends on the row. Takes the next `count` elements, in the type of
 * struct window_row, into the window, and writes the results that the row has with that type. Room must be reserved
 * (window_reserve). Returns the number of elements that have results. If that is less than `count`, the result of the
 * next element does not fit; a window of an expression is then undefined. Does not set w->taken and w->covered. */
typedef size_t push_window(struct window *w, const void *in, size_t count, double parameter, void *out);

/* The code of windows in the grid's order (scan/window.h). */
struct window_code {
	size_t state_size; /* Bytes of a state. */
	size_t prefix_size; /* Bytes of a window's prefix, a cursor. */
	push_window *push; /* For windows by count. */
	push_window *push_by_time; /* For windows by time. NULL for expressions, like end_span. */
	/* Ends a full block: turns its states into suffixes and begins the next block. */
	void (*end_block)(struct window *w);
	/* Ends a block of a window by time, before an element whose window begins with number `begin`. */
	void (*end_span)(struct window *w, uint64_t begin);
	/* Sets *state to the prefix of the present block, which must have a number. */
	void (*prefix)(const struct window *w, void *state);
	/* Returns whether *window, the state of a window, is not exact; for expressions, whether it has no value.
	 * *window is the combination of *suffix, which is the suffix at `place`, and *prefix. If `suffix` or `prefix`
	 * is NULL, *window is the other one. prefix_spoilt: *prefix is not exact. NULL in rows without the overflow
	 * check. */
	bool (*is_unfit)(const struct window *w, uint64_t place, const void *suffix, const void *prefix,
			 bool prefix_spoilt, const void *window);
	/* Sets *state to the combination of *earlier and *state. */
	void (*combine)(const struct window *w, const void *earlier, void *state);
	/* `emit` of struct row_code. NULL for expressions, whose result is the state. */
	void (*emit)(const void *state, const void *element, double parameter, void *result);
};

/* An operator's code comes in three parts (rows.h). The tables of each part are indexed by accumulator type (enum
 * type_id). An entry is all zero if the code does not exist (bit operators over floats) or is never used (checked rows
 * that cannot overflow, unchecked rows of exact decimals that can). */

/* Part one of an operator's code: the code that is compiled from the kernels' own source for the grid (kernels/tile.h).
 * Each pointer is to an array of TYPE_COUNT entries. NULL: the operator has no such code. (An array of zeros would cost
 * every start the time to load its pages.) */
struct operator_grid {
	const struct row_code *grid[ROW_VARIANTS]; /* Blelloch's algorithm. The index is a sum of ROW_CHECKED... */
	const struct row_code *hillis[ROW_VARIANTS]; /* Hillis and Steele's algorithm. */
	const struct window_code *windows[2]; /* [1] has the overflow check, for i128 only. Never exclusive. */
};

struct layout_member;

/* The members of a state or a carry (base/layout.h). count 0: they are not listed. */
struct listed {
	const struct layout_member *members; /* Borrowed. */
	size_t count; /* Members. */
	size_t size, alignment; /* Bytes of the state or carry, and its alignment. */
};

/* Part two of an operator's code: plain loops, strictly left to right. */
struct operator_loops {
	struct row_code sequential[ROW_VARIANTS][TYPE_COUNT]; /* The index is a sum of ROW_CHECKED... */
	push_records *columns[2][TYPE_COUNT]; /* [1] has the overflow check. NULL: there is no such code. */
	scan_short_segments *segments[2][TYPE_COUNT]; /* [1] has the overflow check. NULL: there is no such code. */
	struct listed states[TYPE_COUNT]; /* The members of states (layouts.h). */
	struct listed carries[TYPE_COUNT]; /* The members of carries. Only of carries whose type is not the state's. */
};

/* Part three of an operator's code: vector code for one level of instruction sets. An entry is zero if there is no such
 * code. All entries are zero if the level is not compiled. */
struct operator_level {
	struct tile_code tiles[2][TYPE_COUNT]; /* [1] has the overflow check. */
	/* Without the overflow check. One window must be scanned either by this code alone or by operator_grid's code
	 * alone, because w->states may differ. */
	push_window *windows[TYPE_COUNT];
};

#endif
