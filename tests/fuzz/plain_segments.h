/* Keys, resets and windows of the plain scan: one scan for each key, found by looking at all of them, that begins anew
 * with its segments; a window of integers is scanned element by element every time, one of floats by the grid of its
 * block. */
#ifndef PSCAN_TESTS_FUZZ_PLAIN_SEGMENTS_H
#define PSCAN_TESTS_FUZZ_PLAIN_SEGMENTS_H

#include "base/memory.h"
#include "plain_scan.h"

/* Bytes of the input. */
struct words {
	const char *text;
	size_t size;
};

struct segment {
	struct plain_scan scan; /* in windows: of the element's block, its last result the window's */
	bool exact; /* decimals are */
	bool pending; /* an exclusive scan does not need the last result, which did not fit */
	size_t count;
	struct words key, on; /* on: of the last element, */
	struct words seen; /* and of the last record of any kind */
	bool changed; /* one without an element differed from the one before it */
	struct bytes elements; /* struct cell: all of them, for windows */
	struct bytes suffixes; /* double: of the block before */
};

/* What begins segments, and what there is of them. */
struct segments {
	bool by_key, by_word; /* by_word: --reset-on */
	size_t every; /* 0: never */
	const char *at; /* or NULL */
	size_t window; /* 0: none */
	struct segment first; /* as every one begins */
	struct segment *all; /* one for each key, in the order of their first elements */
	size_t count;
};

static bool words_are_same(const struct words *a, const struct words *b)
{
	return a->size == b->size && (a->size == 0 || memcmp(a->text, b->text, a->size) == 0);
}

static bool segments_have_resets(const struct segments *s)
{
	return s->by_word || s->every > 0 || s->at != NULL;
}

static void segment_begin(const struct segments *s, struct segment *g)
{
	const struct words key = g->key;
	struct bytes elements = g->elements;
	struct bytes suffixes = g->suffixes;
	elements.size = suffixes.size = 0;
	*g = s->first;
	g->key = key;
	g->elements = elements;
	g->suffixes = suffixes;
}

/* The key's segment so far. */
static struct segment *segments_find(struct segments *s, const struct words *key)
{
	for (size_t i = 0; i < s->count; i++) {
		if (!s->by_key || words_are_same(&s->all[i].key, key))
			return &s->all[i];
	}
	struct segment *all = realloc(s->all, (s->count + 1) * sizeof *all);
	REQUIRE(all != NULL, "no memory");
	s->all = all;
	struct segment *g = &all[s->count++];
	*g = s->first;
	g->key = *key;
	return g;
}

/* A record without an element. A key with no element before it has no result. */
static void segments_pass(struct segments *s, const struct words *key, const struct words *on)
{
	for (size_t i = 0; i < s->count; i++) {
		struct segment *g = &s->all[i];
		if (s->by_key && !words_are_same(&g->key, key))
			continue;
		g->changed = g->changed || !words_are_same(&g->seen, on);
		g->seen = *on;
		return;
	}
}

/* Whether an element begins a segment; is_value: it is equal to --reset-at's. */
static bool segment_ends(const struct segments *s, const struct segment *g, const struct words *on, bool is_value)
{
	return g->count > 0 && ((s->by_word && (g->changed || !words_are_same(&g->seen, on))) || g->count == s->every ||
				(s->at != NULL && is_value));
}

static void segments_free(struct segments *s)
{
	for (size_t i = 0; i < s->count; i++) {
		bytes_free(&s->all[i].elements);
		bytes_free(&s->all[i].suffixes);
	}
	free(s->all);
}

/* --- Windows */

/* The exact product is 0 wherever an element is. */
static bool window_product(const struct plain_scan *scan, const struct cell *x, size_t count, wide *result)
{
	bool fits = true;
	uwide wrapped = 1;
	wide exact = 1;
	for (size_t i = 0; i < count; i++) {
		wrapped *= (uwide)x[i].i;
		if (x[i].i == 0) {
			*result = 0;
			return true;
		}
		fits = fits && !__builtin_mul_overflow(exact, x[i].i, &exact);
	}
	*result = type_wrap(scan->acc, wrapped);
	return fits && type_holds(scan->acc, exact);
}

static bool window_sum(const struct plain_scan *scan, const struct cell *x, size_t count, wide *result)
{
	wide exact = 0;
	for (size_t i = 0; i < count; i++)
		exact += x[i].i;
	*result = type_wrap(scan->acc, (uwide)exact);
	return type_holds(scan->acc, exact);
}

/* Of the last elements. False: the exact result is outside the type. */
static bool window_scan(struct plain_scan *scan, const struct cell *x, size_t count)
{
	struct cell result = x[0];
	bool fits = true;
	if (!x->is_float && scan->op == OPERATOR_SUM)
		fits = window_sum(scan, x, count, &result.i);
	else if (!x->is_float && scan->op == OPERATOR_PROD)
		fits = window_product(scan, x, count, &result.i);
	for (size_t i = 1; i < count && scan->op != OPERATOR_SUM && scan->op != OPERATOR_PROD; i++) {
		if (x->is_float)
			result.d = combine_floats(scan, result.d, x[i].d);
		else
			(void)combine_integers(scan, result.i, x[i].i, &result.i);
	}
	scan->last = result;
	return fits || scan->wrap;
}

/* The grid over a block from its last element back: from element i on to the block's end. */
static void make_suffixes(const struct plain_scan *scan, const struct cell *block, size_t length,
			  struct bytes *suffixes)
{
	struct plain_scan back = *scan;
	REQUIRE(bytes_reserve(suffixes, length * sizeof(double)) == STATUS_OK, "no memory");
	double *to = (double *)(void *)suffixes->data;
	plain_begin(&back, scan->acc, NULL);
	for (size_t i = length; i > 0; i--) {
		(void)plain_push(&back, &block[i - 1]);
		to[i - 1] = back.last.d;
	}
	suffixes->size = length * sizeof(double);
}

/* Sums and products of floats: the element's block so far, after what the window has of the one before. */
static void window_push_to_grid(struct segment *g, const struct cell *x, size_t length)
{
	struct plain_scan *scan = &g->scan;
	const struct cell *all = (const struct cell *)(const void *)g->elements.data;
	const size_t place = (g->count - 1) % length;
	if (place == 0 && g->count > length)
		make_suffixes(scan, all + g->count - 1 - length, length, &g->suffixes);
	if (place == 0)
		plain_begin(scan, scan->acc, NULL);
	(void)plain_push(scan, x);
	const double *suffixes = (const double *)(const void *)g->suffixes.data;
	if (g->count > length && place + 1 < length)
		scan->last.d = combine_floats(scan, suffixes[place + 1], scan->last.d);
}

/* Takes in an element; the result is the scan's last. False: it is outside the type. */
static bool segment_push(const struct segments *s, struct segment *g, const struct cell *x)
{
	g->count++;
	if (s->window == 0)
		return plain_push(&g->scan, x);
	REQUIRE(bytes_append(&g->elements, x, sizeof *x) == STATUS_OK, "no memory");
	const struct cell *all = (const struct cell *)(const void *)g->elements.data;
	const size_t count = g->count < s->window ? g->count : s->window;
	if (x->is_float && (g->scan.op == OPERATOR_SUM || g->scan.op == OPERATOR_PROD)) {
		window_push_to_grid(g, x, s->window);
		return true;
	}
	g->scan.present = true;
	return window_scan(&g->scan, all + g->count - count, count);
}

#endif
