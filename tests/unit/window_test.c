/* The vector code of the host's windows gives the bits of the grid's own text, for every operator, type and level of
 * instruction sets that this machine has. The lengths of windows lie around whole vectors and around the limit of short
 * windows. Elements come in pieces of any size. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows/rows.h"
#include "scan/row.h"
#include "scan/window.h"

#include "check.h"
#include "random.h"
#include "levels.h"

/* The sums of ten types, the products of two, the maxima and minima of ten, three bit operators of eight. */
#define SUM_WINDOWS 10
#define PROD_WINDOWS 2
#define ORDER_WINDOWS (2 * 10)
#define BIT_WINDOWS (3 * 8)
/* Elements of the longest windows of integers that are tried, and of a scan: some blocks of them. */
#define LENGTH_MAX 2500
#define ELEMENTS_MAX (5 * LENGTH_MAX)
/* Elements of a scan by windows of several tiles. */
#define LONG_ELEMENTS_MAX (9 * GRID_TILE)
#define GUARD 64

/* built: it must not be empty, whether this processor has the instructions or not. */
static const struct built_level {
	const char *name;
	size_t vector_size;
	bool built;
	size_t windows;
} levels[] = {
	{"baseline", 16, LITTLE_ENDIAN_HERE,
	 SUM_WINDOWS + (X86_64_HERE ? 2 * 2 : PROD_WINDOWS + ORDER_WINDOWS) + BIT_WINDOWS},
	{"v3", 32, X86_64_HERE, SUM_WINDOWS + PROD_WINDOWS + ORDER_WINDOWS + BIT_WINDOWS},
	{"v4", 64, X86_64_HERE, SUM_WINDOWS + PROD_WINDOWS + ORDER_WINDOWS},
};

/* A level's windows; NULL where it has none. */
static push_window *push_of(const struct built_level *level, enum operator_id op, enum type_id id)
{
	const struct operator_level *rows = host_rows_levels[op][level_find(level->name)];
	return rows != NULL ? rows->windows[id] : NULL;
}

static unsigned char elements[(LONG_ELEMENTS_MAX + 1) * sizeof(uint64_t)];
static unsigned char results[2][(ELEMENTS_MAX + 1) * sizeof(uint64_t) + GUARD];

/* Numbers whose products over a window are near the ends of the type's range, or within it; now and then some of them
 * take the products out of the middle of the range, or further, and others bring them back. Many of them come before
 * the first such ones. */
static double near_power(const struct type *t, uint64_t length, unsigned index)
{
	static int greatest;
	static double mean, jitter, step;
	static unsigned rarity, quiet, left, sort;
	if (index == 0) {
		greatest = t->id == TYPE_F32 ? 127 : 1023;
		mean = (random_below(301) / 100.0 - 1.5) * greatest / (double)length;
		jitter = random_below(2) == 0 ? 0.001 : 1;
		step = (random_below(3) > 0 ? 0.34 + random_below(16) / 100.0 : 0.1 + random_below(12) / 10.0) *
		       greatest;
		rarity = 1 + (unsigned)length * (1 + random_below(60)) / 3;
		quiet = random_below(3) * ELEMENTS_MAX / 3;
		sort = random_below(5);
		left = 0;
	}
	const double x = exp2(mean + jitter * (random_below(1000) / 999.0 - 0.5));
	const bool is_place = sort != 4 || index % length == length - 4;
	if (left == 0 && index >= quiet && is_place && random_below(sort == 4 ? 20 : rarity) == 0)
		left = sort < 2 ? 6 : sort == 4 ? 8 : 1;
	if (left == 0)
		return x;
	left--;
	/* Three of one direction and three of the other; what becomes 0 where it is brought nearer to 1; one; those
	 * that only the products across the end of a block are too great for. */
	if (sort < 2)
		return x * exp2((left >= 3) == (sort == 0) ? -step : step);
	if (sort == 2)
		return random_below(2) == 0 ? 0.0 : exp2(t->id == TYPE_F32 ? -146 : -1070);
	return x * exp2(sort == 3 ? step : (left < 6 && left > 1 ? 0.2539 : -0.2539) * greatest);
}

