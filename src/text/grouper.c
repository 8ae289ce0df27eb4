/* A keyed hash, which an attacker cannot aim at, is slow. Most records have a key that came recently, so a key is first
 * looked for in a cache, by a few of its bytes, in one bucket only. An attacker who aims at the cache only makes it
 * useless: the hash remains. */
#include "text/grouper.h"

#include <string.h>

#define BUCKETS_MIN 1024

void grouper_clear(struct grouper *g)
{
	/* The table stays as large as it became. */
	if (g->buckets.size > 0)
		memset(g->buckets.data, 0, g->buckets.size);
	if (g->recent.size > 0)
		memset(g->recent.data, 0, g->recent.size);
	g->keys.size = 0;
	g->of_records.size = 0;
	g->worth = g->recent.size > 0 ? RECENT_TRIAL : 0;
}

void grouper_free(struct grouper *g)
{
	bytes_free(&g->keys);
	bytes_free(&g->of_records);
	bytes_free(&g->buckets);
	bytes_free(&g->recent);
}

/* Makes the table twice as large. It is unchanged if memory is missing. */
static enum status grow(struct grouper *g)
{
	const struct record_key *keys = (const struct record_key *)(const void *)g->keys.data;
	const size_t key_count = grouper_count(g);
	const size_t count = g->buckets.size > 0 ? 2 * (g->buckets.size / sizeof(struct hash_bucket)) : BUCKETS_MIN;
	struct bytes larger = {0};
	if (bytes_reserve(&larger, count * sizeof(struct hash_bucket)) != STATUS_OK || larger.data == NULL)
		return STATUS_SYSTEM;
	larger.size = count * sizeof(struct hash_bucket);
	memset(larger.data, 0, larger.size);
	struct hash_bucket *buckets = (struct hash_bucket *)(void *)larger.data;
	for (size_t i = 0; i < key_count; i++)
		hash_enter(buckets, count, (struct hash_bucket){keys[i].hash, (uint32_t)i + 1});
	bytes_free(&g->buckets);
	g->buckets = larger;
	return STATUS_OK;
}

static inline uint64_t word_at(const unsigned char *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	return word;
}

static struct key_look look_at(const unsigned char *bytes, size_t size)
{
	struct key_look look = {.words = {0}};
	if (size > KEY_SHORT_MAX)
		look = (struct key_look){.words = {word_at(bytes), word_at(bytes + (size - sizeof(uint64_t)) / 2),
						   word_at(bytes + size - sizeof(uint64_t))}};
	else if (size > 0)
		memcpy(&look, bytes, size);
	return look;
}

/* Finds a key's number in the table, or gives it the next one. There is room. */
static uint32_t find(struct grouper *g, uint32_t hash, const struct record_key *key, const struct bytes *copied)
{
	struct record_key *keys = (struct record_key *)(void *)g->keys.data;
	struct hash_bucket *buckets = (struct hash_bucket *)(void *)g->buckets.data;
	const size_t count = g->buckets.size / sizeof *buckets;
	size_t at = hash & (count - 1);
	for (; buckets[at].number != 0; at = hash_next_bucket(at, count)) {
		const struct record_key *other = &keys[buckets[at].number - 1];
		if (buckets[at].hash == hash && record_key_is_same(other, key, copied))
			return buckets[at].number - 1;
	}
	const uint32_t number = (uint32_t)grouper_count(g);
	buckets[at] = (struct hash_bucket){.hash = hash, .number = number + 1};
	keys[number] = *key;
	keys[number].hash = hash;
	g->keys.size += sizeof *key;
	return number;
}

/* Room for one more key and record. */
static inline enum status need_room(struct grouper *g)
{
	const size_t key_count = grouper_count(g);
	if ((4 * key_count + 4 > g->buckets.size / sizeof(struct hash_bucket) * 3 && grow(g) != STATUS_OK) ||
	    bytes_reserve(&g->of_records, sizeof(uint32_t)) != STATUS_OK ||
	    bytes_reserve(&g->keys, sizeof(struct record_key)) != STATUS_OK)
		return STATUS_SYSTEM;
	if (g->recent.size > 0 || g->of_records.size < RECENT_AFTER * sizeof(uint32_t))
		return STATUS_OK;
	TRY(bytes_reserve(&g->recent, RECENT_KEYS * sizeof(struct recent_key)));
	g->recent.size = RECENT_KEYS * sizeof(struct recent_key);
	memset(g->recent.data, 0, g->recent.size);
	g->worth = RECENT_TRIAL;
	return STATUS_OK;
}

