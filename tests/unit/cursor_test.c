/* A cursor gives the bits of the tiles' passes, for every row. The cursor takes elements in pieces of any size and
 * folds whole tiles between them; in between, its bytes are moved to other memory. Results and the first element that
 * does not fit are compared with the passes over all elements at once. The cursors of many columns, which take in
 * records, are tested in the same way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows/rows.h"
#include "scan/row.h"

#include "check.h"
#include "random.h"

#define TILES_MAX 3
#define ELEMENTS_MAX ((size_t)TILES_MAX * GRID_TILE)
#define ELEMENT_MAX sizeof(union value)

static const size_t sizes[] = {1,
			       15,
			       16,
			       17,
			       256,
			       257,
			       GRID_TILE - 1,
			       GRID_TILE,
			       GRID_TILE + 1,
			       GRID_TILE + 17,
			       2 * GRID_TILE - 1,
			       2 * GRID_TILE,
			       2 * GRID_TILE + 8,
			       ELEMENTS_MAX};
#define SIZE_COUNT (sizeof sizes / sizeof sizes[0])

#define NUMBERS_MAX (2 * ELEMENTS_MAX)

static union {
	unsigned char bytes[NUMBERS_MAX * ELEMENT_MAX];
	union value align;
} in, expected, got;

/* Any bits (floats: NaNs and infinities late, if at all), or small numbers, of which checked sums and products last
 * longer. */
static void fill(const struct type *t, bool small)
{
	for (size_t i = 0; i < NUMBERS_MAX; i++) {
		union value v = {.i128 = {random_u64(), small ? 0 : random_u64()}};
		if (small)
			v.i128.lo = v.i128.lo % 97 == 0 ? 2 : v.i128.lo % 2;
		if (t->id == TYPE_F32)
			v.f32 = (float)((double)(random_u64() >> 40) * 0x1p-24 + 0.5);
		if (t->id == TYPE_F64)
			v.f64 = (double)(random_u64() >> 11) * 0x1p-53 + 0.5;
		if (t->kind == KIND_FLOAT && !small && random_below(ELEMENTS_MAX) == 0)
			v.u64 = UINT64_MAX << random_below(64);
		memcpy(in.bytes + i * t->size, &v, t->size);
	}
}

/* Of rows that have one. */
static double parameter;

