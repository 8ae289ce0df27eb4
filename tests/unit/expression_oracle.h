/* The grid's definition (kernels/tile.h) written out as a recursion, for numbers of type i64 and an operator that is
 * neither commutative nor associative, and that has no value now and then. Nothing is taken from pscan. */
#ifndef PSCAN_TESTS_UNIT_EXPRESSION_ORACLE_H
#define PSCAN_TESTS_UNIT_EXPRESSION_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rows/row_code.h"

#define RUNS (GRID_TILE / GRID_RUN)

/* A state, which may have no value. */
struct judged {
	int64_t value;
	bool is_bad;
};

/* The combination: a + b + 1 / (b - trap), or a - b + 1 / (b - trap). */
static int64_t trap;
static bool subtracts;

/* Elements come in reverse order: each is combined before those that were taken in already. */
static bool is_mirrored;

static struct judged join(struct judged taken, struct judged next)
{
	const struct judged a = is_mirrored ? next : taken;
	const struct judged b = is_mirrored ? taken : next;
	if (a.is_bad || b.is_bad || b.value == trap)
		return (struct judged){0, true};
	/* (Integers wrap, as those of expressions do.) */
	const uint64_t far = (uint64_t)b.value - (uint64_t)trap;
	const uint64_t quotient = far == 1 || far == UINT64_MAX ? far : 0;
	const uint64_t value = (uint64_t)a.value + (subtracts ? 0 - (uint64_t)b.value : (uint64_t)b.value);
	return (struct judged){(int64_t)(value + quotient), false};
}

/* Elements `first` to `end` - 1 of a run, left to right. */
static struct judged run_prefix(const int64_t *in, size_t first, size_t end)
{
	struct judged s = {in[first], false};
	for (size_t i = first + 1; i < end; i++)
		s = join(s, (struct judged){in[i], false});
	return s;
}

/* The total of `count` runs, a power of two, of a tile. */
static struct judged block(const int64_t *tile, size_t run, size_t count)
{
	if (count == 1)
		return run_prefix(tile, run * GRID_RUN, (run + 1) * GRID_RUN);
	return join(block(tile, run, count / 2), block(tile, run + count / 2, count / 2));
}

/* The combination of the runs before run `run`, at least 1: the largest aligned blocks come first. */
static struct judged runs_before(const int64_t *tile, size_t run)
{
	size_t size = RUNS;
	while (size > run)
		size /= 2;
	struct judged s = block(tile, 0, size);
	for (size_t begin = size; begin < run; begin += size) {
		while (begin + size > run)
			size /= 2;
		s = join(s, block(tile, begin, size));
	}
	return s;
}

/* The state before the run of element i, if there is one. */
static struct judged before_run(const int64_t *tile, size_t run, bool has_carry, struct judged carry)
{
	if (run == 0)
		return carry;
	return has_carry ? join(carry, runs_before(tile, run)) : runs_before(tile, run);
}

/* Writes the results of a scan of its own, up to the first bad element. Returns its index, or SIZE_MAX. */
static size_t scan(const int64_t *in, size_t count, const int64_t *seed, int64_t *out)
{
	struct judged carry = {seed != NULL ? *seed : 0, false};
	struct judged base = carry; /* The state before the run. */
	bool has_carry = seed != NULL;
	for (size_t i = 0; i < count; i++) {
		const int64_t *tile = in + i / GRID_TILE * GRID_TILE;
		const size_t run = i % GRID_TILE / GRID_RUN;
		const struct judged local = run_prefix(tile, run * GRID_RUN, i % GRID_TILE + 1);
		if (i % GRID_RUN == 0)
			base = before_run(tile, run, has_carry, carry);
		const struct judged result = run > 0 || has_carry ? join(base, local) : local;
		if (result.is_bad)
			return i;
		out[i] = result.value;
		if (i % GRID_RUN != GRID_RUN - 1)
			continue;
		size_t joined = 1; /* Runs of the largest block that ends here. */
		while ((run + 1) % (2 * joined) == 0)
			joined *= 2;
		const struct judged total = block(tile, run + 1 - joined, joined);
		if (total.is_bad)
			return i;
		if (run < RUNS - 1)
			continue;
		carry = has_carry ? join(carry, total) : total;
		has_carry = true;
		if (carry.is_bad)
			return i;
	}
	return SIZE_MAX;
}

#endif
