/* A tile is transposed: column j has element j of each run. 15 evaluations then give the prefixes of all runs. Each
 * level of the tree is one evaluation on the way up and one on the way down. 16 evaluations give the results. */
#include "evaluate/expression_cursor.h"

#include "base/least.h"
#include "evaluate/expression_columns.h"

/* Fewer elements at a time are pushed one after the other. */
#define TILE_PUSH_LEAST (2 * GRID_RUN)
#define CACHE_LINE 64

/* Memory for a tile. */
struct tile_memory {
	_Alignas(64) unsigned char columns[GRID_RUN][COLUMN_STEP];
	/* left[k] has the left children of level k: number i is the total of runs 2 i 2^k to (2 i + 1) 2^k - 1. */
	_Alignas(64) unsigned char left[CURSOR_NODES][GRID_RUNS / 2 * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char right[GRID_RUNS / 2 * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char nodes[GRID_RUNS * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char prefixes[2][(GRID_RUNS + 1) * NUMBER_SIZE_MAX];
};

/* The runs from `first` on of a tile whose elements are known. */
struct runs {
	unsigned first; /* The first run. */
	unsigned whole; /* Runs that have all their elements. They come first. */
	unsigned rest; /* Elements of one more run, which is not whole. 0: no such run. */
};

static struct runs runs_of(unsigned first, size_t count)
{
	return (struct runs){first, (unsigned)(count / GRID_RUN), (unsigned)(count % GRID_RUN)};
}

/* How many runs have an element j. */
static size_t runs_with(struct runs r, size_t j)
{
	return r.whole + (j < r.rest);
}

/* Asks for a part of the tile after a whole one, which is then in the second-level cache when its turn comes. Memory
 * would rest while this one is computed. Asking for what does not exist does no harm. */
static void fetch_next(const unsigned char *in, size_t bytes, size_t part)
{
	const uintptr_t next = (uintptr_t)in + bytes;
	for (size_t i = bytes / (GRID_RUN - 1) * (part - 1); i < bytes / (GRID_RUN - 1) * part; i += CACHE_LINE)
		__builtin_prefetch((const void *)(next + i), 0, 2);
}

/* Sets the columns to the prefixes of runs. */
static bool scan_runs(const struct combination *c, struct tile_memory *m, const unsigned char *in, struct runs r)
{
	const size_t bytes = GRID_RUN * c->size;
	bool good = true;
	columns_load(c->size, in, bytes, r.whole, GRID_RUN, m->columns[0], COLUMN_STEP);
	columns_load(c->size, in + r.whole * bytes, bytes, r.rest > 0, r.rest, m->columns[0] + r.whole * c->size,
		     COLUMN_STEP);
	for (size_t j = 1; j < GRID_RUN; j++) {
		if (r.whole == GRID_RUNS)
			fetch_next(in, GRID_TILE * c->size, j);
		good = combine(c, m->columns[j - 1], m->columns[j], runs_with(r, j), m->columns[j]) && good;
	}
	return good;
}

/* The up-sweep of whole runs `first` to `end` - 1, whose totals are at `totals`. The nodes of the runs before them are
 * in `left`. If the tile is whole, its total becomes number 0 of m->nodes. */
static bool up_sweep(const struct combination *c, struct tile_memory *m, const unsigned char *totals, unsigned first,
		     unsigned end)
{
	bool good = true;
	for (unsigned k = 0; k < CURSOR_NODES && first < end; k++) {
		unsigned char *left = m->left[k] + first / 2 * c->size;
		const unsigned odd = first % 2;
		if (odd != 0)
			memcpy(m->right, totals, c->size);
		columns_split(c->size, totals + odd * c->size, end - first - odd, left + odd * c->size,
			      m->right + odd * c->size);
		first /= 2;
		end /= 2;
		good = combine(c, left, m->right, end - first, m->nodes) && good;
		totals = m->nodes;
	}
	return good;
}

/* The down-sweep. Returns the prefixes of runs: number i is that of run i, from `first` to `end` - 1, but not of run 0,
 * which has none. */
static unsigned char *down_sweep(const struct combination *c, struct tile_memory *m, unsigned first, unsigned end,
				 bool *good)
{
	const size_t size = c->size;
	unsigned char *prefixes = m->prefixes[0];
	unsigned char *next = m->prefixes[1];
	for (unsigned k = CURSOR_NODES; k-- > 0;) {
		/* Nodes of the level above, and those of them that have a prefix and a right child. */
		const unsigned from = first >> (k + 1);
		const unsigned to = ((end - 1) >> (k + 1)) + 1;
		const unsigned begin = from > 0 ? from : 1;
		const unsigned right_end = (((end - 1) >> k) + 1) / 2;
		unsigned char *swapped = prefixes;
		if (right_end > begin)
			*good = combine(c, prefixes + begin * size, m->left[k] + begin * size, right_end - begin,
					m->nodes + begin * size) &&
				*good;
		if (to > begin)
			columns_merge(size, prefixes + begin * size, m->nodes + begin * size, to - begin,
				      next + 2 * begin * size);
		if (from == 0 && right_end > 0)
			memcpy(next + size, m->left[k], size);
		prefixes = next;
		next = swapped;
	}
	return prefixes;
}

/* Copies the nodes of a cursor that is before run `run`, of which those whose bit is set in `run` count, to the left
 * children. */
static void nodes_load(const unsigned char *cursor, size_t size, unsigned run, struct tile_memory *m)
{
	for (unsigned k = 0; k < CURSOR_NODES; k++) {
		if ((run >> k & 1) != 0)
			memcpy(m->left[k] + (run >> k) / 2 * size, cursor + cursor_node(size, k), size);
	}
}

/* Sets the nodes that whole runs `first` to `end` - 1 change. */
static void nodes_store(unsigned char *cursor, size_t size, unsigned first, unsigned end, const struct tile_memory *m)
{
	for (unsigned k = 0; k < CURSOR_NODES; k++) {
		const unsigned nodes = end >> k;
		if (nodes > 0 && (nodes - 1) / 2 * 2 >= first >> k)
			memcpy(cursor + cursor_node(size, k), m->left[k] + (nodes - 1) / 2 * size, size);
	}
}

/* Sets `prefixes` to the states before runs `first` to `end` - 1, whose prefixes in the tile it has, and returns the
 * first run that has one. */
static unsigned add_carry(const struct combination *c, struct tile_memory *m, const unsigned char *cursor,
			  unsigned char *prefixes, unsigned first, unsigned end, bool *good)
{
	const size_t size = c->size;
	if (cursor_head_of(cursor).has_carry == 0)
		return first > 0 ? first : 1;
	const unsigned begin = first > 0 ? first : 1;
	if (first == 0)
		memcpy(prefixes, cursor + CURSOR_CARRY, size);
	if (end > begin) {
		columns_fill(size, cursor + CURSOR_CARRY, end - begin, m->nodes);
		*good = combine(c, m->nodes, prefixes + begin * size, end - begin, prefixes + begin * size) && *good;
	}
	return first;
}

/* Pushes the next `count` elements (at least 1), which must all belong to the cursor's present tile; the first one must
 * begin a run. Writes their results; `out` may be `in`. False if a combination has no value: nothing has then changed
 * but *m. */
static __attribute__((noinline)) bool push_tile(const struct combination *c, struct tile_memory *m,
						unsigned char *cursor, const unsigned char *in, size_t count,
						unsigned char *out)
{
	const size_t size = c->size;
	const size_t bytes = GRID_RUN * size;
	struct cursor_head head = cursor_head_of(cursor);
	const unsigned first = cursor_run(head);
	const struct runs r = runs_of(first, count);
	const unsigned whole_end = first + r.whole;
	const unsigned end = whole_end + (r.rest > 0);
	const size_t last = (r.rest > 0 ? r.rest : GRID_RUN) - 1;
	uint64_t local_prefix, base, carry;
	bool good = scan_runs(c, m, in, r);
	memcpy(&local_prefix, m->columns[last] + (end - first - 1) * size, size);
	nodes_load(cursor, size, first, m);
	good = up_sweep(c, m, m->columns[GRID_RUN - 1], first, whole_end) && good;
	memcpy(&carry, m->nodes, size);
	if (whole_end == GRID_RUNS && head.has_carry != 0)
		good = combine(c, cursor + CURSOR_CARRY, &carry, 1, &carry) && good;
	unsigned char *prefixes = down_sweep(c, m, first, end, &good);
	const unsigned begin = add_carry(c, m, cursor, prefixes, first, end, &good);
	memcpy(&base, prefixes + (end - 1) * size, size);
	for (size_t j = 0; j < GRID_RUN && good; j++) {
		unsigned char *column = m->columns[j] + (begin - first) * size;
		const size_t runs = runs_with(r, j);
		if (runs > begin - first)
			good = combine(c, prefixes + begin * size, column, runs - (begin - first), column);
	}
	if (!good)
		return false;
	columns_store(size, m->columns[0], COLUMN_STEP, r.whole, GRID_RUN, out, bytes);
	columns_store(size, m->columns[0] + r.whole * size, COLUMN_STEP, r.rest > 0, r.rest, out + r.whole * bytes,
		      bytes);
	nodes_store(cursor, size, first, whole_end, m);
	memcpy(cursor + cursor_local_prefix(size), &local_prefix, size);
	head.has_base = head.has_carry != 0 || end > 1;
	if (head.has_base != 0)
		memcpy(cursor + cursor_base(size), &base, size);
	if (whole_end == GRID_RUNS) {
		memcpy(cursor + CURSOR_CARRY, &carry, size);
		head.has_carry = 1;
	}
	head.count += count;
	cursor_put_head(cursor, head);
	return true;
}

size_t expression_scan_push(const struct combination *c, void *cursor, const void *in, size_t count, void *out)
{
	struct tile_memory memory;
	for (size_t first = 0, here, runs_end = 0; first < count; first += here) {
		const struct cursor_head head = cursor_head_of(cursor);
		const size_t of_run = GRID_RUN - head.count % GRID_RUN;
		const size_t of_tile = GRID_TILE - head.count % GRID_TILE;
		const unsigned char *elements = (const unsigned char *)in + first * c->size;
		unsigned char *results = (unsigned char *)out + first * c->size;
		here = least(count - first, of_tile);
		if (of_run == GRID_RUN && first >= runs_end && here >= TILE_PUSH_LEAST) {
			if (push_tile(c, &memory, cursor, elements, here, results))
				continue;
			runs_end = first + here;
		}
		here = least(here, of_run);
		const size_t bad = cursor_push_run(c, cursor, elements, here, results);
		if (bad != SIZE_MAX)
			return first + bad;
	}
	return SIZE_MAX;
}

bool expression_scan_total(const struct combination *c, const void *in, size_t count, void *total)
{
	struct tile_memory memory;
	struct tile_memory *m = &memory;
	const size_t size = c->size;
	const struct runs r = runs_of(0, count);
	bool good = scan_runs(c, m, in, r);
	unsigned char *totals = m->columns[GRID_RUN - 1];
	if (r.rest > 0)
		memcpy(totals + r.whole * size, m->columns[r.rest - 1] + r.whole * size, size);
	for (size_t runs = r.whole + (r.rest > 0); runs > 1; runs = runs / 2 + runs % 2) {
		/* The last node may have no sibling. It is then a node of the next level, too. */
		columns_split(size, totals, runs, m->left[0], m->right);
		good = combine(c, m->left[0], m->right, runs / 2, m->nodes) && good;
		if (runs % 2 != 0)
			memcpy(m->nodes + runs / 2 * size, m->left[0] + runs / 2 * size, size);
		totals = m->nodes;
	}
	memcpy(total, totals, size);
	return good;
}
