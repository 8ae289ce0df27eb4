/* Where segments begin. A record begins one where a reset field differs from that of the key's previous record, or
 * after a gap (--reset-on, --reset-gap): slot_find_resets finds these within a chunk, in any thread, and numbers each
 * key's segments; segments_number compares the key's first record in the chunk with its last one before. An element
 * begins one by count, or by what it is (--reset-every, --reset-at). */
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "number/parse.h"
#include "scanner/key_scans.h"

/* Whether the reset fields of a record differ from `size` bytes of text. */
static bool reset_differs(const struct slot *s, size_t record, const void *text, size_t size)
{
	const struct record_key *now = resets_text(&s->keyed.resets, record);
	return size != now->size || !memory_is_same(text, record_key_bytes(now, &s->keyed.key_bytes), size);
}

/* Whether a record's place is at least the --reset-gap away from `before`, in either direction. */
static bool leaves_gap(const struct slot *s, size_t record, int128 before, const struct text_rules *rules)
{
	return place_is_apart(&rules->gap, before, ((const int128 *)(const void *)s->keyed.gaps.data)[record]);
}

/* Whether `record` begins a segment, given that `before` is the key's previous record. */
static bool begins_after(const struct slot *s, const struct text_rules *rules, size_t record, size_t before)
{
	const uint32_t *numbers = (const uint32_t *)(const void *)s->keyed.resets.of_records.data;
	const int128 *places = (const int128 *)(const void *)s->keyed.gaps.data;
	if (rules->reset_count > 0 && numbers[record] != numbers[before]) {
		const struct record_key *text = resets_text(&s->keyed.resets, before);
		if (reset_differs(s, record, record_key_bytes(text, &s->keyed.key_bytes), text->size))
			return true;
	}
	return rules->gap.given && leaves_gap(s, record, places[before], rules);
}

