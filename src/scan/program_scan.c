#include "scan/program_scan.h"

#include <string.h>

#include "base/memory.h"
#include "number/convert.h"
#include "number/interleave.h"
#include "scan/evaluate.h"
#include "scan/expression_scan.h"
#include "scan/expression_window.h"
#include "scan/program.h"

/* The most numbers of an element of an operator of the table. */
#define NUMBERS_MAX 2

struct program_scan {
	struct row row;
	const struct program *program; /* Borrowed. */
	/* How the program combines: by an expression, or as a row of the table whose elements have the accumulator's
	 * type. */
	struct evaluator *combine; /* Owned, like all evaluators. NULL: by `inner`. */
	struct row inner;
	struct evaluator *maps[PACKED_MAX], *emit;
	const struct type *between; /* The type of what is emitted: of `inner`'s results, or of the states. */
	const void *inputs[PROGRAM_INPUTS]; /* For evaluators. */
	uint64_t indices[EVALUATE_LENGTH], counts[EVALUATE_LENGTH];
	_Alignas(64) unsigned char totals[EVALUATE_LENGTH * sizeof(uint64_t)]; /* The same one for all elements. */
	/* An element's numbers, as they are stored and in the accumulator's type; and mapped. */
	_Alignas(64) unsigned char stored[PACKED_MAX][EVALUATE_LENGTH * sizeof(uint64_t)];
	_Alignas(64) unsigned char columns[PACKED_MAX][EVALUATE_LENGTH * sizeof(uint64_t)];
	_Alignas(64) unsigned char mapped[PACKED_MAX][EVALUATE_LENGTH * sizeof(uint64_t)];
	/* A tile's elements for the operator, and its results with one before them. */
	_Alignas(64) unsigned char lifted[NUMBERS_MAX * GRID_TILE * sizeof(uint64_t)];
	_Alignas(64) unsigned char results[(GRID_TILE + 1) * sizeof(uint64_t)];
	union cursor cursor; /* For temporary use. */
	/* Of several cursors' elements: what is added to an element's place to get its index, and to get how many
	 * elements its result is of. */
	uint64_t to_index[GRID_TILE], to_count[GRID_TILE];
};