/* Of elements and results. */
struct types {
	const struct type *in, *out;
	size_t element_size; /* elements have one number or more */
	bool exclusive, checked; /* results are */
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* count elements from first on, through the tiles' passes. */
static size_t scan_tiles(const struct row_code *code, const struct types *t, union cursor *cursor, size_t first,
			 size_t count, unsigned char *results)
{
	unsigned char totals[TILES_MAX * STATE_SIZE_MAX], carry_in[TILES_MAX * STATE_SIZE_MAX];
	const unsigned char *elements = in.bytes + first * t->element_size;
	code->tiles.totals(elements, count, parameter, totals);
	const bool has_carry = code->fold(cursor, totals, (count + GRID_TILE - 1) / GRID_TILE, carry_in);
	const size_t bad =
		code->tiles.results(elements, count, parameter, carry_in, has_carry, results + first * t->out->size);
	return bad == SIZE_MAX ? bad : first + bad;
}

/* All elements in pieces: mostly pushed, at a tile's edge sometimes as whole tiles. */
static size_t scan_pieces(const struct row_code *code, const struct types *t, union cursor *cursor, size_t count)
{
	unsigned char state[STATE_SIZE_MAX];
	union value result;
	size_t bad = SIZE_MAX;
	size_t first = 0;
	while (first < count) {
		const size_t left = count - first;
		const size_t tiles = first % GRID_TILE == 0 ? left / GRID_TILE : 0;
		size_t here = SIZE_MAX;
		size_t piece;
		union cursor moved;
		memset(&moved, 0xa5, sizeof moved);
		memcpy(&moved, cursor, code->cursor_size);
		memset(cursor, 0x5a, sizeof *cursor);
		memcpy(cursor, &moved, code->cursor_size);
		if (tiles > 0 && random_below(2) == 0) {
			piece = (1 + random_below((unsigned)tiles)) * GRID_TILE;
			here = scan_tiles(code, t, cursor, first, piece, got.bytes);
		} else {
			piece = least(left, 1 + random_below(random_below(2) == 0 ? 20 : 5000));
			here = code->push(cursor, in.bytes + first * t->element_size, piece, parameter,
					  got.bytes + first * t->out->size);
			if (here != SIZE_MAX)
				here += first;
		}
		bad = least(bad, here);
		first += piece;
		/* At a tile's edge the state is the carry, which of floats is wider than the last result; an exclusive
		 * one is of what is before. */
		code->state(cursor, state);
		code->emit(state, in.bytes + (first - 1) * t->element_size, parameter, &result);
		EXPECT(t->exclusive || (first % GRID_TILE == 0 && t->out->kind == KIND_FLOAT) ||
			       memcmp(&result, got.bytes + (first - 1) * t->out->size, t->out->size) == 0,
		       "the state after %zu elements has not the last result", first);
	}
	return bad;
}

/* A restart with the values of elements as members, and with the rest of their state, has their state. (increase has
 * other members than elements.) */
static void check_restart(const struct row_code *code, enum operator_id op, const struct type *t, const char *name)
{
	const size_t count = operator_table[op].scaled_members;
	union cursor pushed = {{0}};
	union cursor restarted = {{0}};
	union value members[SCALED_MEMBERS_MAX] = {{0}};
	unsigned char want[STATE_SIZE_MAX] = {0};
	unsigned char found[STATE_SIZE_MAX] = {0};
	(void)code->push(&pushed, in.bytes, count > 0 ? count : 1, parameter, got.bytes);
	code->state(&pushed, want);
	for (size_t i = 0; i < count; i++)
		memcpy(&members[i], (op == OPERATOR_INCREASE ? want : in.bytes) + i * t->size, t->size);
	code->restart(&restarted, members, want + count * t->size, parameter);
	code->state(&restarted, found);
	EXPECT(memcmp(found, want, code->state_size) == 0, "%s: restarted", name);
}

#define COLUMNS_MAX 70

/* Columns of a record are elements that follow each other in the input; what each column gives alone is what push
 * gives. */
static void check_columns(push_records *push, const struct row_code *code, const struct types *t, size_t columns,
			  bool seeded, const char *name)
{
	static union cursor cursors[COLUMNS_MAX];
	static unsigned char column[ELEMENTS_MAX * ELEMENT_MAX];
	const size_t records = ELEMENTS_MAX / columns;
	const size_t in_step = columns * t->in->size;
	const size_t out_step = columns * t->out->size;
	void *pointers[COLUMNS_MAX];
	size_t bad[COLUMNS_MAX];
	size_t first_bad[COLUMNS_MAX];
	for (size_t j = 0; j < columns; j++) {
		pointers[j] = &cursors[j];
		first_bad[j] = SIZE_MAX;
		memset(&cursors[j], 0, code->cursor_size);
		if (seeded)
			code->seed(&cursors[j], in.bytes + j * t->in->size, parameter);
	}
	for (size_t first = 0, piece; first < records; first += piece) {
		piece = least(records - first, 1 + random_below(random_below(2) == 0 ? 20 : 5000));
		push(pointers, columns, in.bytes + first * in_step, in_step, piece, parameter,
		     got.bytes + first * out_step, out_step, bad);
		for (size_t j = 0; j < columns; j++)
			first_bad[j] = least(first_bad[j], bad[j] == SIZE_MAX ? SIZE_MAX : first + bad[j]);
	}
	for (size_t j = 0; j < columns; j++) {
		union cursor alone = {{0}};
		bool same = true;
		if (seeded)
			code->seed(&alone, in.bytes + j * t->in->size, parameter);
		for (size_t i = 0; i < records; i++)
			memcpy(column + i * t->in->size, in.bytes + i * in_step + j * t->in->size, t->in->size);
		const size_t want_bad = code->push(&alone, column, records, parameter, expected.bytes);
		for (size_t i = 0; i < records; i++)
			same = same && memcmp(got.bytes + i * out_step + j * t->out->size,
					      expected.bytes + i * t->out->size, t->out->size) == 0;
		EXPECT(same && (!t->checked || first_bad[j] == want_bad),
		       "%s: column %zu of %zu, first bad %zu, alone %zu", name, j, columns, first_bad[j], want_bad);
	}
}

static void compare(const struct row_code *code, const struct types *t, size_t count, bool seeded, const char *name)
{
	union cursor whole = {{0}};
	union cursor cursor = {{0}};
	if (seeded) {
		code->seed(&whole, in.bytes, parameter);
		code->seed(&cursor, in.bytes, parameter);
	}
	const size_t bad = scan_tiles(code, t, &whole, 0, count, expected.bytes);
	const size_t pushed_bad = scan_pieces(code, t, &cursor, count);
	EXPECT(pushed_bad == bad, "%s: %zu elements: first bad %zu, the tile's %zu", name, count, pushed_bad, bad);
	EXPECT(memcmp(got.bytes, expected.bytes, count * t->out->size) == 0, "%s: results of %zu", name, count);
}

/* The same row left to right, which has restarts of its own, and of columns. */
static void check_other_ways(const struct row_code *code, enum operator_id op, const struct types *t, unsigned variant,
			     const char *name)
{
	const struct row_code *sequential = host_rows_code(op, t->in->id, variant, ALGORITHM_SEQUENTIAL);
	push_records *push = t->exclusive ? NULL : host_rows_loops(op)->columns[variant][t->in->id];
	check_restart(sequential, op, t->in, name);
	for (size_t columns = 1; push != NULL && columns <= COLUMNS_MAX; columns += 23)
		check_columns(push, code, t, columns, columns % 2 == 0, name);
}

static void check_row(enum operator_id op, const struct type *t, unsigned variant, enum algorithm algorithm)
{
	char name[64];
	const struct row_code *code = host_rows_code(op, t->id, variant, algorithm);
	const struct types types = {t, operator_result(&operator_table[op], t), operator_table[op].inputs * t->size,
				    (variant & ROW_EXCLUSIVE) != 0, (variant & ROW_CHECKED) != 0};
	if (code->push == NULL || (operator_table[op].has_long_states && type_long(t) != t))
		return;
	parameter = operator_table[op].parameter == PARAMETER_SCALE ? 100 : 0.25;
	(void)snprintf(name, sizeof name, "%s %s%s%s", operator_table[op].name, t->name,
		       types.exclusive ? " exclusive" : "", (variant & ROW_CHECKED) != 0 ? " checked" : "");
	for (int small = 0; small < 2; small++) {
		fill(t, small != 0);
		for (size_t s = 0; s < SIZE_COUNT; s++)
			compare(code, &types, sizes[s], s % 2 == 0, name);
		for (int i = 0; i < 4; i++)
			compare(code, &types, 1 + random_below(8200), i % 2 == 0, name);
		check_restart(code, op, t, name);
		if (algorithm == ALGORITHM_BLELLOCH)
			check_other_ways(code, op, &types, variant, name);
	}
}

int main(void)
{
	static const struct {
		enum algorithm algorithm;
		const char *promise;
	} algorithms[] = {{ALGORITHM_BLELLOCH, "the cursor has the bits of Blelloch's tile"},
			  {ALGORITHM_HILLIS_STEELE, "the cursor has the bits of Hillis and Steele's tile"}};
	for (size_t a = 0; a < sizeof algorithms / sizeof algorithms[0]; a++) {
		for (int op = 0; op < OPERATOR_ID_COUNT; op++) {
			for (int id = 0; id < TYPE_COUNT; id++) {
				for (unsigned variant = 0; variant < ROW_VARIANTS; variant++)
					check_row((enum operator_id)op, &type_table[id], variant,
						  algorithms[a].algorithm);
			}
		}
		check_promise("%s", algorithms[a].promise);
	}
	return check_done();
}
