/* Blocks are scanned by vectors: the runs of a long block, or many short blocks at once. */
#include "evaluate/expression_window.h"

#include "base/least.h"
#include "evaluate/expression_columns.h"
#include "evaluate/expression_lanes.h"
#include "evaluate/expression_scan.h"
#include "evaluate/expression_tile.h"
#include "rows/hillis.h"

/* The most elements that are taken in at once: a tile, so that the parts of a block's mirror image end where its tiles
 * do. */
#define PART GRID_TILE
/* The longest blocks that are scanned many at once, and the most of them and of their elements. */
#define SHORT_MAX 200
#define BLOCKS_MAX 255
#define BLOCK_ELEMENTS_MAX (4 * GRID_TILE)

size_t expression_window_size_max(void)
{
	const size_t unit = _Alignof(struct window);
	return (sizeof(struct window) + EXPRESSION_CURSOR_SIZE_MAX + unit - 1) / unit * unit;
}

ALWAYS_INLINE void reverse_numbers(size_t size, const unsigned char *from, size_t count, unsigned char *to)
{
	for (size_t i = 0; i < count; i++)
		copy_number(size, to + i * size, from + (count - 1 - i) * size);
}

static void reverse(size_t size, const unsigned char *from, size_t count, unsigned char *to)
{
	EACH_SIZE(size, reverse_numbers(SIZE, from, count, to))
}

/* Combines `count` suffixes with prefixes, which become results. Returns the first one without a value, or SIZE_MAX. */
static size_t join(const struct combination *c, const unsigned char *suffixes, size_t count, unsigned char *prefixes)
{
	for (size_t first = 0; first < count; first += EVALUATE_LENGTH) {
		unsigned char *at = prefixes + first * c->size;
		const size_t here = least(count - first, EVALUATE_LENGTH);
		const size_t bad = combine_all(c, suffixes + first * c->size, at, here, at);
		if (bad != SIZE_MAX)
			return first + bad;
	}
	return SIZE_MAX;
}

/* Turns the states of `count` elements, from the end of a block, into suffixes. Returns how many of them, from the
 * first one on, may have no value; they stay elements. */
static size_t find_suffixes(const struct combination *c, unsigned char *states, size_t count)
{
	const struct combination mirrored = {c->evaluator, c->size, true};
	uint64_t cursor[EXPRESSION_CURSOR_SIZE_MAX / sizeof(uint64_t)] = {0};
	struct tile_memory memory;
	_Alignas(64) unsigned char part[PART * NUMBER_SIZE_MAX];
	for (size_t left = count; left > 0;) {
		const size_t here = least(left, PART);
		unsigned char *at = states + (left - here) * c->size;
		reverse(c->size, at, here, part);
		const size_t bad = push_elements(&mirrored, &memory, (unsigned char *)cursor, part, here, part);
		const size_t good = least(here, bad);
		reverse(c->size, part, good, at + (here - good) * c->size);
		if (good < here)
			return left - good;
		left -= here;
	}
	return 0;
}

/* Begins the prefix of a new block. What else the cursor has stays, as in windows of rows. */
static void forget_prefix(struct window *w)
{
	struct cursor_head head = cursor_head_of(w->prefix);
	head.count = 0;
	head.has_carry = 0;
	cursor_put_head(w->prefix, head);
}

static void end_block(struct window *w)
{
	const struct combination c = combination_of(w->combine, false);
	const size_t length = (size_t)w->length;
	const size_t count = w->may_lack ? (size_t)window_gather(w, w->states, c.size) : length;
	w->spoilt_from = 0;
	w->spoilt_to = find_suffixes(&c, w->states + (length - count) * c.size, count);
	w->suffix_end = w->length;
	if (w->may_lack)
		window_spread(w, w->states, c.size, count);
	forget_prefix(w);
	w->numbers = 0;
	w->has_block = true;
	w->place = 0;
}

