/* The scan of expressions gives the bits of the grid's own text: totals, results and the bytes of cursors. Elements are
 * pushed in pieces of any size, and into many cursors at once. */
#include <stdlib.h>
#include <string.h>

#include "number/type.h"
#include "evaluate/expression_window.h"
#include "rows/row_code.h"

#include "check.h"
#include "expression_made.h"
#include "expression_tiles.h"
#include "random.h"

/* The grid of an operator and a type, compiled. */
struct of_grid {
	size_t cursor_size;
	void (*totals)(const void *in, size_t count, void *totals);
	void (*results)(const void *in, size_t count, const void *carry_in, bool first_has_carry, void *out);
	void (*push)(void *cursor, const void *in, size_t count, void *out);
	void (*fold)(void *cursor, const void *total);
	void (*join)(const void *a, const void *b, void *out);
};

#undef CONTEXT_PARAMETER
#undef CONTEXT_ARGUMENT
#define HILLIS_STEELE 0
#define SHAPE_GPU 0
#define GLOBAL
#define NODES
#define INPUTS 1
#define EMITS_INPUTS 0
#define CONVERT(x) (x)
#define FITS(x) 1
#define CHECKED 0
#define CHECK_OVERFLOW 0
#define EXCLUSIVE 0
#define PARAMETER_ARGUMENT
#include "names.h"
#include "grid.h"

/* A type in which sums and products wrap as they do in the type itself. */
#define WIDE_i8 u64
#define WIDE_u8 u64
#define WIDE_i16 u64
#define WIDE_u16 u64
#define WIDE_i32 u64
#define WIDE_u32 u64
#define WIDE_i64 u64
#define WIDE_u64 u64
#define WIDE_f32 f32
#define WIDE_f64 f64
#define WIDE(T) PASTE2(WIDE_, T)

#define OP plus
#define COMBINE(T, a, b) ((T)((WIDE(T))(a) + (WIDE(T))(b)))
#include "expression_grids.h"
#undef OP
#define OP minus
#define COMBINE(T, a, b) ((T)((WIDE(T))(a) - (WIDE(T))(b)))
#include "expression_grids.h"
#undef OP
#define OP times
#define COMBINE(T, a, b) ((T)((WIDE(T))(a) * (WIDE(T))(b)))
#include "expression_grids.h"
#undef OP
#define OP least
#define COMBINE(T, a, b) ((b) < (a) ? (b) : (a))
#include "expression_grids.h"
#undef OP
#define OP greatest
#define COMBINE(T, a, b) ((a) < (b) ? (b) : (a))
#include "expression_grids.h"
#undef OP

static const struct operation {
	const char *text;
	enum step_code code;
	const struct of_grid *const *grids;
} operations[] = {{"a + b", STEP_ADD, grids_plus},
		  {"a - b", STEP_SUBTRACT, grids_minus},
		  {"a * b", STEP_MULTIPLY, grids_times},
		  {"min(a, b)", STEP_MIN, grids_least},
		  {"max(a, b)", STEP_MAX, grids_greatest}};
#define OPERATION_COUNT (sizeof operations / sizeof operations[0])

#define TILES_MAX 4
#define ELEMENTS_MAX ((size_t)TILES_MAX * GRID_TILE)

static union {
	unsigned char bytes[(ELEMENTS_MAX + 8) * sizeof(uint64_t)];
	uint64_t align;
} in, expected, got;

union small_cursor {
	unsigned char bytes[EXPRESSION_CURSOR_SIZE_MAX];
	uint64_t align;
};

/* A row, by both. */
struct both {
	const char *text;
	const struct type *type;
	const struct of_grid *grid;
	struct combination *combine;
};

/* Numbers whose sums and products stay numbers. */
static void fill(const struct type *t, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		union value v = {.u64 = random_u64()};
		const double x = 0.75 + (double)(v.u64 >> 11) * 0x1p-54;
		if (t->id == TYPE_F32)
			v.f32 = (float)x;
		if (t->id == TYPE_F64)
			v.f64 = x;
		memcpy(in.bytes + i * t->size, &v, t->size);
	}
}

static bool same_results(const struct type *t, size_t count)
{
	return memcmp(got.bytes, expected.bytes, count * t->size) == 0;
}

