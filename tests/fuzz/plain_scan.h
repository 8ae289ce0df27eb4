/* The plain scan that pipeline_fuzz.c holds the program to: one element after the other. Integers exactly, in 128 bits;
 * floats in the order of the grid (runs of 16, tiles of 256 runs, Blelloch's tree written down as a recursion, the wide
 * carry) or strictly left to right; decimals as mantissas of 128 bits that are combined in 256. */
#ifndef PSCAN_TESTS_FUZZ_PLAIN_SCAN_H
#define PSCAN_TESTS_FUZZ_PLAIN_SCAN_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fuzz.h"
#include "scan/row.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

/* A value: of an integer or decimal i, of a float d. */
struct cell {
	bool is_float;
	wide i;
	double d;
	unsigned scale; /* of a decimal: digits behind the point, */
	unsigned shown; /* and so many of them are written */
};

#define RUN 16
#define RUNS 256

struct plain_scan {
	enum operator_id op;
	const struct type *acc;
	bool wrap, sequential, hillis;
	bool present; /* there is a result, or a seed */
	struct cell last;
	/* Floats on the grid. */
	bool has_carry;
	double hi, lo;
	bool has_before; /* what stands before the run */
	double before, local;
	double runs[RUNS];
	size_t run, in_run;
};

/* --- Integers */

static wide type_least(const struct type *t)
{
	return t->kind == KIND_SIGNED ? -((wide)1 << (8 * t->size - 1)) : 0;
}

static wide type_greatest(const struct type *t)
{
	return ((wide)1 << (8 * t->size - (t->kind == KIND_SIGNED))) - 1;
}

static bool type_holds(const struct type *t, wide x)
{
	return x >= type_least(t) && x <= type_greatest(t);
}

static wide type_wrap(const struct type *t, uwide x)
{
	const wide low = (wide)(x & (uwide)(((uwide)1 << 8 * t->size) - 1));
	return low > type_greatest(t) ? low - ((wide)1 << 8 * t->size) : low;
}

/* False: the exact result is outside the type. */
static bool combine_integers(const struct plain_scan *s, wide a, wide b, wide *result)
{
	bool fits = true;
	switch ((int)s->op) {
	case OPERATOR_SUM:
		*result = a + b;
		break;
	case OPERATOR_PROD:
		fits = !__builtin_mul_overflow(a, b, result);
		if (!fits)
			*result = (wide)((uwide)a * (uwide)b);
		break;
	case OPERATOR_MAX:
		*result = a > b ? a : b;
		break;
	case OPERATOR_MIN:
		*result = a < b ? a : b;
		break;
	case OPERATOR_AND:
		*result = a & b;
		break;
	case OPERATOR_OR:
		*result = a | b;
		break;
	default: /* xor: the others are not asked for, tests/tools/operators.py has them */
		*result = a ^ b;
		break;
	}
	fits = fits && type_holds(s->acc, *result);
	*result = type_wrap(s->acc, (uwide)*result);
	return fits || s->wrap;
}

/* --- Floats */

static double combine_floats(const struct plain_scan *s, double a, double b)
{
	const bool narrow = s->acc->size == 4;
	if (s->op == OPERATOR_SUM)
		return narrow ? (double)((float)a + (float)b) : a + b;
	if (s->op == OPERATOR_PROD)
		return narrow ? (double)((float)a * (float)b) : a * b;
	if (isnan(a) || isnan(b))
		return (double)NAN;
	const bool a_is_less = a < b || (a == b && signbit(a) && !signbit(b));
	return a_is_less == (s->op == OPERATOR_MAX) ? b : a;
}

/* What the up-sweep makes of the runs first .. first+count-1. */
static double tree_total(const struct plain_scan *s, size_t first, size_t count)
{
	if (count == 1)
		return s->runs[first];
	return combine_floats(s, tree_total(s, first, count / 2), tree_total(s, first + count / 2, count / 2));
}

/* What the down-sweep hands to a run: from the root down, the totals of the left halves that lie before it. */
static double tree_before(const struct plain_scan *s, size_t run)
{
	bool present = false;
	double before = 0.0;
	size_t first = 0;
	for (size_t half = RUNS / 2; half > 0; half /= 2) {
		if (run < first + half)
			continue;
		const double left = tree_total(s, first, half);
		before = present ? combine_floats(s, before, left) : left;
		present = true;
		first += half;
	}
	return before;
}

