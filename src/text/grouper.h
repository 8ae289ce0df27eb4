/* Which records of a chunk have the same key. */
#ifndef PSCAN_TEXT_GROUPER_H
#define PSCAN_TEXT_GROUPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* The bytes of some fields of a record, without quotes; of several fields each with its size before it. */
struct record_key {
	uint64_t hash; /* of keys: the grouper's */
	const char *bytes; /* of the input, or NULL: they are among those that were copied, */
	size_t at; /* from here on */
	size_t size;
};

static inline const void *record_key_bytes(const struct record_key *key, const struct bytes *copied)
{
	return key->bytes != NULL ? (const void *)key->bytes : copied->data + key->at;
}

static inline bool record_key_is_same(const struct record_key *a, const struct record_key *b,
				      const struct bytes *copied)
{
	return a->size == b->size && memory_is_same(record_key_bytes(a, copied), record_key_bytes(b, copied), a->size);
}

/* The keys of a chunk, numbered from 0 in the order in which they come. All zero is one without any. */
struct grouper {
	struct bytes keys; /* struct record_key: each once */
	struct bytes of_records; /* uint32_t: the number of each record's */
	struct bytes places; /* an open-addressed table of them, at most half full */
	struct bytes recent; /* struct recent_key: RECENT_KEYS that came lately, by bytes of theirs, or none */
	uint32_t looked, missed; /* among those: so often, and so often in vain */
};

/* What of a key is looked at first: all of it, with zeros after it, or of a longer one its first, middle and last
 * bytes. */
struct key_look {
	uint64_t words[3];
};
#define KEY_SHORT_MAX sizeof(struct key_look)

struct recent_key {
	struct key_look look;
	uint32_t size;
	uint32_t number; /* plus 1; 0: there is none */
};

/* 2 to this power of them. */
#define RECENT_BITS 12
#define RECENT_KEYS ((size_t)1 << RECENT_BITS)
/* Where after so many records most were not among them, nobody looks any more. */
#define RECENT_TRIAL 1024

static inline bool grouper_looks(const struct grouper *g)
{
	return g->looked < RECENT_TRIAL || g->missed < g->looked / 2;
}

/* The only place among the recent keys where a key can be. */
static inline struct recent_key *grouper_recent(const struct grouper *g, const struct key_look *look)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	const uint64_t x = (look->words[0] * odd ^ look->words[1]) * odd ^ look->words[2];
	return (struct recent_key *)(void *)g->recent.data + (size_t)(x * odd >> (64 - RECENT_BITS));
}

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

/* Forgets all. */
void grouper_clear(struct grouper *g);
void grouper_free(struct grouper *g);

/* Takes the next record in, whose key this is, but for its hash; copied: where such keys' bytes are. *is_new: no
 * record before has this key. STATUS_SYSTEM after a message. */
enum status grouper_add(struct grouper *g, const struct hash_key *secret, const struct record_key *key,
			const struct bytes *copied, bool *is_new) MUST_CHECK;

/* The same of a key in the input; KEY_SHORT_MAX bytes from its start on can be read. */
MUST_CHECK static inline enum status grouper_add_input(struct grouper *g, const struct hash_key *secret,
						       const char *bytes, size_t size, const struct bytes *copied)
{
	/* Ones as far as a key goes. */
	static const unsigned char masks[2 * KEY_SHORT_MAX] = {
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	};
	const bool has_room = g->of_records.capacity - g->of_records.size >= sizeof(uint32_t);
	if (size <= KEY_SHORT_MAX && g->recent.size > 0 && has_room && grouper_looks(g)) {
		struct key_look look;
		struct key_look mask;
		memcpy(&look, bytes, sizeof look);
		memcpy(&mask, masks + KEY_SHORT_MAX - size, sizeof mask);
		for (size_t i = 0; i < sizeof look.words / sizeof *look.words; i++)
			look.words[i] &= mask.words[i];
		const struct recent_key *r = grouper_recent(g, &look);
		if (grouper_is_recent(r, &look, size)) {
			const uint32_t number = r->number - 1;
			memcpy(g->of_records.data + g->of_records.size, &number, sizeof number);
			g->of_records.size += sizeof number;
			g->looked++;
			return STATUS_OK;
		}
	}
	const struct record_key key = {.bytes = bytes, .size = size};
	bool is_new;
	return grouper_add(g, secret, &key, copied, &is_new);
}

#endif
