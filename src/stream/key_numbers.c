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

/* Looks up the chunk's keys. */
struct look_up {
	const struct keys *table;
	const struct slot *s;
	size_t count;
	uint32_t *numbers; /* NO_KEY: the key is not there yet */
};

static void look_up(void *owner, size_t piece)
{
	const struct look_up *l = owner;
	const struct record_key *keys = (const struct record_key *)(const void *)l->s->keyed.keys.keys.data;
	const size_t end = key_slice_end(piece, l->count);
	for (size_t i = key_slice_first(piece, l->count); i < end; i++) {
		const void *bytes = record_key_bytes(&keys[i], &l->s->keyed.key_bytes);
		key_scans_fetch_ahead(l->table, keys, i, l->count);
		if (!keys_look_up(l->table, keys[i].hash, bytes, keys[i].size, &l->numbers[i]))
			l->numbers[i] = NO_KEY;
	}
}

/* Numbers the keys that are new. Where some records lack all their numbers, such a record begins no key, unless it is
 * kept or held. */
static enum status number_new(const struct conductor *c, const struct slot *s, size_t count, uint32_t *numbers)
{
	const struct record_key *keys = (const struct record_key *)(const void *)s->keyed.keys.keys.data;
	const uint32_t *of_records = (const uint32_t *)(const void *)s->keyed.keys.of_records.data;
	const uint32_t *lacking = (const uint32_t *)(const void *)s->keyed.lacking.data;
	const bool all = s->keyed.lacking.size == 0;
	const size_t most = all ? count : s->decode.decoded.records;
	for (size_t i = 0; i < most; i++) {
		const size_t key = all ? i : of_records[i];
		const bool begins = all || lacking[i] < c->plan->field_count || (lacking[i] & LACKS_HELD) != 0;
		if (numbers[key] == NO_KEY && begins && number_key(c, s, &keys[key], &numbers[key]) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

enum status key_scans_number(const struct conductor *c, const struct slot *s)
{
	static const struct record_key only = {.bytes = ""};
	struct key_scans *k = c->keys;
	const bool has_keys = c->plan->format.text.key_count > 0;
	const size_t count = has_keys ? grouper_count(&s->keyed.keys) : 1;
	if (bytes_make(&k->numbers, count, sizeof(uint32_t)) != STATUS_OK)
		return STATUS_SYSTEM;
	struct look_up l = {
		.table = k->keys, .s = s, .count = count, .numbers = (uint32_t *)(void *)k->numbers.data};
	if (!has_keys)
		return number_key(c, s, &only, l.numbers);
	pool_do_all(c->keys_pool, key_slice_count(count), look_up, &l);
	return number_new(c, s, count, l.numbers);
}
