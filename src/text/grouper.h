/* Which records of a chunk have the same key. */
#ifndef PSCAN_TEXT_GROUPER_H
#define PSCAN_TEXT_GROUPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The keys of a chunk, numbered from 0 in the order in which they come. All zero is one without any. */
struct grouper {
	struct bytes keys; /* struct record_key: each once */
	struct bytes of_records; /* uint32_t: the number of each record's */
	struct bytes places; /* an open-addressed table of them, at most half full */
	struct bytes recent; /* uint32_t: keys that came lately, by bytes of theirs; plus 1 */
	uint32_t looked, missed; /* among those: so often, and so often in vain */
};

static inline size_t grouper_count(const struct grouper *g)
{
	return g->keys.size / sizeof(struct record_key);
}

/* Forgets all. */
void grouper_clear(struct grouper *g);
void grouper_free(struct grouper *g);

/* Takes the next record in, whose key this is, but for its hash; copied: where such keys' bytes are. *is_new: no record before has this
 * key. STATUS_SYSTEM after a message. */
enum status grouper_add(struct grouper *g, const struct hash_key *secret, const struct record_key *key,
			const struct bytes *copied, bool *is_new) MUST_CHECK;

#endif