/* Any bits; small numbers, of floats often a NaN, a zero of either sign, an infinity; numbers around a power of two. */
static void fill(const struct type *t, uint64_t length)
{
	static const double special[] = {0.0, -0.0, (double)NAN, (double)INFINITY, -(double)INFINITY};
	const unsigned kind = random_below(6) < 4 ? 2 : random_below(2);
	for (unsigned i = 0; i <= ELEMENTS_MAX; i++) {
		const uint64_t bits = kind > 0 ? random_below(9) - UINT64_C(4) : random_u64();
		double x = random_below(4) == 0 ? special[random_below(5)] : (double)random_below(9) - 4.0;
		if (kind == 2)
			x = near_power(t, length, i);
		const float narrow = (float)x;
		memcpy(elements + i * t->size, &bits, t->size);
		if (kind > 0 && t->id == TYPE_F32)
			memcpy(elements + i * t->size, &narrow, t->size);
		else if (kind > 0 && t->id == TYPE_F64)
			memcpy(elements + i * t->size, &x, t->size);
	}
}

/* How many elements come at a time: one, few, many, all, or now few and now some thousands. */
static size_t piece_of(unsigned kind, size_t left)
{
	size_t count = 1;
	if (kind == 1 || (kind == 4 && random_below(2) == 0))
		count += random_below(70);
	else if (kind == 4)
		count += random_below(3000);
	else if (kind > 1)
		count += kind == 2 ? random_below(ELEMENTS_MAX) : left;
	return count < left ? count : left;
}

/* Scans count elements from offset on in pieces, and then the first of them once more, in windows that begin anew. */
static void scan(const struct row *row, uint64_t length, size_t offset, size_t count, unsigned kind, unsigned char *out)
{
	const struct window_row windows = window_row_of(row, length);
	struct window *w = calloc(1, window_size_max(row->op));
	const size_t anew = random_below((unsigned)count);
	if (w == NULL)
		abort();
	*w = (struct window){.length = length};
	for (int begun = 0; begun < 2; begun++) {
		const size_t end = begun == 0 ? count : anew;
		window_begin(w, &windows);
		for (size_t first = 0; first < end;) {
			const size_t here = piece_of(kind, end - first);
			const size_t at = (offset + first) * row->acc->size;
			EXPECT(window_reserve(w, &windows, here) == STATUS_OK, "memory");
			EXPECT(window_push(w, &windows, elements + at, here, NULL, out + at) == here, "all fit");
			first += here;
		}
		EXPECT(w->count == end, "%zu elements were taken in", end);
	}
	window_free(w);
	free(w);
}

static void check_length(const struct built_level *level, const struct row *row, uint64_t length)
{
	const struct type *t = row->acc;
	const size_t offset = random_below(2);
	const bool is_long = length > LENGTH_MAX || (t->kind == KIND_FLOAT && random_below(4) == 0);
	const size_t count =
		(is_long ? ELEMENTS_MAX - 999 : 1 + random_below(2) * (4 * (size_t)length)) + random_below(999);
	const unsigned kind = random_below(3);
	const uint64_t seed = random_u64();
	fill(t, length);
	memset(results, 0xa5, sizeof results);
	for (int i = 0; i < 2; i++) {
		(void)setenv("PSCAN_CPU", i == 0 ? "grid" : level->name, 1);
		random_state = seed;
		scan(row, length, offset, count, kind, results[i]);
	}
	EXPECT(memcmp(results[0], results[1], sizeof results[0]) == 0, "%s %s in windows of %zu: %zu elements",
	       row->op->name, t->name, (size_t)length, count);
}

