/* The scan of expressions is compared with the grid's definition (expression_oracle.h): the results of an operator that
 * is neither commutative nor associative, and the first element for which a combination has no value. */
#include <stdlib.h>
#include <string.h>

#include "evaluate/expression_window.h"
#include "rows/row_code.h"

#include "check.h"
#include "expression_made.h"
#include "expression_oracle.h"
#include "expression_tiles.h"
#include "random.h"

#define ELEMENTS_MAX ((size_t)3 * GRID_TILE)
#define CURSOR_WORDS (EXPRESSION_CURSOR_SIZE_MAX / sizeof(uint64_t))

static int64_t elements[ELEMENTS_MAX], results[ELEMENTS_MAX], got[ELEMENTS_MAX];

static void fill(size_t count)
{
	for (size_t i = 0; i < count; i++)
		elements[i] = random_below(4096) == 0 ? trap : (int64_t)random_below(7);
}

static bool same(size_t bad, size_t count)
{
	return memcmp(got, results, (bad < count ? bad : count) * sizeof got[0]) == 0;
}

static void check_push(const struct combination *combine, size_t count, const int64_t *seed)
{
	uint64_t cursor[CURSOR_WORDS] = {0};
	const size_t want = scan(elements, count, seed, results);
	size_t bad = SIZE_MAX;
	if (seed != NULL)
		(void)expression_scan_add(combine, cursor, seed);
	for (size_t first = 0, piece; first < count && bad == SIZE_MAX; first += piece) {
		piece = 1 + random_below(random_below(2) == 0 ? 40 : 9000);
		piece = piece < count - first ? piece : count - first;
		bad = expression_scan_push(combine, cursor, elements + first, piece, got + first);
		bad = bad == SIZE_MAX ? bad : first + bad;
	}
	EXPECT(bad == want && same(bad, count), "pushes of %zu: first bad %zu, want %zu", count, bad, want);
}

static void check_tiles(const struct combination *combine, size_t count, const int64_t *seed)
{
	uint64_t cursor[CURSOR_WORDS] = {0};
	int64_t totals[3], carry_in[3];
	bool has_carry;
	const size_t want = scan(elements, count, seed, results);
	if (seed != NULL)
		(void)expression_scan_add(combine, cursor, seed);
	bool good = totals_of_tiles(combine, elements, count, sizeof elements[0], totals);
	if (good) {
		good = expression_scan_fold(combine, cursor, totals, (count + GRID_TILE - 1) / GRID_TILE, carry_in,
					    &has_carry) == SIZE_MAX;
	}
	/* The total of a last tile that is not whole has combinations that no element needs. */
	EXPECT(good || want != SIZE_MAX || count % GRID_TILE != 0, "totals of %zu", count);
	if (!good)
		return;
	const size_t bad = results_of_tiles(combine, elements, count, sizeof elements[0], carry_in, has_carry, got);
	EXPECT(bad == want && same(bad, count), "results of %zu: first bad %zu, want %zu", count, bad, want);
}

#define CURSORS_MAX 600

static void check_many(const struct combination *combine, size_t cursor_count, unsigned most)
{
	static uint64_t cursors[CURSORS_MAX][CURSOR_WORDS];
	static uint32_t ends[CURSORS_MAX], bad[CURSORS_MAX];
	size_t first = 0;
	memset(cursors, 0, sizeof cursors);
	for (size_t j = 0; j < cursor_count; j++) {
		const size_t count = random_below(most + 1);
		if (j % 2 == 0)
			(void)expression_scan_add(combine, cursors[j], &elements[j]);
		ends[j] = (uint32_t)(first + count < ELEMENTS_MAX ? first + count : ELEMENTS_MAX);
		first = ends[j];
	}
	expression_scan_push_all(combine, cursors, sizeof cursors[0], cursor_count, ends, elements, got, bad);
	first = 0;
	for (size_t j = 0; j < cursor_count; j++) {
		const size_t count = ends[j] - first;
		const size_t want = scan(elements + first, count, j % 2 == 0 ? &elements[j] : NULL, results + first);
		const size_t same_count = want < count ? want : count;
		EXPECT(bad[j] == (want == SIZE_MAX ? UINT32_MAX : want) &&
			       memcmp(got + first, results + first, same_count * sizeof got[0]) == 0,
		       "cursor %zu of %zu, %zu elements: first bad %u, want %zu", j, cursor_count, count,
		       (unsigned)bad[j], want);
		first = ends[j];
	}
}

/* Cursors at the end of a tile, of which all take in the same elements. */
static void check_tile_end(const struct combination *combine)
{
	static int64_t same_elements[40][100], same_results[40][100];
	uint64_t cursors[40][CURSOR_WORDS] = {{0}};
	uint32_t ends[40], bad[40];
	const size_t before = GRID_TILE - 50;
	const size_t want = scan(elements, before + 100, NULL, results);
	if (want < before)
		return;
	for (size_t j = 0; j < 40; j++) {
		(void)expression_scan_push(combine, cursors[j], elements, before, got);
		memcpy(same_elements[j], elements + before, sizeof same_elements[j]);
		ends[j] = (uint32_t)(j + 1) * 100;
	}
	expression_scan_push_all(combine, cursors, sizeof cursors[0], 40, ends, same_elements, same_results, bad);
	for (size_t j = 0; j < 40; j++)
		EXPECT(bad[j] == (want == SIZE_MAX ? UINT32_MAX : want - before),
		       "a tile's end: first bad %u, want %zu", (unsigned)bad[j], want - before);
}

/* Traps that are sums of few runs, of many, of some tiles, and none. */
static int64_t draw_trap(void)
{
	static const unsigned limits[] = {100, 1000, 13000, 30000};
	return subtracts && random_below(2) == 0 ? -(int64_t)random_below(2000)
						 : 7 + (int64_t)random_below(limits[random_below(4)]);
}

int main(void)
{
	for (unsigned round = 0; round < 200; round++) {
		struct made made;
		const int64_t seed = random_below(100);
		const size_t tiles = 1 + random_below(3);
		subtracts = round % 3 == 0;
		trap = round % 5 == 0 ? INT64_MAX / 2 : draw_trap();
		made_trap(&made, trap, subtracts);
		struct combination *combine = expression_combine_new(&made.expression);
		fill(ELEMENTS_MAX);
		check_push(combine, 1 + random_below(ELEMENTS_MAX), round % 2 == 0 ? &seed : NULL);
		check_tiles(combine, round % 2 == 0 ? tiles * GRID_TILE : 1 + random_below(ELEMENTS_MAX),
			    round % 3 == 0 ? &seed : NULL);
		check_tile_end(combine);
		check_many(combine, 1 + random_below(CURSORS_MAX), 1 + random_below(100));
		expression_combine_free(combine);
	}
	check_promise("results and the first bad element are those of the grid's definition");
	return check_done();
}