/* The same by Hillis and Steele: at distance d every run takes in the one d before it. */
static double hillis_before(const struct plain_scan *s, size_t run)
{
	double x[RUNS], y[RUNS];
	memcpy(x, s->runs, sizeof x);
	for (size_t d = 1; d < RUNS; d *= 2) {
		for (size_t i = 0; i < run; i++)
			y[i] = i < d ? x[i] : combine_floats(s, x[i - d], x[i]);
		memcpy(x, y, run * sizeof x[0]);
	}
	return x[run - 1];
}

/* The carry takes in a tile's total, or is the seed. */
static void fold_total(struct plain_scan *s, double total)
{
	if (!s->has_carry) {
		s->has_carry = true;
		s->hi = total;
		s->lo = 0.0;
	} else if (s->op != OPERATOR_SUM) {
		s->hi = combine_floats(s, s->hi, total);
	} else if (s->acc->size == 4) {
		s->hi += total;
	} else {
		const double sum = s->hi + total;
		const double part = sum - s->hi;
		const double error = (s->hi - (sum - part)) + (total - part);
		s->hi = sum;
		const double low = s->lo + error;
		s->lo = 0.0;
		if (isfinite(sum) && isfinite(error) && !(low >= 0.0 && low <= 0.0)) {
			s->hi = sum + low;
			s->lo = low - (s->hi - sum);
		}
	}
}

/* What stands before the run: everything before the tile, then the runs before it. */
static void begin_run(struct plain_scan *s)
{
	s->has_before = s->has_carry || s->run > 0;
	s->before = s->acc->size == 4 && s->has_carry ? (double)(float)s->hi : s->hi;
	if (s->run == 0)
		return;
	const double runs = s->hillis ? hillis_before(s, s->run) : tree_before(s, s->run);
	s->before = s->has_carry ? combine_floats(s, s->before, runs) : runs;
}

static double push_to_grid(struct plain_scan *s, double x)
{
	if (s->in_run == 0)
		begin_run(s);
	s->local = s->in_run == 0 ? x : combine_floats(s, s->local, x);
	const double result = s->has_before ? combine_floats(s, s->before, s->local) : s->local;
	if (++s->in_run == RUN) {
		s->runs[s->run++] = s->local;
		s->in_run = 0;
	}
	if (s->run == RUNS) {
		fold_total(s, tree_total(s, 0, RUNS));
		s->run = 0;
	}
	return result;
}

/* --- The scan of one type */

static void plain_begin(struct plain_scan *s, const struct type *acc, const struct cell *seed)
{
	s->acc = acc;
	s->has_carry = false;
	s->run = s->in_run = 0;
	s->hi = s->lo = 0.0;
	s->present = seed != NULL;
	if (seed == NULL)
		return;
	s->last = *seed;
	if (seed->is_float)
		fold_total(s, seed->d);
}

/* Takes in an element of the accumulator's type; the result is s->last. False: it is outside the type. */
static bool plain_push(struct plain_scan *s, const struct cell *x)
{
	const bool present = s->present;
	bool fits = true;
	s->present = true;
	if (x->is_float && !s->sequential && (s->op == OPERATOR_SUM || s->op == OPERATOR_PROD))
		s->last = (struct cell){.is_float = true, .d = push_to_grid(s, x->d)};
	else if (!present)
		s->last = *x;
	else if (x->is_float)
		s->last.d = combine_floats(s, s->last.d, x->d);
	else
		fits = combine_integers(s, s->last.i, x->i, &s->last.i);
	return fits;
}

/* --- Decimals */

/* A sign and 256 bits. */
struct big {
	bool negative;
	uwide hi, lo;
};

static bool big_times_ten(struct big *b, unsigned plus)
{
	const uwide mask = UINT64_MAX;
	const uwide low = (b->lo & mask) * 10 + plus;
	const uwide middle = (b->lo >> 64) * 10 + (low >> 64);
	if (b->hi >> 124 != 0)
		return false;
	b->lo = middle << 64 | (low & mask);
	b->hi = b->hi * 10 + (middle >> 64);
	return true;
}

static int big_compare_magnitudes(const struct big *a, const struct big *b)
{
	if (a->hi != b->hi)
		return a->hi < b->hi ? -1 : 1;
	return a->lo == b->lo ? 0 : a->lo < b->lo ? -1 : 1;
}

static bool big_less(const struct big *a, const struct big *b)
{
	const bool zero = a->hi == 0 && a->lo == 0 && b->hi == 0 && b->lo == 0;
	if (a->negative != b->negative)
		return a->negative && !zero;
	return big_compare_magnitudes(a, b) == (a->negative ? 1 : -1);
}

