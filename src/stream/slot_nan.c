/* Applies --nan to decoded binary elements. NaNs that are kept or held stay in their column, as missing numbers of text
 * do, and are listed (struct held). */
#include <string.h>

#include "number/nan.h"
#include "number/parse.h"
#include "stream/slot.h"

/* Returns the first of the column's elements `from` to end - 1 that contains a NaN, or end. */
static size_t find(const struct slot_column *k, const struct packed *element, size_t from, size_t end)
{
	return from + nan_find_element(element, k->elements + from * k->step, k->step, end - from);
}

static void replace(struct slot *s, const struct packed *element, const char *text)
{
	for (size_t j = 0; j < element->count; j++) {
		const struct type *t = element->numbers[j].type;
		union value value;
		if (t->kind != KIND_FLOAT || number_parse(text, strlen(text), t, &value) != NUMBER_OK)
			continue; /* the plan has checked that every float type has the value */
		for (size_t i = 0; i < s->decode.column_count; i++) {
			const struct slot_column *k = &s->columns[i];
			unsigned char *number = k->elements + element->numbers[j].offset;
			for (size_t left = k->count; left > 0; left--, number += k->step) {
				if (nan_is(t, number))
					memcpy(number, &value, t->size);
			}
		}
	}
}

/* Ends the chunk before the first record with a NaN. The conductor adds the place to the problem. */
static void stop_at_first(struct slot *s, const struct plan *plan)
{
	for (size_t i = 0; i < s->decode.column_count; i++) {
		const struct slot_column *k = &s->columns[i];
		const size_t first = find(k, &plan->element, 0, s->decode.decoded.records);
		if (first == s->decode.decoded.records)
			continue;
		s->decode.decoded.records = first;
		s->decode.decoded.stop = DECODE_FAIL;
		s->decode.decoded.problem = (struct problem){
			.status = STATUS_DATA,
			.fatal = true,
			.field = plan->field_count > 1 ? plan->format.text.numbers[i * plan->element.count] : 0,
			.text = "a NaN (see --nan)",
		};
	}
	slot_keep_records(s, plan, s->decode.decoded.records);
}

/* Whether no column contains a NaN. */
static bool has_none(const struct slot *s, const struct packed *element)
{
	for (size_t i = 0; i < s->decode.column_count; i++) {
		if (find(&s->columns[i], element, 0, s->columns[i].count) < s->columns[i].count)
			return false;
	}
	return true;
}

/* Lists the elements with a NaN. They stay in their columns. */
static enum status list(struct slot *s, const struct packed *element, bool holds)
{
	static const char text[] = "nan";
	for (size_t i = 0; i < s->decode.column_count; i++) {
		struct slot_column *k = &s->columns[i];
		for (size_t record = 0; (record = find(k, element, record, k->count)) < k->count; record++) {
			const struct held held = {.element = record,
						  .record = record,
						  .text = text,
						  .size = sizeof text - 1,
						  .is_absent = !holds};
			if (bytes_append(&k->helds, &held, sizeof held) != STATUS_OK)
				return STATUS_SYSTEM;
		}
	}
	return STATUS_OK;
}

enum status slot_take_nans(struct slot *s, const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	const bool holds = t->tokens.nan.how == MISSING_HOLD;
	enum status status = STATUS_OK;
	for (size_t i = 0; i < s->decode.column_count; i++)
		s->columns[i].helds.size = 0;
	if (!t->tokens.has_nan || t->tokens.nan.how == MISSING_PROPAGATE || has_none(s, &plan->element))
		return STATUS_OK;
	if (t->tokens.nan.how == MISSING_VALUE)
		replace(s, &plan->element, t->tokens.nan.value);
	else if (t->tokens.nan.how == MISSING_FAIL)
		stop_at_first(s, plan);
	else if (t->tokens.nan.how == MISSING_KEEP || t->tokens.nan.how == MISSING_HOLD)
		status = list(s, &plan->element, holds);
	return status;
}
