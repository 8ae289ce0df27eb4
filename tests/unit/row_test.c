/* The vector code of the host's rows gives the bits of the grid's own text: totals, results and the first element that
 * does not fit. This is tested for every operator, type and level of instruction sets that this machine has, for
 * numbers of elements around whole vectors, runs and tiles, and for elements at any alignment. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows/rows.h"
#include "scan/row.h"

#include "check.h"
#include "random.h"
#include "levels.h"

/* Of rows that have one. */
#define PARAMETER 0.25
#define TILES_MAX 3
#define ELEMENTS_MAX ((size_t)TILES_MAX * GRID_TILE)
#define GUARD 64

static const size_t sizes[] = {1,
			       2,
			       15,
			       16,
			       17,
			       63,
			       64,
			       65,
			       255,
			       256,
			       257,
			       1000,
			       GRID_TILE - 17,
			       GRID_TILE - 1,
			       GRID_TILE,
			       GRID_TILE + 1,
			       GRID_TILE + 16,
			       2 * GRID_TILE - 1,
			       2 * GRID_TILE,
			       ELEMENTS_MAX - 1,
			       ELEMENTS_MAX};

/* The sums of ten types and the checked ones of eight; the maxima and minima of ten and the products of two; three bit
 * operators of eight. */
#define SUM_ROWS (10 + 8)
#define ORDER_ROWS (2 * 10 + 2)
#define BIT_ROWS (3 * 8)

/* built: it must not be empty, whether this processor has the instructions or not. */
static const struct built_level {
	const char *name;
	bool built;
	size_t rows;
} levels[] = {
	{"baseline", LITTLE_ENDIAN_HERE, SUM_ROWS + (X86_64_HERE ? 2 * 2 : ORDER_ROWS) + BIT_ROWS},
	{"v3", X86_64_HERE, SUM_ROWS + ORDER_ROWS + BIT_ROWS},
	{"v4", X86_64_HERE, SUM_ROWS + ORDER_ROWS},
};

/* A row of a level; NULL if it has none. */
static const struct tile_code *tiles_of(const struct built_level *level, enum operator_id op, enum type_id id,
					bool checked)
{
	const struct operator_level *rows = host_rows_levels[op][level_find(level->name)];
	return rows != NULL && rows->tiles[checked][id].totals != NULL ? &rows->tiles[checked][id] : NULL;
}

/* How the elements look. */
enum data { DATA_BITS, DATA_SMALL, DATA_LATE, DATA_PAIR, DATA_COUNT };

static unsigned char memory[2][(ELEMENTS_MAX + 1) * sizeof(uint64_t) + GUARD];
static unsigned char results[2][(ELEMENTS_MAX + 1) * sizeof(uint64_t) + GUARD];

/* An integer of the type's upper half, or close to it. */
static uint64_t large_integer(const struct type *t)
{
	static const uint64_t tops[] = {0x40, 0x64, 0x80, 0xc8};
	return tops[random_below(4)] << 8 * (t->size - 1);
}

/* Any bits (floats: every kind of value, NaNs too); small numbers; zeros with a few large numbers late in the tiles;
 * zeros but for two neighbours. */
static void fill(const struct type *t, enum data data, unsigned char *to, size_t count)
{
	const size_t pair = random_below((unsigned)count);
	for (size_t i = 0; i < count; i++) {
		uint64_t bits = random_u64();
		double value = (double)(int64_t)(bits >> 40) / 64.0 - 100000.0;
		if (data == DATA_SMALL)
			bits = (bits & 7) == 0 ? bits >> 63 : 0;
		else if (data == DATA_LATE)
			bits = i % 1777 == 1776 ? bits >> (66 - 8 * t->size + 1) % 64 : 0;
		else if (data == DATA_PAIR)
			bits = i - pair <= 1 ? large_integer(t) : 0;
		else if (t->kind == KIND_FLOAT && (bits & 0xff) != 0)
			bits = bits & ~(UINT64_C(3) << 61) & ~(UINT64_C(3) << 29);
		if (t->id == TYPE_F32 && data != DATA_BITS) {
			const float narrow = (float)value;
			memcpy(to + i * sizeof narrow, &narrow, sizeof narrow);
		} else if (t->id == TYPE_F64 && data != DATA_BITS) {
			memcpy(to + i * sizeof value, &value, sizeof value);
		} else {
			memcpy(to + i * t->size, &bits, t->size);
		}
	}
}

