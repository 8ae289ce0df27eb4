/* Windows of expressions are compared with their definition (scan/window.h), computed on a grid that is written as a
 * recursion (expression_oracle.h). Some elements have no number, and some combinations have no value. Windows of a + b
 * are also compared with the compiled windows of sums. */
#include <stdlib.h>
#include <string.h>

#include "evaluate/expression_scan.h"
#include "evaluate/expression_window.h"
#include "scan/window.h"

#include "check.h"
#include "expression_made.h"
#include "expression_oracle.h"
#include "random.h"

#define ELEMENTS_MAX ((size_t)3 * GRID_TILE)

static int64_t elements[ELEMENTS_MAX], results[ELEMENTS_MAX], got[ELEMENTS_MAX];
static bool lacks[ELEMENTS_MAX], is_bad[ELEMENTS_MAX], is_empty[ELEMENTS_MAX];

/* The scan of the numbers of a block, or of a mirrored one. */
struct block_scan {
	size_t count, bad; /* bad: the first number that is bad, or SIZE_MAX. */
	int64_t numbers[ELEMENTS_MAX], results[ELEMENTS_MAX];
};

static struct block_scan prefixes, suffixes;

static void scan_block(struct block_scan *b, size_t first, size_t end, bool mirrored)
{
	b->count = 0;
	for (size_t i = first; i < end; i++) {
		const size_t at = mirrored ? end - 1 - (i - first) : i;
		if (!lacks[at])
			b->numbers[b->count++] = elements[at];
	}
	is_mirrored = mirrored;
	b->bad = scan(b->numbers, b->count, NULL, b->results);
	is_mirrored = false;
}

/* The scan of the first `count` numbers. Where an element has no number, it is the state before the next run if a run
 * has ended. */
static struct judged prefix_of(size_t count, bool lacks_number)
{
	struct judged s = {prefixes.results[count - 1], prefixes.bad < count};
	if (!s.is_bad && lacks_number && count % GRID_RUN == 0) {
		struct judged carry = {0, false};
		const size_t tiles = count / GRID_TILE;
		for (size_t k = 0; k < tiles; k++) {
			const struct judged total = block(prefixes.numbers + k * GRID_TILE, 0, RUNS);
			carry = k == 0 ? total : join(carry, total);
		}
		s = before_run(prefixes.numbers + tiles * GRID_TILE, count % GRID_TILE / GRID_RUN, tiles > 0, carry);
	}
	return s;
}

/* Windows of `length` of the first `count` elements. */
static void define_windows(size_t length, size_t count)
{
	for (size_t first = 0; first < count; first += length) {
		const size_t end = first + length < count ? first + length : count;
		size_t taken = 0;
		/* Numbers of the block before that are in the window. */
		scan_block(&prefixes, first, end, false);
		if (first > 0)
			scan_block(&suffixes, first - length, first, true);
		size_t left = first > 0 ? suffixes.count : 0;
		for (size_t i = first; i < end; i++) {
			taken += !lacks[i];
			left -= first > 0 && !lacks[i - length];
			struct judged s = {0, false};
			if (left > 0)
				s = (struct judged){suffixes.results[left - 1], suffixes.bad < left};
			if (taken > 0)
				s = left > 0 ? join(s, prefix_of(taken, lacks[i])) : prefix_of(taken, lacks[i]);
			results[i] = s.value;
			is_bad[i] = s.is_bad;
			is_empty[i] = taken == 0 && left == 0;
		}
	}
}

static struct row row_of(enum type_id id)
{
	struct row row;
	(void)row_find(&row, operator_find("max"), &type_table[id], &type_table[id], false, false, ALGORITHM_BLELLOCH);
	return row;
}

static struct window_row windows_of(const struct row *row, const struct combination *combine)
{
	const struct window_code *code = expression_window_code(row->acc);
	return (struct window_row){.row = row, .code = code, .push = code->push, .type = row->acc, .combine = combine};
}

static struct window *window_new(const struct window_row *r, uint64_t length, bool may_lack)
{
	struct window *w = calloc(1, expression_window_size_max());
	if (w == NULL)
		abort();
	*w = (struct window){.length = length, .may_lack = may_lack};
	window_begin(w, r);
	return w;
}

/* The next `count` elements, which have numbers. Returns how many have results. */
static size_t push(struct window *w, const struct window_row *r, size_t first, size_t count)
{
	static uint64_t covered[ELEMENTS_MAX];
	EXPECT(window_reserve(w, r, count) == STATUS_OK, "memory");
	if (w->may_lack)
		window_cover(w, count, covered);
	return window_push(w, r, elements + first, count, w->may_lack ? covered : NULL, got + first);
}

