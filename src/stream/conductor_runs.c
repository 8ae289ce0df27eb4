/* Which keys a chunk has, and which records begin segments. */
#include <string.h>

#include "stream/key_scans.h"

static void fetch_ahead(const struct keys *k, const struct record_key *keys, size_t i, size_t count)
{
	if (i + 2 * AHEAD < count)
		keys_fetch_place(k, keys[i + 2 * AHEAD].hash);
	if (i + AHEAD < count)
		keys_fetch_block(k, keys[i + AHEAD].hash);
}

/* Whether a record begins segments of its key: what its resets go by is not what the key's record before has. */
static bool begins(const struct slot *s, struct key_resets *kept, size_t record)
{
	const struct record_key *resets = (const struct record_key *)(const void *)s->resets.data;
	const struct record_key *now = &resets[record];
	const bool is_first = kept->last == 0 && !kept->has_text;
	const void *text = kept->text.data;
	size_t size = kept->text.size;
	if (kept->last > 0) {
		text = record_key_bytes(&resets[kept->last - 1], &s->key_bytes);
		size = resets[kept->last - 1].size;
	}
	kept->last = record + 1;
	return !is_first &&
	       (size != now->size || (size > 0 && memcmp(text, record_key_bytes(now, &s->key_bytes), size) != 0));
}

/* The same where its number or time is more than the gap greater. */
static bool leaves_gap(const struct slot *s, int128 gap, struct key_resets *kept, size_t record)
{
	const int128 *places = (const int128 *)(const void *)s->gaps.data;
	const int128 before = kept->place;
	int128 step;
	const bool is_first = !kept->has_place;
	kept->place = places[record];
	kept->has_place = true;
	if (is_first || kept->place <= before)
		return false;
	return __builtin_sub_overflow(kept->place, before, &step) || step > gap;
}

/* A key of the chunk, numbered; a new one begins. */
static enum status number_key(const struct conductor *c, const struct slot *s, const struct record_key *key,
			      uint32_t *number)
{
	struct key_scans *k = c->keys;
	const uint32_t count = keys_count(k->keys);
	if (keys_find(k->keys, key->hash, record_key_bytes(key, &s->key_bytes), key->size, number) != STATUS_OK)
		return STATUS_SYSTEM;
	if (keys_count(k->keys) > count)
		key_scans_begin_key(c, *number);
	return STATUS_OK;
}

/* Numbers the chunk's keys where some records lack all their elements: by such a record no key begins. */
static enum status number_lacking(const struct conductor *c, const struct slot *s, uint32_t *numbers)
{
	struct key_scans *k = c->keys;
	const struct record_key *keys = (const struct record_key *)(const void *)s->keys.keys.data;
	const uint32_t *of_records = (const uint32_t *)(const void *)s->keys.of_records.data;
	const uint32_t *lacking = (const uint32_t *)(const void *)s->lacking.data;
	for (size_t i = 0; i < grouper_count(&s->keys); i++) {
		const void *bytes = record_key_bytes(&keys[i], &s->key_bytes);
		if (!keys_look_up(k->keys, keys[i].hash, bytes, keys[i].size, &numbers[i]))
			numbers[i] = NO_KEY;
	}
	for (size_t i = 0; i < s->decoded.records; i++) {
		const uint32_t key = of_records[i];
		if (numbers[key] == NO_KEY && lacking[i] < c->plan->field_count &&
		    number_key(c, s, &keys[key], &numbers[key]) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

static enum status number_keys(const struct conductor *c, const struct slot *s, uint32_t *numbers)
{
	static const struct record_key only = {.bytes = ""};
	const struct record_key *keys = (const struct record_key *)(const void *)s->keys.keys.data;
	const size_t count = grouper_count(&s->keys);
	if (c->plan->format.text.key_count == 0)
		return number_key(c, s, &only, numbers);
	if (s->lacking.size > 0)
		return number_lacking(c, s, numbers);
	for (size_t i = 0; i < count; i++) {
		fetch_ahead(c->keys->keys, keys, i, count);
		if (number_key(c, s, &keys[i], &numbers[i]) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

/* Notes the segments that the slot's records begin. */
static void find_begun(const struct conductor *c, const struct slot *s, const uint32_t *numbers, uint64_t *begun)
{
	const struct key_scans *k = c->keys;
	const struct text_rules *rules = &c->plan->format.text;
	const uint32_t *of_records = (const uint32_t *)(const void *)s->keys.of_records.data;
	const uint32_t *lacking = (const uint32_t *)(const void *)s->lacking.data;
	for (size_t i = 0; i < s->decoded.records; i++) {
		const uint32_t key = numbers[rules->key_count > 0 ? of_records[i] : 0];
		const bool lacks = s->lacking.size > 0 && lacking[i] == c->plan->field_count;
		if (key == NO_KEY)
			continue;
		struct key_resets *resets = key_resets_of(k, key);
		const bool changes = rules->reset_count > 0 && begins(s, resets, i);
		const bool leaves = rules->has_gap && leaves_gap(s, rules->gap, resets, i);
		resets->begun += changes || leaves;
		resets->last_of_element = lacks ? resets->last_of_element : i + 1;
		begun[i] = resets->begun;
	}
}

/* Numbers the keys of the slot's records, and notes the segments that these begin. */
enum status key_scans_number(const struct conductor *c, const struct slot *s)
{
	struct key_scans *k = c->keys;
	const bool by_records = key_scans_resets_by_records(&c->plan->format.text);
	if (bytes_make(&k->numbers, grouper_count(&s->keys) + 1, sizeof(uint32_t)) != STATUS_OK ||
	    bytes_make(&k->begun, by_records ? s->decoded.records : 0, sizeof(uint64_t)) != STATUS_OK)
		return STATUS_SYSTEM;
	uint32_t *numbers = (uint32_t *)(void *)k->numbers.data;
	if (number_keys(c, s, numbers) != STATUS_OK)
		return STATUS_SYSTEM;
	if (by_records)
		find_begun(c, s, numbers, (uint64_t *)(void *)k->begun.data);
	return STATUS_OK;
}

static enum status keep_text(const struct slot *s, size_t record, struct bytes *text)
{
	const struct record_key *reset = (const struct record_key *)(const void *)s->resets.data + record;
	text->size = 0;
	return bytes_append(text, record_key_bytes(reset, &s->key_bytes), reset->size);
}

/* What a key's resets go by, of its last record in the slot, and what its segment's total is to be called. */
static enum status keep_texts(const struct slot *s, struct key_resets *kept, bool names)
{
	enum status status = keep_text(s, kept->last - 1, &kept->text);
	if (status == STATUS_OK && names && kept->last_of_element > 0)
		status = keep_text(s, kept->last_of_element - 1, &kept->name);
	kept->last = kept->last_of_element = 0;
	kept->has_text = true;
	return status;
}

/* The same of each key. */
enum status key_scans_keep(const struct conductor *c, const struct slot *s)
{
	struct key_scans *k = c->keys;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const size_t count = c->plan->format.text.key_count > 0 ? grouper_count(&s->keys) : 1;
	for (size_t i = 0; i < count && s->resets.size > 0; i++) {
		struct key_resets *resets = numbers[i] != NO_KEY ? key_resets_of(k, numbers[i]) : NULL;
		if (resets != NULL && resets->last > 0 && keep_texts(s, resets, c->plan->total) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}
