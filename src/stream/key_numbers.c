/* Gives each key of a chunk its number in the stream: keys are numbered in the order of their first records. The scans
 * of a new key begin. */
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
		if (c->lanes[i].serial_offset > 0)
			*segment_serial(&c->lanes[i], g) = 0;
		if (c->plan->emit.uses_total)
			segment_set_number(&c->lanes[i], g, 0);
		if (c->plan->lanes[i].window > 0)
			*segment_window(g) = (struct window){.length = c->plan->lanes[i].window,
							     .kept_size = c->lanes[i].kept_size,
							     .may_lack = c->plan->lacking.keeps_records &&
									 !c->plan->lanes[i].by_time,
							     .span.is_given = c->plan->lanes[i].by_time};
		segment_begin(&c->lanes[i], g);
	}
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
		key_scans_fetch_ahead(c->keys->keys, keys, i, count);
		if (number_key(c, s, &keys[i], &numbers[i]) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

enum status key_scans_number(const struct conductor *c, const struct slot *s)
{
	struct key_scans *k = c->keys;
	const size_t count = c->plan->format.text.key_count > 0 ? grouper_count(&s->keyed.keys) : 1;
	const enum status status = bytes_make(&k->numbers, count, sizeof(uint32_t));
	return status == STATUS_OK ? number_keys(c, s, (uint32_t *)(void *)k->numbers.data) : status;
}
