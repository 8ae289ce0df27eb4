/* Finds which records of a chunk begin segments. A key's first record in the chunk may also begin one; only the
 * conductor knows that. */
#include <string.h>

#include "stream/slot.h"

bool slot_reset_differs(const struct slot *s, size_t record, const void *text, size_t size)
{
	const struct record_key *now = resets_text(&s->keyed.resets, record);
	return size != now->size || !memory_is_same(text, record_key_bytes(now, &s->keyed.key_bytes), size);
}

bool slot_leaves_gap(const struct slot *s, size_t record, int128 before, const struct text_rules *rules)
{
	return gap_is_between(rules, before, ((const int128 *)(const void *)s->keyed.gaps.data)[record]);
}

/* Whether `record` begins a segment, given that `before` is the key's previous record. */
static bool begins_after(const struct slot *s, const struct text_rules *rules, size_t record, size_t before)
{
	const uint32_t *numbers = (const uint32_t *)(const void *)s->keyed.resets.of_records.data;
	const int128 *places = (const int128 *)(const void *)s->keyed.gaps.data;
	if (rules->reset_count > 0 && numbers[record] != numbers[before]) {
		const struct record_key *text = resets_text(&s->keyed.resets, before);
		if (slot_reset_differs(s, record, record_key_bytes(text, &s->keyed.key_bytes), text->size))
			return true;
	}
	return rules->gap.given && slot_leaves_gap(s, record, places[before], rules);
}

static bool lacks_all(const struct slot *s, const struct plan *plan, size_t record)
{
	const uint32_t *lacking = (const uint32_t *)(const void *)s->keyed.lacking.data;
	return s->keyed.lacking.size > 0 && (lacking[record] & ~LACKS_HELD) == plan->field_count;
}

/* Without keys and gaps, the numbers of the reset texts are already the segment numbers. */
static void find_alone(struct slot *s, const struct plan *plan, uint32_t *begun, struct key_records *records)
{
	const uint32_t count = (uint32_t)s->decode.decoded.records;
	uint32_t elements = count;
	while (elements > 0 && lacks_all(s, plan, elements - 1))
		elements--;
	if (count > 0)
		memcpy(begun, s->keyed.resets.of_records.data, count * sizeof *begun);
	*records = (struct key_records){.end = count, .end_of_elements = elements};
}

static void find_by_key(struct slot *s, const struct plan *plan, uint32_t *begun, struct key_records *records)
{
	const struct text_rules *rules = &plan->format.text;
	const uint32_t *keys = (const uint32_t *)(const void *)s->keyed.keys.of_records.data;
	for (uint32_t i = 0; i < s->decode.decoded.records; i++) {
		struct key_records *r = &records[rules->key_count > 0 ? keys[i] : 0];
		const bool lacks = lacks_all(s, plan, i);
		begun[i] = 0;
		if (r->end > 0)
			begun[i] = begun[r->end - 1] + begins_after(s, rules, i, r->end - 1);
		else
			r->first = i;
		r->end = i + 1;
		r->end_of_elements = lacks ? r->end_of_elements : i + 1;
	}
}

enum status slot_find_resets(struct slot *s, const struct plan *plan)
{
	const struct text_rules *rules = &plan->format.text;
	const size_t key_count = rules->key_count > 0 ? grouper_count(&s->keyed.keys) : 1;
	const bool by_records = text_resets_by_records(rules);
	if (bytes_make(&s->keyed.begun, by_records ? s->decode.decoded.records : 0, sizeof(uint32_t)) != STATUS_OK ||
	    bytes_make(&s->keyed.key_records, by_records ? key_count : 0, sizeof(struct key_records)) != STATUS_OK)
		return STATUS_SYSTEM;
	if (!by_records || key_count == 0)
		return STATUS_OK;
	uint32_t *begun = (uint32_t *)(void *)s->keyed.begun.data;
	struct key_records *records = (struct key_records *)(void *)s->keyed.key_records.data;
	s->keyed.begun.size = s->decode.decoded.records * sizeof *begun;
	s->keyed.key_records.size = key_count * sizeof *records;
	memset(records, 0, s->keyed.key_records.size);
	if (rules->key_count == 0 && !rules->gap.given)
		find_alone(s, plan, begun, records);
	else
		find_by_key(s, plan, begun, records);
	return STATUS_OK;
}