/* Whether no total is of the record: it has no number, or is not even kept or held where that is enough. */
static bool lacks_all(const struct slot *s, const struct plan *plan, size_t record)
{
	const uint32_t *lacking = (const uint32_t *)(const void *)s->keyed.lacking.data;
	return s->keyed.lacking.size > 0 && (lacking[record] & ~LACKS_HELD) == plan->field_count &&
	       (totals_need_numbers(plan) || (lacking[record] & LACKS_HELD) == 0);
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
	const bool by_fields = text_resets_by_fields(rules);
	TRY(bytes_make(&s->keyed.begun, by_fields ? s->decode.decoded.records : 0, sizeof(uint32_t)));
	TRY(bytes_make(&s->keyed.key_records, by_fields ? key_count : 0, sizeof(struct key_records)));
	if (!by_fields || key_count == 0)
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

/* Whether the first record of a key in the slot begins segments. */
static bool begins_anew(const struct conductor *c, const struct slot *s, const struct key_resets *kept, size_t record)
{
	const struct text_rules *rules = &c->plan->format.text;
	if (!kept->is_known)
		return false;
	return (rules->reset_count > 0 && reset_differs(s, record, kept->text.data, kept->text.size)) ||
	       (rules->gap.given && leaves_gap(s, record, kept->place, rules));
}

enum status segments_number(const struct conductor *c, const struct slot *s)
{
	struct key_scans *k = c->keys;
	const struct key_records *records = (const struct key_records *)(const void *)s->keyed.key_records.data;
	const uint32_t *of_records = (const uint32_t *)(const void *)s->keyed.begun.data;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const size_t count = s->keyed.key_records.size / sizeof *records;
	TRY(bytes_make(&k->begun, count, sizeof(uint64_t)));
	uint64_t *begun = (uint64_t *)(void *)k->begun.data;
	for (size_t i = 0; i < count; i++) {
		/* (The record of a key may not have come about.) */
		if (numbers[i] == NO_KEY || records[i].end == 0)
			continue;
		struct key_resets *kept = key_resets_of(k, numbers[i]);
		begun[i] = kept->begun + begins_anew(c, s, kept, records[i].first);
		kept->begun = begun[i] + of_records[records[i].end - 1];
	}
	return STATUS_OK;
}

static enum status keep_text(const struct slot *s, size_t record, struct bytes *text)
{
	const struct record_key *reset = resets_text(&s->keyed.resets, record);
	text->size = 0;
	return bytes_append(text, record_key_bytes(reset, &s->keyed.key_bytes), reset->size);
}

static enum status keep(const struct conductor *c, const struct slot *s, const struct key_records *records,
			struct key_resets *kept)
{
	const struct text_rules *rules = &c->plan->format.text;
	kept->is_known = true;
	if (rules->gap.given)
		kept->place = ((const int128 *)(const void *)s->keyed.gaps.data)[records->end - 1];
	if (rules->reset_count > 0)
		TRY(keep_text(s, records->end - 1, &kept->text));
	if (rules->reset_count > 0 && c->plan->total && records->end_of_elements > 0)
		return keep_text(s, records->end_of_elements - 1, &kept->name);
	return STATUS_OK;
}

enum status segments_keep_last(const struct conductor *c, const struct slot *s)
{
	struct key_scans *k = c->keys;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const struct key_records *records = (const struct key_records *)(const void *)s->keyed.key_records.data;
	for (size_t i = 0; i < s->keyed.key_records.size / sizeof *records; i++) {
		if (numbers[i] != NO_KEY && records[i].end > 0)
			TRY(keep(c, s, &records[i], key_resets_of(k, numbers[i])));
	}
	return STATUS_OK;
}

bool segment_begins_parse(const struct plan *plan, const struct plan_lane *lane, struct reset_value *at)
{
	const size_t size = strlen(plan->resets.at);
	const struct type *t = lane->decimal ? &type_table[TYPE_F64] : lane->in;
	if (plan->resets.at_nan || plan->resets.after_missing)
		return true;
	if (number_parse(plan->resets.at, size, t, &at->value) != NUMBER_OK) {
		message_error("--reset-at: %s is not a value of %s", message_quoted_part(plan->resets.at, size),
			      lane->decimal ? "num" : t->name);
		return false;
	}
	if (!lane->decimal)
		return true;
	at->nearest = at->value.f64;
	(void)decimal_parse(plan->resets.at, size, &at->decimal);
	at->decimal.is_float = at->decimal.is_float ||
			       !decimal_mantissa(&at->decimal, at->decimal.scale, &type_table[TYPE_I128], &at->value);
	return true;
}

bool segment_begins_by_value(const struct run_scan *r, size_t i)
{
	const struct lane *l = r->lane;
	const struct reset_value *at = &r->lane->at;
	const bool at_nan = r->c->plan->resets.at_nan;
	union value v;
	if (r->c->plan->resets.after_missing)
		return i > 0 && !takes_part(r, i - 1);
	if (!takes_part(r, i))
		return at_nan && (r->column->roles.data[r->first + i] & ROLE_IS_NAN) != 0;
	if (at_nan && l->plan->decimal)
		return isnan(segment_f64_at(r, i));
	if (l->plan->decimal) {
		const unsigned char own = segment_scale_at(r, i);
		if ((own & OWN_SCALE_FLOAT) != 0 || at->decimal.is_float)
			return segment_f64_at(r, i) == at->nearest;
		return decimal_is_same(segment_mantissa_at(r, i), own & OWN_SCALE_MASK,
				       decimal_value(&at->value, &type_table[TYPE_I128]), at->decimal.scale);
	}
	memcpy(&v, segment_element_at(r, i), l->row.in->size);
	if (at_nan)
		return l->row.in->id == TYPE_F32 ? isnan(v.f32) : l->row.in->id == TYPE_F64 && isnan(v.f64);
	if (l->row.in->id == TYPE_F32)
		return v.f32 == at->value.f32;
	if (l->row.in->id == TYPE_F64)
		return v.f64 == at->value.f64;
	return memcmp(&v, &at->value, l->row.in->size) == 0;
}

bool segment_begins_at(const struct run_scan *r, size_t i, uint64_t count)
{
	const struct conductor *c = r->c;
	if (c->plan->resets.every > 0 && count == c->plan->resets.every)
		return true;
	if (text_resets_by_fields(&c->plan->format.text) && begun_at(r, i) != r->segment->begun)
		return true;
	if (c->plan->resets.at == NULL || count == 0)
		return false;
	if (c->plan->resets.after_missing && i == 0)
		return r->lane->counts_offset > 0 && segment_counts(r->lane, r->segment)->in_row > 0;
	return segment_begins_by_value(r, i);
}

/* Segments by count alone begin where the elements before say: in binary input there are as many as records. */
static size_t first_by_count(const struct plan *plan, const struct slot *s)
{
	const uint64_t begun = s->in.records_before % plan->resets.every;
	const uint64_t left = begun > 0 ? plan->resets.every - begun : 0;
	if (plan->format.input != FORMAT_BINARY)
		return SIZE_MAX;
	return left < SIZE_MAX ? (size_t)left : SIZE_MAX;
}

size_t segment_begins_first(const struct run_scan *r, size_t count)
{
	const struct plan *plan = r->c->plan;
	const bool by_fields = text_resets_by_fields(&plan->format.text);
	const size_t by_count = by_fields || plan->resets.at != NULL ? SIZE_MAX : first_by_count(plan, r->s);
	if (by_count < count)
		return by_count;
	for (size_t i = 0; i < count && (by_fields || plan->resets.at != NULL); i++) {
		if ((by_fields && begun_at(r, i) > 0) || (plan->resets.at != NULL && segment_begins_by_value(r, i)))
			return i;
	}
	return SIZE_MAX;
}

size_t segment_goes_on(const struct run_scan *r, size_t most)
{
	const bool by_fields = text_resets_by_fields(&r->c->plan->format.text);
	const bool by_value = r->c->plan->resets.at != NULL;
	size_t count = 1;
	if (!by_fields && !by_value)
		return most;
	while (count < most && !(by_fields && begun_at(r, count) != r->segment->begun) &&
	       !(by_value && segment_begins_by_value(r, count)))
		count++;
	return count;
}