/* The beginning of a cursor (kernels/cursor.h). */
struct cursor_head {
	uint64_t count;
	uint32_t has_carry;
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static struct evaluator *evaluator_of(const struct expression *e, bool *failed)
{
	struct evaluator *v = e != NULL ? evaluator_new(e) : NULL;
	*failed = *failed || (e != NULL && v == NULL);
	return v;
}

struct program_scan *program_scan_new(const struct row *row)
{
	const struct program *p = row->op->program;
	struct program_scan *s = memory_new(sizeof *s);
	bool failed = false;
	if (s == NULL)
		return NULL;
	s->row = *row;
	s->program = p;
	s->combine = evaluator_of(p->host.combine, &failed);
	s->emit = evaluator_of(p->host.emit, &failed);
	for (size_t i = 0; i < PACKED_MAX; i++)
		s->maps[i] = evaluator_of(p->host.maps[i], &failed);
	for (size_t i = 0; i < PROGRAM_INPUTS; i++)
		s->inputs[i] = NULL;
	s->between = row->acc;
	if (p->base != NULL) {
		const bool exclusive = row->exclusive && p->base->emits_inputs;
		failed = failed ||
			 !row_find(&s->inner, p->base, row->acc, row->acc, false, exclusive, ALGORITHM_BLELLOCH);
		s->inner.parameter = row->parameter;
		s->between = operator_result(p->base, row->acc);
	} else {
		s->inner = *row;
		s->inner.in = row->acc;
		s->inner.exclusive = false;
		s->inner.element = packed_of(row->acc, 1);
	}
	if (!failed)
		return s;
	program_scan_free(s);
	return NULL;
}

void program_scan_free(struct program_scan *s)
{
	if (s == NULL)
		return;
	evaluator_free(s->combine);
	evaluator_free(s->emit);
	for (size_t i = 0; i < PACKED_MAX; i++)
		evaluator_free(s->maps[i]);
	memory_free(s);
}

bool program_scan_is_for(const struct program_scan *s, const struct row *row)
{
	return s->program == row->op->program && s->row.in == row->in && s->row.acc == row->acc &&
	       s->row.exclusive == row->exclusive && s->row.parameter == row->parameter;
}

/* --- Expressions around the operator ----------------------------------------------------------------------------- */

/* Every NaN becomes the one that pscan writes (kernels/types.h). */
static void write_nans(const struct type *t, void *numbers, size_t count)
{
	static const uint32_t nan_f32 = UINT32_C(0x7fc00000);
	static const uint64_t nan_f64 = UINT64_C(0x7ff8000000000000);
	unsigned char *at = numbers;
	for (size_t i = 0; i < count && t->id == TYPE_F32; i++, at += sizeof(float)) {
		float x;
		memcpy(&x, at, sizeof x);
		memcpy(at, x != x ? (const void *)&nan_f32 : (const void *)&x, sizeof x);
	}
	for (size_t i = 0; i < count && t->id == TYPE_F64; i++, at += sizeof(double)) {
		double x;
		memcpy(&x, at, sizeof x);
		memcpy(at, x != x ? (const void *)&nan_f64 : (const void *)&x, sizeof x);
	}
}

static bool is_used(const struct evaluator *v, size_t input)
{
	return v != NULL && evaluator_expression(v)->used[input];
}

/* Sets the inputs of up to EVALUATE_LENGTH elements, whose numbers have type `type`: the numbers in the accumulator's
 * type, and the indices. Returns the first element of which a number does not fit, or SIZE_MAX. */
static size_t set_inputs(struct program_scan *s, const unsigned char *in, const struct type *type, size_t count,
			 uint64_t index, const uint64_t *gaps)
{
	const size_t inputs = s->row.element.count;
	convert_function *convert = convert_find(type, s->row.acc);
	struct interleaved split[PACKED_MAX];
	size_t bad = SIZE_MAX;
	for (size_t k = 0; k < inputs; k++) {
		split[k] = (struct interleaved){
			.numbers = s->stored[k], .step = type->size, .size = type->size, .offset = k * type->size};
		s->inputs[k] = inputs > 1 ? s->stored[k] : in;
	}
	if (inputs > 1)
		interleave_split(in, inputs * type->size, count, split, inputs);
	for (size_t k = 0; k < inputs && convert != NULL; k++) {
		const size_t unfit = convert(s->inputs[k], count, s->columns[k]);
		bad = s->row.checked ? least(bad, unfit) : SIZE_MAX;
		s->inputs[k] = s->columns[k];
	}
	for (size_t i = 0; i < count; i++)
		s->indices[i] = index + i + (gaps != NULL ? gaps[i] : 0);
	s->inputs[PROGRAM_INDEX] = s->indices;
	return bad;
}

/* Lifts up to a tile of elements: to elements of the operator, in the accumulator's type. Sets *lifted to them. */
static size_t lift(struct program_scan *s, const void *in, size_t count, uint64_t index, const uint64_t *gaps,
		   const void **lifted)
{
	const size_t operands = s->program->operands;
	const size_t size = s->row.acc->size;
	size_t bad = SIZE_MAX;
	*lifted = in;
	if (s->maps[0] == NULL && s->row.in == s->row.acc)
		return SIZE_MAX;
	*lifted = s->lifted;
	for (size_t first = 0; first < count; first += EVALUATE_LENGTH) {
		const size_t length = least(count - first, EVALUATE_LENGTH);
		unsigned char *to = s->lifted + first * operands * size;
		struct interleaved join[PACKED_MAX];
		size_t here = set_inputs(s, (const unsigned char *)in + first * s->row.element.size, s->row.in, length,
					 index + first, gaps != NULL ? gaps + first : NULL);
		for (size_t k = 0; k < operands; k++) {
			unsigned char *mapped = operands > 1 ? s->mapped[k] : to;
			join[k] =
				(struct interleaved){.numbers = mapped, .step = size, .size = size, .offset = k * size};
			if (s->maps[k] == NULL) {
				memcpy(mapped, s->inputs[k], length * size);
				continue;
			}
			here = least(here, evaluate(s->maps[k], s->inputs, length, mapped));
			write_nans(s->row.acc, mapped, length);
		}
		if (operands > 1)
			interleave_join(join, operands, length, operands * size, to);
		bad = here != SIZE_MAX ? least(bad, first + here) : bad;
	}
	return bad;
}

/* What --emit gets beside the results. */
struct emitted {
	const unsigned char *in; /* The elements, of type `type`. */
	const struct type *type;
	uint64_t index; /* Of the first element. */
	const uint64_t *gaps;
	uint64_t n; /* How many elements the first result is of. */
	uint64_t n_step; /* How many more each next one is of. */
	const uint64_t *more; /* For each result how many more elements it is of. NULL: none. */
	const void *total; /* The scan's total, of the type of the results. NULL: 0. */
};

/* Sets the input t of --emit for up to EVALUATE_LENGTH elements. */
static void set_total(struct program_scan *s, const void *total, size_t count)
{
	const size_t size = s->between->size;
	if (!is_used(s->emit, PROGRAM_TOTAL))
		return;
	if (total == NULL)
		memset(s->totals, 0, count * size);
	for (size_t i = 0; i < count && total != NULL; i++)
		memcpy(s->totals + i * size, total, size);
	s->inputs[PROGRAM_TOTAL] = s->totals;
}

/* Emits `count` results: to `out`, which may be where they are. */
static size_t emit(struct program_scan *s, const struct emitted *e, const unsigned char *results, size_t count,
		   unsigned char *out)
{
	const struct type *to = s->row.out;
	const size_t in_size = s->row.element.count * e->type->size;
	size_t bad = SIZE_MAX;
	if (s->emit == NULL) {
		if (out != results && count > 0)
			memcpy(out, results, count * to->size);
		if (s->combine != NULL)
			write_nans(to, out, count);
		return SIZE_MAX;
	}
	set_total(s, e->total, least(count, EVALUATE_LENGTH));
	for (size_t first = 0; first < count; first += EVALUATE_LENGTH) {
		const size_t length = least(count - first, EVALUATE_LENGTH);
		/* (What does not fit was found when it was lifted.) */
		(void)set_inputs(s, e->in + first * in_size, e->type, length, e->index + first,
				 e->gaps != NULL ? e->gaps + first : NULL);
		for (size_t i = 0; i < length && is_used(s->emit, PROGRAM_COUNT); i++)
			s->counts[i] = e->n + (first + i) * e->n_step + (e->more != NULL ? e->more[first + i] : 0);
		s->inputs[PROGRAM_COUNT] = s->counts;
		s->inputs[PROGRAM_RESULT] = results + first * s->between->size;
		const size_t here = evaluate(s->emit, s->inputs, length, out + first * to->size);
		bad = here != SIZE_MAX ? least(bad, first + here) : bad;
	}
	write_nans(to, out, count);
	return bad;
}

/* --- Tiles ------------------------------------------------------------------------------------------------------- */

void program_scan_totals(struct program_scan *s, const void *in, size_t count, uint64_t index, void *totals)
{
	const size_t state = s->row.code->state_size;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		const void *lifted;
		unsigned char *total = (unsigned char *)totals + first / GRID_TILE * state;
		/* (Bad elements are found again with the results.) */
		(void)lift(s, (const unsigned char *)in + first * s->row.element.size, length, index + first, NULL,
			   &lifted);
		if (s->combine != NULL)
			(void)expression_scan_totals(s->combine, lifted, length, total);
		else
			s->inner.tiles->totals(lifted, length, s->inner.parameter, total);
	}
}

