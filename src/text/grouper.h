/* Gives the keys of a chunk's records numbers, so that records with equal keys have equal numbers. */
#ifndef PSCAN_TEXT_GROUPER_H
#define PSCAN_TEXT_GROUPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* A record's key: the bytes of a field without quotes, or of several fields, each with its size before it. */
struct record_key {
	union {
		const char *bytes; /* The key in the input. Borrowed. */
		size_t at; /* is_copied: its place among the copied bytes. */
	};
	size_t size; /* Bytes of the key. */
	uint32_t hash; /* Its hash_half. Set by the grouper. */
	bool is_copied;
};

/* Returns the bytes of a key. */
static inline const void *record_key_bytes(const struct record_key *key, const struct bytes *copied)
{
	return key->is_copied ? copied->data + key->at : (const void *)key->bytes;
}

static inline bool record_key_is_same(const struct record_key *a, const struct record_key *b,
				      const struct bytes *copied)
{
	return a->size == b->size && memory_is_same(record_key_bytes(a, copied), record_key_bytes(b, copied), a->size);
}

/* The keys of a chunk, numbered from 0 in the order of their first records. All zero: no keys. All memory is owned. */
struct grouper {
	struct bytes keys; /* A struct record_key for each key. */
	struct bytes of_records; /* A uint32_t for each record: its key's number. */
	/* An open-addressed hash table of key numbers, at most three quarters full: small, so that it may fit a core's
	 * cache. (Measured.) */
	struct bytes buckets;
	struct bytes recent; /* A cache of RECENT_KEYS struct recent_key, or empty. */
	int64_t worth; /* The cache is used while this is above 0. */
};

/* The part of a key that is compared first: the whole key padded with zeros, or the first, middle and last bytes of a
 * key of more than KEY_SHORT_MAX bytes. */
struct key_look {
	uint64_t words[3];
};
#define KEY_SHORT_MAX sizeof(struct key_look)

/* An entry of the cache. */
struct recent_key {
	struct key_look look;
	/* Bytes of the key. If the key has several fields and `look` is of their joined text: bytes of that text, ORed
	 * with KEY_JOINED. In it the fields follow each other, each but the last one after a byte with its size. */
	uint32_t size;
	uint32_t number; /* The key's number plus 1. 0: the entry is empty. */
};

#define KEY_JOINED 0x80000000u

/* The cache has 2^RECENT_BITS entries. It is made once a chunk has RECENT_AFTER records: short inputs do without. */
#define RECENT_BITS 13
#define RECENT_KEYS ((size_t)1 << RECENT_BITS)
#define RECENT_AFTER 64
/* A key that is found saves some seven times what looking for it costs. What a chunk's first look-ups may cost, of
 * which few find their keys, because all are new; and what each one that finds its key saves. */
#define RECENT_TRIAL 1024
#define RECENT_SAVES 7

/* Returns the only entry of the cache in which a key can be. */
static inline struct recent_key *grouper_recent(const struct grouper *g, const struct key_look *look)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	const uint64_t x = (look->words[0] * odd ^ look->words[1]) * odd ^ look->words[2];
	return (struct recent_key *)(void *)g->recent.data + (size_t)(x * odd >> (64 - RECENT_BITS));
}

/* Whether an entry has this look and size (recent_key.size). A key of more than KEY_SHORT_MAX bytes may still be
 * another one. */
static inline bool grouper_is_recent(const struct recent_key *r, const struct key_look *look, size_t size)
{
	const uint64_t *a = r->look.words;
	const uint64_t *b = look->words;
	return r->number != 0 && r->size == size && ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2])) == 0;
}

static inline size_t grouper_count(const struct grouper *g)
{
	return g->keys.size / sizeof(struct record_key);
}

/* Forgets all records and keys. The memory stays. */
void grouper_clear(struct grouper *g);
void grouper_free(struct grouper *g);

/* Adds the next record with its key. A new key gets the next number. Its bytes are not copied: they must stay valid
 * until grouper_clear or grouper_free. The key's `hash` need not be set. copied: where the bytes of copied keys lie
 * (struct record_key), the same for all keys of a chunk. *is_new becomes whether the key is new. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status grouper_add(struct grouper *g, const struct hash_key *secret, const struct record_key *key,
			const struct bytes *copied, bool *is_new) MUST_CHECK;

/* The look of a key of at most KEY_SHORT_MAX bytes. KEY_SHORT_MAX bytes are read. */
static inline struct key_look grouper_look_short(const char *bytes, size_t size)
{
	/* From masks + KEY_SHORT_MAX - size on, `size` bytes are 255 and the following ones are 0. */
	static const unsigned char masks[2 * KEY_SHORT_MAX] = {
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	};
	struct key_look look;
	struct key_look mask;
	memcpy(&look, bytes, sizeof look);
	memcpy(&mask, masks + KEY_SHORT_MAX - size, sizeof mask);
	for (size_t i = 0; i < sizeof look.words / sizeof *look.words; i++)
		look.words[i] &= mask.words[i];
	return look;
}

/* Adds the next record if its key is in the cache. size: as recent_key.size, of at most KEY_SHORT_MAX bytes. False, and
 * nothing is added: the key is not there, the cache is not in use, or there is no room for one more record. */
static inline bool grouper_add_recent(struct grouper *g, const struct key_look *look, size_t size)
{
	const bool has_room = g->of_records.capacity - g->of_records.size >= sizeof(uint32_t);
	if (!has_room || g->worth <= 0)
		return false;
	const struct recent_key *r = grouper_recent(g, look);
	if (!grouper_is_recent(r, look, size))
		return false;
	const uint32_t number = r->number - 1;
	memcpy(g->of_records.data + g->of_records.size, &number, sizeof number);
	g->of_records.size += sizeof number;
	g->worth += RECENT_SAVES;
	return true;
}

/* grouper_add for a key whose bytes are in the input. KEY_SHORT_MAX bytes from its beginning on must be readable. */
MUST_CHECK static inline __attribute__((always_inline)) enum status grouper_add_input(struct grouper *g,
										      const struct hash_key *secret,
										      const char *bytes, size_t size,
										      const struct bytes *copied)
{
	if (size <= KEY_SHORT_MAX) {
		const struct key_look look = grouper_look_short(bytes, size);
		if (grouper_add_recent(g, &look, size))
			return STATUS_OK;
	}
	const struct record_key key = {.bytes = bytes, .size = size};
	bool is_new;
	return grouper_add(g, secret, &key, copied, &is_new);
}

/* A field of a key, in the input. */
struct key_field {
	const char *bytes; /* KEY_SHORT_MAX bytes are readable. */
	size_t size;
};

/* grouper_add for a key of several fields, at least one. Appends the key's bytes, each field with its size before it,
 * to *copied if the key is new. */
enum status grouper_add_fields(struct grouper *g, const struct hash_key *secret, const struct key_field *fields,
			       size_t count, struct bytes *copied) MUST_CHECK;

#endif