/* Adds the next record with a key's number. */
static void put_number(struct grouper *g, uint32_t number)
{
	memcpy(g->of_records.data + g->of_records.size, &number, sizeof number);
	g->of_records.size += sizeof number;
}

enum status grouper_add(struct grouper *g, const struct hash_key *secret, const struct record_key *key,
			const struct bytes *copied, bool *is_new)
{
	const size_t key_count = grouper_count(g);
	TRY(need_room(g));
	const struct record_key *keys = (const struct record_key *)(const void *)g->keys.data;
	const unsigned char *bytes = record_key_bytes(key, copied);
	const bool looks = g->worth > 0;
	struct key_look look = {.words = {0}};
	struct recent_key *recent = NULL;
	uint32_t number = 0;
	bool is_found = false;
	if (looks) {
		look = look_at(bytes, key->size);
		recent = grouper_recent(g, &look);
		number = recent->number - 1;
		is_found = grouper_is_recent(recent, &look, key->size) &&
			   (key->size <= KEY_SHORT_MAX || record_key_is_same(&keys[number], key, copied));
		g->worth += is_found ? RECENT_SAVES : -1;
	}
	if (!is_found) {
		number = find(g, hash_half(secret, bytes, key->size), key, copied);
		if (looks && key->size < KEY_JOINED)
			*recent = (struct recent_key){.look = look, .size = (uint32_t)key->size, .number = number + 1};
	}
	*is_new = grouper_count(g) > key_count;
	put_number(g, number);
	return STATUS_OK;
}

/* (Most fields are short: copies of a known size take less time.) */
static enum status append_fields(const struct key_field *fields, size_t count, struct bytes *copied)
{
	size_t size = KEY_SHORT_MAX;
	for (size_t i = 0; i < count; i++)
		size += sizeof fields[i].size + fields[i].size;
	TRY(bytes_reserve(copied, size));
	unsigned char *to = copied->data + copied->size;
	for (size_t i = 0; i < count; to += fields[i++].size) {
		memcpy(to, &fields[i].size, sizeof fields[i].size);
		to += sizeof fields[i].size;
		memcpy(to, fields[i].bytes, KEY_SHORT_MAX);
		if (fields[i].size > KEY_SHORT_MAX)
			memcpy(to, fields[i].bytes, fields[i].size);
	}
	copied->size += size - KEY_SHORT_MAX;
	return STATUS_OK;
}

enum status grouper_add_fields(struct grouper *g, const struct hash_key *secret, const struct key_field *fields,
			       size_t count, struct bytes *copied)
{
	char joined[2 * KEY_SHORT_MAX + 1];
	size_t size = 0;
	for (size_t i = 0; i < count && size <= KEY_SHORT_MAX; i++) {
		/* (The last one's size follows from that of all.) */
		if (i + 1 < count)
			joined[size++] = (char)fields[i].size;
		memcpy(joined + size, fields[i].bytes, KEY_SHORT_MAX);
		size += fields[i].size;
	}
	const bool looks = size <= KEY_SHORT_MAX && g->worth > 0;
	struct key_look look = {.words = {0}};
	if (looks) {
		look = grouper_look_short(joined, size);
		if (grouper_add_recent(g, &look, size | KEY_JOINED))
			return STATUS_OK;
		g->worth--;
	}
	struct record_key key = {.is_copied = true, .at = copied->size};
	TRY(need_room(g));
	TRY(append_fields(fields, count, copied));
	key.size = copied->size - key.at;
	const size_t key_count = grouper_count(g);
	const uint32_t number = find(g, hash_half(secret, copied->data + key.at, key.size), &key, copied);
	if (grouper_count(g) == key_count)
		copied->size = key.at;
	if (looks)
		*grouper_recent(g, &look) =
			(struct recent_key){.look = look, .size = (uint32_t)size | KEY_JOINED, .number = number + 1};
	put_number(g, number);
	return STATUS_OK;
}
