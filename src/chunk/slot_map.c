/* Evaluates --map over a chunk's fields. Exact forms are evaluated for all records at once (evaluate/evaluate_exact.h),
 * others some records at a time (evaluate/evaluate.h), after their numbers were converted. */
#include "chunk/slot_map.h"

#include <string.h>

#include "number/convert.h"
#include "evaluate/evaluate.h"
#include "evaluate/evaluate_exact.h"
#include "chunk/slot.h"
#include "chunk/slot_nans.h"

/* Decimals that were evaluated, or of a field. */
struct numbers {
	unsigned char *memory; /* Owned. */
	struct bytes scales; /* As in struct column. */
};

struct slot_map {
	size_t column_count; /* The decoder's columns. */
	size_t helds_count; /* Elements of a record, times forms. */
	struct numbers *fields; /* The numbers of each of the decoder's columns. */
	struct map_nans nans;
	struct bytes *helds; /* For each element and form an array of struct held. */
	struct evaluator **evaluators; /* For each form those of its values; NULL if it is exact. */
	size_t evaluator_count;
	struct bytes memory; /* For evaluate_exact. */
	struct exact_column *exact; /* The inputs of evaluate_exact. */
	struct numbers exact_values; /* What evaluate_exact gives, if no column scans it. */
	const void **inputs; /* For each field where the numbers of a block begin. */
	unsigned char *converted; /* For each field the converted numbers of a block. */
	unsigned char *block; /* The values of a block. */
};

/* The bytes of the numbers of a block, of any type but i128. */
#define BLOCK_BYTES (EVALUATE_LENGTH * sizeof(uint64_t))

size_t slot_map_column_count(const struct plan *plan)
{
	return plan->field_count * plan->map.form_count * plan->map.field_count;
}

/* The index of the decoder's column for a field of an element, as a form reads it. */
static size_t column_index(const struct plan *plan, size_t element, size_t form, size_t field)
{
	return (element * plan->map.field_count + field) * plan->map.form_count + form;
}

struct slot_map *slot_map_new(const struct plan *plan)
{
	const struct plan_map *map = &plan->map;
	struct slot_map *m = memory_zeros(1, sizeof *m);
	if (m == NULL)
		return NULL;
	m->column_count = slot_map_column_count(plan);
	m->helds_count = plan->field_count * map->form_count;
	m->evaluator_count = map->form_count * map->value_count;
	m->fields = memory_zeros(m->column_count, sizeof *m->fields);
	m->helds = memory_zeros(m->helds_count, sizeof *m->helds);
	m->evaluators = memory_zeros(m->evaluator_count, sizeof(struct evaluator *));
	m->exact = memory_zeros(map->field_count, sizeof *m->exact);
	m->inputs = memory_zeros(map->field_count, sizeof *m->inputs);
	m->converted = memory_new(map->field_count * BLOCK_BYTES);
	m->block = memory_new(BLOCK_BYTES);
	bool has_all = m->fields != NULL && m->helds != NULL && m->evaluators != NULL && m->exact != NULL &&
		       m->inputs != NULL && m->converted != NULL && m->block != NULL;
	for (size_t i = 0; i < m->evaluator_count && has_all; i++) {
		const struct map_form *form = &map->forms[i / map->value_count];
		if (form->is_exact)
			continue;
		m->evaluators[i] = evaluator_new(form->values[i % map->value_count]);
		has_all = m->evaluators[i] != NULL;
	}
	if (has_all)
		return m;
	slot_map_free(m);
	return NULL;
}

static void free_numbers(struct numbers *n)
{
	memory_free(n->memory);
	bytes_free(&n->scales);
}

void slot_map_free(struct slot_map *m)
{
	if (m == NULL)
		return;
	for (size_t i = 0; i < m->column_count && m->fields != NULL; i++)
		free_numbers(&m->fields[i]);
	for (size_t i = 0; i < m->helds_count && m->helds != NULL; i++)
		bytes_free(&m->helds[i]);
	for (size_t i = 0; i < m->evaluator_count && m->evaluators != NULL; i++)
		evaluator_free(m->evaluators[i]);
	free_numbers(&m->exact_values);
	bytes_free(&m->memory);
	map_nans_free(&m->nans);
	memory_free_all(m->fields, m->helds, m->evaluators, m->exact, m->inputs, m->converted, m->block, m);
}

/* Makes room for as many numbers as the slot may have. */
static enum status need_numbers(const struct slot *s, struct numbers *n)
{
	const struct engine_size size = {.elements = s->capacity, .element_max = sizeof(union value)};
	if (n->memory == NULL)
		n->memory = memory_new(engine_in_bytes(&size));
	n->scales.size = 0;
	return n->memory != NULL ? STATUS_OK : STATUS_SYSTEM;
}

