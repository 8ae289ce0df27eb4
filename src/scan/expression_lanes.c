/* Many cursors advance together, up to 256 at a time. In each round every cursor takes in the elements up to the end of
 * its run: columns as those of a tile (expression_tile.h), the longest pieces first, so that each column begins with
 * all pieces that have an element there. Combinations that only some cursors need are gathered into vectors. */
#include "scan/expression_columns.h"
#include "scan/expression_scan.h"
#include "scan/expression_tile.h"

/* The most lanes. */
#define LANES EVALUATE_LENGTH
/* Cursors with more elements advance alone, because their own runs make long vectors. */
#define ALONE_LEAST 512
/* Fewer lanes at the end advance each alone. */
#define LANES_LEAST 4

/* How many cursors before its turn a cursor is fetched from memory. */
#define AHEAD 16
#define CACHE_LINE 64

/* A cursor that takes in elements `at` to `end` - 1. */
struct lane {
	unsigned char *cursor;
	struct cursor_head head;
	uint32_t first, at, end;
	uint32_t number; /* The cursor's. */
	uint16_t column; /* The piece's number in the columns. */
	uint8_t place; /* The place of element `at` in its run. */
	uint8_t length; /* Elements of the present piece. */
	bool has_ended; /* No more elements are taken in: there are none, or one was bad. */
	bool is_done; /* The piece has been taken in. */
};

/* A call. */
struct lanes {
	const struct combination *c;
	const unsigned char *in;
	unsigned char *out;
	uint32_t *bad;
	size_t count;
	struct lane lanes[LANES];
	struct lane *list[LANES]; /* Lanes that need a combination. */
	/* A combination of each of these lanes. */
	struct lane *gathered[LANES];
	size_t gathered_count;
	_Alignas(64) unsigned char taken[LANES * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char next[LANES * NUMBER_SIZE_MAX];
	struct tile_memory memory;
};

static void copy(size_t size, unsigned char *to, const unsigned char *from)
{
	switch (size) {
	case 8:
		memcpy(to, from, 8);
		break;
	case 4:
		memcpy(to, from, 4);
		break;
	case 2:
		memcpy(to, from, 2);
		break;
	default:
		*to = *from;
	}
}

static void gather(struct lanes *s, struct lane *l, const unsigned char *taken, const unsigned char *next)
{
	const size_t size = s->c->size;
	const size_t i = s->gathered_count++;
	s->gathered[i] = l;
	copy(size, s->taken + i * size, taken);
	copy(size, s->next + i * size, next);
}

/* Combines what was gathered; the results are in s->taken. */
static bool combine_gathered(struct lanes *s)
{
	return combine(s->c, s->taken, s->next, s->gathered_count, s->taken);
}

/* combine_gathered, with the results at `place` bytes in the cursors. */
static bool combine_in_cursors(struct lanes *s, size_t place)
{
	const size_t size = s->c->size;
	if (!combine_gathered(s))
		return false;
	for (size_t i = 0; i < s->gathered_count; i++)
		copy(size, s->gathered[i]->cursor + place, s->taken + i * size);
	s->gathered_count = 0;
	return true;
}

/* The piece's element i is bad. */
static void end_badly(struct lanes *s, struct lane *l, size_t i)
{
	s->bad[l->number] = (uint32_t)(l->at - l->first + i);
	l->has_ended = true;
	l->is_done = true;
}

static unsigned highest_bit(unsigned x)
{
	unsigned k = 0;
	while (x >> k > 1)
		k++;
	return k;
}

/* cursor_begin_run for the first `count` lanes of the list. */
static bool begin_all(struct lanes *s, size_t count)
{
	const size_t size = s->c->size;
	const size_t base = cursor_base(size);
	s->gathered_count = 0;
	unsigned bits = 0;
	for (size_t i = 0; i < count; i++) {
		struct lane *l = s->list[i];
		const unsigned run = cursor_run(l->head);
		if (run > 0)
			copy(size, l->cursor + base, l->cursor + cursor_node(size, highest_bit(run)));
		else if (l->head.has_carry != 0)
			copy(size, l->cursor + base, l->cursor + CURSOR_CARRY);
		l->head.has_base = l->head.has_carry != 0 || run > 0;
		bits |= run;
	}
	for (unsigned k = CURSOR_NODES; k-- > 0;) {
		for (size_t i = 0; i < count && (bits >> k & 1) != 0; i++) {
			struct lane *l = s->list[i];
			const unsigned run = cursor_run(l->head);
			if ((run >> k & 1) != 0 && run >> k > 1)
				gather(s, l, l->cursor + base, l->cursor + cursor_node(size, k));
		}
		if (!combine_in_cursors(s, base))
			return false;
	}
	for (size_t i = 0; i < count; i++) {
		struct lane *l = s->list[i];
		if (cursor_run(l->head) > 0 && l->head.has_carry != 0)
			gather(s, l, l->cursor + CURSOR_CARRY, l->cursor + base);
	}
	return combine_in_cursors(s, base);
}

/* cursor_end_run for the first `count` lanes of the list, whose totals are their local prefixes. */
static bool end_all(struct lanes *s, size_t count)
{
	const size_t size = s->c->size;
	for (size_t i = 0; i < count; i++)
		copy(size, s->next + i * size, s->list[i]->cursor + cursor_local_prefix(size));
	for (unsigned k = 0; k < CURSOR_NODES && count > 0; k++) {
		size_t left = 0;
		for (size_t i = 0; i < count; i++) {
			struct lane *l = s->list[i];
			unsigned char *node = l->cursor + cursor_node(size, k);
			const unsigned char *total = s->next + i * size;
			const unsigned run = (unsigned)((l->head.count - 1) % GRID_TILE) / GRID_RUN;
			if ((run >> k & 1) == 0) {
				copy(size, node, total);
				continue;
			}
			s->list[left] = l;
			copy(size, s->taken + left * size, node);
			copy(size, s->next + left * size, total);
			left++;
		}
		count = left;
		if (!combine(s->c, s->taken, s->next, count, s->next))
			return false;
	}
	/* The other runs were the last ones of their tiles. */
	for (size_t i = 0; i < count; i++) {
		struct lane *l = s->list[i];
		if (!cursor_fold_total(s->c, l->cursor, s->next + i * size))
			end_badly(s, l, l->length - 1);
		l->head = cursor_head_of(l->cursor);
	}
	return true;
}

/* Begins the runs of all lanes that are before one. */
static void begin_runs(struct lanes *s)
{
	size_t count = 0;
	for (size_t i = 0; i < s->count; i++) {
		if (s->lanes[i].place == 0)
			s->list[count++] = &s->lanes[i];
	}
	if (begin_all(s, count))
		return;
	for (size_t i = 0; i < count; i++) {
		struct lane *l = s->list[i];
		if (!cursor_begin_run(s->c, l->cursor))
			end_badly(s, l, 0);
		l->head.has_base = cursor_head_of(l->cursor).has_base;
	}
}

/* Ends the runs of all lanes that are after one. */
static void end_runs(struct lanes *s)
{
	size_t count = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct lane *l = &s->lanes[i];
		if (!l->is_done && l->place + l->length == GRID_RUN)
			s->list[count++] = l;
	}
	if (end_all(s, count))
		return;
	for (size_t i = 0; i < s->count; i++) {
		struct lane *l = &s->lanes[i];
		if (!l->is_done && l->place + l->length == GRID_RUN && !cursor_end_run(s->c, l->cursor))
			end_badly(s, l, l->length - 1);
		l->head = cursor_head_of(l->cursor);
	}
}