/* Totals, their fold, and results, of elements from `offset` on. */
static void check_tiles(const struct both *b, size_t count, size_t offset, bool seeded)
{
	const size_t size = b->type->size;
	const size_t tiles = (count + GRID_TILE - 1) / GRID_TILE;
	const unsigned char *elements = in.bytes + offset * size;
	union small_cursor cursor = {{0}};
	union small_cursor compiled = {{0}};
	uint64_t totals[TILES_MAX], want[TILES_MAX], carry_in[TILES_MAX];
	bool has_carry;
	if (seeded) {
		(void)expression_scan_add(b->combine, &cursor, elements + size);
		b->grid->fold(&compiled, elements + size);
	}
	memset(totals, 0xa5, sizeof totals);
	memset(want, 0xa5, sizeof want);
	EXPECT(totals_of_tiles(b->combine, elements, count, size, totals), "%s: good totals", b->text);
	b->grid->totals(elements, count, want);
	EXPECT(memcmp(totals, want, sizeof totals) == 0, "%s %s: totals of %zu", b->text, b->type->name, count);
	EXPECT(expression_scan_fold(b->combine, &cursor, totals, tiles, carry_in, &has_carry) == SIZE_MAX &&
		       has_carry == seeded,
	       "%s: fold", b->text);
	for (size_t k = 0; k < tiles; k++)
		b->grid->fold(&compiled, (unsigned char *)want + k * size);
	compiled.align += tiles * GRID_TILE;
	EXPECT(memcmp(&cursor, &compiled, sizeof cursor) == 0, "%s %s: fold of %zu", b->text, b->type->name, count);
	const bool in_place = random_below(2) == 0;
	unsigned char *results = got.bytes + offset * size;
	memset(&got, 0xa5, sizeof got);
	memset(&expected, 0xa5, sizeof expected);
	b->grid->results(elements, count, carry_in, has_carry, expected.bytes + offset * size);
	if (in_place)
		memcpy(results, elements, count * size);
	EXPECT(results_of_tiles(b->combine, in_place ? results : elements, count, size, carry_in, has_carry, results) ==
		       SIZE_MAX,
	       "%s: good results", b->text);
	EXPECT(memcmp(&got, &expected, sizeof got) == 0, "%s %s: results of %zu", b->text, b->type->name, count);
}

/* All elements in pieces of any size; the cursors' bytes after each. */
static void check_pieces(const struct both *b, size_t count, size_t most, bool seeded)
{
	const size_t size = b->type->size;
	union small_cursor cursor = {{0}};
	union small_cursor compiled = {{0}};
	if (seeded) {
		(void)expression_scan_add(b->combine, &cursor, in.bytes);
		b->grid->fold(&compiled, in.bytes);
	}
	memcpy(&got, &in, sizeof got);
	b->grid->push(&compiled, in.bytes, 0, expected.bytes);
	for (size_t first = 0, piece; first < count; first += piece) {
		union value state, want;
		piece = 1 + random_below((unsigned)(random_below(2) == 0 ? 40 : most));
		piece = piece < count - first ? piece : count - first;
		const unsigned char *elements = in.bytes + first * size;
		unsigned char *results = got.bytes + first * size;
		b->grid->push(&compiled, elements, piece, expected.bytes + first * size);
		EXPECT(expression_scan_push(b->combine, &cursor, random_below(2) == 0 ? elements : results, piece,
					    results) == SIZE_MAX,
		       "%s: a good push", b->text);
		EXPECT(memcmp(&cursor, &compiled, sizeof cursor) == 0, "%s %s: cursor after %zu and %zu", b->text,
		       b->type->name, first, piece);
		expression_scan_state(b->combine, &cursor, &state);
		memcpy(&want, expected.bytes + (first + piece - 1) * size, size);
		if ((first + piece) % GRID_TILE == 0)
			memcpy(&want, compiled.bytes + 2 * sizeof(uint64_t), size);
		EXPECT(memcmp(&state, &want, size) == 0, "%s %s: state after %zu", b->text, b->type->name,
		       first + piece);
	}
	EXPECT(same_results(b->type, count), "%s %s: results of pushes of %zu", b->text, b->type->name, count);
}

#define CURSORS_MAX 700