size_t program_scan_results(struct program_scan *s, const void *in, size_t count, uint64_t index, const void *carry_in,
			    bool first_has_carry, const void *total, void *out)
{
	size_t bad = SIZE_MAX;
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		const unsigned char *elements = (const unsigned char *)in + first * s->row.element.size;
		const unsigned char *carry =
			(const unsigned char *)carry_in + first / GRID_TILE * s->row.code->state_size;
		unsigned char *shown = (unsigned char *)out + first * s->row.results.size;
		unsigned char *results = s->emit != NULL ? s->results : shown;
		const bool has_carry = first > 0 || first_has_carry;
		const struct emitted e = {.in = elements,
					  .type = s->row.in,
					  .index = index + first,
					  .n = index + first + 1,
					  .n_step = 1,
					  .total = total};
		const void *lifted;
		size_t here = lift(s, elements, length, index + first, NULL, &lifted);
		if (s->combine != NULL)
			here = least(here,
				     expression_scan_results(s->combine, lifted, length, carry, has_carry, results));
		else
			(void)s->inner.tiles->results(lifted, length, s->inner.parameter, carry, has_carry, results);
		here = least(here, emit(s, &e, results, length, shown));
		bad = here != SIZE_MAX ? least(bad, first + here) : bad;
	}
	return bad;
}