/* Totals of float sums and products may be NaNs of any bits: results make them one. */
static bool same_totals(const struct type *t, const unsigned char *a, const unsigned char *b, size_t count)
{
	if (memcmp(a, b, count) == 0)
		return true;
	for (size_t i = 0; i < count; i += t->size) {
		float x[2];
		double y[2];
		if (memcmp(a + i, b + i, t->size) == 0)
			continue;
		if (t->id == TYPE_F32) {
			memcpy(&x[0], a + i, sizeof x[0]);
			memcpy(&x[1], b + i, sizeof x[1]);
			if (x[0] == x[0] || x[1] == x[1])
				return false;
		} else if (t->id == TYPE_F64) {
			memcpy(&y[0], a + i, sizeof y[0]);
			memcpy(&y[1], b + i, sizeof y[1]);
			if (y[0] == y[0] || y[1] == y[1])
				return false;
		} else {
			return false;
		}
	}
	return true;
}

/* Unchecked rows may report elements that do not fit; this is not tested. */
static bool asks;

/* One scan by both codes. offset elements stand before the first one, so that vectors lie across their borders. */
static void compare(const struct tile_code *code, const struct row_code *row, const struct type *t, size_t count,
		    size_t offset, bool first_has_carry, const char *name)
{
	unsigned char totals[2][TILES_MAX * STATE_SIZE_MAX] = {{0}};
	unsigned char carry_in[TILES_MAX * STATE_SIZE_MAX] = {0};
	union cursor cursor = {{0}};
	const size_t tiles = (count + GRID_TILE - 1) / GRID_TILE;
	const unsigned char *in = memory[0] + offset * t->size;
	if (first_has_carry)
		row->seed(&cursor, memory[1], PARAMETER);
	code->totals(in, count, PARAMETER, totals[0]);
	row->tiles.totals(in, count, PARAMETER, totals[1]);
	EXPECT(same_totals(t, totals[0], totals[1], tiles * row->state_size), "%s: totals of %zu", name, count);
	EXPECT(row->fold(&cursor, totals[1], tiles, carry_in) == first_has_carry, "%s: carry-in of %zu", name, count);
	memset(results, 0xa5, sizeof results);
	const size_t bad =
		code->results(in, count, PARAMETER, carry_in, first_has_carry, results[0] + offset * t->size);
	const size_t grid_bad =
		row->tiles.results(in, count, PARAMETER, carry_in, first_has_carry, results[1] + offset * t->size);
	EXPECT(!asks || bad == grid_bad, "%s: %zu elements: first bad %zu, grid %zu", name, count, bad, grid_bad);
	EXPECT(memcmp(results[0], results[1], sizeof results[0]) == 0, "%s: results of %zu", name, count);
}

static const size_t lengths[] = {1,   2,   3,   7,   15,   16,   17,   32,   64,       100,
				 128, 255, 256, 512, 1000, 1024, 2048, 4095, GRID_TILE};

/* Segments by one code, and each of them alone by the other one. */
static void compare_segments(const struct tile_code *code, const struct row_code *row, const struct type *t,
			     size_t length, size_t offset, const char *name)
{
	static const union cursor no_carry_in;
	const size_t count = (ELEMENTS_MAX - offset) / length * length;
	const unsigned char *in = memory[0] + offset * t->size;
	size_t grid_bad = SIZE_MAX;
	memset(results, 0xa5, sizeof results);
	const size_t bad = code->segments(in, count, length, PARAMETER, results[0] + offset * t->size);
	for (size_t first = 0; first < count; first += length) {
		const size_t here = row->tiles.results(in + first * t->size, length, PARAMETER, &no_carry_in, false,
						       results[1] + (offset + first) * t->size);
		if (here != SIZE_MAX && grid_bad == SIZE_MAX)
			grid_bad = first + here;
	}
	EXPECT(!asks || bad == grid_bad, "%s: segments of %zu: first bad %zu, grid %zu", name, length, bad, grid_bad);
	EXPECT(memcmp(results[0], results[1], sizeof results[0]) == 0, "%s: segments of %zu", name, length);
}

