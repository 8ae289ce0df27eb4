/* What the records of binary input are told apart by: the bytes of some of their columns, as the decoder has those of
 * fields. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "number/write.h"
#include "chunk/slot.h"

/* The bytes of some columns of a record, whose numbers these are: of several each with its size before it. */
static enum status add_columns(struct slot *s, const struct plan *plan, const unsigned char *record,
			       const uint64_t *numbers, size_t count, struct record_key *key)
{
	const size_t at = s->keyed.key_bytes.size;
	*key = (struct record_key){.bytes = (const char *)record + packed_column_offset(&plan->element, numbers[0]),
				   .size = packed_column_type(&plan->element, numbers[0])->size};
	for (size_t i = 0; i < count && count > 1; i++) {
		const size_t size = packed_column_type(&plan->element, numbers[i])->size;
		if (bytes_append(&s->keyed.key_bytes, &size, sizeof size) != STATUS_OK ||
		    bytes_append(&s->keyed.key_bytes, record + packed_column_offset(&plan->element, numbers[i]),
				 size) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	if (count > 1)
		*key = (struct record_key){.is_copied = true, .at = at, .size = s->keyed.key_bytes.size - at};
	return STATUS_OK;
}

/* Adds the keys of all records, or what their resets go by: the bytes of `count` columns. */
static enum status add_all(struct slot *s, const struct plan *plan, const uint64_t *numbers, size_t count,
			   bool are_keys)
{
	struct record_key key;
	bool is_new = false;
	for (size_t i = 0; i < s->decode.decoded.records && count > 0; i++) {
		const size_t copied = s->keyed.key_bytes.size;
		const unsigned char *record = s->in.data + i * plan->format.record_size;
		enum status status = add_columns(s, plan, record, numbers, count, &key);
		if (status == STATUS_OK && are_keys)
			status = grouper_add(&s->keyed.keys, plan->format.text.hash_key, &key, &s->keyed.key_bytes,
					     &is_new);
		else if (status == STATUS_OK)
			status = resets_add(&s->keyed.resets, &key, &s->keyed.key_bytes, &is_new);
		if (status != STATUS_OK)
			return status;
		s->keyed.key_bytes.size = is_new ? s->keyed.key_bytes.size : copied;
	}
	return STATUS_OK;
}

/* Reads the column of a place. which: its index. A number that is no valid place ends the chunk before its record. */
static enum status add_places(struct slot *s, const struct plan *plan, const struct place_rule *rule, uint64_t number,
			      size_t which, struct bytes *places)
{
	const struct type *t = packed_column_type(&plan->element, number);
	const size_t offset = packed_column_offset(&plan->element, number);
	if (bytes_reserve(places, s->decode.decoded.records * sizeof(int128)) != STATUS_OK)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < s->decode.decoded.records; i++) {
		char text[NUMBER_TEXT_MAX + 1];
		union value value = {0};
		struct text_place place;
		char what[PROBLEM_TEXT_SIZE];
		memcpy(&value, s->in.data + i * plan->format.record_size + offset, t->size);
		if (plan->format.in_swapped)
			decode_swap(&value, 1, t->size);
		const size_t size = number_format(text, t, &value);
		const enum place_fault fault = place_read(rule, text, size, &place);
		const enum place_kind kind = place_kind_of(s->decode.decoded.place_kinds, which);
		text[size] = '\0';
		(void)snprintf(what, sizeof what, "no number for %s: %s", rule->option, text);
		if (fault == PLACE_LACKS_TIME)
			place_describe_fault(rule, fault, text, size, number, what, sizeof what);
		else if (fault == PLACE_GOOD && !place_kind_fits(kind, place.kind))
			place_describe_kind(rule->option, place.kind, kind, text, what, sizeof what);
		if (fault != PLACE_GOOD || !place_kind_fits(kind, place.kind)) {
			struct problem *p = &s->decode.decoded.problem;
			*p = (struct problem){.status = STATUS_DATA, .fatal = true, .field = number};
			memcpy(p->text, what, sizeof what);
			s->decode.decoded.stop = DECODE_FAIL;
			slot_keep_records(s, plan, i);
			return STATUS_OK;
		}
		place_kinds_add(&s->decode.decoded.place_kinds, place.kind, which);
		memcpy(places->data + places->size, &place.at, sizeof place.at);
		places->size += sizeof place.at;
	}
	return STATUS_OK;
}

enum status slot_read_keys(struct slot *s, const struct plan *plan)
{
	const struct text_rules *rules = &plan->format.text;
	s->keyed.key_bytes.size = 0;
	grouper_clear(&s->keyed.keys);
	resets_clear(&s->keyed.resets);
	s->keyed.gaps.size = s->keyed.times.size = 0;
	if (!text_has_keys(rules))
		return STATUS_OK;
	assert(rules->numbers != NULL); /* columns of bytes have no names */
	const uint64_t *numbers = rules->numbers + rules->field_count;
	if (rules->gap.given && add_places(s, plan, &rules->gap, rules->numbers[text_gap_field(rules)], PLACE_OF_GAP,
					   &s->keyed.gaps) != STATUS_OK)
		return STATUS_SYSTEM;
	if (rules->span.given && add_places(s, plan, &rules->span, rules->numbers[text_span_field(rules)],
					    PLACE_OF_SPAN, &s->keyed.times) != STATUS_OK)
		return STATUS_SYSTEM;
	if (add_all(s, plan, numbers, rules->key_count, true) != STATUS_OK)
		return STATUS_SYSTEM;
	return add_all(s, plan, numbers + rules->key_count, rules->reset_count, false);
}