/* --- The cursor -------------------------------------------------------------------------------------------------- */

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

/* Sets *result to the last result of the cursor, or to its seed's; false if there is none. element: any. */
static bool last_result(struct program_scan *s, const void *cursor, const void *element, void *result)
{
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX];
	struct cursor_head head;
	memcpy(&head, cursor, sizeof head);
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
	struct cursor_head head;
	const void *lifted;
	memcpy(&head, cursor, sizeof head);
	size_t bad = lift(s, in, count, head.count, gaps, &lifted);
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
	return least(bad, emit(s, &e, given, count, out));
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
	return lift(s, g->in, g->count, g->first, s->to_index + g->first, lifted);
}

static size_t emit_group(struct program_scan *s, const struct group *g)
{
	const struct emitted e = {.in = g->in,
				  .type = s->row.in,
				  .index = g->first,
				  .gaps = s->to_index + g->first,
				  .n = g->first + 1,
				  .n_step = 1,
				  .more = s->to_count + g->first};
	return emit(s, &e, g->results, g->count, g->out);
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
	const void *lifted;
	for (size_t j = 0, i = 0; j < cursor_count; j++) {
		struct cursor_head head;
		const size_t first = i;
		memcpy(&head, cursors + j * cursor_size, sizeof head);
		for (; i < ends[j]; i++) {
			s->to_count[i] = head.count - first;
			s->to_index[i] = s->to_count[i] + (gaps != NULL ? gaps[i] : 0);
		}
	}
	const size_t unfit = lift_group(s, g, &lifted);
	expression_scan_push_all(s->combine, cursors, cursor_size, cursor_count, ends, lifted, s->results, bad);
	if (least(unfit, emit_group(s, g)) != SIZE_MAX)
		find_bad(s, g, cursor_count, ends, bad);
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
		if (next - j > 1 && s->combine != NULL && !s->row.exclusive && c->totals == NULL) {
			struct group all = g;
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
	const size_t size = s->row.code->state_size;
	size_t bad = SIZE_MAX;
	if (s->combine == NULL) {
		*first_has_carry = s->inner.code->fold(cursor, totals, count, prefixes);
		return SIZE_MAX;
	}
	*first_has_carry = false;
	for (size_t k = 0; k < count; k++) {
		bool has_carry = true;
		if (!expression_scan_fold(s->combine, cursor, (const unsigned char *)totals + k * size, 1,
					  (unsigned char *)prefixes + k * size, &has_carry))
			bad = least(bad, k);
		*first_has_carry = *first_has_carry || (k == 0 && has_carry);
	}
	return bad;
}

/* Emits one result at an element whose numbers have the accumulator's type, before the scan's first one. False: it has
 * no value. */
static bool emit_first(struct program_scan *s, const void *element, const unsigned char *result, void *out)
{
	const struct emitted e = {.in = element, .type = s->row.acc};
	return emit(s, &e, result, 1, out) == SIZE_MAX;
}

bool program_scan_seed(struct program_scan *s, void *cursor, const void *seed, void *result)
{
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX];
	if (s->combine != NULL)
		expression_scan_seed(s->combine, cursor, seed);
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
		(void)evaluate(s->combine, inputs, least(count - first, EVALUATE_LENGTH), out + first * size);
	}
}

