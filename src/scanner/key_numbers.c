/* Gives each key of a chunk its number in the stream: keys are numbered in the order of their first records. The scans
 * of a new key begin. */
#include <string.h>

#include "scanner/key_scans.h"
#include "scanner/key_slices.h"

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
		if (c->lanes[i].number_offset > 0)
			*segment_number(&c->lanes[i], g) = 0;
		if (c->plan->lanes[i].window > 0)
			*segment_window(g) = (struct window){.length = c->plan->lanes[i].window,
							     .kept_size = c->lanes[i].kept_size,
							     .may_lack = c->plan->lacking.keeps_records &&
									 !c->plan->lanes[i].by_time,
							     .span.is_given = c->plan->lanes[i].by_time};
		segment_clear(&c->lanes[i], g);
	}
}

/* The numbering of a chunk's keys. */
struct numbering {
	const struct conductor *c;
	const struct slot *s;
	size_t count; /* the chunk's keys */
	uint32_t known; /* the keys of the chunks before */
	uint32_t *numbers; /* NO_KEY: the key has no number yet */
	uint32_t unknown[KEY_SLICES_MAX]; /* how many keys of each slice were not found */
};

/* Looks up a slice of the keys. */
static void look_up(void *owner, size_t slice)
{
	struct numbering *n = owner;
	const struct keys *table = n->c->keys->keys;
	const struct record_key *keys = (const struct record_key *)(const void *)n->s->keyed.keys.keys.data;
	const size_t end = key_slice_end(slice, n->count);
	for (size_t i = key_slice_first(slice, n->count); i < end; i++) {
		const void *bytes = record_key_bytes(&keys[i], &n->s->keyed.key_bytes);
		key_scans_fetch_ahead(table, keys, i, n->count);
		if (!keys_look_up(table, keys[i].hash, bytes, keys[i].size, &n->numbers[i])) {
			n->numbers[i] = NO_KEY;
			n->unknown[slice]++;
		}
	}
}

/* Begins the scans of a slice's new keys. */
static void begin_new(void *owner, size_t slice)
{
	const struct numbering *n = owner;
	const size_t end = key_slice_end(slice, n->count);
	for (size_t i = key_slice_first(slice, n->count); i < end; i++) {
		if (n->numbers[i] != NO_KEY && n->numbers[i] >= n->known)
			key_scans_begin_key(n->c, n->numbers[i]);
	}
}

/* Numbers the keys that are new, in the order of their records. (That is their own, unless text was turned.) Where some
 * records lack all their numbers, such a record begins no key, unless it is kept or held. */
static enum status number_new(const struct numbering *n)
{
	const struct slot *s = n->s;
	const struct record_key *keys = (const struct record_key *)(const void *)s->keyed.keys.keys.data;
	const uint32_t *of_records = (const uint32_t *)(const void *)s->keyed.keys.of_records.data;
	const uint32_t *lacking = (const uint32_t *)(const void *)s->keyed.lacking.data;
	const bool all_begin = s->keyed.lacking.size == 0;
	const bool by_keys = all_begin && !n->c->plan->is_reversed;
	const size_t most = by_keys ? n->count : s->decode.decoded.records;
	struct keys *table = n->c->keys->keys;
	uint32_t unknown = 0;
	for (size_t i = 0; i < key_slice_count(n->count); i++)
		unknown += n->unknown[i];
	enum status status = unknown > 0 ? keys_expect(table, unknown) : STATUS_OK;
	for (size_t i = 0; i < most && unknown > 0 && status == STATUS_OK; i++) {
		const size_t key = by_keys ? i : of_records[i];
		const bool begins = all_begin || lacking[i] < n->c->plan->field_count || (lacking[i] & LACKS_HELD) != 0;
		if (by_keys && i + AHEAD < most && n->numbers[i + AHEAD] == NO_KEY)
			keys_fetch_bucket(table, keys[i + AHEAD].hash);
		if (n->numbers[key] == NO_KEY && begins)
			status = keys_find(table, keys[key].hash, record_key_bytes(&keys[key], &s->keyed.key_bytes),
					   keys[key].size, &n->numbers[key]);
	}
	return status;
}

enum status key_scans_number(const struct conductor *c, const struct slot *s)
{
	struct key_scans *k = c->keys;
	const bool has_keys = c->plan->format.text.key_count > 0;
	struct numbering n = {.c = c, .s = s, .count = has_keys ? grouper_count(&s->keyed.keys) : 1};
	enum status status = bytes_make(&k->numbers, n.count, sizeof(uint32_t));
	n.known = keys_count(k->keys);
	n.numbers = (uint32_t *)(void *)k->numbers.data;
	if (status == STATUS_OK && !has_keys) {
		status = keys_find(k->keys, 0, "", 0, n.numbers);
	} else if (status == STATUS_OK) {
		pool_do_all(c->keys_pool, key_slice_count(n.count), look_up, &n);
		status = number_new(&n);
	}
	if (status == STATUS_OK && keys_count(k->keys) > n.known)
		pool_do_all(c->keys_pool, key_slice_count(n.count), begin_new, &n);
	return status;
}