/* Lists the lanes that have a base, or those that have none, the longest pieces first. longer[j] becomes how many have
 * an element j. Returns the number of lanes in the list. */
static size_t sort_pieces(struct lanes *s, bool has_base, size_t longer[GRID_RUN + 1])
{
	size_t places[GRID_RUN + 1] = {0};
	for (size_t i = 0; i < s->count; i++) {
		const struct lane *l = &s->lanes[i];
		if (!l->is_done && (l->head.has_base != 0) == has_base)
			places[l->length - 1]++;
	}
	longer[GRID_RUN] = 0;
	for (size_t j = GRID_RUN; j-- > 0;) {
		longer[j] = longer[j + 1] + places[j];
		places[j] = longer[j + 1];
	}
	for (size_t i = 0; i < s->count; i++) {
		struct lane *l = &s->lanes[i];
		if (!l->is_done && (l->head.has_base != 0) == has_base)
			s->list[places[l->length - 1]++] = l;
	}
	return longer[0];
}

/* Takes in the pieces of the list, whose cursors have a base or have none. If a combination has no value, only bases
 * have changed. */
static bool push_list(struct lanes *s, size_t count, const size_t longer[GRID_RUN + 1], bool has_base)
{
	const struct combination *c = s->c;
	const size_t size = c->size;
	unsigned char(*columns)[COLUMN_STEP] = s->memory.columns;
	bool good = true;
	s->gathered_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct lane *l = s->list[i];
		const unsigned char *elements = s->in + l->at * size;
		columns_load(size, elements, 0, 1, l->length, columns[0] + i * size, COLUMN_STEP);
		l->column = (uint16_t)i;
		if (l->place > 0)
			gather(s, l, l->cursor + cursor_local_prefix(size), elements);
	}
	good = combine(c, s->taken, s->next, s->gathered_count, s->taken);
	for (size_t i = 0; i < s->gathered_count; i++)
		copy(size, columns[0] + s->gathered[i]->column * size, s->taken + i * size);
	for (size_t j = 1; j < GRID_RUN && good; j++)
		good = combine(c, columns[j - 1], columns[j], longer[j], columns[j]);
	for (size_t i = 0; i < count; i++) {
		struct lane *l = s->list[i];
		copy(size, s->next + i * size, columns[l->length - 1] + i * size);
		if (has_base)
			copy(size, s->taken + i * size, l->cursor + cursor_base(size));
	}
	for (size_t j = 0; j < GRID_RUN && good && has_base; j++)
		good = combine(c, s->taken, columns[j], longer[j], columns[j]);
	for (size_t i = 0; i < count && good; i++) {
		struct lane *l = s->list[i];
		columns_store(size, columns[0] + i * size, COLUMN_STEP, 1, l->length, s->out + l->at * size, 0);
		copy(size, l->cursor + cursor_local_prefix(size), s->next + i * size);
		l->head.count += l->length;
		cursor_put_head(l->cursor, l->head);
	}
	return good;
}