/* Emits states at the elements that are `ahead` after theirs: to every CURSOR_TRIPLE_RESULTS'th result. */
static void put_triples(struct program_scan *s, const unsigned char *in, size_t count, uint64_t index, size_t ahead,
			unsigned char *states, unsigned char *out)
{
	const size_t size = s->row.results.size;
	if (count <= ahead)
		return;
	const struct emitted e = {
		.in = in + ahead * s->row.element.size, .type = s->row.in, .index = index + ahead, .n = ahead + 1};
	(void)emit(s, &e, states, count - ahead, s->lifted);
	for (size_t i = 0; i < count - ahead; i++)
		memcpy(out + 4 * i * size, s->lifted + i * size, size);
}

enum status program_scan_triples(struct program_scan *s, const void *in, size_t count, uint64_t index, void *out)
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
	unsigned char *one = room.data;
	unsigned char *two = one + count * size;
	unsigned char *left = two + count * size;
	unsigned char *right = left + count * size;
	(void)lift(s, in, count, index, NULL, &lifted);
	memcpy(one, lifted, count * size);
	if (count > 1)
		combine_all(s, one, one + size, count - 1, two);
	if (count > 2) {
		combine_all(s, two, one + 2 * size, count - 2, left);
		combine_all(s, one, two + size, count - 2, right);
	}
	unsigned char *to = out;
	put_triples(s, in, count, index, 2, left, to);
	put_triples(s, in, count, index, 2, right, to + shown);
	put_triples(s, in, count, index, 0, one, to + 2 * shown);
	put_triples(s, in, count, index, 1, two, to + 3 * shown);
	bytes_free(&room);
	return STATUS_OK;
}

/* --- Windows ----------------------------------------------------------------------------------------------------- */

struct window_row program_scan_window_row(struct program_scan *s, uint64_t length)
{
	if (s->combine == NULL)
		return window_row_of(&s->inner, length);
	const struct window_code *code = expression_window_code(s->row.acc);
	return (struct window_row){
		.row = &s->inner, .code = code, .push = code->push, .type = s->row.acc, .combine = s->combine};
}

size_t program_scan_push_window(struct program_scan *s, const struct window_row *windows, struct window *w,
				const void *in, size_t count, const uint64_t *covered, bool known, void *out)
{
	for (size_t first = 0; first < count; first += GRID_TILE) {
		const size_t length = least(count - first, GRID_TILE);
		const unsigned char *elements = (const unsigned char *)in + first * s->row.element.size;
		const struct emitted e = {
			.in = elements, .type = s->row.in, .index = w->count, .more = covered + first};
		const void *lifted;
		const size_t fit = least(length, lift(s, elements, length, w->count, NULL, &lifted));
		const size_t taken = window_push(w, windows, lifted, fit, known ? covered + first : NULL, s->results);
		const size_t shown = least(
			taken, emit(s, &e, s->results, taken, (unsigned char *)out + first * s->row.results.size));
		if (shown < length)
			return first + shown;
	}
	return count;
}
