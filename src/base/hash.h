/* A hash of bytes with a secret random key. An input's author cannot construct collisions without the key.
 *
 * SipHash-1-3: J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012, with as many
 * rounds as is usual for hash tables. */
#ifndef PSCAN_BASE_HASH_H
#define PSCAN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct hash_key {
	uint64_t k0, k1;
};

/* Sets *key to random bytes from the system. STATUS_SYSTEM after a message if the system gives none; *key is then
 * undefined. */
enum status hash_key_new(struct hash_key *key) MUST_CHECK;

/* Returns the hash of `size` bytes under the key. Pure; any thread. */
uint64_t hash_bytes(const struct hash_key *key, const void *bytes, size_t size);

/* Returns the upper 32 bits of hash_bytes, which tables of keys use. */
static inline uint32_t hash_half(const struct hash_key *key, const void *bytes, size_t size)
{
	return (uint32_t)(hash_bytes(key, bytes, size) >> 32);
}

/* A bucket of an open-addressed hash table. The number of buckets, `count`, is a power of two. The search for a key
 * begins at the bucket `hash % count` and ends at the key or at an empty bucket. */
struct hash_bucket {
	uint32_t hash; /* The hash_half of the key that is entered here. */
	uint32_t number; /* This key's number plus 1. 0: the bucket is empty. */
};

/* Returns the index of the bucket to search after the one at `at`, in a table of `count` buckets. */
static inline size_t hash_next_bucket(size_t at, size_t count)
{
	return (at + 1) & (count - 1);
}

/* Enters `bucket` in a table of `count` buckets. The table must not have this key, and must have an empty bucket. */
static inline void hash_enter(struct hash_bucket *buckets, size_t count, struct hash_bucket bucket)
{
	size_t at = bucket.hash & (count - 1);
	while (buckets[at].number != 0)
		at = hash_next_bucket(at, count);
	buckets[at] = bucket;
}

#endif
