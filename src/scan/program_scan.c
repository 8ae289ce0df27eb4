/* Elements are converted, mapped, combined and emitted a tile at a time. Expressions are evaluated over vectors of
 * EVALUATE_LENGTH elements. (The cursors are in program_cursor.c.) */
#include "scan/program_scan.h"

#include <string.h>

#include "base/memory.h"
#include "number/convert.h"
#include "number/interleave.h"
#include "evaluate/expression_scan.h"
#include "evaluate/expression_window.h"
#include "scan/program_scan_private.h"

static struct evaluator *evaluator_of(const struct expression *e, bool *failed)
{
	struct evaluator *v = e != NULL ? evaluator_new(e) : NULL;
	*failed = *failed || (e != NULL && v == NULL);
	return v;
}

static bool is_used(const struct evaluator *v, size_t input)
{
	return v != NULL && evaluator_expression(v)->used[input];
}

struct program_scan *program_scan_new(const struct row *row)
{
	const struct program *p = row->op->program;
	struct program_scan *s = memory_new(sizeof *s);
	if (s == NULL)
		return NULL;
	s->row = *row;
	s->program = p;
	s->combine = p->host.combine != NULL ? expression_combine_new(p->host.combine) : NULL;
	bool failed = p->host.combine != NULL && s->combine == NULL;
	s->emit = evaluator_of(p->host.emit, &failed);
	s->uses_index = is_used(s->emit, PROGRAM_INDEX);
	for (size_t i = 0; i < PACKED_MAX; i++) {
		s->maps[i] = evaluator_of(p->host.maps[i], &failed);
		s->uses_index = s->uses_index || is_used(s->maps[i], PROGRAM_INDEX);
	}
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
	expression_combine_free(s->combine);
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
	for (size_t i = 0; i < count && s->uses_index; i++)
		s->indices[i] = index + i + (gaps != NULL ? gaps[i] : 0);
	s->inputs[PROGRAM_INDEX] = s->indices;
	return bad;
}

/* program_scan_lift, to the accumulator's type. */
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
			evaluate_nans(s->row.acc, mapped, length);
		}
		if (operands > 1)
			interleave_join(join, operands, length, operands * size, to);
		bad = here != SIZE_MAX ? least(bad, first + here) : bad;
	}
	return bad;
}

size_t program_scan_lift(struct program_scan *s, const void *in, size_t count, uint64_t index, const uint64_t *gaps,
			 const void **lifted)
{
	const struct row *inner = &s->inner;
	const size_t bad = lift(s, in, count, index, gaps, lifted);
	if (inner->code_type != NULL) {
		(void)convert_find(inner->acc, inner->code_type)(*lifted, count, s->longer);
		*lifted = s->longer;
	}
	return bad;
}

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

/* Sets the input n of --emit for `count` elements, at most EVALUATE_LENGTH, from element `first` on. */
static void set_counts(struct program_scan *s, const struct emitted *e, size_t first, size_t count)
{
	const uint64_t step = e->n_step;
	uint64_t n = e->n + first * step;
	for (size_t i = 0; i < count; i++, n += step)
		s->counts[i] = n;
	for (size_t i = 0; i < count && e->more != NULL; i++)
		s->counts[i] += e->more[first + i];
}

size_t program_scan_emit(struct program_scan *s, const struct emitted *e, const unsigned char *results, size_t count,
			 unsigned char *out)
{
	const struct type *to = s->row.out;
	const size_t in_size = s->row.element.count * e->type->size;
	size_t bad = SIZE_MAX;
	if (s->emit == NULL) {
		if (out != results && count > 0)
			memcpy(out, results, count * to->size);
		if (s->combine != NULL)
			evaluate_nans(to, out, count);
		return SIZE_MAX;
	}
	const bool uses_count = is_used(s->emit, PROGRAM_COUNT);
	if (!e->has_totals)
		set_total(s, e->total, least(count, EVALUATE_LENGTH));
	for (size_t first = 0; first < count; first += EVALUATE_LENGTH) {
		const size_t length = least(count - first, EVALUATE_LENGTH);
		/* (What does not fit was found when it was lifted.) */
		(void)set_inputs(s, e->in + first * in_size, e->type, length, e->index + first,
				 e->gaps != NULL ? e->gaps + first : NULL);
		if (uses_count)
			set_counts(s, e, first, length);
		s->inputs[PROGRAM_COUNT] = s->counts;
		if (e->has_totals)
			s->inputs[PROGRAM_TOTAL] = e->total + first * s->between->size;
		s->inputs[PROGRAM_RESULT] = results + first * s->between->size;
		const size_t here = evaluate(s->emit, s->inputs, length, out + first * to->size);
		bad = here != SIZE_MAX ? least(bad, first + here) : bad;
	}
	evaluate_nans(to, out, count);
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
		(void)program_scan_lift(s, (const unsigned char *)in + first * s->row.element.size, length,
					index + first, NULL, &lifted);
		if (s->combine != NULL)
			(void)expression_scan_total(s->combine, lifted, length, total);
		else
			s->inner.tiles->totals(lifted, length, s->inner.parameter, total);
	}
}

/* The results of a tile by the program's expression. carry: its carry-in, or NULL. */
static size_t combine_tile(struct program_scan *s, const void *in, size_t count, const void *carry, void *out)
{
	memset(&s->cursor, 0, s->row.code->cursor_size);
	if (carry != NULL)
		(void)expression_scan_add(s->combine, &s->cursor, carry);
	return expression_scan_push(s->combine, &s->cursor, in, count, out);
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
		size_t here = program_scan_lift(s, elements, length, index + first, NULL, &lifted);
		if (s->combine != NULL)
			here = least(here, combine_tile(s, lifted, length, has_carry ? carry : NULL, results));
		else
			(void)s->inner.tiles->results(lifted, length, s->inner.parameter, carry, has_carry, results);
		here = least(here, program_scan_emit(s, &e, results, length, shown));
		bad = here != SIZE_MAX ? least(bad, first + here) : bad;
	}
	return bad;
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
		const size_t shown =
			least(taken, program_scan_emit(s, &e, s->results, taken,
						       (unsigned char *)out + first * s->row.results.size));
		if (shown < length)
			return first + shown;
	}
	return count;
}