/* Takes in `count` elements of one block. Returns the first one that is bad, or SIZE_MAX. */
static size_t push_part(struct window *w, const struct combination *c, const unsigned char *in, size_t count,
			unsigned char *out)
{
	struct tile_memory memory;
	unsigned char *states = w->states + w->place * c->size;
	/* The elements in whose windows the block before has a number, and those of them whose suffixes are bad. */
	const uint64_t joined = w->suffix_end > w->place + 1 ? w->suffix_end - w->place - 1 : 0;
	if (w->spoilt_to > w->place + 1)
		return 0;
	const size_t bad = push_elements(c, &memory, w->prefix, in, count, out);
	const size_t bad_join = join(c, states + c->size, least(least(count, bad), (size_t)joined), out);
	memcpy(states, in, count * c->size);
	w->place += count;
	w->numbers += count;
	w->count += count;
	if (w->place == w->length)
		end_block(w);
	return least(bad, bad_join);
}

/* Memory for short blocks. It is in the evaluator's, after that of lanes. */
struct blocks {
	_Alignas(64) unsigned char reversed[BLOCK_ELEMENTS_MAX * NUMBER_SIZE_MAX];
	/* The suffixes of the block before, and of these blocks. */
	_Alignas(64) unsigned char suffixes[(SHORT_MAX + BLOCK_ELEMENTS_MAX) * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char taken[EVALUATE_LENGTH * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char next[EVALUATE_LENGTH * NUMBER_SIZE_MAX];
	uint64_t cursors[BLOCKS_MAX][EXPRESSION_CURSOR_SIZE_MAX / sizeof(uint64_t)];
	uint32_t ends[BLOCKS_MAX], bad[BLOCKS_MAX];
};

struct evaluator *expression_combine_new(const struct expression *e)
{
	return evaluator_new_with(e, lanes_memory_size() + sizeof(struct blocks));
}

/* Scans blocks that follow each other, each alone. */
static bool scan_blocks(const struct combination *c, struct blocks *b, size_t length, size_t count,
			const unsigned char *in, unsigned char *out)
{
	bool good = true;
	memset(b->cursors, 0, count * sizeof b->cursors[0]);
	for (size_t k = 0; k < count; k++)
		b->ends[k] = (uint32_t)((k + 1) * length);
	lanes_push(c, (unsigned char *)b->cursors, sizeof b->cursors[0], count, b->ends, in, out, b->bad);
	for (size_t k = 0; k < count; k++)
		good = good && b->bad[k] == UINT32_MAX;
	return good;
}

/* Makes results of the prefixes of blocks from number `from` on, with the suffixes of the blocks before them. The last
 * prefix of a block is a result. */
static bool join_blocks(const struct combination *c, struct blocks *b, size_t length, size_t from, size_t count,
			unsigned char *out)
{
	const size_t size = c->size;
	const size_t joined = length - 1;
	const size_t at_once = joined > 0 && joined < EVALUATE_LENGTH ? EVALUATE_LENGTH / joined : 1;
	bool good = true;
	for (size_t k = from; k < count && joined >= EVALUATE_LENGTH; k++)
		good = join(c, b->suffixes + (k * length + 1) * size, joined, out + k * length * size) == SIZE_MAX &&
		       good;
	for (size_t k = from; k < count && joined > 0 && joined < EVALUATE_LENGTH; k += at_once) {
		const size_t here = least(at_once, count - k);
		for (size_t i = 0; i < here; i++) {
			const size_t block = (k + i) * length;
			memcpy(b->taken + i * joined * size, b->suffixes + (block + 1) * size, joined * size);
			memcpy(b->next + i * joined * size, out + block * size, joined * size);
		}
		good = combine(c, b->taken, b->next, here * joined, b->next) && good;
		for (size_t i = 0; i < here; i++)
			memcpy(out + (k + i) * length * size, b->next + i * joined * size, joined * size);
	}
	return good;
}

/* Notes that `count` whole blocks have been taken in. */
static void end_blocks(struct window *w, size_t count)
{
	forget_prefix(w);
	w->count += count * w->length;
	w->suffix_end = w->length;
	w->has_block = true;
	if (!w->may_lack)
		return;
	memset(w->lacks, 0, (size_t)w->length);
	w->other_tag ^= count % 2;
}

/* Takes in `count` whole blocks that are no longer than a run: column j has number j of each. False: an element is bad,
 * and nothing has changed but `out`. */
static bool push_short_blocks(struct window *w, const struct combination *c, const unsigned char *in, size_t count,
			      unsigned char *out)
{
	_Alignas(64) unsigned char prefixes[GRID_RUN][COLUMN_STEP];
	/* Number 0 of a column is of the block before. */
	_Alignas(64) unsigned char suffixes[GRID_RUN][COLUMN_STEP];
	const size_t size = c->size;
	const size_t length = (size_t)w->length;
	const size_t from = w->has_block ? 0 : 1;
	bool good = true;
	columns_load(size, in, length * size, count, length, prefixes[0], COLUMN_STEP);
	columns_load(size, in, length * size, count, length, suffixes[0] + size, COLUMN_STEP);
	for (size_t j = 0; j < length && w->has_block; j++)
		memcpy(suffixes[j], w->states + j * size, size);
	for (size_t j = 1; j < length; j++)
		good = combine(c, prefixes[j - 1], prefixes[j], count, prefixes[j]) && good;
	for (size_t j = length - 1; j-- > 0;)
		good = combine(c, suffixes[j] + size, suffixes[j + 1] + size, count, suffixes[j] + size) && good;
	for (size_t j = 0; j + 1 < length && good; j++)
		good = combine(c, suffixes[j + 1] + from * size, prefixes[j] + from * size, count - from,
			       prefixes[j] + from * size);
	if (!good)
		return false;
	columns_store(size, prefixes[0], COLUMN_STEP, count, length, out, length * size);
	for (size_t j = 0; j < length; j++)
		memcpy(w->states + j * size, suffixes[j] + count * size, size);
	memcpy(w->prefix + cursor_local_prefix(size), prefixes[length - 1] + (count - 1) * size, size);
	if (length == GRID_RUN)
		memcpy(w->prefix + cursor_node(size, 0), w->prefix + cursor_local_prefix(size), size);
	end_blocks(w, count);
	return true;
}

/* Takes in `count` whole blocks. False: an element is bad, and nothing has changed but `out`. */
static bool push_blocks(struct window *w, const struct combination *c, const unsigned char *in, size_t count,
			unsigned char *out)
{
	const struct combination mirrored = {c->evaluator, c->size, true};
	struct blocks *b = evaluator_memory(c->evaluator, lanes_memory_size(), sizeof *b);
	const size_t size = c->size;
	const size_t length = (size_t)w->length;
	const size_t elements = count * length;
	unsigned char *suffixes = b->suffixes + length * size;
	if (!scan_blocks(c, b, length, count, in, out))
		return false;
	uint64_t last[EXPRESSION_CURSOR_SIZE_MAX / sizeof(uint64_t)];
	memcpy(last, b->cursors[count - 1], sizeof last);
	reverse(size, in, elements, b->reversed);
	if (!scan_blocks(&mirrored, b, length, count, b->reversed, b->reversed))
		return false;
	reverse(size, b->reversed, elements, suffixes);
	if (w->has_block)
		memcpy(b->suffixes, w->states, length * size);
	if (!join_blocks(c, b, length, !w->has_block, count, out))
		return false;
	memcpy(w->states, suffixes + (elements - length) * size, length * size);
	memcpy(w->prefix, last, cursor_node(size, CURSOR_NODES));
	end_blocks(w, count);
	return true;
}

/* How many blocks may be taken in at once. */
static size_t blocks_of(const struct window *w, size_t count)
{
	const bool is_whole = !w->has_block || (w->suffix_end == w->length && w->spoilt_to == 0);
	if (w->place > 0 || w->length > SHORT_MAX || !is_whole)
		return 0;
	return least(count / (size_t)w->length, least(BLOCK_ELEMENTS_MAX / (size_t)w->length, BLOCKS_MAX));
}

static size_t push(struct window *w, const void *elements, size_t count CONTEXT_PARAMETER, void *results)
{
	const struct combination c = combination_of(w->combine, false);
	const unsigned char *in = elements;
	unsigned char *out = results;
	for (size_t first = 0, here; first < count; first += here) {
		const size_t at = first * c.size;
		const size_t blocks = blocks_of(w, count - first);
		here = blocks * (size_t)w->length;
		const bool are_short = w->length <= GRID_RUN;
		if (blocks > 1 && (are_short ? push_short_blocks(w, &c, in + at, blocks, out + at)
					     : push_blocks(w, &c, in + at, blocks, out + at)))
			continue;
		here = least(least(count - first, PART), (size_t)(w->length - w->place));
		const size_t bad = push_part(w, &c, in + at, here, out + at);
		if (bad != SIZE_MAX)
			return first + bad;
	}
	return count;
}

/* Sets *state to the prefix of the block. False: it has no value. */
static bool find_prefix(const struct window *w, void *state)
{
	const struct combination c = combination_of(w->combine, false);
	uint64_t cursor[EXPRESSION_CURSOR_SIZE_MAX / sizeof(uint64_t)] = {0};
	unsigned char *copy = (unsigned char *)cursor;
	memcpy(cursor, w->prefix, cursor_node(c.size, CURSOR_NODES));
	if (cursor_head_of(copy).count % GRID_RUN != 0) {
		expression_scan_state(w->combine, cursor, state);
		return true;
	}
	const bool good = cursor_begin_run(&c, copy);
	memcpy(state, copy + cursor_base(c.size), c.size);
	return good;
}

static void prefix_of(const struct window *w, void *state)
{
	(void)find_prefix(w, state);
}

static bool is_unfit(const struct window *w, uint64_t place, const void *suffix, const void *prefix, bool prefix_spoilt,
		     const void *window)
{
	const struct combination c = combination_of(w->combine, false);
	uint64_t unused;
	(void)prefix_spoilt;
	(void)window;
	return (suffix != NULL && place < w->spoilt_to) || (prefix != NULL && !find_prefix(w, &unused)) ||
	       (suffix != NULL && prefix != NULL && !combine(&c, suffix, prefix, 1, &unused));
}

static void combine_suffix(const struct window *w, const void *suffix, void *state)
{
	const struct combination c = combination_of(w->combine, false);
	(void)combine(&c, suffix, state, 1, state);
}

#define EMIT(size)                                                                                             \
	static void emit_##size(const void *states, const void *in, size_t count CONTEXT_PARAMETER, void *out) \
	{                                                                                                      \
		(void)in;                                                                                      \
		memcpy(out, states, count *(size));                                                            \
	}
EMIT(1)
EMIT(2)
EMIT(4)
EMIT(8)

/* For numbers of 1, 2, 4 and 8 bytes. */
#define ROW_OF(size)                                                                                     \
	{                                                                                                \
		.state_size = (size), .element_size = (size), .result_size = (size), .emit = emit_##size \
	}
static const struct hillis_row rows[] = {ROW_OF(1), ROW_OF(2), ROW_OF(4), ROW_OF(8)};
#define CODE_OF(size, index)                                                                                  \
	{                                                                                                     \
		.state_size = (size), .prefix_size = EXPRESSION_CURSOR_SIZE((size_t)(size)), .push = push,    \
		.end_block = end_block, .prefix = prefix_of, .is_unfit = is_unfit, .combine = combine_suffix, \
		.row = &rows[index]                                                                           \
	}
static const struct window_code codes[] = {CODE_OF(1, 0), CODE_OF(2, 1), CODE_OF(4, 2), CODE_OF(8, 3)};

const struct window_code *expression_window_code(const struct type *type)
{
	return &codes[type->size == 8 ? 3 : type->size / 2];
}