static void check_row(const struct built_level *level, enum operator_id op, enum type_id id)
{
	const struct type *t = &type_table[id];
	const size_t lanes = level->vector_size / t->size;
	push_window *push = push_of(level, op, id);
	struct row row;
	if (push == NULL)
		return;
	EXPECT(row_find(&row, &operator_table[op], t, t, false, false, ALGORITHM_BLELLOCH), "a row");
	(void)setenv("PSCAN_CPU", "grid", 1);
	EXPECT(window_row_of(&row, 1).push == host_rows_grid(op)->windows[0][type_long(t)->id].push, "PSCAN_CPU=grid");
	(void)setenv("PSCAN_CPU", level->name, 1);
	EXPECT(window_row_of(&row, 1).push == push, "PSCAN_CPU=%s", level->name);
	for (uint64_t length = 1; length <= 70; length++)
		check_length(level, &row, length);
	for (size_t vectors = 1; vectors <= 24; vectors++) {
		for (size_t i = 0; i < 3; i++)
			check_length(level, &row, vectors * lanes + i - 1);
	}
	check_length(level, &row, 1000);
	check_length(level, &row, LENGTH_MAX);
	/* Some elements more than a tile or two. */
	for (int i = 0; i < 6 && t->kind == KIND_FLOAT; i++)
		check_length(level, &row, GRID_TILE + 1 + random_below(ELEMENTS_MAX / 2 - GRID_TILE));
	/* Many elements of short windows. */
	for (uint64_t length = 2; length < 8 && t->kind == KIND_FLOAT; length++)
		check_length(level, &row, length);
}

/* --- Products in windows of several tiles ------------------------------------------------------------------------ */

/* The exponents of a long scan's elements, as powers of two: all products are near 1; they walk; they are anywhere;
 * they are near 1, but for a few that are far away. */
static void fill_exponents(int *exponents, size_t count, int greatest)
{
	const unsigned kind = random_below(4);
	const size_t drift = 1 + random_below(200);
	const int upwards = (int)random_below(3) - 1;
	int left = 0;
	for (size_t i = 0; i < count; i++) {
		exponents[i] = (int)random_below(3) - 1;
		if (kind == 2)
			exponents[i] = (int)random_below((unsigned)greatest / 2) - greatest / 4;
		else if (kind != 1 && i % 2 != 0)
			exponents[i] = -exponents[i - 1];
		if (kind == 1 && i % drift == 0)
			exponents[i] += upwards;
		if (kind == 3 && i % 2 == 0 && left == 0 && random_below(3000) == 0)
			left = 12;
		if (left > 0 && i % 2 != 0)
			exponents[i] += left > 6 ? greatest / 4 : -greatest / 4;
		left -= left > 0;
	}
}

/* What the results of windows over powers of two are: the sums of their exponents are exact in any order. */
static void check_powers(const struct type *t, uint64_t length, const int *exponents, size_t count,
			 const unsigned char *out)
{
	int sum = 0;
	for (size_t i = 0; i < count; i++) {
		sum += exponents[i] - (i >= length ? exponents[i - length] : 0);
		float narrow = 0;
		double x = 0;
		memcpy(t->id == TYPE_F32 ? (void *)&narrow : (void *)&x, out + i * t->size, t->size);
		x = t->id == TYPE_F32 ? (double)narrow : x;
		const double right = t->id == TYPE_F32 ? (double)ldexpf(1, sum) : ldexp(1, sum);
		EXPECT(x == right, "%s in windows of %zu: result %zu is %a, not %a", t->name, (size_t)length, i, x,
		       right);
	}
}

/* Windows of several tiles and some elements, whose blocks begin anywhere in a piece. Powers of two have the results
 * that their exponents say, and other numbers those of the grid's own text. */
