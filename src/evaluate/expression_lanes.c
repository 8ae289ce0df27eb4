/* Many cursors advance together, up to 256 at a time. In each round every cursor takes in the elements up to the end of
 * its run: columns as those of a tile (expression_tile.c), the longest pieces first, so that each column begins with
 * all pieces that have an element there. Combinations that only some cursors need are gathered into vectors. Functions
 * whose first parameter is `size` are compiled for each size of numbers. */
#include "evaluate/expression_columns.h"
#include "evaluate/expression_cursor.h"

/* The most cursors. */
#define CURSORS_MAX EVALUATE_LENGTH
/* Cursors with more elements advance alone, because their own runs make long vectors. */
#define ALONE_LEAST 256
/* Fewer cursors at the end advance each alone. */
#define CURSORS_LEAST 4
/* How many cursors before its turn a cursor is fetched from memory. */
#define AHEAD 16

/* A cursor that takes in elements `at` to `end` - 1. */
struct pushed_cursor {
	unsigned char *cursor;
	struct cursor_head head;
	uint32_t first, at, end;
	uint32_t number; /* The cursor's. */
	uint8_t place; /* The place of element `at` in its run. */
	uint8_t length; /* Elements of the present piece. */
	bool is_bad; /* An element was bad. */
};

/* A list of cursors. */
struct list {
	struct pushed_cursor *cursors[CURSORS_MAX];
	size_t count;
};