static struct big big_add(struct big a, struct big b)
{
	if (a.negative == b.negative) {
		a.lo += b.lo;
		a.hi += b.hi + (a.lo < b.lo);
		return a;
	}
	if (big_compare_magnitudes(&a, &b) < 0) {
		const struct big swapped = a;
		a = b;
		b = swapped;
	}
	a.hi -= b.hi + (a.lo < b.lo);
	a.lo -= b.lo;
	return a;
}

static bool big_fits(const struct big *b, wide *value)
{
	const uwide limit = ((uwide)1 << 127) - !b->negative;
	if (b->hi != 0 || b->lo > limit)
		return false;
	*value = (wide)(b->negative ? 0 - b->lo : b->lo);
	return true;
}

/* A token's digits with its scale, brought to another one. Of what it has behind the point that the scale has not, all
 * is zeros. */
static struct big big_of_token(const char *token, size_t size, unsigned scale, unsigned wanted)
{
	struct big b = {.negative = token[0] == '-'};
	bool fits = true;
	size_t end = 0; /* of the digits */
	long places = 0; /* behind the point */
	size_t digits = 0;
	bool point = false;
	for (; end < size && token[end] != 'e' && token[end] != 'E'; end++) {
		const bool is_digit = token[end] >= '0' && token[end] <= '9';
		digits += is_digit;
		places += is_digit && point;
		point = point || token[end] == '.';
	}
	if (end < size)
		places -= strtol(token + end + 1, NULL, 10);
	for (size_t i = 0; i < end && fits; i++) {
		if (token[i] < '0' || token[i] > '9')
			continue;
		if (places <= (long)scale || (long)digits-- > places - (long)scale)
			fits = big_times_ten(&b, (unsigned)(token[i] - '0'));
	}
	places = places < (long)scale ? places : (long)scale;
	for (; places < (long)wanted && fits && (b.hi != 0 || b.lo != 0); places++)
		fits = big_times_ten(&b, 0);
	if (!fits) /* larger than anything that is no token */
		b.hi = b.lo = ~(uwide)0 >> 1;
	return b;
}

static struct big big_of_cell(const struct cell *c, unsigned wanted)
{
	struct big b = {.negative = c->i < 0, .lo = c->i < 0 ? 0 - (uwide)c->i : (uwide)c->i};
	for (unsigned scale = c->scale; scale < wanted; scale++)
		(void)big_times_ten(&b, 0);
	return b;
}

/* Products and bits, of integers only. */
static bool plain_push_integer(struct plain_scan *s, const struct big *token)
{
	wide x = 0, result;
	if (!big_fits(token, &x))
		return false;
	if (!s->present)
		result = x;
	else if (s->op == OPERATOR_PROD && __builtin_mul_overflow(s->last.i, x, &result))
		return false;
	else if (s->op != OPERATOR_PROD)
		result = s->op == OPERATOR_AND ? s->last.i & x : s->op == OPERATOR_OR ? s->last.i | x : s->last.i ^ x;
	s->last = (struct cell){.i = result};
	s->present = true;
	return true;
}

/* Takes in a token with scale digits behind the point; the result is s->last. False, nothing changed: the token, what
 * came before it or the result is past 128 bits at the scale of both, or it is a fraction where only integers are
 * exact. */
static bool plain_push_decimal(struct plain_scan *s, const char *token, size_t size, unsigned scale)
{
	const unsigned wanted = s->present && s->last.scale > scale ? s->last.scale : scale;
	struct big x = big_of_token(token, size, scale, wanted);
	struct cell result = {.scale = wanted, .shown = wanted};
	/* What is greatest or least is written as it was, of equal ones the first. */
	const bool is_element = s->op == OPERATOR_MAX || s->op == OPERATOR_MIN;
	if (s->op != OPERATOR_SUM && s->op != OPERATOR_MAX && s->op != OPERATOR_MIN)
		return scale == 0 && plain_push_integer(s, &x);
	if (!big_fits(&x, &result.i))
		return false;
	result.shown = is_element ? scale : wanted;
	if (s->present) {
		const struct big before = big_of_cell(&s->last, wanted);
		if (!big_fits(&before, &result.i))
			return false;
		if (s->op == OPERATOR_SUM) {
			x = big_add(before, x);
		} else if (s->op == OPERATOR_MAX ? !big_less(&before, &x) : !big_less(&x, &before)) {
			x = before;
			result.shown = s->last.shown;
		}
	}
	if (!big_fits(&x, &result.i))
		return false;
	s->last = result;
	s->present = true;
	return true;
}

#endif
