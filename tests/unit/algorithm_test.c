/* The algorithms of a scan, compared with each other and with their definitions. Integers, maxima and minima are
 * exactly associative: all algorithms give equal bits and find the same first element that does not fit. Sums of floats
 * are compared with models that are written from the definitions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/engine.h"
#include "scan/host_tiles.h"
#include "rows/rows.h"
#include "scan/row.h"

#include "check.h"
#include "random.h"

#define TILES_MAX 2
#define ELEMENTS_MAX ((size_t)TILES_MAX * GRID_TILE)
#define RUNS (GRID_TILE / GRID_RUN)

static const size_t sizes[] = {1,
			       2,
			       15,
			       16,
			       17,
			       31,
			       33,
			       257,
			       4 * GRID_RUN,
			       GRID_TILE - GRID_RUN - 1,
			       GRID_TILE - GRID_RUN,
			       GRID_TILE - GRID_RUN + 1,
			       GRID_TILE - 1,
			       GRID_TILE,
			       GRID_TILE + 1,
			       GRID_TILE + GRID_RUN + 1,
			       ELEMENTS_MAX - 1,
			       ELEMENTS_MAX};
#define SIZE_COUNT (sizeof sizes / sizeof sizes[0])

static union {
	unsigned char bytes[ELEMENTS_MAX * 8];
	float f32[ELEMENTS_MAX];
	double f64[ELEMENTS_MAX];
} in, out[2];

/* Any integer (without small ones every checked sum fails at once); floats without NaN or infinity. */
static void fill(const struct type *t, bool small)
{
	for (size_t i = 0; i < ELEMENTS_MAX; i++) {
		const uint64_t bits = small ? random_u64() % 64 == 0 : random_u64();
		const double value = (double)(int64_t)random_u64() * 0x1p-50;
		if (t->id == TYPE_F32)
			in.f32[i] = (float)value;
		else if (t->id == TYPE_F64)
			in.f64[i] = value;
		else
			memcpy(in.bytes + i * t->size, &bits, t->size);
	}
}

/* Of rows that have one: a scale. */
static const double parameter = 100;

/* Scans count elements in chunks of a tile, as a caller of the rows does; returns the first bad element. */
static size_t scan(enum operator_id op, const struct type *t, bool checked, enum algorithm algorithm, size_t count,
		   bool seeded, unsigned char *results)
{
	const struct row_code *code = host_rows_code(op, t->id, checked, algorithm);
	const size_t size = operator_result(&operator_table[op], t)->size;
	union cursor cursor = {{0}};
	size_t bad = SIZE_MAX;
	if (seeded)
		code->seed(&cursor, in.bytes, parameter);
	for (size_t first = 0; first < count; first += GRID_TILE) {
		unsigned char total[STATE_SIZE_MAX] = {0}, carry_in[STATE_SIZE_MAX];
		const size_t n = count - first < GRID_TILE ? count - first : GRID_TILE;
		const unsigned char *chunk = in.bytes + first * t->size;
		size_t here;
		if (algorithm == ALGORITHM_SEQUENTIAL) {
			here = code->push(&cursor, chunk, n, parameter, results + first * size);
		} else {
			code->tiles.totals(chunk, n, parameter, total);
			const bool has_carry = code->fold(&cursor, total, 1, carry_in);
			here = code->tiles.results(chunk, n, parameter, carry_in, has_carry, results + first * size);
		}
		if (checked && here != SIZE_MAX && bad == SIZE_MAX)
			bad = first + here;
	}
	return bad;
}

static void agree(enum operator_id op, const struct type *t, bool checked, bool small)
{
	fill(t, small);
	for (size_t s = 0; s < SIZE_COUNT; s++) {
		const size_t bad = scan(op, t, checked, ALGORITHM_BLELLOCH, sizes[s], s % 2, out[0].bytes);
		for (int a = ALGORITHM_BLELLOCH + 1; a < ALGORITHM_COUNT; a++) {
			const size_t other = scan(op, t, checked, (enum algorithm)a, sizes[s], s % 2, out[1].bytes);
			EXPECT(bad == other, "%s %s of %zu, algorithm %d: first bad %zu, not %zu",
			       operator_table[op].name, t->name, sizes[s], a, other, bad);
			EXPECT(memcmp(out[0].bytes, out[1].bytes,
				      sizes[s] * operator_result(&operator_table[op], t)->size) == 0,
			       "%s %s of %zu, algorithm %d: results", operator_table[op].name, t->name, sizes[s], a);
		}
	}
}

static void check_exact_rows(void)
{
	for (int op = 0; op < OPERATOR_ID_COUNT; op++) {
		for (int id = 0; id < TYPE_I128; id++) {
			const struct type *t = &type_table[id];
			if (t->kind == KIND_FLOAT && op != OPERATOR_MAX && op != OPERATOR_MIN)
				continue;
			if (op == OPERATOR_VAR || op == OPERATOR_STD) /* their states are floats */
				continue;
			if (!operator_has(&operator_table[op], t) ||
			    (operator_table[op].has_long_states && type_long(t) != t))
				continue;
			agree((enum operator_id)op, t, false, false);
			if (operator_table[op].overflows) {
				agree((enum operator_id)op, t, true, false);
				agree((enum operator_id)op, t, true, true);
			}
		}
	}
	check_promise("Blelloch, Hillis-Steele and sequential scans of exactly associative rows agree to the bit");
}