/* A call. */
struct push_call {
	const struct combination *c;
	const unsigned char *in;
	unsigned char *out;
	uint32_t *bad;
	size_t count;
	struct pushed_cursor cursors[CURSORS_MAX];
	struct list begun; /* Cursors that begin a run after others. */
	struct list pieces; /* First those that have a base. */
	struct list ended; /* Cursors whose runs are whole. */
	struct list gathered; /* Cursors that have a combination in `taken` and `next`. */
	_Alignas(64) unsigned char taken[CURSORS_MAX * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char next[CURSORS_MAX * NUMBER_SIZE_MAX];
	_Alignas(64) unsigned char columns[GRID_RUN][COLUMN_STEP];
};

ALWAYS_INLINE void gather(size_t size, struct push_call *s, struct pushed_cursor *l, const unsigned char *taken,
			  const unsigned char *next)
{
	const size_t i = s->gathered.count++;
	s->gathered.cursors[i] = l;
	copy_number(size, s->taken + i * size, taken);
	copy_number(size, s->next + i * size, next);
}

/* Combines what was gathered. The results become the cursors' bases. */
ALWAYS_INLINE bool combine_bases(size_t size, struct push_call *s)
{
	const bool good = combine(s->c, s->taken, s->next, s->gathered.count, s->taken);
	for (size_t i = 0; i < s->gathered.count; i++)
		copy_number(size, s->gathered.cursors[i]->cursor + cursor_base(size), s->taken + i * size);
	s->gathered.count = 0;
	return good;
}

/* Element i of the piece is bad. */
static void end_badly(struct push_call *s, struct pushed_cursor *l, size_t i)
{
	s->bad[l->number] = (uint32_t)(l->at - l->first + i);
	l->is_bad = true;
}

/* Sets the bases of the cursors that begin a run after others. */
ALWAYS_INLINE bool begin_runs(size_t size, struct push_call *s)
{
	bool good = true;
	unsigned bits = 0;
	s->gathered.count = 0;
	for (size_t i = 0; i < s->begun.count; i++) {
		const struct pushed_cursor *l = s->begun.cursors[i];
		const unsigned run = cursor_run(l->head);
		const size_t first = run > 0 ? cursor_node(size, cursor_highest_bit(run)) : CURSOR_CARRY;
		copy_number(size, l->cursor + cursor_base(size), l->cursor + first);
		bits |= run;
	}
	for (unsigned k = CURSOR_NODES; k-- > 0 && bits != 0;) {
		for (size_t i = 0; i < s->begun.count; i++) {
			struct pushed_cursor *l = s->begun.cursors[i];
			const unsigned run = cursor_run(l->head) >> k;
			if (run > 1 && run % 2 != 0)
				gather(size, s, l, l->cursor + cursor_base(size), l->cursor + cursor_node(size, k));
		}
		good = combine_bases(size, s) && good;
	}
	for (size_t i = 0; i < s->begun.count; i++) {
		struct pushed_cursor *l = s->begun.cursors[i];
		if (cursor_run(l->head) > 0 && l->head.has_carry != 0)
			gather(size, s, l, l->cursor + CURSOR_CARRY, l->cursor + cursor_base(size));
	}
	return combine_bases(size, s) && good;
}

/* Takes the total of each run that is whole into the nodes, and of each tile that is whole into the carry. If a
 * combination has no value, only nodes have changed. */
ALWAYS_INLINE bool end_runs(size_t size, struct push_call *s)
{
	size_t count = s->ended.count;
	s->gathered = s->ended;
	for (size_t i = 0; i < count; i++)
		copy_number(size, s->next + i * size, s->ended.cursors[i]->cursor + cursor_local_prefix(size));
	for (unsigned k = 0; k < CURSOR_NODES && count > 0; k++) {
		size_t left = 0;
		for (size_t i = 0; i < count; i++) {
			struct pushed_cursor *l = s->gathered.cursors[i];
			unsigned char *node = l->cursor + cursor_node(size, k);
			const unsigned char *total = s->next + i * size;
			if (((unsigned)(l->head.count - 1) / GRID_RUN >> k & 1) == 0) {
				copy_number(size, node, total);
				continue;
			}
			s->gathered.cursors[left] = l;
			copy_number(size, s->taken + left * size, node);
			copy_number(size, s->next + left * size, total);
			left++;
		}
		count = left;
		if (!combine(s->c, s->taken, s->next, count, s->next))
			return false;
	}
	/* The other runs were the last ones of their tiles. */
	for (size_t i = 0; i < count; i++) {
		struct pushed_cursor *l = s->gathered.cursors[i];
		if (!expression_scan_add(s->c, l->cursor, s->next + i * size))
			end_badly(s, l, l->length - 1U);
		l->head = cursor_head_of(l->cursor);
	}
	return true;
}

/* The pieces of cursors that all have a base, or all have none: `count` from number `first` of the list on. */
struct pieces {
	size_t first, count;
	size_t longer[GRID_RUN]; /* longer[j]: how many have an element j. They come first. */
	bool have_base;
};

/* Takes in pieces. If a combination has no value, nothing has changed. */
ALWAYS_INLINE bool push_pieces(size_t size, struct push_call *s, const struct pieces *p)
{
	const struct combination *c = s->c;
	struct pushed_cursor *const *cursors = s->pieces.cursors + p->first;
	unsigned char(*columns)[COLUMN_STEP] = s->columns;
	uint16_t places[CURSORS_MAX];
	bool good = true;
	size_t gathered = 0;
	for (size_t i = 0; i < p->count; i++) {
		const struct pushed_cursor *l = cursors[i];
		const unsigned char *elements = s->in + l->at * size;
		for (size_t j = 0; j < l->length; j++)
			copy_number(size, columns[j] + i * size, elements + j * size);
		if (l->place > 0) {
			copy_number(size, s->taken + gathered * size, l->cursor + cursor_local_prefix(size));
			copy_number(size, s->next + gathered * size, elements);
			places[gathered++] = (uint16_t)i;
		}
	}
	good = combine(c, s->taken, s->next, gathered, s->next);
	for (size_t i = 0; i < gathered; i++)
		copy_number(size, columns[0] + places[i] * size, s->next + i * size);
	for (size_t j = 1; j < GRID_RUN && good; j++)
		good = combine(c, columns[j - 1], columns[j], p->longer[j], columns[j]);
	for (size_t i = 0; i < p->count; i++)
		copy_number(size, s->next + i * size, columns[cursors[i]->length - 1] + i * size);
	for (size_t i = 0; i < p->count && p->have_base; i++)
		copy_number(size, s->taken + i * size, cursors[i]->cursor + cursor_base(size));
	for (size_t j = 0; j < GRID_RUN && good && p->have_base; j++)
		good = combine(c, s->taken, columns[j], p->longer[j], columns[j]);
	for (size_t i = 0; i < p->count && good; i++) {
		struct pushed_cursor *l = cursors[i];
		unsigned char *results = s->out + l->at * size;
		for (size_t j = 0; j < l->length; j++)
			copy_number(size, results + j * size, columns[j] + i * size);
		copy_number(size, l->cursor + cursor_local_prefix(size), s->next + i * size);
		l->head.count += l->length;
		memcpy(l->cursor, &l->head.count, sizeof l->head.count);
		memcpy(l->cursor + offsetof(struct cursor_head, has_base), &l->head.has_base, sizeof l->head.has_base);
		if (l->place + l->length == GRID_RUN)
			s->ended.cursors[s->ended.count++] = l;
	}
	return good;
}

/* Takes in pieces, each alone, and finds those that have a bad element. */
static void push_each(struct push_call *s, const struct pieces *p)
{
	for (size_t i = 0; i < p->count; i++) {
		struct pushed_cursor *l = s->pieces.cursors[p->first + i];
		const size_t place = l->at * s->c->size;
		const size_t bad = cursor_push_run(s->c, l->cursor, s->in + place, l->length, s->out + place);
		if (bad != SIZE_MAX)
			end_badly(s, l, bad);
		l->head = cursor_head_of(l->cursor);
	}
}

/* Drops the cursors that have no more elements to take in. */
static void drop_cursors(struct push_call *s)
{
	size_t left = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct pushed_cursor *l = &s->cursors[i];
		if (l->is_bad || l->at == l->end)
			continue;
		if (left < i)
			s->cursors[left] = *l;
		left++;
	}
	s->count = left;
}