static void check_scan(const struct combination *combine, size_t length, size_t count, bool may_lack)
{
	const struct row row = row_of(TYPE_I64);
	const struct window_row r = windows_of(&row, combine);
	struct window *w = window_new(&r, length, may_lack);
	const unsigned most = random_below(2) == 0 ? 40 : 9000;
	bool good = true;
	size_t i = 0;
	define_windows(length, count);
	while (i < count && good) {
		size_t end = i;
		const size_t piece = 1 + random_below(most);
		while (end < count && end - i < piece && !lacks[end])
			end++;
		size_t first_bad = i;
		while (first_bad < end && !is_bad[first_bad])
			first_bad++;
		if (end > i) {
			const size_t taken = push(w, &r, i, end - i);
			EXPECT(taken == first_bad - i, "windows of %zu: %zu of %zu to %zu taken, want %zu", length,
			       taken, i, end, first_bad - i);
			EXPECT(memcmp(got + i, results + i, (first_bad - i) * sizeof got[0]) == 0,
			       "windows of %zu: results %zu to %zu", length, i, first_bad);
			good = taken == end - i;
			i = end;
			continue;
		}
		EXPECT(window_reserve(w, &r, 1) == STATUS_OK, "memory");
		const enum window_passed passed = window_pass(w, &r, &got[i]);
		EXPECT(passed == (is_empty[i] ? WINDOW_IS_EMPTY
				  : is_bad[i] ? WINDOW_DOES_NOT_FIT
					      : WINDOW_HAS_RESULT),
		       "windows of %zu: element %zu without a number: %d", length, i, (int)passed);
		EXPECT(passed != WINDOW_HAS_RESULT || got[i] == results[i], "windows of %zu: result %zu", length, i);
		good = passed != WINDOW_DOES_NOT_FIT;
		i++;
	}
	window_free(w);
	free(w);
}

static size_t draw_length(void)
{
	static const size_t lengths[] = {1,   2,   3,   7,   15,  16,   17,   33,   100,  256,
					 257, 300, 511, 512, 513, 1000, 4095, 4096, 4097, 5000};
	return random_below(3) == 0 ? 1 + random_below(600) : lengths[random_below(sizeof lengths / sizeof lengths[0])];
}

static void check_definition(bool may_lack, bool traps)
{
	for (unsigned round = 0; round < 300; round++) {
		struct made made;
		const unsigned rarity = 1 + random_below(random_below(2) == 0 ? 4 : 400);
		subtracts = round % 2 == 0;
		const size_t length = draw_length();
		/* Mostly near the sums of some elements of a window. */
		const int64_t sum = (int64_t)random_below(4 * (unsigned)length + 20);
		trap = !traps ? INT64_MAX / 2 : subtracts ? sum / 4 - 10 : 7 + sum;
		made_trap(&made, trap, subtracts);
		struct combination *combine = expression_combine_new(&made.expression);
		for (size_t i = 0; i < ELEMENTS_MAX; i++) {
			elements[i] = random_below(5000) == 0 ? trap : (int64_t)random_below(7);
			lacks[i] = may_lack && random_below(rarity) == 0;
		}
		check_scan(combine, length, 1 + random_below(ELEMENTS_MAX), may_lack);
		expression_combine_free(combine);
	}
}

/* Sums of floats in windows of no more than a tile: their states are numbers, and their carries are not used. */
static void check_sums(enum type_id id)
{
	static unsigned char in[ELEMENTS_MAX * sizeof(double)], want[sizeof in], out[sizeof in];
	const struct type *t = &type_table[id];
	struct row row;
	struct made made;
	made_of_two(&made, STEP_ADD, id);
	struct combination *combine = expression_combine_new(&made.expression);
	(void)row_find(&row, operator_find("sum"), t, t, false, false, ALGORITHM_BLELLOCH);
	for (size_t i = 0; i < ELEMENTS_MAX; i++) {
		const union value v = id == TYPE_F32 ? (union value){.f32 = (float)(random_u64() >> 40) / 1000}
						     : (union value){.f64 = (double)(random_u64() >> 30) / 1000};
		memcpy(in + i * t->size, &v, t->size);
	}
	for (unsigned round = 0; round < 100; round++) {
		const size_t length = draw_length() % (GRID_TILE + 1);
		struct window_row compiled = window_row_of(&row, length);
		const struct window_row r = windows_of(&row, combine);
		window_row_forget_vectors(&compiled);
		if (length == 0)
			continue;
		struct window *w = window_new(&r, length, false);
		struct window *by_compiled = calloc(1, window_size_max(row.op));
		if (by_compiled == NULL)
			abort();
		*by_compiled = (struct window){.length = length};
		window_begin(by_compiled, &compiled);
		for (size_t first = 0, piece; first < ELEMENTS_MAX; first += piece) {
			piece = 1 + random_below(5000);
			piece = piece < ELEMENTS_MAX - first ? piece : ELEMENTS_MAX - first;
			const size_t at = first * t->size;
			EXPECT(window_reserve(w, &r, piece) == STATUS_OK &&
				       window_reserve(by_compiled, &compiled, piece) == STATUS_OK,
			       "memory");
			EXPECT(window_push(w, &r, in + at, piece, NULL, out + at) == piece, "all fit");
			EXPECT(window_push(by_compiled, &compiled, in + at, piece, NULL, want + at) == piece,
			       "all fit");
			EXPECT(memcmp(w->states, by_compiled->states,
				      (w->has_block ? length : (size_t)w->place) * t->size) == 0,
			       "%s: states of windows of %zu", t->name, length);
		}
		EXPECT(memcmp(out, want, ELEMENTS_MAX * t->size) == 0, "%s: windows of %zu", t->name, length);
		window_free(w);
		window_free(by_compiled);
		free(w);
		free(by_compiled);
	}
	expression_combine_free(combine);
}

int main(void)
{
	check_definition(false, false);
	check_definition(true, false);
	check_promise("windows of expressions are those of their definition");
	check_definition(false, true);
	check_definition(true, true);
	check_promise("the first element whose window has no value is found");
	check_sums(TYPE_F64);
	check_sums(TYPE_F32);
	check_promise("windows of a + b have the bits of windows of sums");
	return check_done();
}
