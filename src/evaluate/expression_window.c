/* Blocks are scanned by vectors: the runs of a long block, or many short blocks at once. */
#include "evaluate/expression_window.h"

#include "base/least.h"
#include "base/memory.h"
#include "evaluate/expression_columns.h"
#include "evaluate/expression_cursor.h"

/* The most elements that are taken in at once: a tile, so that the parts of a block's mirror image end where its tiles
 * do. */
#define PART GRID_TILE
/* The longest blocks that are scanned many at once, and the most of them. (Of numbers of one or two bytes fewer blocks
 * fit than fill a vector: measured, a quarter and half of the length.) */
#define SHORT_MAX 200
#define BLOCKS_MAX 255

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
	const struct combination mirrored = {c->evaluator, c->memory, c->size, 1, true};
	uint64_t cursor[EXPRESSION_CURSOR_SIZE_MAX / sizeof(uint64_t)] = {0};
	_Alignas(64) unsigned char part[PART * NUMBER_SIZE_MAX];
	for (size_t left = count; left > 0;) {
		const size_t here = least(left, PART);
		unsigned char *at = states + (left - here) * c->size;
		reverse(c->size, at, here, part);
		const size_t bad = expression_scan_push(&mirrored, cursor, part, here, part);
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
	const struct combination *c = w->combine;
	const size_t length = (size_t)w->length;
	const size_t count = w->may_lack ? (size_t)window_gather(w, w->states, c->size) : length;
	w->spoilt_from = 0;
	w->spoilt_to = find_suffixes(c, w->states + (length - count) * c->size, count);
	w->suffix_end = w->length;
	if (w->may_lack)
		window_spread(w, w->states, c->size, count);
	forget_prefix(w);
	w->numbers = 0;
	w->has_block = true;
	w->place = 0;
}

/* Takes in `count` elements of one block. Returns the first one that is bad, or SIZE_MAX. */
static size_t push_part(struct window *w, const struct combination *c, const unsigned char *in, size_t count,
			unsigned char *out)
{
	unsigned char *states = w->states + w->place * c->size;
	/* The elements in whose windows the block before has a number, and those of them whose suffixes are bad. */
	const uint64_t joined = w->suffix_end > w->place + 1 ? w->suffix_end - w->place - 1 : 0;
	if (w->spoilt_to > w->place + 1)
		return 0;
	const size_t bad = expression_scan_push(c, w->prefix, in, count, out);
	const size_t bad_join = join(c, states + c->size, least(least(count, bad), (size_t)joined), out);
	memcpy(states, in, count * c->size);
	if (w->may_lack)
		memset(w->lacks + w->place, 0, count);
	w->place += count;
	w->numbers += count;
	w->count += count;
	if (w->place == w->length)
		end_block(w);
	return least(bad, bad_join);
}

/* Bytes from one column of short blocks to the next: seldom a power of two. COLUMN_STEP is not one either. */
#define BLOCKS_STEP(size, count) (((count) + 1) * (size) + 64)