enum status slot_map_describe(struct slot *s, const struct plan *plan)
{
	const struct plan_map *map = &plan->map;
	struct slot_map *m = s->map;
	for (size_t i = 0; i < m->helds_count; i++)
		m->helds[i].size = 0;
	for (size_t i = 0; i < m->column_count; i++) {
		const size_t f = i % map->form_count;
		const size_t field = i / map->form_count;
		const struct map_form *form = &map->forms[f];
		const struct type *type = form->inputs[field % map->field_count].read;
		TRY(need_numbers(s, &m->fields[i]));
		s->decoding[i] = (struct column){
			.field = field,
			.reading = {.type = type, .decimal = form->is_exact, .own_scale = form->is_exact},
			.elements = m->fields[i].memory,
			.step = form->is_exact ? sizeof(int64_t) : type->size,
			.is_narrow = form->is_exact,
			.scales = &m->fields[i].scales,
			.helds = &m->helds[field / map->field_count * map->form_count + f],
		};
	}
	return STATUS_OK;
}

/* --- Exact decimals */

/* Writes exact decimals as f64, `step` bytes apart. */
static void put_floats(const struct exact_column *in, size_t count, unsigned char *out, size_t step)
{
	const struct type *type = &type_table[in->is_narrow ? TYPE_I64 : TYPE_I128];
	for (size_t i = 0; i < count; i++) {
		const unsigned own = in->scales[i];
		union value value;
		memcpy(&value, in->numbers + i * in->step, type->size);
		const double f64 =
			decimal_own_to_f64(&value, type, in->is_narrow ? in->scale : own & OWN_SCALE_MASK, own);
		memcpy(out + i * step, &f64, sizeof f64);
	}
}

/* The column of an element that is read in a form, from an index on; s->decode.column_count if no column is. */
static size_t next_column(const struct slot *s, size_t element, size_t form, size_t from)
{
	while (from < s->decode.column_count && (s->columns[from].field != element || s->columns[from].form != form))
		from++;
	return from;
}

/* Evaluates an exact form for an element of all records: into its column of exact decimals, and into its column of
 * floats. */
static enum status evaluate_decimals(struct slot *s, const struct plan *plan, size_t element, size_t form, size_t count)
{
	const struct plan_map *map = &plan->map;
	struct slot_map *m = s->map;
	struct slot_column *exact = NULL;
	struct slot_column *floats = NULL;
	for (size_t i = 0; (i = next_column(s, element, form, i)) < s->decode.column_count; i++)
		*(s->columns[i].reading.own_scale ? &exact : &floats) = &s->columns[i];
	for (size_t k = 0; k < map->field_count; k++) {
		const struct column *c = &s->decoding[column_index(plan, element, form, k)];
		m->exact[k] = (struct exact_column){.numbers = c->elements,
						    .step = c->step,
						    .scales = c->scales->data,
						    .is_narrow = c->is_narrow,
						    .scale = c->scale};
	}
	if (exact == NULL && need_numbers(s, &m->exact_values) != STATUS_OK)
		return STATUS_SYSTEM;
	struct bytes *scales = exact != NULL ? &exact->scales : &m->exact_values.scales;
	TRY(bytes_make(scales, count, 1));
	scales->size = count;
	for (size_t v = 0; v < map->value_count; v++) {
		struct exact_column out = {.numbers = exact != NULL ? exact->elements : m->exact_values.memory,
					   .scales = scales->data};
		TRY(evaluate_exact(map->forms[form].values[v], m->exact, count, &m->memory, &out));
		if (floats != NULL)
			put_floats(&out, count, floats->elements + v * sizeof(double), floats->step);
		if (exact == NULL)
			continue;
		exact->step = out.step;
		exact->is_narrow = out.is_narrow;
		exact->scale = out.scale;
	}
	return STATUS_OK;
}

/* --- Numbers of other types */

/* Some elements of a column, at most EVALUATE_LENGTH. */
struct piece {
	const struct map_form *form;
	const struct column *fields; /* Those of the form and the element: every `stride`-th one. */
	size_t field_count;
	size_t stride;
	size_t at, count;
};

/* Gives the column's kept and held elements, whose numbers mean nothing, the numbers of an element that has some: the
 * one before them, or the first one. Then they have a value if that element has. Returns the index of the first element
 * that has numbers; k->count if all are kept or held. */
static size_t fill_helds(const struct slot_column *k, const struct piece *p)
{
	const struct held *helds = (const struct held *)(const void *)k->helds.data;
	const size_t count = k->helds.size / sizeof *helds;
	size_t first = 0;
	while (first < count && helds[first].element == first)
		first++;
	for (size_t f = 0; f < p->field_count && first < k->count; f++) {
		const struct column *field = &p->fields[f * p->stride];
		for (size_t h = 0; h < count; h++) {
			const size_t from = h < first ? first : helds[h].element - 1;
			memcpy(field->elements + helds[h].element * field->step, field->elements + from * field->step,
			       field->step);
		}
	}
	return first;
}