/* Many cursors, after any number of elements each, take in any number of elements each: few, or many. */
static void check_many(const struct both *b, size_t cursor_count, unsigned before_most, unsigned most)
{
	static union small_cursor compiled[CURSORS_MAX];
	static uint32_t ends[CURSORS_MAX], bad[CURSORS_MAX];
	const size_t size = b->type->size;
	const size_t cursor_size = b->grid->cursor_size;
	unsigned char *cursors = calloc(cursor_count, cursor_size);
	bool good = true;
	memset(compiled, 0, sizeof compiled);
	for (size_t j = 0; j < cursor_count; j++) {
		if (random_below(2) == 0)
			b->grid->fold(&compiled[j], in.bytes + j * size);
		b->grid->push(&compiled[j], in.bytes + random_below(4) * size, random_below(before_most + 1),
			      expected.bytes);
		memcpy(cursors + j * cursor_size, &compiled[j], cursor_size);
	}
	memset(&expected, 0xa5, sizeof expected);
	memcpy(&got, &expected, sizeof got);
	size_t first = 0;
	for (size_t j = 0; j < cursor_count; j++) {
		const size_t count = random_below(most + 1);
		ends[j] = (uint32_t)(first + count < ELEMENTS_MAX ? first + count : ELEMENTS_MAX);
		b->grid->push(&compiled[j], in.bytes + first * size, ends[j] - first, expected.bytes + first * size);
		first = ends[j];
	}
	const bool in_place = random_below(2) == 0;
	if (in_place)
		memcpy(&got, &in, first * size);
	expression_scan_push_all(b->combine, cursors, cursor_size, cursor_count, ends, in_place ? &got : &in, &got,
				 bad);
	EXPECT(memcmp(&got, &expected, sizeof got) == 0, "%s %s: results of %zu cursors", b->text, b->type->name,
	       cursor_count);
	for (size_t j = 0; j < cursor_count; j++)
		good = good && bad[j] == UINT32_MAX &&
		       memcmp(cursors + j * cursor_size, &compiled[j], cursor_size) == 0;
	EXPECT(good, "%s %s: %zu cursors", b->text, b->type->name, cursor_count);
	free(cursors);
}

static void check_scans(const struct both *b)
{
	static const size_t sizes[] = {255,
				       256,
				       257,
				       1000,
				       GRID_TILE - 17,
				       GRID_TILE - 16,
				       GRID_TILE - 1,
				       GRID_TILE,
				       GRID_TILE + 1,
				       3 * GRID_TILE + 5,
				       ELEMENTS_MAX};
	fill(b->type, ELEMENTS_MAX + 8);
	for (size_t count = 1; count <= 70; count++) {
		check_tiles(b, count, count % 3, count % 2 == 0);
		check_pieces(b, count, 70, count % 3 == 0);
	}
	for (size_t cursor_count = 1; cursor_count <= CURSORS_MAX; cursor_count = cursor_count * 4 / 3 + 1) {
		check_many(b, cursor_count, 40, 3);
		check_many(b, cursor_count, 40, 1 + random_below(200));
		check_many(b, cursor_count, 5000, 1 + random_below(2000));
	}
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
		check_tiles(b, sizes[s], s % 3, s % 2 == 0);
		check_tiles(b, 1 + random_below(ELEMENTS_MAX), s % 3, s % 2 == 0);
		check_pieces(b, sizes[s], 1 + random_below(2 * GRID_TILE), s % 2 == 0);
		check_pieces(b, 1 + random_below(ELEMENTS_MAX), 1 + random_below(GRID_TILE), s % 2 == 0);
	}
}

int main(void)
{
	for (size_t o = 0; o < OPERATION_COUNT; o++) {
		/* (Columns are loaded in another way where there is AVX2.) */
		(void)setenv("PSCAN_CPU", o == 0 ? "baseline" : "v4", 1);
		for (int id = 0; id < TYPE_I128; id++) {
			struct both b = {operations[o].text, &type_table[id], operations[o].grids[id], NULL};
			struct made made;
			made_of_two(&made, operations[o].code, (enum type_id)id);
			b.combine = expression_combine_new(&made.expression);
			EXPECT(EXPRESSION_CURSOR_SIZE(b.type->size) == b.grid->cursor_size, "%s: size of cursors",
			       b.type->name);
			check_scans(&b);
			expression_combine_free(b.combine);
		}
		check_promise("%s has the bits of the grid", operations[o].text);
	}
	return check_done();
}