/* The definitions over one tile, with a carry in front. */
#define MODEL(T)                                                                                                    \
	static void hillis_##T(const T *x, size_t count, const T *carry, T *result)                                 \
	{                                                                                                           \
		T inclusive[2][RUNS] = {{0}};                                                                       \
		const size_t runs = (count + GRID_RUN - 1) / GRID_RUN;                                              \
		int now = 0;                                                                                        \
		for (size_t r = 0; r < runs; r++) {                                                                 \
			T total = x[r * GRID_RUN];                                                                  \
			for (size_t i = r * GRID_RUN + 1; i < (r + 1) * GRID_RUN && i < count; i++)                 \
				total = total + x[i];                                                               \
			inclusive[0][r] = total;                                                                    \
		}                                                                                                   \
		for (size_t d = 1; d < RUNS; d *= 2, now = !now) {                                                  \
			for (size_t r = 0; r < runs; r++)                                                           \
				inclusive[!now][r] =                                                                \
					r < d ? inclusive[now][r] : inclusive[now][r - d] + inclusive[now][r];      \
		}                                                                                                   \
		for (size_t r = 0; r < runs; r++) {                                                                 \
			T local = x[r * GRID_RUN];                                                                  \
			for (size_t i = r * GRID_RUN; i < (r + 1) * GRID_RUN && i < count; i++) {                   \
				local = i % GRID_RUN == 0 ? local : local + x[i];                                   \
				result[i] = local;                                                                  \
				if (r > 0 && carry != NULL)                                                         \
					result[i] = (*carry + inclusive[now][r - 1]) + local;                       \
				else if (r > 0)                                                                     \
					result[i] = inclusive[now][r - 1] + local;                                  \
				else if (carry != NULL)                                                             \
					result[i] = *carry + local;                                                 \
			}                                                                                           \
		}                                                                                                   \
	}                                                                                                           \
	static void sequential_##T(const T *x, size_t count, T *result)                                             \
	{                                                                                                           \
		result[0] = x[0];                                                                                   \
		for (size_t i = 1; i < count; i++)                                                                  \
			result[i] = result[i - 1] + x[i];                                                           \
	}                                                                                                           \
	static void check_##T(const struct type *t, const T *x, T *model, float f)                                  \
	{                                                                                                           \
		fill(t, false);                                                                                     \
		for (size_t s = 0; s < SIZE_COUNT; s++) {                                                           \
			const size_t n = sizes[s] < GRID_TILE ? sizes[s] : GRID_TILE;                               \
			const T carry = (T)f;                                                                       \
			const struct row_code *code =                                                               \
				host_rows_code(OPERATOR_SUM, t->id, false, ALGORITHM_HILLIS_STEELE);                \
			hillis_##T(x, n, s % 2 ? &carry : NULL, model);                                             \
			(void)code->tiles.results(x, n, parameter, &carry, s % 2, out[1].bytes);                    \
			EXPECT(memcmp(model, out[1].bytes, n * sizeof *x) == 0, "%s Hillis-Steele of %zu", t->name, \
			       n);                                                                                  \
			sequential_##T(x, sizes[s], model);                                                         \
			(void)scan(OPERATOR_SUM, t, false, ALGORITHM_SEQUENTIAL, sizes[s], false, out[1].bytes);    \
			EXPECT(memcmp(model, out[1].bytes, sizes[s] * sizeof *x) == 0, "%s sequential of %zu",      \
			       t->name, sizes[s]);                                                                  \
		}                                                                                                   \
	}
MODEL(float)
MODEL(double)