/* Converts the piece's numbers where that is needed, and sets m->inputs. Returns the index of the first element that
 * does not fit, and the type that it does not fit; SIZE_MAX: all do. */
static size_t convert_piece(struct slot_map *m, const struct piece *p, const struct type **misfit)
{
	size_t bad = SIZE_MAX;
	for (size_t k = 0; k < p->field_count; k++) {
		const struct map_input *input = &p->form->inputs[k];
		const struct column *field = &p->fields[k * p->stride];
		convert_function *convert = convert_find(input->read, input->in);
		m->inputs[k] = field->elements + p->at * input->read->size;
		if (convert == NULL)
			continue;
		unsigned char *converted = m->converted + k * BLOCK_BYTES;
		const size_t first = convert(m->inputs[k], p->count, converted);
		m->inputs[k] = converted;
		if (first < bad) {
			bad = first;
			*misfit = input->in;
		}
	}
	return bad;
}

/* Evaluates a form for an element of all records, up to the first one without a value. Returns how many have one. */
static size_t evaluate_numbers(struct slot *s, const struct plan *plan, const struct slot_column *k,
			       struct map_fault *fault)
{
	const struct plan_map *map = &plan->map;
	struct slot_map *m = s->map;
	struct evaluator **evaluators = m->evaluators + k->form * map->value_count;
	const struct packed *numbers = map->forms[k->form].numbers;
	struct piece p = {.form = &map->forms[k->form],
			  .fields = &s->decoding[column_index(plan, k->field, k->form, 0)],
			  .field_count = map->field_count,
			  .stride = map->form_count};
	const size_t first = fill_helds(k, &p);
	if (first == k->count)
		memset(k->elements, 0, k->count * k->step);
	for (; p.at < k->count && first < k->count; p.at += p.count) {
		const struct type *misfit = NULL;
		p.count = k->count - p.at < EVALUATE_LENGTH ? k->count - p.at : EVALUATE_LENGTH;
		size_t bad = convert_piece(m, &p, &misfit);
		const char *why = "a number does not fit in ";
		for (size_t v = 0; v < map->value_count; v++) {
			const size_t size = evaluator_expression(evaluators[v])->type->size;
			unsigned char *to = k->elements + p.at * k->step +
					    (numbers != NULL ? numbers->numbers[v].offset : v * size);
			const bool is_direct = k->step == size;
			const size_t lacking = evaluate(evaluators[v], m->inputs, p.count, is_direct ? to : m->block);
			for (size_t i = 0; i < p.count && !is_direct; i++)
				memcpy(to + i * k->step, m->block + i * size, size);
			if (lacking >= bad)
				continue;
			bad = lacking;
			misfit = NULL;
			why = "the expression has no value: a division of integers by 0 "
			      "(or of the least integer by -1), or a float that does not fit its integer type";
		}
		if (bad == SIZE_MAX)
			continue;
		/* (Kept and held elements before the first number have what that one has.) */
		bad = p.at + bad > first ? p.at + bad : first;
		map_note_fault(s, k->field, bad, why, misfit, fault);
		return bad;
	}
	return k->count;
}

const struct absence *slot_map_left_out(const struct slot_map *m, size_t *count)
{
	*count = m != NULL ? m->nans.left_out.size / sizeof(struct absence) : 0;
	return m != NULL ? (const struct absence *)(const void *)m->nans.left_out.data : NULL;
}

void slot_map_begin(struct slot_map *m)
{
	m->nans.left_out.size = 0;
}

enum status slot_map_evaluate(struct slot *s, const struct plan *plan, struct map_fault *fault, bool *more)
{
	const struct plan_map *map = &plan->map;
	struct slot_map *m = s->map;
	*fault = (struct map_fault){.record = SIZE_MAX};
	for (size_t i = 0; i < s->decode.column_count; i++) {
		struct slot_column *k = &s->columns[i];
		const struct bytes *helds = &m->helds[k->field * map->form_count + k->form];
		k->count = s->decoding[column_index(plan, k->field, k->form, 0)].count;
		k->is_narrow = false;
		k->scales.size = k->helds.size = 0;
		TRY(bytes_append(&k->helds, helds->data, helds->size));
	}
	for (size_t i = 0; i < s->decode.column_count; i++) {
		struct slot_column *k = &s->columns[i];
		size_t count = k->count;
		if (!map->forms[k->form].is_exact)
			count = evaluate_numbers(s, plan, k, fault);
		else if (next_column(s, k->field, k->form, 0) == i)
			TRY(evaluate_decimals(s, plan, k->field, k->form, k->count));
		TRY(map_apply_nan(s, plan, k, count, &m->nans, fault));
	}
	*more = m->nans.skipped.size > 0;
	return map_leave_out(&m->nans);
}
