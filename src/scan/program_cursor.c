/* The cursors of a program's scan: seeds, single elements, many cursors together, and triples. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "evaluate/expression_scan.h"
#include "scan/program_scan_private.h"

static void state_of(struct program_scan *s, const void *cursor, void *state)
{
	if (s->combine != NULL)
		expression_scan_state(s->combine, cursor, state);
	else
		s->inner.code->state(cursor, state);
}

/* Sets *result, of type s->between, to the result of a state. */
static void result_of(const struct program_scan *s, const void *state, const void *element, void *result)
{
	if (s->combine != NULL)
		memcpy(result, state, s->between->size);
	else
		s->inner.code->emit(state, element, s->inner.parameter, result);
}

/* Sets *result to that of no elements, of type s->between, if the operator has one. */
static bool result_of_none(const struct program_scan *s, void *result)
{
	union value none;
	if (s->row.op->identity != IDENTITY_OWN || !row_identity(s->program->base, s->between, &none))
		return false;
	memcpy(result, &none, s->between->size);
	return true;
}

/* Sets *result to the last result of the cursor, or to its seed's. False: there was no element and no seed, and
 * the operator has no identity. element: for the operator's emit, which may ignore it. */
static bool last_result(struct program_scan *s, const void *cursor, const void *element, void *result)
{
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX];
	struct cursor_head head = cursor_head_of(cursor);
	if (head.count == 0 && head.has_carry == 0)
		return result_of_none(s, result);
	memcpy(&s->cursor, cursor, s->row.code->cursor_size);
	/* At a tile's edge the state is the carry, and the last result was combined in another order. */
	head.count -= head.count > 0 && head.count % GRID_TILE == 0;
	memcpy(&s->cursor, &head.count, sizeof head.count);
	state_of(s, &s->cursor, state);
	result_of(s, state, element, result);
	return true;
}

static size_t push_lifted(struct program_scan *s, void *cursor, const void *lifted, size_t count, void *results)
{
	if (s->combine != NULL)
		return expression_scan_push(s->combine, cursor, lifted, count, results);
	(void)s->inner.code->push(cursor, lifted, count, s->inner.parameter, results);
	return SIZE_MAX;
}

/* program_scan_push for up to a tile. */
static size_t push_some(struct program_scan *s, void *cursor, const void *in, size_t count, const uint64_t *gaps,
			const void *total, unsigned char *out)
{
	const size_t size = s->between->size;
	const bool moves = s->row.exclusive && !s->inner.exclusive;
	unsigned char *results = s->results + size;
	const unsigned char *given = results;
	const struct cursor_head head = cursor_head_of(cursor);
	const void *lifted;
	size_t bad = program_scan_lift(s, in, count, head.count, gaps, &lifted);
	const bool is_known = s->row.exclusive && last_result(s, cursor, lifted, s->results);
	bad = least(bad, push_lifted(s, cursor, lifted, count, results));
	if (moves) {
		given = s->results;
		if (!is_known)
			memcpy(s->results, results, size);
	} else if (is_known && head.count == 0 && head.has_carry == 0) {
		memcpy(results, s->results, size); /* of no elements */
	}
	const struct emitted e = {.in = in,
				  .type = s->row.in,
				  .index = head.count,
				  .gaps = gaps,
				  .n = head.count + !s->row.exclusive,
				  .n_step = 1,
				  .total = total};
	return least(bad, program_scan_emit(s, &e, given, count, out));
}

size_t program_scan_push(struct program_scan *s, void *cursor, const void *in, size_t count, const uint64_t *gaps,
			 const void *total, void *out)
{
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t here = push_some(s, cursor, (const unsigned char *)in + first * s->row.element.size,
					      least(count - first, GRID_TILE), gaps != NULL ? gaps + first : NULL,
					      total, (unsigned char *)out + first * s->row.results.size);
		bad = here != SIZE_MAX ? least(bad, first + here) : bad;
	}
	return bad;
}

/* Some of the elements of several cursors. */
struct group {
	const unsigned char *in;
	size_t count; /* Elements. */
	size_t first; /* The first element's place in s->to_index and s->to_count. */
	const unsigned char *results; /* Once they are scanned: of type s->between. */
	unsigned char *out;
};

static size_t lift_group(struct program_scan *s, const struct group *g, const void **lifted)
{
	return program_scan_lift(s, g->in, g->count, g->first, s->to_index + g->first, lifted);
}