/* Memory for short blocks, in the combination's. */
struct blocks {
	/* Column j has number j of each block; a suffix of the block before is number 0. */
	_Alignas(64) unsigned char prefixes[(PART + 9 * SHORT_MAX) * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char suffixes[(PART + 9 * SHORT_MAX) * NUMBER_SIZE_MAX];
	uint64_t cursor[CURSOR_CARRY / sizeof(uint64_t) + (3 + CURSOR_NODES) * EVALUATE_LENGTH];
};

struct combination *expression_combine_new(const struct expression *e)
{
	struct combination *c = memory_new(sizeof *c);
	const size_t lanes = expression_push_memory_size();
	if (c == NULL)
		return NULL;
	*c = (struct combination){.evaluator = evaluator_new(e),
				  .memory = memory_new(lanes > sizeof(struct blocks) ? lanes : sizeof(struct blocks)),
				  .size = e->type->size,
				  .width = 1};
	if (c->evaluator != NULL && c->memory != NULL)
		return c;
	expression_combine_free(c);
	return NULL;
}

void expression_combine_free(struct combination *c)
{
	if (c == NULL)
		return;
	evaluator_free(c->evaluator);
	memory_free_all(c->memory, c);
}

/* Notes that `count` whole blocks have been taken in. */
static void end_blocks(struct window *w, size_t count)
{
	forget_prefix(w);
	w->count += count * w->length;
	w->suffix_end = w->length;
	w->has_block = true;
	if (w->may_lack)
		memset(w->lacks, 0, (size_t)w->length);
}

/* Scans columns, from `column` on, in place: many blocks, each alone. A state of the cursor has a number of each. */
static bool scan_columns(const struct combination *c, unsigned char *cursor, unsigned char *column, ptrdiff_t step,
			 size_t length)
{
	unsigned char *local_prefix = cursor + cursor_local_prefix(c->size);
	const unsigned char *before = NULL;
	bool good = true;
	for (size_t j = 0; j < length && good; j++, column += step) {
		const bool has_base = j >= GRID_RUN;
		const bool ends_run = length > GRID_RUN && j % GRID_RUN == GRID_RUN - 1;
		unsigned char *prefix = has_base ? local_prefix : column;
		if (j % GRID_RUN > 0) {
			good = combine(c, before, column, 1, prefix);
		} else if (has_base) {
			good = cursor_begin_run(c, cursor);
			memcpy(prefix, column, c->size);
		}
		before = prefix;
		if (has_base)
			good = combine(c, cursor + cursor_base(c->size), prefix, 1, column) && good;
		else if (ends_run)
			memcpy(local_prefix, column, c->size);
		if (!ends_run)
			continue;
		cursor_put_head(cursor, (struct cursor_head){.count = j + 1});
		good = cursor_end_run(c, cursor) && good;
	}
	return good;
}

/* The prefix becomes that of the last of `count` blocks, whose states the cursor has. result: its last result. */
static void put_prefix(struct window *w, size_t size, const unsigned char *cursor, size_t count,
		       const unsigned char *result)
{
	struct cursor_head head = cursor_head_of(w->prefix);
	head.has_base = w->length > GRID_RUN;
	cursor_put_head(w->prefix, head);
	if (head.has_base == 0) {
		memcpy(w->prefix + cursor_local_prefix(size), result, size);
		if (w->length == GRID_RUN)
			memcpy(w->prefix + cursor_node(size, 0), result, size);
		return;
	}
	/* Base, local prefix and the nodes that were set follow each other. */
	const size_t end = 4 + cursor_highest_bit((unsigned)w->length / GRID_RUN);
	for (size_t k = 1; k < end; k++)
		memcpy(w->prefix + CURSOR_CARRY + k * size, cursor + CURSOR_CARRY + ((k + 1) * count - 1) * size, size);
}

/* Takes in `count` whole blocks. False: an element is bad, and nothing has changed but `out`. */
static bool push_blocks(struct window *w, const struct combination *c, const unsigned char *in, size_t count,
			unsigned char *out)
{
	struct blocks *b = (struct blocks *)(void *)c->memory;
	unsigned char *cursor = (unsigned char *)b->cursor;
	const size_t size = c->size;
	const size_t length = (size_t)w->length;
	const size_t step = BLOCKS_STEP(size, count);
	const size_t from = w->has_block ? 0 : 1;
	const struct combination blocks = {c->evaluator, c->memory, count * size, count, false};
	const struct combination mirrored = {c->evaluator, c->memory, count * size, count, true};
	unsigned char *last = b->suffixes + (length - 1) * step + size;
	columns_load(size, in, length * size, count, length, b->prefixes, step);
	columns_load(size, in, length * size, count, length, b->suffixes + size, step);
	for (size_t j = 0; j < length && w->has_block; j++)
		memcpy(b->suffixes + j * step, w->states + j * size, size);
	bool good = scan_columns(&mirrored, cursor, last, -(ptrdiff_t)step, length) &&
		    scan_columns(&blocks, cursor, b->prefixes, (ptrdiff_t)step, length);
	for (size_t j = 0; j + 1 < length && good; j++) {
		unsigned char *prefixes = b->prefixes + j * step + from * size;
		good = combine(c, b->suffixes + (j + 1) * step + from * size, prefixes, count - from, prefixes);
	}
	if (!good)
		return false;
	columns_store(size, b->prefixes, step, count, length, out, length * size);
	for (size_t j = 0; j < length; j++)
		memcpy(w->states + j * size, b->suffixes + j * step + count * size, size);
	put_prefix(w, size, cursor, count, out + (count * length - 1) * size);
	end_blocks(w, count);
	return true;
}

/* How many blocks may be taken in at once. */
static size_t blocks_of(const struct window *w, size_t size, size_t count)
{
	const size_t longest = SHORT_MAX * least(size, 4) / 4;
	const bool is_whole = !w->has_block || (w->suffix_end == w->length && w->spoilt_to == 0);
	if (w->place > 0 || w->length > longest || !is_whole)
		return 0;
	return least(least(count, PART) / (size_t)w->length, BLOCKS_MAX);
}

static size_t push(struct window *w, const void *elements, size_t count CONTEXT_PARAMETER, void *results)
{
	const struct combination *c = w->combine;
	const unsigned char *in = elements;
	unsigned char *out = results;
	for (size_t first = 0, here; first < count; first += here) {
		const size_t at = first * c->size;
		const size_t blocks = blocks_of(w, c->size, count - first);
		here = blocks * (size_t)w->length;
		if (blocks > 1 && push_blocks(w, c, in + at, blocks, out + at))
			continue;
		here = least(least(count - first, PART), (size_t)(w->length - w->place));
		const size_t bad = push_part(w, c, in + at, here, out + at);
		if (bad != SIZE_MAX)
			return first + bad;
	}
	return count;
}

/* Sets *state to the prefix of the block. False: it has no value. */
static bool find_prefix(const struct window *w, void *state)
{
	const struct combination *c = w->combine;
	uint64_t cursor[EXPRESSION_CURSOR_SIZE_MAX / sizeof(uint64_t)] = {0};
	unsigned char *copy = (unsigned char *)cursor;
	memcpy(cursor, w->prefix, cursor_node(c->size, CURSOR_NODES));
	if (cursor_head_of(copy).count % GRID_RUN != 0) {
		expression_scan_state(c, cursor, state);
		return true;
	}
	const bool good = cursor_begin_run(c, copy);
	memcpy(state, copy + cursor_base(c->size), c->size);
	return good;
}

static void prefix_of(const struct window *w, void *state)
{
	(void)find_prefix(w, state);
}

static bool is_unfit(const struct window *w, uint64_t place, const void *suffix, const void *prefix, bool prefix_spoilt,
		     const void *window)
{
	uint64_t unused;
	(void)prefix_spoilt;
	(void)window;
	return (suffix != NULL && place < w->spoilt_to) || (prefix != NULL && !find_prefix(w, &unused)) ||
	       (suffix != NULL && prefix != NULL && !combine(w->combine, suffix, prefix, 1, &unused));
}

static void combine_suffix(const struct window *w, const void *suffix, void *state)
{
	(void)combine(w->combine, suffix, state, 1, state);
}

/* For numbers of 1, 2, 4 and 8 bytes. */
#define CODE_OF(size)                                                                                        \
	{                                                                                                    \
		.state_size = (size), .prefix_size = EXPRESSION_CURSOR_SIZE((size_t)(size)), .push = push,   \
		.end_block = end_block, .prefix = prefix_of, .is_unfit = is_unfit, .combine = combine_suffix \
	}
static const struct window_code codes[] = {CODE_OF(1), CODE_OF(2), CODE_OF(4), CODE_OF(8)};

const struct window_code *expression_window_code(const struct type *type)
{
	return &codes[type->size == 8 ? 3 : type->size / 2];
}
