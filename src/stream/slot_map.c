#include "stream/slot_map.h"

#include <assert.h>
#include <string.h>

#include "number/convert.h"
#include "number/nan.h"
#include "number/parse.h"
#include "scan/evaluate.h"
#include "scan/evaluate_exact.h"
#include "stream/slot.h"

/* Decimals that were evaluated, or of a field. */
struct numbers {
	unsigned char *memory; /* Owned. */
	struct bytes scales; /* As in struct column. */
};

struct slot_map {
	size_t column_count; /* The decoder's columns. */
	size_t helds_count; /* Elements of a record, times forms. */
	struct numbers *fields; /* The numbers of each of the decoder's columns. */
	struct bytes left_out; /* Array of struct absence: see slot_map_left_out. */
	struct bytes *helds; /* For each element and form an array of struct held. */
	struct evaluator **evaluators; /* For each form those of its values; NULL if it is exact. */
	size_t evaluator_count;
	struct exact_memory memory; /* For evaluate_exact. */
	struct exact_column *exact; /* The inputs of evaluate_exact. */
	struct numbers exact_values; /* What evaluate_exact gives, if no column scans it. */
	const unsigned char **inputs; /* For each field where the numbers of a block begin. */
	const void **rest; /* For each field where the rest of a block begins. */
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

/* `count` things of `size` bytes, all zero; at least one. NULL after a message. */
static void *new_zeros(size_t count, size_t size)
{
	void *things = memory_new((count > 0 ? count : 1) * size);
	if (things != NULL)
		memset(things, 0, (count > 0 ? count : 1) * size);
	return things;
}

struct slot_map *slot_map_new(const struct plan *plan)
{
	const struct plan_map *map = &plan->map;
	struct slot_map *m = new_zeros(1, sizeof *m);
	if (m == NULL)
		return NULL;
	m->column_count = slot_map_column_count(plan);
	m->helds_count = plan->field_count * map->form_count;
	m->evaluator_count = map->form_count * map->value_count;
	m->fields = new_zeros(m->column_count, sizeof *m->fields);
	m->helds = new_zeros(m->helds_count, sizeof *m->helds);
	m->evaluators = new_zeros(m->evaluator_count, sizeof(struct evaluator *));
	m->exact = new_zeros(map->field_count, sizeof *m->exact);
	m->inputs = new_zeros(map->field_count, sizeof *m->inputs);
	m->rest = new_zeros(map->field_count, sizeof *m->rest);
	m->converted = memory_new(map->field_count * BLOCK_BYTES);
	m->block = memory_new(BLOCK_BYTES);
	bool has_all = m->fields != NULL && m->helds != NULL && m->evaluators != NULL && m->exact != NULL &&
		       m->inputs != NULL && m->rest != NULL && m->converted != NULL && m->block != NULL;
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
	exact_memory_free(&m->memory);
	bytes_free(&m->left_out);
	memory_free(m->fields);
	memory_free(m->helds);
	memory_free(m->evaluators);
	memory_free(m->exact);
	memory_free(m->inputs);
	memory_free(m->rest);
	memory_free(m->converted);
	memory_free(m->block);
	memory_free(m);
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
		if (need_numbers(s, &m->fields[i]) != STATUS_OK)
			return STATUS_SYSTEM;
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
		double f64;
		memcpy(&value, in->numbers + i * in->step, type->size);
		if ((own & OWN_SCALE_FLOAT) != 0)
			f64 = value.f64;
		else if ((own & OWN_SCALE_NEGATIVE_ZERO) != 0)
			f64 = -0.0;
		else
			f64 = decimal_to_f64(&value, type, in->is_narrow ? in->scale : own & OWN_SCALE_MASK);
		memcpy(out + i * step, &f64, sizeof f64);
	}
}

