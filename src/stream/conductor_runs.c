/* Finds a chunk's keys, and the segments that its records begin. */
#include <string.h>

#include "stream/key_scans.h"

void key_scans_begin_key(const struct conductor *c, uint32_t key)
{
	const struct key_scans *k = c->keys;
	unsigned char *block = keys_block(k->keys, key);
	memset(block, 0, k->head_size);
	for (size_t i = 0; i < c->lane_count; i++) {
		struct segment *g = key_segment(c, i, key);
		*g = (struct segment){0};
		if (c->lanes[i].counts_offset > 0)
			*segment_counts(&c->lanes[i], g) = (struct record_counts){0};
		if (c->plan->window > 0)
			*segment_window(g) = (struct window){.length = c->plan->window,
							     .kept_size = c->lanes[i].kept_size,
							     .may_lack = c->plan->lacking.keeps_records};
		segment_begin(c, &c->lanes[i], g);
	}
}

static void fetch_ahead(const struct keys *k, const struct record_key *keys, size_t i, size_t count)
{
	if (i + 2 * AHEAD < count)
		keys_fetch_place(k, keys[i + 2 * AHEAD].hash);
	if (i + AHEAD < count)
		keys_fetch_block(k, keys[i + AHEAD].hash);
}

/* A key of the chunk, numbered; a new one begins. */
static enum status number_key(const struct conductor *c, const struct slot *s, const struct record_key *key,
			      uint32_t *number)
{
	struct key_scans *k = c->keys;
	const uint32_t count = keys_count(k->keys);
	if (keys_find(k->keys, key->hash, record_key_bytes(key, &s->keyed.key_bytes), key->size, number) != STATUS_OK)
		return STATUS_SYSTEM;
	if (keys_count(k->keys) > count)
		key_scans_begin_key(c, *number);
	return STATUS_OK;
}

/* Numbers the chunk's keys where some records lack all their numbers: by such a record no key begins, unless it is kept
 * or held. */
static enum status number_lacking(const struct conductor *c, const struct slot *s, uint32_t *numbers)
{
	struct key_scans *k = c->keys;
	const struct record_key *keys = (const struct record_key *)(const void *)s->keyed.keys.keys.data;
	const uint32_t *of_records = (const uint32_t *)(const void *)s->keyed.keys.of_records.data;
	const uint32_t *lacking = (const uint32_t *)(const void *)s->keyed.lacking.data;
	for (size_t i = 0; i < grouper_count(&s->keyed.keys); i++) {
		const void *bytes = record_key_bytes(&keys[i], &s->keyed.key_bytes);
		if (!keys_look_up(k->keys, keys[i].hash, bytes, keys[i].size, &numbers[i]))
			numbers[i] = NO_KEY;
	}
	for (size_t i = 0; i < s->decode.decoded.records; i++) {
		const uint32_t key = of_records[i];
		if (numbers[key] == NO_KEY && (lacking[i] < c->plan->field_count || (lacking[i] & LACKS_HELD) != 0) &&
		    number_key(c, s, &keys[key], &numbers[key]) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

static enum status number_keys(const struct conductor *c, const struct slot *s, uint32_t *numbers)
{
	static const struct record_key only = {.bytes = ""};
	const struct record_key *keys = (const struct record_key *)(const void *)s->keyed.keys.keys.data;
	const size_t count = grouper_count(&s->keyed.keys);
	if (c->plan->format.text.key_count == 0)
		return number_key(c, s, &only, numbers);
	if (s->keyed.lacking.size > 0)
		return number_lacking(c, s, numbers);
	for (size_t i = 0; i < count; i++) {
		fetch_ahead(c->keys->keys, keys, i, count);
		if (number_key(c, s, &keys[i], &numbers[i]) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

/* Whether the first record of a key in the slot begins segments. */
static bool begins_anew(const struct conductor *c, const struct slot *s, const struct key_resets *kept, size_t record)
{
	const struct text_rules *rules = &c->plan->format.text;
	if (!kept->is_known)
		return false;
	return (rules->reset_count > 0 && slot_reset_differs(s, record, kept->text.data, kept->text.size)) ||
	       (rules->gap.given && slot_leaves_gap(s, record, kept->place, rules));
}

/* Counts the segments that each key has begun. */
static void find_begun(const struct conductor *c, const struct slot *s, size_t count)
{
	const struct key_scans *k = c->keys;
	const struct key_records *records = (const struct key_records *)(const void *)s->keyed.key_records.data;
	const uint32_t *of_records = (const uint32_t *)(const void *)s->keyed.begun.data;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	uint64_t *begun = (uint64_t *)(void *)k->begun.data;
	for (size_t i = 0; i < count; i++) {
		/* (The record of a key may not have come about.) */
		if (numbers[i] == NO_KEY || records[i].end == 0)
			continue;
		struct key_resets *kept = key_resets_of(k, numbers[i]);
		begun[i] = kept->begun + begins_anew(c, s, kept, records[i].first);
		kept->begun = begun[i] + of_records[records[i].end - 1];
	}
}

/* The keys of the slot's records. */
static size_t count_keys(const struct conductor *c, const struct slot *s)
{
	return c->plan->format.text.key_count > 0 ? grouper_count(&s->keyed.keys) : 1;
}

enum status key_scans_number(const struct conductor *c, const struct slot *s)
{
	struct key_scans *k = c->keys;
	const bool by_records = text_resets_by_records(&c->plan->format.text);
	const size_t count = count_keys(c, s);
	if (bytes_make(&k->numbers, count, sizeof(uint32_t)) != STATUS_OK ||
	    bytes_make(&k->begun, by_records ? count : 0, sizeof(uint64_t)) != STATUS_OK ||
	    number_keys(c, s, (uint32_t *)(void *)k->numbers.data) != STATUS_OK)
		return STATUS_SYSTEM;
	if (by_records)
		find_begun(c, s, count);
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
	if (rules->reset_count > 0 && keep_text(s, records->end - 1, &kept->text) != STATUS_OK)
		return STATUS_SYSTEM;
	if (rules->reset_count > 0 && c->plan->total && records->end_of_elements > 0)
		return keep_text(s, records->end_of_elements - 1, &kept->name);
	return STATUS_OK;
}

enum status key_scans_keep(const struct conductor *c, const struct slot *s)
{
	struct key_scans *k = c->keys;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const struct key_records *records = (const struct key_records *)(const void *)s->keyed.key_records.data;
	enum status status = STATUS_OK;
	for (size_t i = 0; i < s->keyed.key_records.size / sizeof *records && status == STATUS_OK; i++) {
		if (numbers[i] != NO_KEY && records[i].end > 0)
			status = keep(c, s, &records[i], key_resets_of(k, numbers[i]));
	}
	return status;
}
