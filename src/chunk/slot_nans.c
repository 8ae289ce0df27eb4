/* Finds the NaNs of a column and their records. Elements that --nan=skip leaves out are only listed here: the chunk is
 * then decoded again without them. */
#include "chunk/slot_nans.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "number/nan.h"
#include "number/parse.h"
#include "chunk/slot.h"

void map_nans_free(struct map_nans *n)
{
	bytes_free_all(&n->left_out, &n->skipped, &n->helds);
}

/* --- Places */

/* Finds the records of a column's elements, which are asked for in ascending order. */
struct records {
	const struct absence *absences; /* Elements that are not in their columns, in order. Borrowed. */
	size_t count;
	size_t field; /* The index of the column's elements in their records. */
	size_t next; /* The next of the absences. */
	size_t lacking; /* How many before that are of the field. */
};

static struct records records_of(const struct bytes *absences, size_t field)
{
	return (struct records){.absences = (const struct absence *)(const void *)absences->data,
				.count = absences->size / sizeof(struct absence),
				.field = field};
}

/* The record of an element. */
static inline size_t record_of(struct records *r, size_t element)
{
	for (; r->next < r->count && r->absences[r->next].record <= element + r->lacking; r->next++)
		r->lacking += r->absences[r->next].field == r->field;
	return element + r->lacking;
}

/* (The columns come in the order of their elements, so that the first of a record is noted.) */
static void note_fault(const struct map_fault *fault, struct map_fault *first)
{
	if (fault->record < first->record)
		*first = *fault;
}

void map_note_fault(const struct slot *s, size_t in_record, size_t element, const char *why, const struct type *type,
		    struct map_fault *first)
{
	struct records records = records_of(&s->decode.absences, in_record);
	note_fault(
		&(struct map_fault){
			.record = record_of(&records, element), .element = in_record, .why = why, .type = type},
		first);
}

/* The order of left_out. */
static int compare(const void *left, const void *right)
{
	const struct absence *a = left;
	const struct absence *b = right;
	if (a->record != b->record)
		return a->record < b->record ? -1 : 1;
	return (a->field > b->field) - (a->field < b->field);
}

enum status map_leave_out(struct map_nans *n)
{
	if (n->skipped.size == 0)
		return STATUS_OK;
	TRY(bytes_append(&n->left_out, n->skipped.data, n->skipped.size));
	n->skipped.size = 0;
	struct absence *all = (struct absence *)(void *)n->left_out.data;
	const size_t count = n->left_out.size / sizeof *all;
	size_t ordered = 1;
	while (ordered < count && compare(&all[ordered - 1], &all[ordered]) < 0)
		ordered++;
	if (ordered == count)
		return STATUS_OK;
	qsort(all, count, sizeof *all, compare);
	/* (Several forms of an element give the same NaN.) */
	size_t kept = 1;
	for (size_t i = 1; i < count; i++) {
		if (compare(&all[kept - 1], &all[i]) != 0)
			all[kept++] = all[i];
	}
	n->left_out.size = kept * sizeof *all;
	return STATUS_OK;
}

/* --- NaNs */

/* The numbers of an element of a column. */
static struct packed layout_of(const struct plan *plan, const struct slot_column *k)
{
	if (plan->format.input == FORMAT_BINARY)
		return plan->element;
	assert(plan->map.value_count <= PACKED_MAX);
	return k->reading.numbers != NULL ? *k->reading.numbers : packed_of(k->reading.type, plan->map.value_count);
}

/* Returns the first of the column's elements `from` to end - 1 that contains a NaN, or end. */
static inline size_t find(const struct slot_column *k, const struct packed *layout, size_t from, size_t end)
{
	const struct type *f64 = &type_table[TYPE_F64];
	if (!k->reading.own_scale)
		return from + nan_find_element(layout, k->elements + from * k->step, k->step, end - from);
	if (k->is_narrow)
		return end;
	while (from < end &&
	       ((k->scales.data[from] & OWN_SCALE_FLOAT) == 0 || !nan_is(f64, k->elements + from * k->step)))
		from++;
	return from;
}

/* Puts a number in the place of a NaN among exact decimals that are not narrow. */
static void replace_decimal(const struct slot_column *k, size_t element, const char *text)
{
	const struct type *wide = &type_table[TYPE_I128];
	union value value = {.i128 = {0}};
	struct decimal d = {0};
	unsigned scale = OWN_SCALE_FLOAT;
	if (decimal_parse(text, strlen(text), &d) && !d.is_float && decimal_mantissa(&d, d.scale, wide, &value)) {
		const bool is_zero = value.i128.lo == 0 && value.i128.hi == 0;
		scale = d.scale | (d.negative && is_zero ? OWN_SCALE_NEGATIVE_ZERO : 0);
	} else {
		(void)number_parse(text, strlen(text), &type_table[TYPE_F64], &value);
	}
	memcpy(k->elements + element * k->step, &value, wide->size);
	k->scales.data[element] = (unsigned char)scale;
}