/* The column of an element that is read in a form, from an index on; s->decode.column_count if there is none. */
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
	if (bytes_make(scales, count, 1) != STATUS_OK)
		return STATUS_SYSTEM;
	scales->size = count;
	for (size_t v = 0; v < map->value_count; v++) {
		struct exact_column out = {.numbers = exact != NULL ? exact->elements : m->exact_values.memory,
					   .scales = scales->data};
		if (evaluate_exact(map->forms[form].values[v], m->exact, count, &m->memory, &out) != STATUS_OK)
			return STATUS_SYSTEM;
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

/* Whether an element is kept or held, so that its numbers mean nothing. */
static bool is_held(const struct slot_column *k, size_t element)
{
	const struct held *helds = (const struct held *)(const void *)k->helds.data;
	size_t first = 0;
	size_t end = k->helds.size / sizeof *helds;
	while (first < end) {
		const size_t middle = first + (end - first) / 2;
		if (helds[middle].element == element)
			return true;
		if (helds[middle].element < element)
			first = middle + 1;
		else
			end = middle;
	}
	return false;
}

/* Some elements of a column, at most EVALUATE_LENGTH. */
struct piece {
	const struct map_form *form;
	const struct column *fields; /* Those of the form and the element: every `stride`-th one. */
	size_t stride;
	const struct slot_column *column;
	size_t at, count;
};

/* Converts the piece's numbers where that is needed, and sets m->inputs. Returns the index of the first element that
 * does not fit, and the type that it does not fit; SIZE_MAX: all do. */
static size_t convert_piece(struct slot_map *m, size_t field_count, const struct piece *p, const struct type **misfit)
{
	size_t bad = SIZE_MAX;
	for (size_t k = 0; k < field_count; k++) {
		const struct map_input *input = &p->form->inputs[k];
		const struct column *field = &p->fields[k * p->stride];
		const size_t size = input->read->size;
		convert_function *convert = convert_find(input->read, input->in);
		m->inputs[k] = field->elements + p->at * size;
		if (convert == NULL)
			continue;
		unsigned char *converted = m->converted + k * BLOCK_BYTES;
		size_t first = convert(m->inputs[k], p->count, converted);
		while (first < p->count && is_held(p->column, p->at + first)) {
			const size_t rest = convert(m->inputs[k] + (first + 1) * size, p->count - first - 1,
						    converted + (first + 1) * input->in->size);
			first = rest == SIZE_MAX ? SIZE_MAX : first + 1 + rest;
		}
		m->inputs[k] = converted;
		if (first < bad) {
			bad = first;
			*misfit = input->in;
		}
	}
	return bad;
}

/* Evaluates one value of the piece's elements. Returns the index of the first element that has none. */
static size_t evaluate_value(struct slot_map *m, size_t field_count, const struct piece *p, struct evaluator *v,
			     unsigned char *out)
{
	const size_t size = evaluator_expression(v)->type->size;
	for (size_t from = 0; from < p->count;) {
		for (size_t k = 0; k < field_count; k++)
			m->rest[k] = m->inputs[k] + from * p->form->inputs[k].in->size;
		const size_t bad = evaluate(v, m->rest, p->count - from, out + from * size);
		if (bad == SIZE_MAX)
			break;
		from += bad;
		if (!is_held(p->column, p->at + from))
			return from;
		from++;
	}
	return SIZE_MAX;
}

/* The record of an element. */
static size_t record_of(const struct slot *s, size_t in_record, size_t element)
{
	const struct absence *a = (const struct absence *)(const void *)s->decode.absences.data;
	size_t record = element;
	for (size_t i = 0; i < s->decode.absences.size / sizeof *a && a[i].record <= record; i++)
		record += a[i].field == in_record;
	return record;
}

static void take_fault(const struct slot *s, size_t in_record, size_t element, const char *why, const struct type *type,
		       struct map_fault *fault)
{
	const size_t record = record_of(s, in_record, element);
	if (record < fault->record)
		*fault = (struct map_fault){.record = record, .element = in_record, .why = why, .type = type};
}

/* Evaluates a form for an element of all records. */
static void evaluate_numbers(struct slot *s, const struct plan *plan, size_t element, size_t form,
			     const struct slot_column *k, struct map_fault *fault)
{
	const struct plan_map *map = &plan->map;
	struct slot_map *m = s->map;
	struct evaluator **evaluators = m->evaluators + form * map->value_count;
	const struct packed *numbers = map->forms[form].numbers;
	struct piece p = {.form = &map->forms[form],
			  .fields = &s->decoding[column_index(plan, element, form, 0)],
			  .stride = map->form_count,
			  .column = k};
	for (; p.at < k->count; p.at += p.count) {
		const struct type *misfit = NULL;
		p.count = k->count - p.at < EVALUATE_LENGTH ? k->count - p.at : EVALUATE_LENGTH;
		size_t bad = convert_piece(m, map->field_count, &p, &misfit);
		if (bad < p.count)
			take_fault(s, element, p.at + bad, "a number does not fit in ", misfit, fault);
		for (size_t v = 0; v < map->value_count; v++) {
			const size_t size = evaluator_expression(evaluators[v])->type->size;
			unsigned char *to = k->elements + p.at * k->step +
					    (numbers != NULL ? numbers->numbers[v].offset : v * size);
			const bool is_direct = k->step == size;
			bad = evaluate_value(m, map->field_count, &p, evaluators[v], is_direct ? to : m->block);
			for (size_t i = 0; i < p.count && !is_direct; i++)
				memcpy(to + i * k->step, m->block + i * size, size);
			if (bad < p.count)
				take_fault(s, element, p.at + bad,
					   "the expression has no value: a division of integers by 0 (or of the least "
					   "one by "
					   "-1), or a float that does not fit its integer type",
					   NULL, fault);
		}
		if (fault->record != SIZE_MAX)
			return;
	}
}

/* --- NaNs that --map makes */

const struct absence *slot_map_left_out(const struct slot_map *m, size_t *count)
{
	*count = m != NULL ? m->left_out.size / sizeof(struct absence) : 0;
	return m != NULL ? (const struct absence *)(const void *)m->left_out.data : NULL;
}

void slot_map_begin(struct slot_map *m)
{
	m->left_out.size = 0;
}

static bool is_before(const struct absence *a, const struct absence *b)
{
	return a->record < b->record || (a->record == b->record && a->field < b->field);
}

/* Notes that an element is to be left out. */
static enum status leave_out(struct slot_map *m, struct absence element)
{
	struct bytes *list = &m->left_out;
	const size_t count = list->size / sizeof element;
	const struct absence *before = (const struct absence *)(const void *)list->data;
	size_t at = count;
	while (at > 0 && !is_before(&before[at - 1], &element))
		at--;
	if (at < count && !is_before(&element, &before[at]))
		return STATUS_OK; /* Another form has noted it. */
	if (bytes_append(list, &element, sizeof element) != STATUS_OK)
		return STATUS_SYSTEM;
	struct absence *all = (struct absence *)(void *)list->data;
	memmove(&all[at + 1], &all[at], (count - at) * sizeof *all);
	all[at] = element;
	return STATUS_OK;
}

/* The element as struct decode_target names it. */
static struct absence place_of(const struct slot *s, const struct plan *plan, size_t in_record, size_t element)
{
	struct absence place = {.record = record_of(s, in_record, element), .field = in_record};
	size_t count;
	const struct absence *before = slot_map_left_out(s->map, &count);
	const bool by_records = decode_is_by_records(&plan->format.text, s->head.fields);
	for (size_t i = 0; i < count && !by_records && before[i].record <= place.record; i++)
		place.record++;
	return place;
}

/* Inserts a kept or held element. */
static enum status insert_held(struct bytes *helds, const struct held *held)
{
	if (bytes_append(helds, held, sizeof *held) != STATUS_OK)
		return STATUS_SYSTEM;
	struct held *all = (struct held *)(void *)helds->data;
	size_t at = helds->size / sizeof *all - 1;
	for (; at > 0 && all[at - 1].element > held->element; at--)
		all[at] = all[at - 1];
	all[at] = *held;
	return STATUS_OK;
}

/* Applies --nan to an element of a column of floats. The NaNs that are left out come in `skipped`. */
static enum status take_nan(const struct slot *s, const struct plan *plan, struct slot_column *k, size_t element,
			    struct bytes *skipped, struct map_fault *fault)
{
	static const char text[] = "nan";
	const struct missing_rule *rule = &plan->format.text.tokens.nan;
	const struct type *type = k->reading.type;
	const struct absence place = place_of(s, plan, k->field, element);
	const struct held held = {.element = element,
				  .record = record_of(s, k->field, element),
				  .text = text,
				  .size = sizeof text - 1,
				  .is_absent = rule->how == MISSING_KEEP};
	union value value;
	if (rule->how == MISSING_FAIL) {
		take_fault(s, k->field, element, "--map gives a NaN (see --nan)", NULL, fault);
		return STATUS_OK;
	}
	if (rule->how == MISSING_SKIP)
		return bytes_append(skipped, &place, sizeof place);
	if (rule->how != MISSING_VALUE)
		return insert_held(&k->helds, &held);
	(void)number_parse(rule->value, strlen(rule->value), type, &value);
	memcpy(k->elements + element * k->step, &value, type->size);
	return STATUS_OK;
}

/* Applies --nan to the values of a column of floats. */
static enum status take_nans(struct slot *s, const struct plan *plan, struct slot_column *k, struct bytes *skipped,
			     struct map_fault *fault)
{
	const struct text_rules *rules = &plan->format.text;
	const struct type *type = k->reading.type;
	enum status status = STATUS_OK;
	if (!rules->tokens.has_nan || rules->tokens.nan.how == MISSING_PROPAGATE || type->kind != KIND_FLOAT ||
	    k->step != type->size)
		return STATUS_OK;
	for (size_t i = 0; status == STATUS_OK; i++) {
		i += nan_find(type, k->elements + i * k->step, k->count - i);
		if (i == k->count)
			break;
		if (!is_held(k, i))
			status = take_nan(s, plan, k, i, skipped, fault);
	}
	return status;
}

enum status slot_map_evaluate(struct slot *s, const struct plan *plan, struct map_fault *fault, bool *more)
{
	const struct plan_map *map = &plan->map;
	struct slot_map *m = s->map;
	struct bytes skipped = {0};
	enum status status = STATUS_OK;
	*fault = (struct map_fault){.record = SIZE_MAX};
	for (size_t i = 0; i < s->decode.column_count && status == STATUS_OK; i++) {
		struct slot_column *k = &s->columns[i];
		const struct bytes *helds = &m->helds[k->field * map->form_count + k->form];
		k->count = s->decoding[column_index(plan, k->field, k->form, 0)].count;
		k->is_narrow = false;
		k->scales.size = k->helds.size = 0;
		status = bytes_append(&k->helds, helds->data, helds->size);
	}
	for (size_t i = 0; i < s->decode.column_count && status == STATUS_OK; i++) {
		struct slot_column *k = &s->columns[i];
		if (!map->forms[k->form].is_exact) {
			evaluate_numbers(s, plan, k->field, k->form, k, fault);
			status = take_nans(s, plan, k, &skipped, fault);
		} else if (next_column(s, k->field, k->form, 0) == i) {
			status = evaluate_decimals(s, plan, k->field, k->form, k->count);
		}
	}
	const struct absence *elements = (const struct absence *)(const void *)skipped.data;
	for (size_t i = 0; i < skipped.size / sizeof *elements && status == STATUS_OK; i++)
		status = leave_out(m, elements[i]);
	*more = skipped.size > 0;
	bytes_free(&skipped);
	return status;
}