/* The host's engine converts a tile at a time; a sequential carry must pass from one to the next. */
static void check_conversion(void)
{
	const struct engine_size size = {
		.channel_count = 1, .lane_count = 1, .elements = ELEMENTS_MAX, .element_max = sizeof(int64_t)};
	struct engine *e = engine_host_open(&size, NULL);
	int64_t total[TILES_MAX], carry_in[TILES_MAX];
	struct span spans[STAGE_COUNT];
	fill(&type_table[TYPE_I32], false);
	for (int a = 0; e != NULL && a < ALGORITHM_COUNT; a++) {
		struct row row;
		union cursor cursor = {{0}};
		int64_t sum = 0;
		struct lane_work work = {
			.in = in.bytes,
			.count = ELEMENTS_MAX,
			.by_cursor = a == ALGORITHM_SEQUENTIAL,
			.totals = total,
			.carry_in = carry_in,
			.cursor = &cursor,
			.out = out[0].bytes,
		};
		EXPECT(row_find(&row, &operator_table[OPERATOR_SUM], &type_table[TYPE_I32], &type_table[TYPE_I64], true,
				false, (enum algorithm)a),
		       "a row for i32:i64");
		EXPECT(e->class->set_row(e, 0, &row) == STATUS_OK, "set_row");
		if (!work.by_cursor) {
			EXPECT(e->class->begin(e, SWEEP_TOTALS, 0, &work) == STATUS_OK, "begin_totals");
			EXPECT(e->class->finish(e, SWEEP_TOTALS, 0, NULL) == STATUS_OK, "finish_totals");
			EXPECT(!row.code->fold(&cursor, total, TILES_MAX, carry_in), "no carry-in");
		}
		EXPECT(e->class->begin(e, SWEEP_RESULTS, 0, &work) == STATUS_OK, "begin_results");
		EXPECT(e->class->finish(e, SWEEP_RESULTS, 0, spans) == STATUS_OK && work.first_bad == SIZE_MAX,
		       "finish_results");
		for (size_t i = 0; i < ELEMENTS_MAX; i++) {
			int32_t x;
			int64_t result;
			memcpy(&x, in.bytes + i * sizeof x, sizeof x);
			memcpy(&result, out[0].bytes + i * sizeof result, sizeof result);
			sum += x;
			EXPECT(result == sum, "algorithm %d: result %zu", a, i);
		}
	}
	if (e != NULL)
		e->class->close(e);
	check_promise("converted elements are scanned across tiles by every algorithm");
}

static int64_t wide[ELEMENTS_MAX];

/* All elements, as callers do: a piece by the cursor, then two tiles from another cursor on. */
static void scan_both_ways(const struct row *row, const unsigned char *elements, unsigned char *results)
{
	unsigned char totals[TILES_MAX * STATE_SIZE_MAX], carry_in[TILES_MAX * STATE_SIZE_MAX];
	const size_t size = row->results.size;
	union cursor cursor = {{0}};
	EXPECT(host_scan_push(row, &cursor, elements, ELEMENTS_MAX - 3, results) == SIZE_MAX, "all fit");
	memset(&cursor, 0, sizeof cursor);
	host_scan_totals(row, elements, ELEMENTS_MAX, totals);
	(void)row->code->fold(&cursor, totals, TILES_MAX, carry_in);
	(void)host_scan_results(row, elements, ELEMENTS_MAX, carry_in, false, results + ELEMENTS_MAX * size);
	(void)host_scan_segments(row, elements, 99, 33, results + 2 * ELEMENTS_MAX * size);
}

/* Rows of narrow integers that share the code of 64 bits have its bits, for numbers of their own type and for others,
 * which wrap. */
static void check_shared(enum operator_id op, const struct type *from, const struct type *t)
{
	static unsigned char narrow[ELEMENTS_MAX * sizeof(int32_t)];
	static unsigned char results[2][(2 * ELEMENTS_MAX + 99) * sizeof(uint64_t)];
	const unsigned unused = 64 - 8 * (unsigned)t->size;
	struct row row, shared;
	for (size_t i = 0; i < ELEMENTS_MAX; i++) {
		union value element;
		const uint64_t bits = random_u64();
		type_put_integer(from, bits, &element);
		memcpy(narrow + i * from->size, &element, from->size);
		wide[i] = t->kind == KIND_SIGNED ? (int64_t)(bits << unused) >> unused
						 : (int64_t)(bits << unused >> unused);
	}
	memset(results, 0, sizeof results);
	EXPECT(row_find(&row, &operator_table[op], from, t, false, false, ALGORITHM_BLELLOCH) &&
		       row_find(&shared, &operator_table[op], type_long(t), type_long(t), false, false,
				ALGORITHM_BLELLOCH),
	       "rows");
	EXPECT(row.code_type == type_long(t) && row.code->push == shared.code->push, "%s %s", row.op->name, t->name);
	scan_both_ways(&row, narrow, results[0]);
	scan_both_ways(&shared, (const unsigned char *)wide, results[1]);
	EXPECT(memcmp(results[0], results[1], sizeof results[0]) == 0, "%s %s of %s", row.op->name, t->name,
	       from->name);
}

static void check_shared_code(void)
{
	for (int op = 0; op < OPERATOR_ID_COUNT; op++) {
		for (int id = TYPE_I8; id < TYPE_I64 && operator_table[op].has_long_states; id++) {
			check_shared((enum operator_id)op, &type_table[id], &type_table[id]);
			if (id < TYPE_I32)
				check_shared((enum operator_id)op, &type_table[TYPE_U32], &type_table[id]);
		}
	}
	check_promise("narrow integers that share the code of 64 bits have its bits");
}

int main(void)
{
	check_exact_rows();
	check_shared_code();
	check_float(&type_table[TYPE_F32], in.f32, out[0].f32, 12345.678f);
	check_double(&type_table[TYPE_F64], in.f64, out[0].f64, 12345.678f);
	check_promise("sums of floats follow the definitions of Hillis-Steele and of the naive loop");
	check_conversion();
	return check_done();
}