static size_t emit_group(struct program_scan *s, const struct group *g)
{
	const struct emitted e = {.in = g->in,
				  .type = s->row.in,
				  .index = g->first,
				  .gaps = s->to_index + g->first,
				  .n = g->first + 1,
				  .n_step = 1,
				  .more = s->to_count + g->first,
				  .total = s->to_total + g->first * s->between->size,
				  .has_totals = true};
	return program_scan_emit(s, &e, g->results, g->count, g->out);
}

/* Finds the first element of each cursor that cannot be lifted or emitted. */
static void find_bad(struct program_scan *s, const struct group *all, size_t cursor_count, const uint32_t *ends,
		     uint32_t *bad)
{
	const size_t size = s->row.results.size;
	for (size_t j = 0; j < cursor_count; j++) {
		const size_t first = j > 0 ? ends[j - 1] : 0;
		const struct group one = {.in = all->in + first * s->row.element.size,
					  .count = ends[j] - first,
					  .first = first,
					  .results = all->results + first * s->between->size,
					  .out = all->out + first * size};
		const void *lifted;
		const size_t here = least(lift_group(s, &one, &lifted), emit_group(s, &one));
		bad[j] = here < bad[j] ? (uint32_t)here : bad[j];
	}
}

/* program_scan_push_all for cursors that have at most a tile of elements together. ends: counted from the first of
 * these. */
static void push_group(struct program_scan *s, unsigned char *cursors, size_t cursor_size, size_t cursor_count,
		       const uint32_t *ends, const uint64_t *gaps, const struct group *g, uint32_t *bad)
{
	const struct type *code_type = s->inner.code_type;
	const size_t size = code_type != NULL ? code_type->size : s->inner.element.size;
	const void *lifted;
	for (size_t j = 0, i = 0; j < cursor_count; j++) {
		const size_t first = i;
		const uint64_t count = cursor_head_of(cursors + j * cursor_size).count;
		for (; i < ends[j]; i++) {
			s->to_count[i] = count - first;
			s->to_index[i] = s->to_count[i] + (gaps != NULL ? gaps[i] : 0);
		}
	}
	const size_t unfit = lift_group(s, g, &lifted);
	if (s->combine != NULL)
		expression_scan_push_all(s->combine, cursors, cursor_size, cursor_count, ends, lifted, s->results, bad);
	for (size_t j = 0; j < cursor_count && s->combine == NULL; j++) {
		const size_t first = j > 0 ? ends[j - 1] : 0;
		const unsigned char *elements = lifted;
		(void)s->inner.code->push(cursors + j * cursor_size, elements + first * size, ends[j] - first,
					  s->inner.parameter, s->results + first * s->between->size);
		bad[j] = UINT32_MAX;
	}
	if (least(unfit, emit_group(s, g)) != SIZE_MAX)
		find_bad(s, g, cursor_count, ends, bad);
}

/* Sets the totals of the elements of the cursors from cursor `first` on. */
static void put_totals(struct program_scan *s, const struct program_cursors *c, size_t first, size_t count,
		       const uint32_t *ends)
{
	const size_t size = s->between->size;
	for (size_t j = 0, i = 0; j < count && c->totals != NULL; j++) {
		for (; i < ends[j]; i++)
			memcpy(s->to_total + i * size, c->totals + (first + j) * c->total_size, size);
	}
}

void program_scan_push_all(struct program_scan *s, const struct program_cursors *c, const void *in,
			   const uint64_t *gaps, void *out)
{
	uint32_t ends[GRID_TILE];
	for (size_t j = 0, next; j < c->count; j = next) {
		const size_t begin = j > 0 ? c->ends[j - 1] : 0;
		unsigned char *cursors = (unsigned char *)c->cursors + j * c->size;
		const struct group g = {.in = (const unsigned char *)in + begin * s->row.element.size,
					.results = s->results,
					.out = (unsigned char *)out + begin * s->row.results.size};
		for (next = j; next < c->count && next - j < GRID_TILE && c->ends[next] - begin <= GRID_TILE; next++)
			ends[next - j] = (uint32_t)(c->ends[next] - begin);
		if (next - j > 1 && !s->row.exclusive) {
			struct group all = g;
			put_totals(s, c, j, next - j, ends);
			all.count = ends[next - j - 1];
			push_group(s, cursors, c->size, next - j, ends, gaps != NULL ? gaps + begin : NULL, &all,
				   c->bad + j);
			continue;
		}
		next = j + 1;
		const size_t bad =
			program_scan_push(s, cursors, g.in, c->ends[j] - begin, gaps != NULL ? gaps + begin : NULL,
					  c->totals != NULL ? c->totals + j * c->total_size : NULL, g.out);
		c->bad[j] = bad == SIZE_MAX ? UINT32_MAX : (uint32_t)bad;
	}
}