/* Puts a number in the place of each NaN of the column's elements `from` to end - 1. Element `from` has one. */
static void replace(const struct slot_column *k, const struct packed *layout, size_t from, size_t end, const char *text)
{
	for (size_t i = from; i < end && k->reading.own_scale; i = find(k, layout, i + 1, end))
		replace_decimal(k, i, text);
	for (size_t j = 0; j < layout->count && !k->reading.own_scale; j++) {
		const struct type *t = layout->numbers[j].type;
		unsigned char *number = k->elements + from * k->step + layout->numbers[j].offset;
		union value value;
		if (t->kind != KIND_FLOAT || number_parse(text, strlen(text), t, &value) != NUMBER_OK)
			continue; /* the plan has checked that every float type has the value */
		const size_t step = k->step;
		const size_t size = t->size;
		for (size_t left = end - from; left > 0; left--, number += step) {
			if (nan_is(t, number))
				memcpy(number, &value, size);
		}
	}
}

/* Inserts kept and held elements, which are in order as those of the column are. */
static enum status merge_helds(struct bytes *helds, const struct bytes *others)
{
	const struct held *from = (const struct held *)(const void *)others->data;
	size_t left = others->size / sizeof *from;
	size_t own = helds->size / sizeof *from;
	TRY(bytes_append(helds, others->data, others->size));
	struct held *all = (struct held *)(void *)helds->data;
	for (size_t to = own + left; left > 0;) {
		const bool is_own = own > 0 && all[own - 1].element > from[left - 1].element;
		all[--to] = is_own ? all[--own] : from[--left];
	}
	return STATUS_OK;
}

enum status map_apply_nan(const struct slot *s, const struct plan *plan, struct slot_column *k, size_t count,
			  struct map_nans *n, struct map_fault *first)
{
	static const char text[] = "nan";
	const struct text_rules *rules = &plan->format.text;
	const struct missing_rule *rule = &rules->tokens.nan;
	const bool lists = rule->how == MISSING_KEEP || rule->how == MISSING_HOLD;
	struct held held = {.text = text, .size = sizeof text - 1, .is_absent = rule->how == MISSING_KEEP};
	const struct held *helds = (const struct held *)(const void *)k->helds.data;
	size_t helds_left = k->helds.size / sizeof *helds;
	/* (The list is sorted: what comes after others is merged with them.) */
	struct bytes *added = k->helds.size == 0 ? &k->helds : &n->helds;
	n->helds.size = 0;
	if (!rules->tokens.has_nan || rule->how == MISSING_PROPAGATE)
		return STATUS_OK;
	const struct packed layout = layout_of(plan, k);
	size_t i = find(k, &layout, 0, count);
	if (i < count && rule->how == MISSING_VALUE)
		replace(k, &layout, i, count, rule->value);
	if (i == count || rule->how == MISSING_VALUE)
		return STATUS_OK;
	/* (See struct decode_target: left_out.) */
	const bool counts_records = decode_counts_records(rules, s->head.fields);
	struct records records =
		records_of(counts_records || rule->how != MISSING_SKIP ? &s->decode.absences : &n->left_out, k->field);
	for (; i < count; i = find(k, &layout, i + 1, count)) {
		for (; helds_left > 0 && helds->element < i; helds_left--)
			helds++;
		if (helds_left > 0 && helds->element == i)
			continue;
		held.element = i;
		held.record = record_of(&records, i);
		if (lists)
			TRY(bytes_append(added, &held, sizeof held));
		else if (rule->how == MISSING_SKIP) {
			const struct absence absence = {.record = held.record, .field = k->field};
			TRY(bytes_append(&n->skipped, &absence, sizeof absence));
		} else {
			note_fault(&(struct map_fault){.record = held.record,
						       .element = k->field,
						       .why = "--map gives a NaN (see --nan)"},
				   first);
			break;
		}
	}
	return added == &n->helds ? merge_helds(&k->helds, added) : STATUS_OK;
}

enum status slot_apply_nan(struct slot *s, const struct plan *plan)
{
	struct map_nans unused = {0}; /* nothing is skipped, and no element was held before */
	struct map_fault fault = {.record = SIZE_MAX};
	for (size_t i = 0; i < s->decode.column_count; i++) {
		s->columns[i].helds.size = 0;
		TRY(map_apply_nan(s, plan, &s->columns[i], s->columns[i].count, &unused, &fault));
	}
	if (fault.record == SIZE_MAX)
		return STATUS_OK;
	s->decode.decoded.stop = DECODE_FAIL;
	s->decode.decoded.problem = (struct problem){
		.status = STATUS_DATA,
		.fatal = true,
		.field = plan->field_count > 1 ? plan->format.text.numbers[fault.element * plan->element.count] : 0,
		.text = "a NaN (see --nan)",
	};
	slot_keep_records(s, plan, fault.record);
	return STATUS_OK;
}
