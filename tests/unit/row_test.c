/* The vector code of the host's rows has the bits of the grid's own text: totals, results and the first element that
 * does not fit, for every operator, type and level of instruction sets that this machine has, at sizes around the edges
 * of vectors, runs and tiles, at any alignment to the element. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_rows.h"

#include "check.h"
#include "random.h"

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

/* How the elements look. */
enum data { DATA_BITS, DATA_SMALL, DATA_LATE, DATA_COUNT };

static unsigned char memory[2][(ELEMENTS_MAX + 1) * sizeof(uint64_t) + GUARD];
static unsigned char results[2][(ELEMENTS_MAX + 1) * sizeof(uint64_t) + GUARD];

/* Any bits (floats: every kind of value, NaNs too); small numbers; zeros with a few large numbers late in the tiles. */
static void fill(const struct type *t, enum data data, unsigned char *to, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t bits = random_u64();
		double value = (double)(int64_t)(bits >> 40) / 64.0 - 100000.0;
		if (data == DATA_SMALL)
			bits = (bits & 7) == 0 ? bits >> 63 : 0;
		else if (data == DATA_LATE)
			bits = i % 1777 == 1776 ? bits >> (66 - 8 * t->size + 1) % 64 : 0;
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

/* One scan by both codes. offset elements stand before the first one, so that vectors lie across their borders. */
static void compare(const struct row_code *code, const struct row_code *grid, const struct type *t, size_t count,
		    size_t offset, bool first_has_carry, const char *name)
{
	unsigned char totals[2][TILES_MAX * STATE_SIZE_MAX] = {{0}};
	unsigned char carry_in[TILES_MAX * STATE_SIZE_MAX] = {0};
	struct carry carry = {0};
	const size_t tiles = (count + GRID_TILE - 1) / GRID_TILE;
	const unsigned char *in = memory[0] + offset * t->size;
	if (first_has_carry)
		code->seed(memory[1], &carry);
	code->totals(in, count, totals[0]);
	grid->totals(in, count, totals[1]);
	EXPECT(same_totals(t, totals[0], totals[1], tiles * grid->state_size), "%s: totals of %zu", name, count);
	grid->fold(totals[1], tiles, &carry, carry_in);
	memset(results, 0xa5, sizeof results);
	const size_t bad = code->results(in, count, carry_in, first_has_carry, results[0] + offset * t->size);
	const size_t grid_bad = grid->results(in, count, carry_in, first_has_carry, results[1] + offset * t->size);
	EXPECT(bad == grid_bad, "%s: %zu elements: first bad %zu, grid %zu", name, count, bad, grid_bad);
	EXPECT(memcmp(results[0], results[1], sizeof results[0]) == 0, "%s: results of %zu", name, count);
}

static void check_row(const char *level, enum operator_id op, enum type_id id, bool checked)
{
	char name[64];
	const struct type *t = &type_table[id];
	(void)setenv("PSCAN_CPU", "grid", 1);
	const struct row_code *grid = host_rows_find(op, id, checked, ALGORITHM_BLELLOCH);
	(void)setenv("PSCAN_CPU", level, 1);
	const struct row_code *code = host_rows_find(op, id, checked, ALGORITHM_BLELLOCH);
	if (code == grid)
		return;
	(void)snprintf(name, sizeof name, "%s %s%s", operator_table[op].name, t->name, checked ? " checked" : "");
	for (int data = 0; data < DATA_COUNT; data++) {
		for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
			fill(t, (enum data)data, memory[0], ELEMENTS_MAX + 1);
			fill(t, (enum data)data, memory[1], 1);
			compare(code, grid, t, sizes[s], s % 2, s % 3 == 0, name);
		}
	}
}

int main(void)
{
	static const char *const levels[] = {"baseline", "v3", "v4"};
	for (size_t l = 0; l < sizeof levels / sizeof levels[0]; l++) {
		for (int op = 0; op < OPERATOR_COUNT; op++) {
			for (int id = 0; id < TYPE_I128; id++) {
				if (operator_table[op].bitwise && type_table[id].kind == KIND_FLOAT)
					continue;
				check_row(levels[l], (enum operator_id)op, (enum type_id)id, false);
				if (operator_table[op].overflows && type_table[id].kind != KIND_FLOAT)
					check_row(levels[l], (enum operator_id)op, (enum type_id)id, true);
			}
		}
		check_promise("the rows of level %s have the bits of the grid's own text", levels[l]);
	}
	return check_done();
}