size_t program_scan_fold(struct program_scan *s, void *cursor, const void *totals, size_t count, void *prefixes,
			 bool *first_has_carry)
{
	if (s->combine != NULL)
		return expression_scan_fold(s->combine, cursor, totals, count, prefixes, first_has_carry);
	*first_has_carry = s->inner.code->fold(cursor, totals, count, prefixes);
	return SIZE_MAX;
}

/* Emits one result at an element whose numbers have the accumulator's type, before the scan's first one. False: it has
 * no value. */
static bool emit_first(struct program_scan *s, const void *element, const unsigned char *result, void *out)
{
	const struct emitted e = {.in = element, .type = s->row.acc};
	return program_scan_emit(s, &e, result, 1, out) == SIZE_MAX;
}

bool program_scan_seed(struct program_scan *s, void *cursor, const void *seed, void *result)
{
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX];
	if (s->combine != NULL)
		(void)expression_scan_add(s->combine, cursor, seed);
	else
		s->inner.code->seed(cursor, seed, s->inner.parameter);
	state_of(s, cursor, state);
	result_of(s, state, seed, s->results);
	return emit_first(s, seed, s->results, result);
}

bool program_scan_nothing(struct program_scan *s, void *result)
{
	static const unsigned char zeros[PACKED_MAX * sizeof(union value)];
	return !result_of_none(s, s->results) || emit_first(s, zeros, s->results, result);
}

/* --- Triples ----------------------------------------------------------------------------------------------------- */

static void combine_all(struct program_scan *s, const unsigned char *a, const unsigned char *b, size_t count,
			unsigned char *out)
{
	const size_t size = s->between->size;
	for (size_t first = 0; first < count; first += EVALUATE_LENGTH) {
		const void *inputs[2] = {a + first * size, b + first * size};
		(void)evaluate(s->combine->evaluator, inputs, least(count - first, EVALUATE_LENGTH),
			       out + first * size);
	}
}

/* Emits states at the elements that are `ahead` after theirs: to every CURSOR_TRIPLE_RESULTS'th result. */
static void put_triples(struct program_scan *s, size_t count, const struct emitted *first, size_t ahead,
			unsigned char *states, unsigned char *out)
{
	const size_t size = s->row.results.size;
	if (count <= ahead)
		return;
	struct emitted e = *first;
	e.in += ahead * s->row.element.size;
	e.index += ahead;
	e.n = ahead + 1;
	(void)program_scan_emit(s, &e, states, count - ahead, s->lifted);
	for (size_t i = 0; i < count - ahead; i++)
		memcpy(out + 4 * i * size, s->lifted + i * size, size);
}

enum status program_scan_triples(struct program_scan *s, const void *in, size_t count, uint64_t index,
				 const void *total, void *out)
{
	const size_t size = s->between->size;
	const size_t shown = s->row.results.size;
	struct bytes room = {0};
	const void *lifted;
	memset(out, 0, 4 * count * shown);
	/* (Operators of the table are associative.) */
	if (s->combine == NULL)
		return STATUS_OK;
	if (bytes_make(&room, 4 * count, size) != STATUS_OK)
		return STATUS_SYSTEM;
	assert(room.data != NULL); /* (count is not 0) */
	unsigned char *one = room.data;
	unsigned char *two = one + count * size;
	unsigned char *left = two + count * size;
	unsigned char *right = left + count * size;
	(void)program_scan_lift(s, in, count, index, NULL, &lifted);
	memcpy(one, lifted, count * size);
	if (count > 1)
		combine_all(s, one, one + size, count - 1, two);
	if (count > 2) {
		combine_all(s, two, one + 2 * size, count - 2, left);
		combine_all(s, one, two + size, count - 2, right);
	}
	unsigned char *to = out;
	const struct emitted first = {.in = in, .type = s->row.in, .index = index, .total = total};
	put_triples(s, count, &first, 2, left, to);
	put_triples(s, count, &first, 2, right, to + shown);
	put_triples(s, count, &first, 0, one, to + 2 * shown);
	put_triples(s, count, &first, 1, two, to + 3 * shown);
	bytes_free(&room);
	return STATUS_OK;
}