/* Takes in the pieces of all lanes that have a base, or of those that have none. */
static void push_pieces(struct lanes *s, bool has_base)
{
	size_t longer[GRID_RUN + 1];
	const size_t count = sort_pieces(s, has_base, longer);
	if (count == 0 || push_list(s, count, longer, has_base))
		return;
	for (size_t i = 0; i < count; i++) {
		struct lane *l = s->list[i];
		const size_t bad = cursor_push_run(s->c, l->cursor, s->in + l->at * s->c->size, l->length,
						   s->out + l->at * s->c->size);
		if (bad != SIZE_MAX)
			end_badly(s, l, bad);
		l->is_done = true;
		l->head = cursor_head_of(l->cursor);
	}
}

/* Every lane takes in elements up to the end of its run. Lanes that have no more elements are dropped. */
static void advance(struct lanes *s)
{
	size_t left = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct lane *l = &s->lanes[i];
		l->place = (uint8_t)cursor_place(l->head);
		const uint32_t of_run = GRID_RUN - l->place;
		l->length = (uint8_t)(l->end - l->at < of_run ? l->end - l->at : of_run);
		l->is_done = false;
	}
	begin_runs(s);
	push_pieces(s, true);
	push_pieces(s, false);
	end_runs(s);
	for (size_t i = 0; i < s->count; i++) {
		struct lane *l = &s->lanes[i];
		l->at += l->length;
		if (!l->has_ended && l->at < l->end)
			s->lanes[left++] = *l;
	}
	s->count = left;
}

/* Pushes all the rest of a lane. */
static void push_alone(struct lanes *s, struct lane *l)
{
	const size_t place = l->at * s->c->size;
	const size_t bad = push_elements(s->c, &s->memory, l->cursor, s->in + place, l->end - l->at, s->out + place);
	if (bad != SIZE_MAX)
		end_badly(s, l, bad);
}

void expression_scan_push_all(struct evaluator *evaluator, void *cursors, size_t cursor_size, size_t cursor_count,
			      const uint32_t *ends, const void *in, void *out, uint32_t *bad)
{
	const struct combination c = combination_of(evaluator, false);
	struct lanes s;
	uint32_t first = 0;
	s.c = &c;
	s.in = in;
	s.out = out;
	s.bad = bad;
	s.count = 0;
	for (size_t j = 0; j < cursor_count; j++) {
		unsigned char *cursor = (unsigned char *)cursors + j * cursor_size;
		/* (It is asked for also if there is none.) */
		for (size_t i = 0; i < cursor_size; i += CACHE_LINE)
			__builtin_prefetch((const void *)((uintptr_t)cursor + AHEAD * cursor_size + i), 1, 2);
		struct lane lane = {.cursor = cursor,
				    .head = cursor_head_of(cursor),
				    .first = first,
				    .at = first,
				    .end = ends[j],
				    .number = (uint32_t)j};
		bad[j] = UINT32_MAX;
		first = ends[j];
		if (lane.end - lane.at >= ALONE_LEAST)
			push_alone(&s, &lane);
		else if (lane.end > lane.at)
			s.lanes[s.count++] = lane;
		while (s.count == LANES)
			advance(&s);
	}
	while (s.count >= LANES_LEAST)
		advance(&s);
	for (size_t i = 0; i < s.count; i++)
		push_alone(&s, &s.lanes[i]);
}
