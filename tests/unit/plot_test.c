/* Parts of pictures: the numbers at an axis, and what ranges keep of results that come in any chunks and in any
 * order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/axis.h"
#include "plot/curve.h"
#include "plot/key_curves.h"
#include "number/time.h"

#include "check.h"
#include "random.h"

/* The texts of an axis's ticks, joined by blanks. */
static const char *texts_of(const struct axis *axis)
{
	static char texts[AXIS_TICKS_MAX * AXIS_TEXT_MAX];
	size_t size = 0;
	texts[0] = '\0';
	for (size_t i = 0; i < axis->tick_count; i++)
		size += (size_t)snprintf(texts + size, sizeof texts - size, "%s%s", i > 0 ? " " : "",
					 axis->ticks[i].text);
	return texts;
}

static void test_ticks(void)
{
	static const struct {
		enum axis_kind kind;
		double least, greatest;
		size_t wanted;
		const char *texts;
	} cases[] = {
		{AXIS_OF_RESULTS, 0, 10, 6, "0 2 4 6 8 10"},
		{AXIS_OF_RESULTS, 1, 9, 6, "0 2 4 6 8 10"},
		{AXIS_OF_RESULTS, 0, 1, 6, "0 0.2 0.4 0.6 0.8 1"},
		{AXIS_OF_RESULTS, -0.3, 0.3, 4, "-0.4 -0.2 0 0.2 0.4"},
		{AXIS_OF_RESULTS, -55, -14, 6, "-60 -50 -40 -30 -20 -10"},
		{AXIS_OF_RESULTS, 100000, 300000, 5, "100000 150000 200000 250000 300000"},
		{AXIS_OF_RESULTS, 0, 4e6, 5, "0 1e6 2e6 3e6 4e6"},
		{AXIS_OF_RESULTS, 0, 1.1e7, 6, "0 5e6 1e7 1.5e7"},
		{AXIS_OF_RESULTS, 0.001, 0.002, 3, "0.001 0.0015 0.002"},
		{AXIS_OF_RESULTS, 1e-5, 2e-5, 3, "1e-5 1.5e-5 2e-5"},
		{AXIS_OF_RESULTS, 1e9 + 1, 1e9 + 3, 3, "1.000000001e9 1.000000002e9 1.000000003e9"},
		{AXIS_OF_RESULTS, 1e300, 3e300, 3, "1e300 2e300 3e300"},
		{AXIS_OF_RESULTS, -1.7e308, 1.7e308, 6, "-1e308 0 1e308"},
		{AXIS_OF_RESULTS, 5, 5, 4, "2 4 6 8"},
		{AXIS_OF_RESULTS, 0, 0, 3, "-1 0 1"},
		{AXIS_OF_RESULTS, 1e15, 1e15 + 0.125, 3, "9.99999999998e14 1e15 1.000000000002e15"},
		{AXIS_OF_INDICES, 0, 9, 10, "0 1 2 3 4 5 6 7 8 9"},
		{AXIS_OF_INDICES, 0, 9, 5, "0 5"},
		{AXIS_OF_INDICES, 0, 1, 9, "0 1"},
		{AXIS_OF_INDICES, 3, 17, 9, "4 6 8 10 12 14 16"},
		{AXIS_OF_INDICES, 0, 99999999, 11, "0 1e7 2e7 3e7 4e7 5e7 6e7 7e7 8e7 9e7"},
		{AXIS_OF_INDICES, 0, 18446744073709551615.0, 5, "0 5e18 1e19 1.5e19"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct axis axis;
		axis_make(&axis, cases[i].kind, cases[i].least, cases[i].greatest, cases[i].wanted);
		EXPECT(strcmp(texts_of(&axis), cases[i].texts) == 0, "%g to %g: \"%s\", not \"%s\"", cases[i].least,
		       cases[i].greatest, texts_of(&axis), cases[i].texts);
	}
	check_promise("an axis has few numbers, with few digits");
}

static void test_axes_of_anything(void)
{
	for (int i = 0; i < 20000; i++) {
		const double a = random_f64();
		const double b = i % 2 == 0 ? random_f64() : a + a * ldexp(1, -(int)random_below(60));
		const double least = fmin(a, b);
		const double greatest = fmax(a, b);
		const size_t wanted = 3 + random_below(AXIS_TICKS_MAX - 6);
		struct axis axis;
		axis_make(&axis, AXIS_OF_RESULTS, least, greatest, wanted);
		EXPECT(axis.least <= least && axis.greatest >= greatest && axis.least < axis.greatest,
		       "%a to %a: from %a to %a", least, greatest, axis.least, axis.greatest);
		EXPECT(axis.tick_count >= 2 && axis.tick_count <= wanted + 2, "%a to %a: %zu ticks of %zu", least,
		       greatest, axis.tick_count, wanted);
		for (size_t k = 0; k < axis.tick_count; k++) {
			const struct tick *t = &axis.ticks[k];
			EXPECT(strtod(t->text, NULL) == t->at, "%a to %a: %s is not %a", least, greatest, t->text,
			       t->at);
			EXPECT(k == 0 || t->at > axis.ticks[k - 1].at, "%a to %a: %s", least, greatest,
			       texts_of(&axis));
			const double place = axis_place(&axis, t->at);
			EXPECT(place >= 0 && place <= 1, "%a to %a: %s is at %g", least, greatest, t->text, place);
		}
	}
	check_promise("an axis of any numbers has all of them, and ticks that are what they say");
}

#define RESULTS_MAX 40000

/* What the picture should have of the results from first on: their extremes, of which there is none (least > greatest)
 * in a gap. */
static struct range extremes_of(const double *results, size_t first, size_t end)
{
	struct range r = {.least = HUGE_VAL, .greatest = -HUGE_VAL};
	for (size_t i = first; i < end; i++) {
		if (results[i] - results[i] != 0)
			continue;
		r.least = results[i] < r.least ? results[i] : r.least;
		r.greatest = results[i] > r.greatest ? results[i] : r.greatest;
	}
	return r;
}

static void expect_curves(const struct curves *c, const double *results, size_t count)
{
	size_t width = 1;
	while (count > CURVE_RANGES * width)
		width *= 2;
	EXPECT(curves_range_count(c) == (count + width - 1) / width, "%zu ranges of %zu", curves_range_count(c), count);
	for (size_t i = 0; i < curves_range_count(c); i++) {
		const size_t end = (i + 1) * width < count ? (i + 1) * width : count;
		const struct range wanted = extremes_of(results, i * width, end);
		const struct range r = curves_range(c, 1, i);
		EXPECT(r.least == wanted.least && r.greatest == wanted.greatest,
		       "range %zu of %zu: %g to %g, not %g to %g", i, count, r.least, r.greatest, wanted.least,
		       wanted.greatest);
		EXPECT(curves_index(c, i) == (double)(i * width + end - 1) / 2, "range %zu of %zu is at %g", i, count,
		       curves_index(c, i));
		EXPECT(range_is_gap(curves_range(c, 0, i)), "range %zu of a curve without results", i);
	}
}

/* Results in chunks of their own, which are put together in any order. */
static void test_chunks(void)
{
	static double results[RESULTS_MAX];
	static struct curves chunks[16];
	struct curves whole = {0};
	enum status status = curves_make(&whole, 2, false);
	for (size_t i = 0; i < 16 && status == STATUS_OK; i++)
		status = curves_make(&chunks[i], 2, false);
	for (size_t turn = 0; turn < 140 && status == STATUS_OK; turn++) {
		/* The most that some width has room for, one less and one more; and any numbers of them. */
		const size_t count = turn < 12 ? ((size_t)CURVE_RANGES << turn / 3) + turn % 3 - 1
					       : 1 + random_below(turn % 2 == 0 ? RESULTS_MAX - 1 : 3000);
		for (size_t i = 0; i < count; i++)
			results[i] = random_below(9) == 0   ? (double)NAN
				     : random_below(9) == 0 ? (double)-INFINITY
							    : random_f64();
		size_t first = 0;
		for (size_t i = 0; i < 16; i++) {
			const size_t end = i == 15 ? count : first + random_below((unsigned)(count - first + 1));
			curves_begin(&chunks[i], first);
			/* In two parts, as where decimals change. */
			const size_t middle = first + (end - first) / 3;
			curves_reach(&chunks[i], middle);
			curves_put(&chunks[i], 1, first, &type_table[TYPE_F64], &results[first], sizeof results[0],
				   middle - first, 1);
			curves_reach(&chunks[i], end);
			curves_put(&chunks[i], 1, middle, &type_table[TYPE_F64], &results[middle], sizeof results[0],
				   end - middle, 1);
			first = end;
		}
		const size_t rotation = random_below(16);
		curves_begin(&whole, 0);
		for (size_t i = 0; i < 16; i++)
			curves_add(&whole, &chunks[(5 * i + rotation) % 16]);
		expect_curves(&whole, results, count);
	}
	for (size_t i = 0; i < 16; i++)
		curves_free(&chunks[i]);
	curves_free(&whole);
	EXPECT(status == STATUS_OK, "no memory");
	check_promise("ranges are the same whatever the chunks, and whatever their order");
}

/* Records in the order in which they came: each of one of a few keys. */
struct keyed_records {
	size_t columns, count;
	uint32_t keys[RESULTS_MAX];
	double results[RESULTS_MAX]; /* those of the first column; others are less, each by 1 */
};

/* The index bits of a range: those of the narrowest that the budget has room for. */
static unsigned shift_of(const uint64_t *counts, size_t key_count, uint64_t room)
{
	for (unsigned shift = 0;; shift++) {
		uint64_t needed = 0;
		for (size_t i = 0; i < key_count; i++)
			needed += counts[i] > 0 ? (counts[i] - 1) >> shift : 0;
		if (needed <= room)
			return shift;
	}
}

static void expect_key(const struct keyed_records *r, const struct curves *c, size_t place, uint32_t key)
{
	static double of_key[RESULTS_MAX];
	size_t count = 0;
	for (size_t i = 0; i < r->count; i++) {
		of_key[count] = r->results[i];
		count += r->keys[i] == key;
	}
	for (size_t i = 0; i < curves_range_count(c); i++) {
		const size_t end = (i + 1) << c->shift < count ? (i + 1) << c->shift : count;
		const struct range wanted = extremes_of(of_key, i << c->shift, end);
		for (size_t k = 0; k < r->columns; k++) {
			const struct range is = curves_range(c, place * r->columns + k, i);
			EXPECT(is.least == wanted.least - (double)k && is.greatest == wanted.greatest - (double)k,
			       "range %zu of key %u, column %zu: %g to %g", i, key, k, is.least, is.greatest);
		}
	}
}

static void expect_keys(const struct keyed_records *r, const struct key_curves *k, size_t key_count, size_t budget)
{
	uint64_t counts[64] = {0};
	uint32_t keys[CURVES_MAX];
	uint64_t key_total = 0;
	struct curves c;
	for (size_t i = 0; i < r->count; i++)
		counts[r->keys[i]]++;
	for (size_t i = 0; i < key_count; i++)
		key_total += counts[i] > 0;
	const size_t chosen = key_curves_choose(k, keys);
	const size_t most = CURVES_MAX / r->columns;
	EXPECT(key_curves_keys(k) == key_total && chosen == (key_total < most ? key_total : most),
	       "%zu keys are drawn of %zu", chosen, (size_t)key_total);
	if (key_curves_draw(k, keys, chosen, &c) != STATUS_OK)
		return;
	unsigned shift = shift_of(counts, key_count, budget / r->columns);
	while ((counts[keys[0]] - 1) >> shift >= CURVE_RANGES)
		shift++;
	EXPECT(c.shift == shift && c.end == counts[keys[0]], "ranges of 2^%u of %zu, not 2^%u", c.shift, (size_t)c.end,
	       shift);
	for (size_t i = 0; i < chosen; i++) {
		for (uint32_t other = 0; other < key_count; other++) {
			bool is_before = false;
			for (size_t j = 0; j < i; j++)
				is_before = is_before || keys[j] == other;
			EXPECT(is_before || counts[other] < counts[keys[i]] ||
				       (counts[other] == counts[keys[i]] && other >= keys[i]),
			       "key %u has more records than key %u", other, keys[i]);
		}
		expect_key(r, &c, i, keys[i]);
	}
	curves_free(&c);
}

static void test_keys(void)
{
	static struct keyed_records r;
	for (size_t turn = 0; turn < 200; turn++) {
		const size_t key_count = 1 + random_below(turn % 3 == 0 ? 3 : 60);
		r.columns = 1 + random_below(turn % 2 == 0 ? 1 : CURVES_MAX);
		r.count = 1 + random_below(turn % 5 == 0 ? RESULTS_MAX - 1 : 3000);
		const size_t budget = r.columns * (1 + random_below(turn % 4 == 0 ? 50000 : 300));
		struct key_curves *k = key_curves_new(r.columns, budget, false);
		enum status status = k != NULL ? STATUS_OK : STATUS_SYSTEM;
		for (size_t i = 0; i < r.count && status == STATUS_OK; i++) {
			double results[CURVES_MAX];
			/* Some keys come late, and some often. */
			const uint32_t key = (uint32_t)(random_below((unsigned)key_count) * (i + 1) / r.count);
			r.keys[i] = random_below(2) == 0 ? key : (uint32_t)key_count - 1;
			r.results[i] = random_below(9) == 0 ? (double)NAN : random_below(1000);
			for (size_t j = 0; j < r.columns; j++)
				results[j] = r.results[i] - (double)j;
			status = key_curves_add(k, r.keys[i], 0, results);
		}
		EXPECT(status == STATUS_OK, "no memory");
		if (status == STATUS_OK)
			expect_keys(&r, k, key_count, budget);
		key_curves_free(k);
	}
	check_promise("the keys with most records have the ranges that their number and the budget ask for, and their "
		      "results");
}

static void test_ticks_of_times(void)
{
	static const struct {
		uint64_t first, last; /* Microseconds since 1970. */
		const char *texts, *below;
		size_t wanted;
	} cases[] = {
		{0, 4, "00:00:00.000000 00:00:00.000001 00:00:00.000002 00:00:00.000003 00:00:00.000004", "1 Jan 1970",
		 6},
		{1714521600999999, 1714521605000000, "00:00:01 00:00:02 00:00:03 00:00:04 00:00:05", "1 May 2024", 6},
		{1714521600000000, 1714521600000000, "00:00 12:00 00:00 12:00 00:00", "30 Apr 2024", 6},
		{1709164800000000, 1709424000000000, "29 Feb 1 Mar 2 Mar 3 Mar", "2024", 6},
		{1703980800000000, 1707609600000000, "1 Jan 8 Jan 15 Jan 22 Jan 29 Jan 5 Feb", "2024", 6},
		{1703980800000001, 1714521600000000, "Jan Feb Mar Apr May", "2024", 6},
		/* Between four Mondays, and between five, no month begins. */
		{1704153600000000, 1706572800000000, "8 Jan 15 Jan 22 Jan 29 Jan", "2024", 3},
		{1672617600000000, 1675036800000000, "2 Jan 9 Jan 16 Jan 23 Jan 30 Jan", "2023", 3},
		{1672617600000000, 1675209600000000, "Feb", "2023", 3},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct axis axis;
		axis_make_times(&axis, TIME_EPOCH + cases[i].first, TIME_EPOCH + cases[i].last, cases[i].wanted);
		EXPECT(strcmp(texts_of(&axis), cases[i].texts) == 0, "%s, not %s", texts_of(&axis), cases[i].texts);
		EXPECT(strcmp(axis.ticks[0].below, cases[i].below) == 0, "below: %s", axis.ticks[0].below);
	}
	check_promise("times at an axis are round");
}

static void test_number_of_times(void)
{
	const uint64_t day = UINT64_C(86400000000);
	for (uint64_t first = 0; first < 800; first++) {
		for (uint64_t days = 0; days < 120; days++) {
			const size_t wanted = 3 + (size_t)(first + days) % 6;
			const uint64_t begin = TIME_EPOCH + first * day;
			struct axis axis;
			axis_make_times(&axis, begin, begin + days * day, wanted);
			EXPECT(axis.tick_count >= 1 && axis.tick_count <= (wanted > 5 ? wanted : 5),
			       "%zu ticks for %u days from day %u on", axis.tick_count, (unsigned)days,
			       (unsigned)first);
		}
	}
	check_promise("an axis of times has a time, and no more times than are wanted or than Mondays in a month");
}

/* Returns the index bits of the narrowest ranges of times of which no more than CURVE_RANGES lie between two. */
static unsigned shift_of_times(uint64_t first, uint64_t last)
{
	unsigned shift = 0;
	while ((last >> shift) - (first >> shift) >= CURVE_RANGES)
		shift++;
	return shift;
}

#define TIMES 400

/* Records at times in any order, in chunks. */
static void test_times(void)
{
	struct curves whole = {0};
	struct curves chunk = {0};
	enum status status = curves_make(&whole, 1, true);
	status = status == STATUS_OK ? curves_make(&chunk, 1, true) : status;
	for (size_t turn = 0; turn < 300 && status == STATUS_OK; turn++) {
		const uint64_t begin = TIME_EPOCH + ((uint64_t)random_below(UINT32_MAX) << random_below(20));
		const unsigned bits = random_below(40);
		uint64_t times[TIMES];
		double results[TIMES];
		uint64_t first = UINT64_MAX;
		uint64_t last = 0;
		curves_begin(&whole, 0);
		curves_begin(&chunk, 0);
		for (size_t i = 0; i < TIMES; i++) {
			times[i] = begin + (((uint64_t)random_below(UINT32_MAX) << 20) >> (52 - bits % 52));
			results[i] = random_below(1000);
			first = times[i] < first ? times[i] : first;
			last = times[i] > last ? times[i] : last;
			curves_reach_times(&chunk, times[i], times[i] + 1);
			curves_put(&chunk, 0, times[i], &type_table[TYPE_F64], &results[i], sizeof results[0], 1, 1);
			if (random_below(50) == 0 || i == TIMES - 1) {
				curves_add(&whole, &chunk);
				curves_begin(&chunk, 0);
			}
		}
		const unsigned shift = shift_of_times(first, last);
		EXPECT(whole.first == first && whole.end == last + 1 && whole.shift == shift, "2^%u, not 2^%u",
		       whole.shift, shift);
		for (size_t k = 0; k < curves_range_count(&whole); k++) {
			struct range wanted = range_gap;
			for (size_t i = 0; i < TIMES; i++) {
				if (times[i] >> shift == (first >> shift) + k)
					range_add(&wanted, (struct range){results[i], results[i]});
			}
			const struct range r = curves_range(&whole, 0, k);
			EXPECT(r.least == wanted.least && r.greatest == wanted.greatest, "range %zu: %g to %g", k,
			       r.least, r.greatest);
		}
	}
	EXPECT(status == STATUS_OK, "no memory");
	curves_free(&whole);
	curves_free(&chunk);
	check_promise("ranges of times are the same whatever the chunks, and whatever the order of the times");
}

/* Returns how many ranges of 2^shift there are beside one of each key, which are number i % keys of records i. */
static size_t count_key_ranges(const uint64_t *times, size_t keys, unsigned shift)
{
	size_t count = 0;
	for (size_t i = 0; i < TIMES; i++) {
		bool is_new = true;
		for (size_t j = i % keys; j < i; j += keys)
			is_new = is_new && times[j] >> shift != times[i] >> shift;
		count += is_new;
	}
	return count - keys;
}

static void test_times_of_keys(void)
{
	for (size_t turn = 0; turn < 200; turn++) {
		const size_t keys = 1 + random_below(CURVES_MAX);
		const size_t budget = 1 + random_below(200);
		uint64_t times[TIMES];
		uint32_t chosen[CURVES_MAX];
		struct key_curves *k = key_curves_new(1, budget, true);
		struct curves c;
		enum status status = k != NULL ? STATUS_OK : STATUS_SYSTEM;
		uint64_t first = UINT64_MAX;
		uint64_t last = 0;
		for (size_t i = 0; i < TIMES && status == STATUS_OK; i++) {
			const double result = (double)i;
			times[i] = TIME_EPOCH + random_below(turn % 2 == 0 ? 3000 : 1000000);
			first = times[i] < first ? times[i] : first;
			last = times[i] > last ? times[i] : last;
			status = key_curves_add(k, (uint32_t)(i % keys), times[i], &result);
		}
		unsigned shift = 0;
		while (count_key_ranges(times, keys, shift) > budget)
			shift++;
		const unsigned drawn = shift_of_times(first, last) > shift ? shift_of_times(first, last) : shift;
		const size_t count = status == STATUS_OK ? key_curves_choose(k, chosen) : 0;
		if (count == 0 || key_curves_draw(k, chosen, count, &c) != STATUS_OK)
			break;
		EXPECT(c.shift == drawn && c.first == first && c.end == last + 1, "2^%u, not 2^%u", c.shift, drawn);
		for (size_t at = 0; at < curves_range_count(&c) && c.shift == drawn; at++) {
			for (size_t j = 0; j < count; j++) {
				struct range wanted = range_gap;
				for (size_t i = chosen[j]; i < TIMES; i += keys) {
					if (times[i] >> drawn == (first >> drawn) + at)
						range_add(&wanted, (struct range){(double)i, (double)i});
				}
				const struct range r = curves_range(&c, j, at);
				EXPECT(r.least == wanted.least && r.greatest == wanted.greatest,
				       "key %u, range %zu: %g to %g", chosen[j], at, r.least, r.greatest);
			}
		}
		curves_free(&c);
		key_curves_free(k);
	}
	check_promise("ranges of the keys' times are as narrow as the budget allows, whatever the order of the times");
}

static void test_extremes(void)
{
	/* Every type's limits are where they are found last, and first; each number has one of another kind beside
	 * it. */
	const struct range none = extremes(&type_table[TYPE_F32], (const float[]){NAN, INFINITY, -INFINITY}, 4, 3);
	EXPECT(range_is_gap(none), "%g to %g of no finite numbers", none.least, none.greatest);
	for (size_t count = 1; count <= 70; count++) {
		float floats[140];
		int8_t bytes[140];
		for (size_t i = 0; i < 2 * count; i++) {
			floats[i] = i % 2 == 0 ? (float)(i / 2) : -1e30f;
			bytes[i] = i % 2 == 0 ? (int8_t) - (int)(i / 2) : INT8_MAX;
		}
		const struct range f = extremes(&type_table[TYPE_F32], floats, 2 * sizeof *floats, count);
		const struct range b = extremes(&type_table[TYPE_I8], bytes, 2, count);
		EXPECT(f.least == 0 && f.greatest == (double)(count - 1), "%zu floats: %g to %g", count, f.least,
		       f.greatest);
		EXPECT(b.greatest == 0 && b.least == -(double)(count - 1), "%zu bytes: %g to %g", count, b.least,
		       b.greatest);
		double doubles[70] = {0};
		finite_doubles(&type_table[TYPE_I8], bytes, 2, count, -2, doubles, 1);
		EXPECT(doubles[count - 1] == (double)(count - 1) / 2, "%zu bytes: the last is %g", count,
		       doubles[count - 1]);
		floats[2 * (count / 2)] = -INFINITY;
		const struct range g = extremes(&type_table[TYPE_F32], floats, 2 * sizeof *floats, count);
		EXPECT(count == 1 ? range_is_gap(g) : g.least == (count / 2 == 0 ? 1 : 0), "%zu, one infinite: %g",
		       count, g.least);
	}
	check_promise("the least and greatest of numbers that are some bytes apart, infinities left out");
}

int main(void)
{
	test_ticks();
	test_axes_of_anything();
	test_chunks();
	test_extremes();
	test_keys();
	test_ticks_of_times();
	test_number_of_times();
	test_times();
	test_times_of_keys();
	return check_done();
}