/* Finds the next piece of each cursor, up to the end of its run, and sorts the pieces. */
static void find_pieces(struct push_call *s, struct pieces pieces[2])
{
	/* The longest pieces with a base come first, the shortest without one last. */
	size_t places[2 * GRID_RUN] = {0};
	size_t next = 0;
	s->begun.count = 0;
	s->pieces.count = s->count;
	s->ended.count = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct pushed_cursor *l = &s->cursors[i];
		l->place = (uint8_t)cursor_place(l->head);
		const uint32_t of_run = GRID_RUN - l->place;
		l->length = (uint8_t)(l->end - l->at < of_run ? l->end - l->at : of_run);
		if (l->place == 0) {
			l->head.has_base = l->head.has_carry != 0 || cursor_run(l->head) > 0;
			s->begun.cursors[s->begun.count] = l;
			s->begun.count += l->head.has_base;
		}
		places[(l->head.has_base != 0 ? 0 : GRID_RUN) + GRID_RUN - l->length]++;
	}
	for (size_t k = 0; k < 2 * GRID_RUN; k++) {
		const size_t here = places[k];
		struct pieces *p = &pieces[k / GRID_RUN];
		if (k % GRID_RUN == 0)
			*p = (struct pieces){.first = next, .have_base = k == 0};
		places[k] = next;
		next += here;
		p->count = next - p->first;
		p->longer[GRID_RUN - 1 - k % GRID_RUN] = p->count;
	}
	for (size_t i = 0; i < s->count; i++) {
		struct pushed_cursor *l = &s->cursors[i];
		s->pieces.cursors[places[(l->head.has_base != 0 ? 0 : GRID_RUN) + GRID_RUN - l->length]++] = l;
	}
}

/* Every cursor takes in elements up to the end of its run. */
ALWAYS_INLINE void advance_by(size_t size, struct push_call *s)
{
	struct pieces pieces[2];
	find_pieces(s, pieces);
	if (!begin_runs(size, s)) {
		for (size_t i = 0; i < s->begun.count; i++) {
			if (!cursor_begin_run(s->c, s->begun.cursors[i]->cursor))
				end_badly(s, s->begun.cursors[i], 0);
		}
		drop_cursors(s);
		return;
	}
	for (size_t k = 0; k < 2; k++) {
		if (pieces[k].count > 0 && !push_pieces(size, s, &pieces[k]))
			push_each(s, &pieces[k]);
	}
	if (!end_runs(size, s)) {
		for (size_t i = 0; i < s->ended.count; i++) {
			struct pushed_cursor *l = s->ended.cursors[i];
			if (!cursor_end_run(s->c, l->cursor))
				end_badly(s, l, l->length - 1U);
			l->head = cursor_head_of(l->cursor);
		}
	}
	for (size_t i = 0; i < s->count; i++)
		s->cursors[i].at += s->cursors[i].length;
	drop_cursors(s);
}

static void advance(struct push_call *s)
{
	EACH_SIZE(s->c->size, advance_by(SIZE, s))
}

/* Pushes all the rest of a cursor. */
static void push_alone(struct push_call *s, struct pushed_cursor *l)
{
	const size_t place = l->at * s->c->size;
	const size_t bad = expression_scan_push(s->c, l->cursor, s->in + place, l->end - l->at, s->out + place);
	if (bad != SIZE_MAX)
		end_badly(s, l, bad);
}

size_t expression_push_memory_size(void)
{
	return sizeof(struct push_call);
}

void expression_scan_push_all(const struct combination *c, void *cursors, size_t cursor_size, size_t cursor_count,
			      const uint32_t *ends, const void *in, void *out, uint32_t *bad)
{
	struct push_call *s = (struct push_call *)(void *)c->memory;
	uint32_t first = 0;
	s->c = c;
	s->in = in;
	s->out = out;
	s->bad = bad;
	s->count = 0;
	for (size_t j = 0; j < cursor_count; j++) {
		unsigned char *cursor = (unsigned char *)cursors + j * cursor_size;
		/* (Asking for a cursor that does not exist does no harm.) */
		__builtin_prefetch((const void *)((uintptr_t)cursor + AHEAD * cursor_size), 1);
		/* (Member by member: a copy of a struct would wait for the members.) */
		struct pushed_cursor *l = &s->cursors[s->count];
		l->cursor = cursor;
		l->head = cursor_head_of(cursor);
		l->first = first;
		l->at = first;
		l->end = ends[j];
		l->number = (uint32_t)j;
		l->is_bad = false;
		bad[j] = UINT32_MAX;
		first = l->end;
		if (l->end - l->at >= ALONE_LEAST)
			push_alone(s, l);
		else
			s->count += l->end > l->at;
		while (s->count == CURSORS_MAX)
			advance(s);
	}
	while (s->count >= CURSORS_LEAST)
		advance(s);
	for (size_t i = 0; i < s->count; i++)
		push_alone(s, &s->cursors[i]);
}
