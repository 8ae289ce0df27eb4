#include "text/grouper.h"

#include <string.h>

/* A place of the table: the upper half of a hash, by which the place is found, and the key's number plus 1; 0: it is empty. */
struct place {
	uint32_t hash;
	uint32_t number;
};

#define PLACES_MIN 1024

void grouper_clear(struct grouper *g)
{
	/* The table stays as large as it became. */
	if (g->places.size > 0)
		memset(g->places.data, 0, g->places.size);
	g->keys.size = 0;
	g->of_records.size = 0;
}

void grouper_free(struct grouper *g)
{
	bytes_free(&g->keys);
	bytes_free(&g->of_records);
	bytes_free(&g->places);
}

static inline size_t next_place(size_t at, size_t count)
{
	return (at + 1) & (count - 1);
}

static enum status grow(struct grouper *g)
{
	const struct record_key *keys = (const struct record_key *)(const void *)g->keys.data;
	const size_t key_count = grouper_count(g);
	const size_t count = g->places.size > 0 ? 2 * (g->places.size / sizeof(struct place)) : PLACES_MIN;
	g->places.size = 0;
	if (bytes_reserve(&g->places, count * sizeof(struct place)) != STATUS_OK)
		return STATUS_SYSTEM;
	g->places.size = count * sizeof(struct place);
	memset(g->places.data, 0, g->places.size);
	struct place *places = (struct place *)(void *)g->places.data;
	for (size_t i = 0; i < key_count; i++) {
		const uint32_t hash = (uint32_t)(keys[i].hash >> 32);
		size_t at = hash & (count - 1);
		while (places[at].number != 0)
			at = next_place(at, count);
		places[at] = (struct place){.hash = hash, .number = (uint32_t)i + 1};
	}
	return STATUS_OK;
}

enum status grouper_add(struct grouper *g, const struct record_key *key, const struct bytes *copied, bool *is_new)
{
	const size_t key_count = grouper_count(g);
	if ((2 * key_count + 2 > g->places.size / sizeof(struct place) && grow(g) != STATUS_OK) ||
	    bytes_reserve(&g->of_records, sizeof(uint32_t)) != STATUS_OK ||
	    bytes_reserve(&g->keys, sizeof *key) != STATUS_OK)
		return STATUS_SYSTEM;
	struct record_key *keys = (struct record_key *)(void *)g->keys.data;
	struct place *places = (struct place *)(void *)g->places.data;
	const size_t count = g->places.size / sizeof *places;
	const uint32_t hash = (uint32_t)(key->hash >> 32);
	const void *bytes = record_key_bytes(key, copied);
	size_t at = hash & (count - 1);
	for (; places[at].number != 0; at = next_place(at, count)) {
		const struct record_key *other = &keys[places[at].number - 1];
		if (places[at].hash == hash && other->hash == key->hash && other->size == key->size &&
		    memory_is_same(record_key_bytes(other, copied), bytes, key->size))
			break;
	}
	*is_new = places[at].number == 0;
	if (*is_new) {
		places[at] = (struct place){.hash = hash, .number = (uint32_t)key_count + 1};
		keys[key_count] = *key;
		g->keys.size += sizeof *key;
	}
	const uint32_t number = places[at].number - 1;
	memcpy(g->of_records.data + g->of_records.size, &number, sizeof number);
	g->of_records.size += sizeof number;
	return STATUS_OK;
}