static void check_long_products(const struct built_level *level, enum type_id id)
{
	static int exponents[LONG_ELEMENTS_MAX];
	static unsigned char long_results[2][LONG_ELEMENTS_MAX * sizeof(uint64_t)];
	const struct type *t = &type_table[id];
	const int greatest = id == TYPE_F32 ? 127 : 1023;
	const uint64_t length = 2 * GRID_TILE + random_below(GRID_TILE + GRID_TILE / 2);
	const size_t count = LONG_ELEMENTS_MAX - random_below(GRID_TILE);
	const bool are_powers = random_below(2) == 0;
	const unsigned kind = 2 + random_below(3);
	struct row row;
	EXPECT(row_find(&row, &operator_table[OPERATOR_PROD], t, t, false, false, ALGORITHM_BLELLOCH), "a row");
	fill_exponents(exponents, count, greatest);
	for (size_t i = 0; i < count; i++) {
		const double x = ldexp(are_powers ? 1 : 1 + random_below(1000000) / 1e6, exponents[i]);
		const float narrow = (float)x;
		memcpy(elements + i * t->size, id == TYPE_F32 ? (const void *)&narrow : (const void *)&x, t->size);
	}
	for (int i = are_powers; i < 2; i++) {
		(void)setenv("PSCAN_CPU", i == 0 ? "grid" : level->name, 1);
		scan(&row, length, 0, count, kind, long_results[i]);
	}
	if (are_powers)
		check_powers(t, length, exponents, count, long_results[1]);
	else
		EXPECT(memcmp(long_results[0], long_results[1], count * t->size) == 0,
		       "prod %s in windows of %zu: %zu elements", t->name, (size_t)length, count);
}

static void check_level(const struct built_level *level)
{
	char promise[80];
	size_t count = 0;
	for (int op = 0; op < OPERATOR_ID_COUNT; op++) {
		for (int id = 0; id < TYPE_COUNT; id++)
			count += push_of(level, (enum operator_id)op, (enum type_id)id) != NULL;
	}
	if (level->built)
		CHECK(count == level->windows, "level %s is built (%zu of %zu)", level->name, count, level->windows);
	(void)snprintf(promise, sizeof promise, "the windows of level %s have the bits of the grid's own text",
		       level->name);
	if (!level->built || !level_is_here(level->name)) {
		check_skip(promise,
			   level->built ? "the processor lacks the instructions" : "the architecture has none");
		return;
	}
	for (int op = 0; op < OPERATOR_ID_COUNT; op++) {
		for (int id = 0; id < TYPE_COUNT; id++)
			check_row(level, (enum operator_id)op, (enum type_id)id);
	}
	check_promise("%s", promise);
	for (int i = 0; i < 40; i++)
		check_long_products(level, i % 2 == 0 ? TYPE_F32 : TYPE_F64);
	check_promise("windows of products of level %s that are longer than two tiles have the right results",
		      level->name);
}

/* A window that was one of narrow states has room for as many wide ones as it says. */
static void check_other_widths(void)
{
	static const enum type_id types[] = {TYPE_F64, TYPE_I128, TYPE_F64, TYPE_I128};
	struct window *w = calloc(1, window_size_max(&operator_table[OPERATOR_SUM]));
	if (w == NULL)
		abort();
	*w = (struct window){.length = 300, .kept_size = 3};
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		const struct type *t = &type_table[types[i]];
		struct row row;
		EXPECT(row_find(&row, &operator_table[OPERATOR_SUM], t, t, true, false, ALGORITHM_BLELLOCH), "a row");
		const struct window_row windows = window_row_of(&row, w->length);
		window_begin(w, &windows);
		for (uint64_t count = 1; count <= w->length; count += count / 2 + 1) {
			EXPECT(window_reserve(w, &windows, count) == STATUS_OK, "memory");
			EXPECT(w->states_bytes >= (count + 1) * windows.code->state_size, "%s: room for %zu states",
			       t->name, (size_t)count);
			EXPECT(w->kept_bytes >= (count + 1) * w->kept_size, "%s: room to keep %zu", t->name,
			       (size_t)count);
			memset(w->states, 0x5a, (size_t)(count + 1) * windows.code->state_size);
		}
	}
	window_free(w);
	free(w);
	check_promise("windows that begin anew have room for states that are wider than before");
}

int main(void)
{
	check_other_widths();
	for (size_t l = 0; l < sizeof levels / sizeof levels[0]; l++)
		check_level(&levels[l]);
	return check_done();
}