static void check_row(const struct built_level *level, enum operator_id op, enum type_id id, bool checked)
{
	char name[64];
	const struct type *t = &type_table[id];
	const struct tile_code *code = tiles_of(level, op, id, checked);
	const struct row_code *row = host_rows_code(op, id, checked, ALGORITHM_BLELLOCH);
	if (code == NULL)
		return;
	asks = checked;
	(void)snprintf(name, sizeof name, "%s %s%s", operator_table[op].name, t->name, checked ? " checked" : "");
	(void)setenv("PSCAN_CPU", "grid", 1);
	EXPECT(host_rows_tiles(op, id, checked, ALGORITHM_BLELLOCH) == &row->tiles, "%s: PSCAN_CPU=grid", name);
	(void)setenv("PSCAN_CPU", level->name, 1);
	EXPECT(host_rows_tiles(op, id, checked, ALGORITHM_BLELLOCH) == code, "%s: PSCAN_CPU=%s", name, level->name);
	for (int data = 0; data < DATA_COUNT; data++) {
		for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
			fill(t, (enum data)data, memory[0], data == DATA_PAIR ? sizes[s] : ELEMENTS_MAX + 1);
			fill(t, (enum data)data, memory[1], 1);
			compare(code, row, t, sizes[s], s % 2, s % 3 == 0, name);
		}
		fill(t, (enum data)data, memory[0], ELEMENTS_MAX + 1);
		for (size_t s = 0; s < sizeof lengths / sizeof lengths[0]; s++) {
			compare_segments(code, row, t, lengths[s], s % 2, name);
			compare_segments(&row->tiles, row, t, lengths[s], s % 2, name);
		}
	}
}

/* How many rows a level has. */
static size_t rows_of(const struct built_level *level)
{
	size_t count = 0;
	for (int checked = 0; checked < 2; checked++) {
		for (int op = 0; op < OPERATOR_ID_COUNT; op++) {
			for (int id = 0; id < TYPE_COUNT; id++)
				count += tiles_of(level, (enum operator_id)op, (enum type_id)id, checked != 0) != NULL;
		}
	}
	return count;
}

static void check_level(const struct built_level *level)
{
	char promise[80];
	const size_t rows = rows_of(level);
	if (level->built)
		CHECK(rows == level->rows, "level %s is built (%zu of %zu rows)", level->name, rows, level->rows);
	(void)snprintf(promise, sizeof promise, "the rows of level %s have the bits of the grid's own text",
		       level->name);
	if (!level_is_here(level->name)) {
		check_skip(promise, "the processor lacks the instructions");
		return;
	}
	if (!level->built) {
		check_skip(promise, "the architecture has none");
		return;
	}
	for (int op = 0; op < OPERATOR_ID_COUNT; op++) {
		for (int id = 0; id < TYPE_COUNT; id++) {
			check_row(level, (enum operator_id)op, (enum type_id)id, false);
			check_row(level, (enum operator_id)op, (enum type_id)id, true);
		}
	}
	check_promise("%s", promise);
}

int main(void)
{
	const struct built_level *highest = NULL;
	for (size_t l = 0; l < sizeof levels / sizeof levels[0]; l++) {
		check_level(&levels[l]);
		if (levels[l].built && level_is_here(levels[l].name))
			highest = &levels[l];
	}
	(void)unsetenv("PSCAN_CPU");
	if (highest != NULL)
		CHECK(host_rows_tiles(OPERATOR_SUM, TYPE_I32, true, ALGORITHM_BLELLOCH) ==
			      tiles_of(highest, OPERATOR_SUM, TYPE_I32, true),
		      "the highest level that the processor has is taken");
	return check_done();
}
